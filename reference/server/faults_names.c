// Faults in how the name of a method is matched, beyond those of faults_method.c: names next to a
// known one, and names that mean something to the language or the transport of the server.
#include "reference/server/bend.h"

#include <stdlib.h>
#include <string.h>

enum { ABBREVIATION = 3, LONG_NAME = 62 };

static const char *const method_names[] = {"subtract",     "sum",        "get_data", "update",
                                           "notify_hello", "notify_sum", "count",    "echo",
                                           "fail",         "app_error",  "slow",     "push"};

static bool method_of(jrpc_bend *bend, const jrpc_message *message, jrpc_slice *ret_name)
{
    return message != NULL &&
           (message->kind == JRPC_MESSAGE_CALL || message->kind == JRPC_MESSAGE_NOTIFICATION) &&
           jrpc_json_string(message->method, bend->arena, ret_name);
}

static void rename_to(jrpc_bend *bend, jrpc_message *message, jrpc_slice name)
{
    message->method = jrpc_bend_json(bend, jrpc_bend_quote(bend, name, JRPC_SLICE("null")));
}

static void strip_rpc(jrpc_bend *bend, jrpc_message *message)
{
    static const jrpc_slice prefix = JRPC_SLICE_INIT("rpc.");
    jrpc_slice name;
    if (!method_of(bend, message, &name)) {
        return;
    }
    while (jrpc_slice_starts_with(name, prefix)) {
        name = jrpc_slice_from(name, prefix.len);
    }
    rename_to(bend, message, name);
}

static void complete(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    const char *found = NULL;
    if (!method_of(bend, message, &name) || name.len < ABBREVIATION) {
        return;
    }
    for (size_t i = 0; i < sizeof method_names / sizeof *method_names; i++) {
        if (jrpc_slice_starts_with(jrpc_slice_str(method_names[i]), name)) {
            if (found != NULL) {
                return; // not the only one
            }
            found = method_names[i];
        }
    }
    if (found != NULL) {
        rename_to(bend, message, jrpc_slice_str(found));
    }
}

// White space that is none of JSON: no-break, ideographic and zero-width space, byte-order mark.
static const char *const wide_spaces[] = {"\xC2\xA0", "\xE3\x80\x80", "\xE2\x80\x8B",
                                          "\xEF\xBB\xBF"};

static void trim_wide(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    if (!method_of(bend, message, &name) || name.ptr == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof wide_spaces / sizeof *wide_spaces; i++) {
        jrpc_slice space = jrpc_slice_str(wide_spaces[i]);
        if (name.len > space.len &&
            jrpc_slice_equal(jrpc_slice_from(name, name.len - space.len), space)) {
            name.len -= space.len;
        }
        if (jrpc_slice_starts_with(name, space)) {
            name = jrpc_slice_from(name, space.len);
        }
    }
    rename_to(bend, message, name);
}

// Characters of the row's spelling are left out at both ends.
static void trim_punctuation(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    const char *left_out = bend->fault->spelling;
    if (!method_of(bend, message, &name)) {
        return;
    }
    while (name.len > 0 && strchr(left_out, name.ptr[0]) != NULL) {
        name = jrpc_slice_from(name, 1);
    }
    while (name.len > 0 && strchr(left_out, name.ptr[name.len - 1]) != NULL) {
        name.len--;
    }
    rename_to(bend, message, name);
}

static void cut_arguments(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    size_t len = 0;
    if (!method_of(bend, message, &name)) {
        return;
    }
    while (len < name.len && strchr("(?#;:,@", name.ptr[len]) == NULL) {
        len++;
    }
    rename_to(bend, message, jrpc_slice_of(name.ptr, len));
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = memchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c, sizeof digits - 1);
    return at == NULL ? -1 : (int)(at - digits);
}

static void decode_percent(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    if (!method_of(bend, message, &name)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < name.len; i++) {
        bool coded = name.ptr[i] == '%' && i + 2 < name.len && digit_of(name.ptr[i + 1]) >= 0 &&
                     digit_of(name.ptr[i + 2]) >= 0;
        jrpc_buffer_append_char(
            &out, coded ? (char)(digit_of(name.ptr[i + 1]) * 16 + digit_of(name.ptr[i + 2]))
                        : name.ptr[i]);
        i += coded ? 2 : 0;
    }
    rename_to(bend, message, jrpc_buffer_slice(&out));
}

