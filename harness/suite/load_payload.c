// What a step sends: send, send-text, send-hex, send-repeat.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/payload.h"
#include "harness/suite/variables.h"
#include "reference/json/scan.h"

#include <stdio.h>

static bool is_captured_itself(const jck_scope *scope, jrpc_slice name)
{
    for (size_t i = 0; i < scope->captured_count; i++) {
        if (jrpc_slice_equal(scope->captured[i], name)) {
            return true;
        }
    }
    return false;
}

// A captured value, or an id that resembles it.
static bool is_captured(const jck_scope *scope, jrpc_slice name)
{
    jrpc_slice request;
    jck_kin kin;
    return is_captured_itself(scope, name) ||
           (jck_kin_from_name(name, &request, &kin) && is_captured_itself(scope, request));
}

bool jck_check_variable(jck_reader *reader, const jck_scope *scope, size_t place, jrpc_slice name)
{
    bool number;
    jrpc_slice suffix;
    jrpc_slice capability;
    jck_name_spelling how;
    jck_credential credential;
    if (jck_is_id_variable(name, &number, &suffix) ||
        jck_is_resource_variable(name, &capability, &suffix) || jrpc_slice_is(name, "absent") ||
        jck_is_respelled_variable(name, &capability, &how) || jck_is_capability(name) ||
        jck_is_optional_variable(name, &capability) ||
        jck_is_credential_variable(name, &credential) || is_captured(scope, name)) {
        return true;
    }
    static const char *const fixed[] = {"id", "id:int", "absent", NULL};
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, name);
    jck_nearest_offer_all(&nearest, fixed);
    jck_nearest_offer_all(&nearest, jck_capabilities());
    for (size_t i = 0; i < scope->captured_count; i++) {
        jck_nearest_offer(&nearest, scope->captured[i]);
    }
    if (jck_nearest_hint(&nearest, hint, sizeof hint)[0] == '\0') {
        return jck_wrong_at(
            reader, place,
            "unknown variable \"%.*s\"; known are id, id:int, id.NAME, id:int.NAME, absent, "
            "the capabilities, and what an earlier step captured",
            JCK_WORD(name));
    }
    return jck_wrong_at(reader, place, "unknown variable \"%.*s\"%s", JCK_WORD(name), hint);
}

typedef struct payload_check {
    jck_reader *reader;
    const jck_scope *scope;
    jrpc_json at;
} payload_check;

// The offset in the file of a piece that is borrowed from its text; else that of the payload's
// value.
static size_t place_of(const payload_check *check, const char *piece)
{
    uintptr_t begin = (uintptr_t)check->reader->text.ptr;
    uintptr_t at = (uintptr_t)piece;
    bool borrowed = at >= begin && at - begin < check->reader->text.len;
    return borrowed ? (size_t)(at - begin) : jrpc_json_offset(check->at);
}

static bool check_variable(void *context, jrpc_slice name, bool quoted)
{
    const payload_check *check = context;
    size_t place = place_of(check, name.ptr);
    // A quoted variable is reported at its opening quote.
    (void)jck_check_variable(check->reader, check->scope, quoted ? place - 3 : place, name);
    return true;
}

static bool check_misplaced(void *context, jrpc_slice text, size_t at)
{
    const payload_check *check = context;
    jrpc_slice rest = jrpc_slice_from(text, at);
    rest.len = rest.len < 24 ? rest.len : 24;
    (void)jck_wrong_at(
        check->reader, place_of(check, rest.ptr),
        "\"%.*s\" is not a variable: in send a variable is a whole String, in text it ends "
        "with a brace; spell a literal ${ as $${",
        JCK_WORD(rest));
    return true;
}

// Pairs of hexadecimal digits, with blanks allowed between pairs.
static bool load_hex(jck_reader *reader, jrpc_json value, const char *name,
                     jck_payload *ret_payload)
{
    jrpc_slice hex;
    if (!jck_read_kind(reader, value, name, JRPC_JSON_STRING)) {
        return false;
    }
    if (!jrpc_json_string(value, reader->arena, &hex)) {
        return jck_reader_starve(reader);
    }
    char *bytes = jck_reader_array(reader, hex.len / 2 + 1, 1);
    if (bytes == NULL) {
        return false;
    }
    // Without escapes the content begins one byte after the opening quote.
    size_t first = jrpc_json_offset(value) + 1;
    size_t count = 0;
    for (size_t i = 0; i < hex.len; i += 2) {
        while (i < hex.len && hex.ptr[i] == ' ') {
            i++;
        }
        if (i == hex.len) {
            break;
        }
        int high = jrpc_scan_hex(hex.ptr[i]);
        int low = i + 1 < hex.len ? jrpc_scan_hex(hex.ptr[i + 1]) : -1;
        if (high < 0 || low < 0) {
            return jck_wrong_at(reader, first + i + (high < 0 ? 0 : 1),
                                "%s needs pairs of hexadecimal digits, such as \"7b 7d\"", name);
        }
        bytes[count++] = (char)(high * 16 + low);
    }
    ret_payload->kind = JCK_PAYLOAD_BYTES;
    ret_payload->text = jrpc_slice_of(bytes, count);
    return true;
}

