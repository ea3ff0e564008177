#include "harness/judge/envelope.h"

#include "reference/rpc/message.h"

#define EXCERPT 120
#define CONCISE_BYTES 1024 // a longer message is not a concise sentence by any measure

jck_answer_kind jck_answer_kind_of(jrpc_json value)
{
    if (jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return JCK_ANSWER_BATCH;
    }
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return JCK_ANSWER_SCALAR;
    }
    return jrpc_json_exists(jrpc_json_get(value, "method")) ? JCK_ANSWER_ORIGINATED
                                                            : JCK_ANSWER_RESPONSE;
}

static const char *shown(const jck_envelope *envelope, jrpc_json value)
{
    return jck_excerpt(envelope->findings->arena, jrpc_json_spelling(value), EXCERPT);
}

static bool holds(jrpc_slice text, const char *part)
{
    return jrpc_slice_contains(text, jrpc_slice_str(part));
}

bool jck_looks_like_trace(jrpc_slice text)
{
    static const char *const marks[] = {
        "Traceback (most recent call last)",
        "\n    at ",
        "\n\tat ",
        "\n   at ",
        "\nstack backtrace:",
        "goroutine ",
    };
    for (size_t i = 0; i + 1 < sizeof marks / sizeof marks[0]; i++) {
        if (holds(text, marks[i])) {
            return true;
        }
    }
    return holds(text, "goroutine ") && holds(text, ".go:");
}

static void check_version(const jck_envelope *envelope, jrpc_json response)
{
    jrpc_json version = jrpc_json_get(response, "jsonrpc");
    if (envelope->dialect == JCK_DIALECT_1_0) {
        if (jrpc_json_exists(version)) {
            jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESPONSE_VERSION,
                            "an answer in JSON-RPC 1.0 has no `jsonrpc` member; this one has %s",
                            shown(envelope, version));
        }
        return;
    }
    if (!jrpc_json_exists(version)) {
        if (envelope->dialect == JCK_DIALECT_2_0) {
            jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESPONSE_VERSION,
                            "the Response has no `jsonrpc` member");
        }
        return;
    }
    if (envelope->dialect == JCK_DIALECT_EITHER && jrpc_json_is(version, JRPC_JSON_NULL)) {
        return; // a null version means none, on both sides
    }
    if (!jrpc_json_string_is(version, JRPC_SLICE("2.0"))) {
        size_t first = envelope->findings->count;
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESPONSE_VERSION,
                        "`jsonrpc` of the Response is %s, not \"2.0\"", shown(envelope, version));
        jck_name_difference(envelope->findings, first, "another version"); // whichever it is
    }
}

static bool answers_as_1_0(const jck_envelope *envelope, jrpc_json response)
{
    return envelope->dialect == JCK_DIALECT_1_0 ||
           (envelope->dialect == JCK_DIALECT_EITHER &&
            (!jrpc_json_exists(jrpc_json_get(response, "jsonrpc")) ||
             jrpc_json_is(jrpc_json_get(response, "jsonrpc"), JRPC_JSON_NULL)));
}

static void check_result_and_error_1_0(const jck_envelope *envelope, jrpc_json result,
                                       jrpc_json error)
{
    if (envelope->dialect != JCK_DIALECT_1_0) {
        return;
    }
    bool result_null = jrpc_json_is(result, JRPC_JSON_NULL);
    bool error_null = jrpc_json_is(error, JRPC_JSON_NULL);
    if (!jrpc_json_exists(result) || !jrpc_json_exists(error) || (!result_null && !error_null)) {
        jck_add_finding(
            envelope->findings, envelope->step, JCK_ROLE_RESULT_OR_ERROR,
            "an answer in JSON-RPC 1.0 has both `result` and `error`, one of them null");
    }
}

static void check_neither(const jck_envelope *envelope, jrpc_json response)
{
    bool bare = jrpc_json_exists(jrpc_json_get(response, "code"));
    if (envelope->result_expected && !bare) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_SUCCESS_RESULT,
                        "a success carries `result`, even if it is null; this Response has neither "
                        "`result` nor `error`");
        return;
    }
    const char *hint = bare ? " (an error object is in its place)" : "";
    jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESULT_OR_ERROR,
                    "the Response has neither `result` nor `error`%s", hint);
}

// Whether `error` says that there is none: null, or a value that means nothing in some language
// beside a result other than null.
static bool says_no_error(jrpc_json error, jrpc_json result)
{
    static const char *const nothing[] = {"false", "0", "\"\"", "[]", "{}"};
    bool falsy = false;
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        falsy = falsy || jrpc_slice_is(jrpc_json_spelling(error), nothing[i]);
    }
    return jrpc_json_is(error, JRPC_JSON_NULL) ||
           (falsy && jrpc_json_exists(result) && !jrpc_json_is(result, JRPC_JSON_NULL));
}

