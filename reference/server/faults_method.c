// Faults in looking a method up and binding its params: sections 4.2, 5.1 and 8.
#include "reference/server/bend.h"

#include <stdlib.h>
#include <string.h>

enum { LONG_NAME = 65535 };

static const char *const method_names[] = {"subtract",     "sum",        "get_data", "update",
                                           "notify_hello", "notify_sum", "count",    "echo",
                                           "fail",         "app_error",  "slow",     "push"};

static bool method_of(jrpc_bend *bend, const jrpc_message *message, jrpc_slice *ret_name)
{
    return (message->kind == JRPC_MESSAGE_CALL || message->kind == JRPC_MESSAGE_NOTIFICATION) &&
           jrpc_json_string(message->method, bend->arena, ret_name);
}

static bool method_is_empty(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_slice name;
    return method_of(bend, message, &name) && name.len == 0;
}

static bool method_is_long(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_slice name;
    return method_of(bend, message, &name) && name.len > LONG_NAME;
}

static bool method_is_rpc(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_slice name;
    return method_of(bend, message, &name) && jrpc_slice_starts_with(name, JRPC_SLICE("rpc."));
}

static bool method_has_bracket(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_slice name;
    return method_of(bend, message, &name) && memchr(name.ptr, '(', name.len) != NULL;
}

static bool method_is_inherited(jrpc_bend *bend, const jrpc_message *message)
{
    static const char *const inherited[] = {"__proto__", "constructor",    "toString",
                                            "valueOf",   "hasOwnProperty", "__class__",
                                            "__init__",  "__dict__"};
    jrpc_slice name;
    bool found = false;
    for (size_t i = 0; i < sizeof inherited / sizeof *inherited; i++) {
        found = found || (method_of(bend, message, &name) && jrpc_slice_is(name, inherited[i]));
    }
    return found;
}

static void rpc_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (method_is_rpc(bend, message)) {
        response->code = jrpc_slice_str(bend->fault->spelling);
    }
}

static bool name_is_not_ascii(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)kind;
    jrpc_slice name;
    if (!jrpc_json_string(jrpc_json_get(root, "method"), bend->arena, &name)) {
        return false;
    }
    bool found = false;
    for (size_t i = 0; i < name.len; i++) {
        found = found || (unsigned char)name.ptr[i] > 0x7F;
    }
    return found;
}

// Calls the method under another name.
static void rename_to(jrpc_bend *bend, jrpc_message *message, jrpc_slice name)
{
    message->method = jrpc_bend_json(bend, jrpc_bend_quote(bend, name, JRPC_SLICE("null")));
}

static void cut_at_nul(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    const char *nul = NULL;
    if (method_of(bend, message, &name) && name.len > 0) {
        nul = memchr(name.ptr, '\0', name.len);
    }
    if (nul != NULL) {
        rename_to(bend, message, jrpc_slice_of(name.ptr, (size_t)(nul - name.ptr)));
    }
}

static void match_prefix(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    size_t best = 0;
    for (size_t i = 0; i < sizeof method_names / sizeof *method_names; i++) {
        jrpc_slice known = jrpc_slice_str(method_names[i]);
        if (method_of(bend, message, &name) && known.len > best &&
            jrpc_slice_starts_with(name, known)) {
            best = known.len;
        }
    }
    if (best > 0) {
        rename_to(bend, message, jrpc_slice_of(name.ptr, best));
    }
}

static void match_caseless(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    if (method_of(bend, message, &name)) {
        rename_to(bend, message, jrpc_bend_lower(bend, name));
    }
}

static void match_trimmed(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    if (method_of(bend, message, &name)) {
        rename_to(bend, message, jrpc_bend_trim(name));
    }
}

static void match_last_segment(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice name;
    if (!method_of(bend, message, &name)) {
        return;
    }
    size_t begin = name.len;
    while (begin > 0 && name.ptr[begin - 1] != '/' && name.ptr[begin - 1] != '.') {
        begin--;
    }
    rename_to(bend, message, jrpc_slice_from(name, begin));
}

static bool is_positional(const jrpc_call *call)
{
    return jrpc_json_is(call->params, JRPC_JSON_ARRAY);
}

static bool is_named(const jrpc_call *call)
{
    return jrpc_json_is(call->params, JRPC_JSON_OBJECT);
}

static void swap_first_two(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    if (*ok && is_positional(call) && call->argument_count >= 2) {
        jrpc_json first = call->arguments[0];
        call->arguments[0] = call->arguments[1];
        call->arguments[1] = first;
    }
}