// The digits that units are numbered with, and the only "#" in the unit.
static bool load_digits(jck_reader *reader, jrpc_json repeat, jck_payload *payload)
{
    jrpc_json list = jrpc_json_get(repeat, "digits");
    if (!jrpc_json_exists(list)) {
        return true;
    }
    if (!jck_read_words(reader, repeat, "digits", true, &payload->digits, &payload->digit_count)) {
        return false;
    }
    size_t longest = 0;
    for (size_t i = 0; i < payload->digit_count; i++) {
        longest = payload->digits[i].len > longest ? payload->digits[i].len : longest;
    }
    const char *place = memchr(payload->unit.ptr, '#', payload->unit.len);
    if (payload->digit_count < 2 || place == NULL) {
        return jck_wrong(reader, list,
                         "digits number the units: two of them or more, and a # in the unit");
    }
    size_t number = longest * jck_payload_digits(payload->times, payload->digit_count);
    if (payload->unit.len + number > (size_t)JCK_LIMIT_PAYLOAD_BYTES / payload->times) {
        return jck_wrong(reader, list, "the numbers make it longer than %lld bytes; lower times",
                         (long long)JCK_LIMIT_PAYLOAD_BYTES);
    }
    return true;
}

static bool load_repeat(jck_reader *reader, jrpc_json value, const char *name,
                        jck_payload *ret_payload)
{
    static const char *const members[] = {"prefix", "unit",   "times",  "middle",
                                          "close",  "suffix", "digits", NULL};
    int64_t times = 1;
    if (!jck_read_object(reader, value, name, members)) {
        return false;
    }
    ret_payload->kind = JCK_PAYLOAD_REPEAT;
    (void)jck_read_text(reader, value, "prefix", false, &ret_payload->prefix);
    (void)jck_read_text(reader, value, "middle", false, &ret_payload->middle);
    (void)jck_read_text(reader, value, "close", false, &ret_payload->close);
    (void)jck_read_text(reader, value, "suffix", false, &ret_payload->suffix);
    bool done = jck_read_word(reader, value, "unit", true, &ret_payload->unit);
    done =
        jck_read_integer(reader, value, "times", true, 1, JCK_LIMIT_PAYLOAD_BYTES, &times) && done;
    if (!done) {
        return false;
    }
    ret_payload->times = (size_t)times;
    if (!load_digits(reader, value, ret_payload)) {
        return false;
    }
    if (ret_payload->unit.len + ret_payload->close.len >
        (size_t)JCK_LIMIT_PAYLOAD_BYTES / ret_payload->times) {
        return jck_wrong(reader, value, "%s spells more than %lld bytes; lower times", name,
                         (long long)JCK_LIMIT_PAYLOAD_BYTES);
    }
    return true;
}

// The ways to spell a payload, as the suffix of the verb.
enum { AS_JSON, AS_TEXT, AS_HEX, AS_REPEAT, SPELLINGS };

// Finds the one member that spells a payload; its name is written to `ret_name`.
static jrpc_json find_spelling(jck_reader *reader, jrpc_json object, const char *verb,
                               size_t *ret_spelling, char ret_name[32])
{
    static const char *const suffixes[SPELLINGS] = {"", "-text", "-hex", "-repeat"};
    jrpc_json value = JRPC_JSON_ABSENT;
    for (size_t i = 0; i < SPELLINGS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%s%s", verb, suffixes[i]);
        jrpc_json member = jrpc_json_get(object, name);
        if (jrpc_json_exists(member) && jrpc_json_exists(value)) {
            (void)jck_wrong(reader, member, "both %s and %s are given; keep one", ret_name, name);
        } else if (jrpc_json_exists(member)) {
            value = member;
            *ret_spelling = i;
            memcpy(ret_name, name, sizeof name);
        }
    }
    return value;
}

bool jck_load_payload_of(jck_reader *reader, const jck_scope *scope, jrpc_json object,
                         const char *verb, jck_payload *ret_payload)
{
    char name[32] = "";
    size_t spelling = AS_JSON;
    jrpc_json value = find_spelling(reader, object, verb, &spelling, name);
    if (!jrpc_json_exists(value)) {
        return false;
    }
    jck_payload payload = {.kind = JCK_PAYLOAD_JSON, .json = value};
    bool done = true;
    if (spelling == AS_TEXT) {
        payload.kind = JCK_PAYLOAD_TEXT;
        done = jck_read_text(reader, object, name, true, &payload.text);
    } else if (spelling == AS_HEX) {
        done = load_hex(reader, value, name, &payload);
    } else if (spelling == AS_REPEAT) {
        done = load_repeat(reader, value, name, &payload);
    }
    if (done) {
        payload_check check = {reader, scope, value};
        jck_payload_visitor visitor = {
            .variable = check_variable, .misplaced = check_misplaced, .context = &check};
        (void)jck_payload_visit(&payload, &visitor);
    }
    *ret_payload = payload;
    return true;
}

bool jck_load_payload(jck_reader *reader, const jck_scope *scope, jrpc_json object,
                      jck_payload *ret_payload)
{
    return jck_load_payload_of(reader, scope, object, "send", ret_payload);
}