// Whether the message names one of these methods; the list ends with NULL.
static bool names_one_of(jrpc_bend *bend, const jrpc_message *message, const char *const *methods)
{
    jrpc_slice name;
    bool found = false;
    if (method_of(bend, message, &name)) {
        for (size_t i = 0; methods[i] != NULL && !found; i++) {
            found = jrpc_slice_is(name, methods[i]);
        }
    }
    return found;
}

static bool is_inherited_with_params(jrpc_bend *bend, const jrpc_message *message)
{
    static const char *const inherited[] = {"__proto__", "constructor",    "toString", "valueOf",
                                            "__class__", "hasOwnProperty", NULL};
    return names_one_of(bend, message, inherited) && jrpc_json_count(message->params) > 0;
}

static bool is_of_every_object(jrpc_bend *bend, const jrpc_message *message)
{
    static const char *const names[] = {
        "inspect",   "__send__", "instance_eval", "method_missing",   "hashCode",    "getClass",
        "notifyAll", "GetType",  "__init__",      "__getattribute__", "__construct", "__call",
        "__index",   "can",      "DESTROY",       "__defineGetter__", NULL};
    return names_one_of(bend, message, names);
}

static bool has_escapes(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    jrpc_slice spelling = jrpc_json_spelling(message->method);
    return message->kind == JRPC_MESSAGE_CALL &&
           memchr(spelling.ptr == NULL ? "" : spelling.ptr, '\\', spelling.len) != NULL;
}

static void keep_escapes(jrpc_bend *bend, jrpc_message *message)
{
    if (has_escapes(bend, message)) {
        rename_to(bend, message, jrpc_json_spelling(message->method));
    }
}

static bool is_not_ascii(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_slice name;
    bool found = false;
    if (method_of(bend, message, &name)) {
        for (size_t i = 0; i < name.len; i++) {
            found = found || (unsigned char)name.ptr[i] > 0x7F;
        }
    }
    return found;
}

static bool is_long(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_slice name;
    return method_of(bend, message, &name) && name.len > LONG_NAME;
}

static void name_in_message(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    jrpc_slice name;
    if (!method_of(bend, message, &name)) {
        return;
    }
    jrpc_buffer text = jrpc_bend_buffer(bend);
    jrpc_buffer_append_str(&text, "Method not found: ");
    jrpc_buffer_append(&text, name);
    response->message = jrpc_bend_quote(bend, jrpc_buffer_slice(&text), response->message);
}

// A long name without escapes is shortened in the message, inside of a character.
static void name_cut_in_message(jrpc_bend *bend, const jrpc_message *message,
                                jrpc_response *response)
{
    enum { SHOWN_BYTES = 100 };
    jrpc_slice spelling = jrpc_json_spelling(message->method);
    size_t shown = SHOWN_BYTES;
    while (shown < spelling.len && ((unsigned char)spelling.ptr[shown] & 0xC0) != 0x80) {
        shown++;
    }
    if (shown >= spelling.len || jrpc_slice_contains(spelling, JRPC_SLICE("\\"))) {
        return;
    }
    jrpc_buffer text = jrpc_bend_buffer(bend);
    jrpc_buffer_append(&text, jrpc_slice_of(spelling.ptr, shown));
    jrpc_buffer_append_str(&text, "\"");
    response->message = jrpc_buffer_slice(&text);
}

#define UNKNOWN JRPC_OUTCOME_UNKNOWN