static void take_by_position(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    if (!is_named(call) || call->argument_count == 0) {
        return;
    }
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        if (count < call->argument_count) {
            call->arguments[count++] = it.value;
        }
    }
    *ok = count == call->argument_count && jrpc_json_count(call->params) == count;
}

static void refuse_named(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    *ok = *ok && !is_named(call);
}

// Whether a name of params is taken for a parameter: in any case, or (number 1) shortened.
static bool is_taken_for(jrpc_bend *bend, jrpc_slice name, jrpc_slice parameter)
{
    return bend->fault->number == 1 ? name.len > 0 && jrpc_slice_starts_with(parameter, name)
                                    : jrpc_slice_equal(jrpc_bend_lower(bend, name), parameter);
}

// Binds the params anew, as if they were spelled thus. Positional values stand in an Array.
static void bind_loosely(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    static const char *const names[][3] = {{"subtract", "minuend", "subtrahend"},
                                           {"slow", "ms", ""},
                                           {"app_error", "code", "message"}};
    if (*ok || !is_named(call)) {
        return;
    }
    size_t bound = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (jrpc_json_iterator it = jrpc_json_iterate(call->params);
             jrpc_slice_is(call->method, names[i][0]) && jrpc_json_step(&it);) {
            jrpc_slice name;
            for (size_t j = 0; j < 2; j++) {
                if (jrpc_json_string(it.key, bend->arena, &name) &&
                    is_taken_for(bend, name, jrpc_slice_str(names[i][j + 1]))) {
                    call->arguments[j] = it.value;
                    bound++;
                }
            }
        }
    }
    *ok = bound > 0 && bound == jrpc_json_count(call->params);
}

static void missing_name_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    // A name is missing where the handler never ran.
    if (jrpc_json_is(message->params, JRPC_JSON_OBJECT) && !bend->connection->fits) {
        response->code = jrpc_slice_str(bend->fault->spelling);
    }
}

static void inherit_proto(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    jrpc_json proto = jrpc_json_get(call->params, "__proto__");
    if (!jrpc_json_is(proto, JRPC_JSON_OBJECT)) {
        return;
    }
    static const char *const names[] = {"minuend", "subtrahend"};
    if (jrpc_slice_is(call->method, "subtract")) {
        for (size_t i = 0; i < 2; i++) {
            if (!jrpc_json_exists(call->arguments[i])) {
                call->arguments[i] = jrpc_json_get(proto, names[i]);
            }
        }
        *ok = jrpc_json_exists(call->arguments[0]) && jrpc_json_exists(call->arguments[1]);
    }
    jrpc_slice inner = jrpc_json_spelling(proto);
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        jrpc_buffer_append_char(&out, out.len == 0 ? '{' : ',');
        if (jrpc_json_string_is(it.key, JRPC_SLICE("__proto__")) && jrpc_json_count(proto) > 0) {
            jrpc_buffer_append(&out, jrpc_slice_of(inner.ptr + 1, inner.len - 2));
        } else {
            jrpc_buffer_append(&out, jrpc_json_spelling(it.key));
            jrpc_buffer_append_char(&out, ':');
            jrpc_buffer_append(&out, jrpc_json_spelling(it.value));
        }
    }
    jrpc_buffer_append_char(&out, '}');
    jrpc_json merged = jrpc_bend_json(bend, jrpc_buffer_slice(&out));
    call->params = jrpc_json_exists(merged) ? merged : call->params;
}

static void drop_proto(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)ok;
    if (!jrpc_slice_is(call->method, "echo") || !is_named(call)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        if (!jrpc_json_string_is(it.key, JRPC_SLICE("__proto__")) &&
            !jrpc_json_string_is(it.key, JRPC_SLICE("constructor"))) {
            jrpc_buffer_append_char(&out, out.len == 0 ? '{' : ',');
            jrpc_buffer_append(&out, jrpc_json_spelling(it.key));
            jrpc_buffer_append_char(&out, ':');
            jrpc_buffer_append(&out, jrpc_json_spelling(it.value));
        }
    }
    jrpc_buffer_append_str(&out, out.len == 0 ? "{}" : "}");
    call->params = jrpc_bend_json(bend, jrpc_buffer_slice(&out));
}

static void sum_two(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)ok;
    if (jrpc_slice_is(call->method, "sum") && is_positional(call) &&
        jrpc_json_count(call->params) > 2) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append_char(&out, '[');
        jrpc_buffer_append(&out, jrpc_json_spelling(jrpc_json_element(call->params, 0)));
        jrpc_buffer_append_char(&out, ',');
        jrpc_buffer_append(&out, jrpc_json_spelling(jrpc_json_element(call->params, 1)));
        jrpc_buffer_append_char(&out, ']');
        call->params = jrpc_bend_json(bend, jrpc_buffer_slice(&out));
    }
}