static void check_result_and_error(const jck_envelope *envelope, jrpc_json response)
{
    jrpc_json result = jrpc_json_get(response, "result");
    jrpc_json error = jrpc_json_get(response, "error");
    if (answers_as_1_0(envelope, response)) {
        check_result_and_error_1_0(envelope, result, error);
        return;
    }
    bool error_null = jrpc_json_is(error, JRPC_JSON_NULL);
    size_t before = envelope->findings->count;
    if (jrpc_json_exists(result) && jrpc_json_exists(error)) {
        if (says_no_error(error, result)) {
            jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_NO_ERROR_BESIDE_RESULT,
                            "`error` must not exist on success; this Response has `\"error\": %s`",
                            shown(envelope, error));
        } else {
            jck_add_finding(
                envelope->findings, envelope->step, JCK_ROLE_NO_RESULT_BESIDE_ERROR,
                "`result` must not exist together with an error; this Response has `result` %s",
                shown(envelope, result));
            jck_name_difference(envelope->findings, before, "a result beside an error");
        }
    } else if (!jrpc_json_exists(result) && (!jrpc_json_exists(error) || error_null)) {
        check_neither(envelope, response);
    }
}

static void check_code(const jck_envelope *envelope, jrpc_json code)
{
    int64_t number = 0;
    if (!jrpc_json_exists(code)) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_ERROR_CODE,
                        "the error has no `code`");
    } else if (!jrpc_json_is_integer(code) || !jrpc_json_int64(code, &number)) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_ERROR_CODE,
                        "`code` of the error is %s, not an integer", shown(envelope, code));
    } else if (jrpc_code_is_undefined(number)) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESERVED_CODES,
                        "code %lld is in the range -32768..-32000, which is reserved for "
                        "predefined errors, but is not one of them",
                        (long long)number);
    }
}

static void check_message(const jck_envelope *envelope, jrpc_json message)
{
    if (!jrpc_json_is(message, JRPC_JSON_STRING)) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_ERROR_MESSAGE,
                        jrpc_json_exists(message) ? "`message` of the error is %s, not a String"
                                                  : "the error has no `message`%s",
                        jrpc_json_exists(message) ? shown(envelope, message) : "");
        return;
    }
    jrpc_slice text = {NULL, 0};
    if (!jrpc_json_string(message, envelope->findings->arena, &text)) {
        envelope->findings->failed = true;
        return;
    }
    if (jck_looks_like_trace(text)) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_NO_TRACE_IN_MESSAGE,
                        "`message` carries a stack trace");
    } else if (holds(text, "\n")) {
        bool repeated = holds(envelope->sent, "\n") || holds(envelope->sent, "\\n");
        size_t before = envelope->findings->count;
        jck_add_finding(
            envelope->findings, envelope->step, JCK_ROLE_MESSAGE_CONCISE,
            "`message` should be a concise single sentence; this one has line breaks%s: %s",
            repeated ? ", which may be those of the request" : "", shown(envelope, message));
        jck_name_difference(envelope->findings, before,
                            repeated ? "a message that repeats the request"
                                     : "line breaks in a message");
    } else if (text.len > CONCISE_BYTES) {
        bool repeated = envelope->sent.len > CONCISE_BYTES;
        size_t before = envelope->findings->count;
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_MESSAGE_CONCISE,
                        "`message` should be a concise single sentence; this one has %zu bytes",
                        text.len);
        jck_name_difference(envelope->findings, before,
                            repeated ? "a message that repeats the request" : "a long message");
    }
}

// `data`, or a member that replaces it: a trace is recognised by its text.
static void check_data(const jck_envelope *envelope, jrpc_json name, jrpc_json data)
{
    jrpc_slice spelling = jrpc_json_spelling(data);
    if (spelling.len == 0 || spelling.len > (1u << 20)) {
        return;
    }
    // In a JSON spelling line feeds are escaped.
    if (holds(spelling, "Traceback (most recent call last)") || holds(spelling, "\\n    at ") ||
        holds(spelling, "\\n\\tat ") || holds(spelling, "\"    at ")) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_NO_TRACE_IN_DATA,
                        "%s of the error carries a stack trace by default", shown(envelope, name));
    }
}

static void check_error(const jck_envelope *envelope, jrpc_json response)
{
    jrpc_json error = jrpc_json_get(response, "error");
    if (!jrpc_json_exists(error) || says_no_error(error, jrpc_json_get(response, "result")) ||
        answers_as_1_0(envelope, response)) {
        return;
    }
    if (!jrpc_json_is(error, JRPC_JSON_OBJECT)) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_ERROR_OBJECT,
                        "`error` is %s, not an Object", shown(envelope, error));
        return;
    }
    check_code(envelope, jrpc_json_get(error, "code"));
    check_message(envelope, jrpc_json_get(error, "message"));
    for (jrpc_json_iterator it = jrpc_json_iterate(error); jrpc_json_step(&it);) {
        if (!jrpc_json_string_is(it.key, JRPC_SLICE("message"))) {
            check_data(envelope, it.key, it.value);
        }
    }
}