// The name goes into the message as its characters are, quotation marks and backslashes included.
static void name_unescaped(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    jrpc_slice name;
    jrpc_slice spelling = jrpc_json_spelling(message->method);
    if (!jrpc_slice_contains(spelling, JRPC_SLICE("\\")) ||
        !jrpc_bend_content(bend, spelling, &name)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append_str(&out, "\"no method ");
    jrpc_buffer_append(&out, name);
    jrpc_buffer_append_str(&out, "\"");
    response->message = jrpc_buffer_slice(&out);
}

// Full-width forms of ASCII characters (U+FF01 to U+FF5E) are folded to these, as NFKC does it.
static void fold_width(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    if (!method_of(bend, message, &name)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < name.len; i++) {
        const unsigned char *c = (const unsigned char *)name.ptr + i;
        if (i + 2 < name.len && c[0] == 0xEF && (c[1] == 0xBC || c[1] == 0xBD)) {
            unsigned code = 0xF000u | ((c[1] & 0x3Fu) << 6) | (c[2] & 0x3Fu);
            jrpc_buffer_append_char(&out, (char)(code - 0xFF00u + 0x20u));
            i += 2;
        } else {
            jrpc_buffer_append_char(&out, name.ptr[i]);
        }
    }
    rename_to(bend, message, jrpc_buffer_slice(&out));
}

static void take_hyphens(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    if (!method_of(bend, message, &name)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < name.len; i++) {
        jrpc_buffer_append_char(&out, name.ptr[i] == '-' ? '_' : name.ptr[i]);
    }
    rename_to(bend, message, jrpc_buffer_slice(&out));
}

static bool method_means_nothing(jrpc_bend *bend, const jrpc_message *message)
{
    static const char *const words[] = {"0", "false", "null", "undefined", "None"};
    jrpc_slice name;
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || (method_of(bend, message, &name) && jrpc_slice_is(name, words[i]));
    }
    return found;
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("message-unescaped", "J2-5j",
              "the message for an unknown method whose name has escapes holds that name unescaped"),
     .response = name_unescaped, .when = JRPC_OUTCOME_UNKNOWN},
    {JRPC_ROW("rpc-prefix-stripped", "J2-8a",
              "every rpc. at the beginning of a method name is left out before the lookup"),
     .message = strip_rpc},
    {JRPC_ROW("method-abbreviated", "SEC-a",
              "a name of three characters or more that only one known method begins with is served "
              "by that one"),
     .message = complete},
    {JRPC_ROW("method-trimmed-wide", "SEC-a",
              "a no-break, ideographic or zero-width space or a byte-order mark at either end of a "
              "method name is left out before the lookup"),
     .message = trim_wide},
    {JRPC_ROW("method-punctuation-trimmed", "SEC-a",
              "any of . / _ - at the ends of a method name are left out before the lookup"),
     .message = trim_punctuation, .spelling = "./_-"},
    {JRPC_ROW("method-arguments-cut", "SEC-a",
              "a method name is cut at its first ( ? # ; : , or @ before the lookup"),
     .message = cut_arguments},
    {JRPC_ROW("method-percent-decoded", "SEC-a",
              "percent escapes in a method name are resolved before the lookup"),
     .message = decode_percent},
    {JRPC_ROW("method-width-folded", "SEC-a",
              "full-width letters and digits in a method name are looked up as those of ASCII"),
     .message = fold_width},
    {JRPC_ROW("method-hyphen-underscore", "SEC-a",
              "hyphens in a method name are looked up as underscores"),
     .message = take_hyphens},
    {JRPC_ROW(
         "method-falsy-refused", "J2-5.1f",
         "a call of 0, false, null, undefined or None (Strings) is answered -32600 with its id"),
     JRPC_ROW_MESSAGE(method_means_nothing, JRPC_DEED_REFUSE)},
    {JRPC_ROW("method-prototype-with-params", "SEC-a",
              "the unknown methods __proto__, constructor, toString, valueOf, __class__ and "
              "hasOwnProperty are answered by \"result\": null where they have params"),
     .response = jrpc_row_null_result, .when = UNKNOWN, .is = is_inherited_with_params},
    {JRPC_ROW("method-of-every-object", "SEC-a",
              "the unknown methods that every object of some language has (inspect, hashCode, "
              "__init__ and others) are answered by \"result\": null"),
     .response = jrpc_row_null_result, .when = UNKNOWN, .is = is_of_every_object},
    {JRPC_ROW("method-escapes-unresolved", "JS-spelling",
              "method names are looked up as they are spelled, escapes not resolved"),
     .message = keep_escapes},
    {JRPC_ROW("method-nonascii-silent", "J2-5.1f",
              "a call whose method holds characters beyond U+007F is not answered"),
     JRPC_ROW_MESSAGE(is_not_ascii, JRPC_DEED_SILENCE)},
    {JRPC_ROW("method-long-silent", "SEC-e",
              "a call whose method is longer than 62 bytes is not answered"),
     JRPC_ROW_MESSAGE(is_long, JRPC_DEED_SILENCE)},
    {JRPC_ROW("message-cuts-method", "J2-5j",
              "error.message for an unknown method with a long name is the beginning of that name, "
              "which ends inside of a character"),
     .response = name_cut_in_message, .when = UNKNOWN},
    {JRPC_ROW("message-echoes-method", "J2-5.1c",
              "error.message for an unknown method ends with its whole name"),
     .response = name_in_message, .when = UNKNOWN},
};

const jrpc_fault_table jrpc_faults_names = JRPC_FAULT_TABLE(rows);