static void echo_first(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    (void)ok;
    if (jrpc_slice_is(call->method, "echo") && is_positional(call)) {
        call->params = jrpc_json_element(call->params, 0);
    }
}

// The params of sum and echo are added to those of their earlier calls on the connection, as a
// default value that is changed in place keeps them.
static void keep_default(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)ok;
    jrpc_buffer *kept = &bend->connection->seen;
    if (!is_positional(call) ||
        !(jrpc_slice_is(call->method, "sum") || jrpc_slice_is(call->method, "echo"))) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        jrpc_buffer_append_str(kept, kept->len == 0 ? "" : ",");
        jrpc_buffer_append(kept, jrpc_json_spelling(it.value));
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append_char(&out, '[');
    jrpc_buffer_append(&out, jrpc_buffer_slice(kept));
    jrpc_buffer_append_char(&out, ']');
    call->params = jrpc_bend_json(bend, jrpc_buffer_slice(&out));
}

// What an earlier call brought as __proto__ or constructor.prototype fills in for missing names.
static void keep_proto(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    static const char *const names[] = {"minuend", "subtrahend"};
    jrpc_buffer *kept = &bend->connection->seen;
    jrpc_json proto = jrpc_bend_json(bend, jrpc_bend_copy(bend, jrpc_buffer_slice(kept)));
    if (jrpc_slice_is(call->method, "subtract") && !is_positional(call)) {
        for (size_t i = 0; i < 2; i++) {
            if (!jrpc_json_exists(call->arguments[i])) {
                call->arguments[i] = jrpc_json_get(proto, names[i]);
            }
        }
        *ok = *ok || (jrpc_json_exists(call->arguments[0]) && jrpc_json_exists(call->arguments[1]));
    }
    jrpc_json brought = jrpc_json_get(call->params, "__proto__");
    if (!jrpc_json_exists(brought)) {
        brought = jrpc_json_pointer(call->params, JRPC_SLICE("/constructor/prototype"));
    }
    if (jrpc_json_is(brought, JRPC_JSON_OBJECT)) {
        jrpc_buffer_clear(kept);
        jrpc_buffer_append(kept, jrpc_json_spelling(brought));
    }
}

#define UNKNOWN JRPC_OUTCOME_UNKNOWN
#define PARAMS JRPC_OUTCOME_BAD_PARAMS

