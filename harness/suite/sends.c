#include "harness/suite/sends.h"

#include "harness/suite/target.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

// How many repetitions of a payload are looked at, and the most bytes that may take.
#define FEW 32u
#define FEW_BYTES ((size_t)1 << 20)

static bool is_positional(jrpc_json message)
{
    return jrpc_json_is(jrpc_json_get(message, "params"), JRPC_JSON_ARRAY);
}

static bool has_null_id(jrpc_json message)
{
    return jrpc_json_is(jrpc_json_get(message, "id"), JRPC_JSON_NULL);
}

static bool has_fractional_id(jrpc_json message)
{
    jrpc_json id = jrpc_json_get(message, "id");
    return jrpc_json_is(id, JRPC_JSON_NUMBER) && !jrpc_json_is_integer(id);
}

static bool has_wide_id(jrpc_json message)
{
    jrpc_json id = jrpc_json_get(message, "id");
    int64_t value;
    return jrpc_json_is_integer(id) &&
           (!jrpc_json_int64(id, &value) || value < INT32_MIN || value > INT32_MAX);
}

// Of a valid form: what has no id but is not valid is owed an error, not silence.
static bool is_notification(jrpc_json message)
{
    jrpc_json params = jrpc_json_get(message, "params");
    return jrpc_json_string_is(jrpc_json_get(message, "jsonrpc"), JRPC_SLICE("2.0")) &&
           jrpc_json_is(jrpc_json_get(message, "method"), JRPC_JSON_STRING) &&
           (!jrpc_json_exists(params) || jrpc_json_is(params, JRPC_JSON_OBJECT) ||
            jrpc_json_is(params, JRPC_JSON_ARRAY)) &&
           !jrpc_json_exists(jrpc_json_get(message, "id"));
}

static bool is_positional_notification(jrpc_json message)
{
    return is_positional(message) && is_notification(message);
}

// A name that no HTTP header can carry: empty, beyond printable ASCII, with a blank at either end,
// or long.
static bool has_odd_method(jrpc_json message)
{
    jrpc_json method = jrpc_json_get(message, "method");
    jrpc_slice spelling = jrpc_json_spelling(method);
    if (!jrpc_json_is(method, JRPC_JSON_STRING)) {
        return false;
    }
    bool odd = spelling.len <= 2 || spelling.len > JCK_MIRROR_MAX || spelling.ptr[1] == ' ' ||
               spelling.ptr[spelling.len - 2] == ' ';
    for (size_t i = 1; !odd && i + 1 < spelling.len; i++) {
        unsigned char byte = (unsigned char)spelling.ptr[i];
        odd = byte < ' ' || byte > '~' || byte == '\\';
    }
    return odd;
}

// Anything but a call without params or with params by name: a profile's `request-params` cannot be
// added to it.
static bool is_not_by_name(jrpc_json message)
{
    jrpc_json params = jrpc_json_get(message, "params");
    return !jrpc_json_exists(jrpc_json_get(message, "method")) ||
           !jrpc_json_exists(jrpc_json_get(message, "id")) ||
           (jrpc_json_exists(params) && !jrpc_json_is(params, JRPC_JSON_OBJECT));
}

static const char *const words[] = {"batch",        "positional",
                                    "null-id",      "fractional-id",
                                    "wide-id",      "positional-notification",
                                    "odd-method",   "not-by-name",
                                    "notification", NULL};
// In the order of the words; NULL: the whole message is an Array.
static bool (*const kinds[])(jrpc_json message) = {NULL,           is_positional,
                                                   has_null_id,    has_fractional_id,
                                                   has_wide_id,    is_positional_notification,
                                                   has_odd_method, is_not_by_name,
                                                   is_notification};

const char *const *jck_sends_words(void)
{
    return words;
}

static bool is_of_kind(jrpc_json root, size_t kind)
{
    bool array = jrpc_json_is(root, JRPC_JSON_ARRAY);
    if (kinds[kind] == NULL) {
        return array;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(root); array && jrpc_json_step(&it);) {
        if (kinds[kind](it.value)) {
            return true;
        }
    }
    return !array && kinds[kind](root);
}

// Variables are inside Strings, so the text is JSON even before they are replaced.
static bool text_is_of_kind(jrpc_slice text, size_t kind)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool is = jrpc_json_read(&document, text, JRPC_LIMIT_DEPTH, NULL) &&
              is_of_kind(jrpc_json_root(&document), kind);
    jrpc_json_document_done(&document);
    return is;
}

// A few units show as much as a million.
static bool repeat_is_of_kind(const jck_payload *payload, size_t kind)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), FEW_BYTES);
    (void)jrpc_buffer_append(&text, payload->prefix);
    for (size_t i = 0; i < payload->times && i < FEW; i++) {
        (void)jrpc_buffer_append(&text, payload->unit);
    }
    (void)jrpc_buffer_append(&text, payload->middle);
    for (size_t i = 0; i < payload->times && i < FEW; i++) {
        (void)jrpc_buffer_append(&text, payload->close);
    }
    (void)jrpc_buffer_append(&text, payload->suffix);
    bool is = !text.failed && text_is_of_kind(jrpc_buffer_slice(&text), kind);
    jrpc_buffer_done(&text);
    return is;
}

static bool payload_is_of_kind(const jck_payload *payload, size_t kind)
{
    switch (payload->kind) {
    case JCK_PAYLOAD_JSON:
        return is_of_kind(payload->json, kind);
    case JCK_PAYLOAD_TEXT:
    case JCK_PAYLOAD_BYTES:
        return text_is_of_kind(payload->text, kind);
    case JCK_PAYLOAD_REPEAT:
        return repeat_is_of_kind(payload, kind);
    }
    return false;
}

bool jck_step_sends(const jck_step *step, jrpc_slice word)
{
    size_t kind = 0;
    while (words[kind] != NULL && !jrpc_slice_is(word, words[kind])) {
        kind++;
    }
    return words[kind] != NULL && step->kind == JCK_STEP_SEND &&
           payload_is_of_kind(&step->payload, kind);
}

bool jck_case_sends(const jck_case *test_case, jrpc_slice word)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (jck_step_sends(&test_case->steps[i], word)) {
            return true;
        }
    }
    return false;
}