static void check_members(const jck_envelope *envelope, jrpc_json response)
{
    static const char *const known[] = {"jsonrpc", "result", "error", "id"};
    for (jrpc_json_iterator it = jrpc_json_iterate(response); jrpc_json_step(&it);) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            is_known = is_known || jrpc_json_string_is(it.key, jrpc_slice_str(known[i]));
        }
        if (!is_known) {
            jck_observe_role(envelope->findings, JCK_ROLE_UNKNOWN_MEMBERS,
                             jrpc_slice_str(shown(envelope, it.key)));
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (jrpc_json_member_occurrences(response, jrpc_slice_str(known[i])) > 1) {
            jck_add_finding_at(envelope->findings, envelope->step, JCK_ROLE_STRICT_JSON,
                               JCK_LEVEL_SHOULD, "the Response has more than one member `%s`",
                               known[i]);
        }
    }
}

static bool has_any_member(jrpc_json response)
{
    return jrpc_json_exists(jrpc_json_get(response, "jsonrpc")) ||
           jrpc_json_exists(jrpc_json_get(response, "result")) ||
           jrpc_json_exists(jrpc_json_get(response, "error")) ||
           jrpc_json_exists(jrpc_json_get(response, "id"));
}

void jck_envelope_check(const jck_envelope *envelope, jrpc_json response)
{
    if (!jrpc_json_is(response, JRPC_JSON_OBJECT)) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESULT_OR_ERROR,
                        "a Response is an Object; the target wrote %s", shown(envelope, response));
        return;
    }
    if (!has_any_member(response)) {
        // Everything that is missing is one violation; if no Response is required, its arrival is
        // the violation.
        if (!envelope->unowed) {
            jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESULT_OR_ERROR,
                            "the target wrote an Object that has no member of a Response: %s",
                            shown(envelope, response));
        }
        return;
    }
    check_version(envelope, response);
    bool says_nothing = !jrpc_json_exists(jrpc_json_get(response, "result")) &&
                        !jrpc_json_exists(jrpc_json_get(response, "error"));
    if (!envelope->unowed || !says_nothing) {
        check_result_and_error(envelope, response);
    }
    check_error(envelope, response);
    if (!envelope->unowed && !jrpc_json_exists(jrpc_json_get(response, "id"))) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_RESPONSE_ID,
                        "the Response has no `id`");
    }
    check_members(envelope, response);
}

void jck_envelope_check_originated(const jck_envelope *envelope, jrpc_json message)
{
    jrpc_message read = jrpc_message_classify(message);
    switch (read.kind) {
    case JRPC_MESSAGE_CALL:
    case JRPC_MESSAGE_NOTIFICATION:
    case JRPC_MESSAGE_RESULT:
        break;
    case JRPC_MESSAGE_RESPONSE:
    case JRPC_MESSAGE_INVALID:
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_ORIGINATED_MESSAGES,
                        "a message that the server originates is not a valid Request: %s",
                        shown(envelope, message));
        return;
    }
    if (read.kind != JRPC_MESSAGE_RESULT &&
        (jrpc_json_exists(read.result) || jrpc_json_exists(read.error))) {
        jck_add_finding(envelope->findings, envelope->step, JCK_ROLE_ORIGINATED_MESSAGES,
                        "a message that the server originates has `method` and `%s`",
                        jrpc_json_exists(read.result) ? "result" : "error");
    }
}

bool jck_is_blank(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr(" \t\r\n", text.ptr[i]) == NULL || text.ptr[i] == '\0') {
            return false;
        }
    }
    return true;
}

// Whether what follows a bracket can begin an Array: a log line may begin with "[info]" or with
// "[2026-01-31 12:00:00]".
static bool begins_array(jrpc_slice text)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t at = 0;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t')) {
        at++;
    }
    jrpc_slice rest = jrpc_slice_from(text, at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (jrpc_slice_starts_with(rest, jrpc_slice_str(words[i]))) {
            return true;
        }
    }
    size_t number = rest.len > 0 && rest.ptr[0] == '-' ? 1 : 0;
    while (number < rest.len && rest.ptr[number] >= '0' && rest.ptr[number] <= '9') {
        number++;
    }
    bool ends = number == rest.len;
    return ends || (number > 0 ? strchr(".eE, \t]", rest.ptr[number]) != NULL
                               : strchr("{[\"]", rest.ptr[0]) != NULL);
}

bool jck_claims_to_be_json(jrpc_slice text)
{
    size_t at = jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF")) ? 3 : 0;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t')) {
        at++;
    }
    return at < text.len && (text.ptr[at] == '{' ||
                             (text.ptr[at] == '[' && begins_array(jrpc_slice_from(text, at + 1))));
}