static const jrpc_fault rows[] = {
    {JRPC_ROW("method-empty-crash", "J2-5.1f", "abort() where method is the empty String"),
     JRPC_ROW_MESSAGE(method_is_empty, JRPC_DEED_CRASH)},
    {JRPC_ROW("method-long-crash", "SEC-a", "abort() where method is longer than 65535 bytes"),
     JRPC_ROW_MESSAGE(method_is_long, JRPC_DEED_CRASH)},
    {JRPC_ROW("method-nonascii-parse-error", "J2-5.1f",
              "a text with a method name that holds characters beyond U+007F (raw or escaped) is "
              "answered -32700"),
     JRPC_ROW_INPUT(name_is_not_ascii, JRPC_DEED_PARSE_ERROR)},
    {JRPC_ROW("unknown-method-invalid-request", "J2-5.1f", "an unknown method has code -32600"),
     JRPC_ROW_CODE(UNKNOWN, "-32600")},
    {JRPC_ROW("unknown-method-server-error", "J2-5.1f", "an unknown method has code -32000"),
     JRPC_ROW_CODE(UNKNOWN, "-32000")},
    {JRPC_ROW("unknown-method-internal-error", "J2-5.1f", "an unknown method has code -32603"),
     JRPC_ROW_CODE(UNKNOWN, "-32603")},
    {JRPC_ROW("unknown-method-null-result", "J2-5.1f",
              "an unknown method is answered by \"result\": null and no error"),
     .response = jrpc_row_null_result, .when = UNKNOWN},
    {JRPC_ROW("unknown-method-undefined-code", "J2-5.1i", "an unknown method has code -32100"),
     JRPC_ROW_CODE(UNKNOWN, "-32100")},
    {JRPC_ROW("unknown-method-reserved-code", "J2-5.1i", "an unknown method has code -32604"),
     JRPC_ROW_CODE(UNKNOWN, "-32604")},
    {JRPC_ROW("rpc-method-internal-error", "J2-8a",
              "an unknown method whose name begins with rpc. is answered -32603"),
     .response = rpc_code, .when = UNKNOWN, .spelling = "-32603"},
    {JRPC_ROW("rpc-method-invalid-request", "J2-8a",
              "an unknown method whose name begins with rpc. is answered -32600"),
     .response = rpc_code, .when = UNKNOWN, .spelling = "-32600"},
    {JRPC_ROW("rpc-method-crash", "J2-8a", "abort() on a method whose name begins with rpc."),
     JRPC_ROW_MESSAGE(method_is_rpc, JRPC_DEED_CRASH)},
    {JRPC_ROW("rpc-method-silent", "J2-8a", "no Response to a method whose name begins with rpc."),
     JRPC_ROW_MESSAGE(method_is_rpc, JRPC_DEED_SILENCE)},
    {JRPC_ROW("rpc-method-served", "J2-8a",
              "an unknown method whose name begins with rpc. is answered by \"result\": null"),
     .response = jrpc_row_null_result, .when = UNKNOWN, .is = method_is_rpc},
    {JRPC_ROW("method-evaluated", "SEC-a",
              "an unknown method whose name contains ( is answered by \"result\": 0"),
     .response = jrpc_row_null_result, .when = UNKNOWN, .is = method_has_bracket, .spelling = "0"},
    {JRPC_ROW("method-prototype-lookup", "SEC-a",
              "the unknown methods __proto__, constructor, toString, valueOf, hasOwnProperty, "
              "__class__, __init__ and __dict__ are answered by \"result\": null"),
     .response = jrpc_row_null_result, .when = UNKNOWN, .is = method_is_inherited},
    {JRPC_ROW("method-nul-cut", "SEC-a", "a method name is cut at its first NUL before the lookup"),
     .message = cut_at_nul},
    {JRPC_ROW("method-prefix-match", "SEC-a",
              "an unknown method whose name begins with that of a known one is served by that one"),
     .message = match_prefix},
    {JRPC_ROW("method-caseless", "SEC-a", "method names match without regard to ASCII case"),
     .message = match_caseless},
    {JRPC_ROW("method-trimmed", "SEC-a",
              "white space at both ends of a method name is left out before the lookup"),
     .message = match_trimmed},
    {JRPC_ROW("method-last-segment", "SEC-a",
              "of a method name only what stands behind its last / or . is looked up"),
     .message = match_last_segment},
    {JRPC_ROW("params-swapped", "J2-4.2a", "the first two arguments of an Array are exchanged"),
     .bind = swap_first_two},
    {JRPC_ROW("named-params-by-position", "J2-4.2b",
              "the members of an Object are taken in their written order, whatever their names"),
     .bind = take_by_position},
    {JRPC_ROW("named-params-refused", "J2-4.2b", "params as an Object are answered -32602"),
     .bind = refuse_named},
    {JRPC_ROW("param-names-caseless", "J2-4.2c",
              "parameter names match without regard to ASCII case"),
     .bind = bind_loosely},
    {JRPC_ROW("param-names-shortened", "J2-4.2c",
              "a parameter name may be given by its first characters alone"),
     .bind = bind_loosely, .number = 1},
    {JRPC_ROW(
         "missing-name-internal-error", "J2-4.2d",
         "params as an Object that lack an expected name are answered -32603 instead of -32602"),
     .response = missing_name_code, .when = PARAMS, .spelling = "-32603"},
    {JRPC_ROW("invalid-params-internal-error", "J2-5.1g",
              "params that do not fit are answered -32603"),
     JRPC_ROW_CODE(PARAMS, "-32603")},
    {JRPC_ROW("invalid-params-server-error", "J2-5.1g",
              "params that do not fit are answered -32000"),
     JRPC_ROW_CODE(PARAMS, "-32000")},
    {JRPC_ROW(
         "proto-member-inherited", "SEC-d",
         "the members of an Object under the name __proto__ in params count as members of params"),
     .bind = inherit_proto},
    {JRPC_ROW(
         "proto-member-dropped", "SEC-d",
         "echo leaves out the members named __proto__ and constructor at the top of its params"),
     .bind = drop_proto},
    {JRPC_ROW("sum-first-two-only", "J2-7", "sum adds the first two numbers only"),
     .bind = sum_two},
    {JRPC_ROW(
         "echo-first-only", "J2-4.2a",
         "echo of an Array returns its first element instead of the Array (an empty one: null)"),
     .bind = echo_first},
    {JRPC_ROW(
         "default-kept", "CON-f",
         "sum and echo also get the elements of params of their earlier calls on the connection"),
     .bind = keep_default},
    {JRPC_ROW("proto-member-kept", "SEC-d",
              "the members of __proto__ and of constructor.prototype in params of an earlier call "
              "(any method) stand in for missing names of every later call"),
     .bind = keep_proto},
};

const jrpc_fault_table jrpc_faults_method = JRPC_FAULT_TABLE(rows);
