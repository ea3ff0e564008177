// Faults in what a message is taken for: sections 2 to 4.1 of the specification.
#include "reference/server/bend.h"
#include "reference/server/methods.h"

#include <stdlib.h>

static bool reason_is(const jrpc_message *message, jrpc_invalid_reason reason)
{
    return message->kind == JRPC_MESSAGE_INVALID && message->reason == reason;
}

static bool version_is_missing(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return reason_is(message, JRPC_INVALID_VERSION_MISSING);
}

static bool versionless_request(jrpc_bend *bend, const jrpc_message *message)
{
    return version_is_missing(bend, message) && jrpc_json_exists(message->method);
}

static bool method_is_wrong(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return reason_is(message, JRPC_INVALID_METHOD_MISSING) ||
           reason_is(message, JRPC_INVALID_METHOD_TYPE);
}

static bool params_are_scalar(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return reason_is(message, JRPC_INVALID_PARAMS_TYPE);
}

static bool id_has_wrong_type(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return reason_is(message, JRPC_INVALID_ID_TYPE);
}

static bool is_call(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_CALL;
}

static bool is_note(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_NOTIFICATION;
}

static bool id_is_falsy(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    jrpc_slice id = jrpc_json_spelling(message->id);
    return is_call(message) && (jrpc_slice_is(id, "0") || jrpc_slice_is(id, "\"\""));
}

static bool id_is_null(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_call(message) && jrpc_json_is(message->id, JRPC_JSON_NULL);
}

static bool id_has_fraction(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_call(message) && jrpc_json_is(message->id, JRPC_JSON_NUMBER) &&
           (jrpc_json_flags(message->id) & JRPC_JSON_FRACTIONAL) != 0;
}

static bool is_no_object_element(jrpc_bend *bend, const jrpc_message *message)
{
    return bend->exchange->in_batch && !jrpc_json_is(message->value, JRPC_JSON_OBJECT);
}

static bool is_scalar_element(jrpc_bend *bend, const jrpc_message *message)
{
    return is_no_object_element(bend, message) && !jrpc_json_is(message->value, JRPC_JSON_ARRAY);
}

static bool is_scalar(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    return kind == JRPC_INPUT_SINGLE && !jrpc_json_is(root, JRPC_JSON_OBJECT);
}

static bool has_unknown_member(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    static const char *const known[] = {"jsonrpc", "method", "params", "id"};
    if (!is_call(message) && !is_note(message)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(message->value); jrpc_json_step(&it);) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            found = found || jrpc_json_string_is(it.key, jrpc_slice_str(known[i]));
        }
        if (!found) {
            return true;
        }
    }
    return false;
}

static bool first_member_is_another(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    jrpc_json_iterator it = jrpc_json_iterate(message->value);
    return (is_call(message) || is_note(message)) && jrpc_json_step(&it) &&
           !jrpc_json_string_is(it.key, JRPC_SLICE("jsonrpc"));
}

static void lose_early_params(jrpc_bend *bend, jrpc_message *message)
{
    (void)bend;
    jrpc_json method = jrpc_json_get(message->value, "method");
    if (jrpc_json_exists(message->params) && jrpc_json_exists(method) &&
        jrpc_json_offset(message->params) < jrpc_json_offset(method)) {
        message->params = JRPC_JSON_ABSENT;
    }
}

static bool is_single_note(jrpc_bend *bend, const jrpc_message *message)
{
    return is_note(message) && !bend->exchange->in_batch;
}

static bool is_batch_note(jrpc_bend *bend, const jrpc_message *message)
{
    return is_note(message) && bend->exchange->in_batch;
}

static bool is_idless_invalid_object(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return message->kind == JRPC_MESSAGE_INVALID && !jrpc_json_exists(message->id) &&
           jrpc_json_is(message->value, JRPC_JSON_OBJECT);
}

static bool is_single_invalid(jrpc_bend *bend, const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_INVALID && !bend->exchange->in_batch;
}

static bool is_response(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return !jrpc_json_exists(message->method) &&
           (jrpc_json_exists(message->result) || jrpc_json_exists(message->error));
}

static bool is_call_without_params(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_call(message) && !jrpc_json_exists(message->params);
}

static void respell_names(jrpc_bend *bend, jrpc_message *message)
{
    if (!jrpc_json_is(message->value, JRPC_JSON_OBJECT)) {
        return;
    }
    static const char *const known[] = {"\"jsonrpc\"", "\"method\"", "\"params\"", "\"id\""};
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (jrpc_json_iterator it = jrpc_json_iterate(message->value); jrpc_json_step(&it);) {
        jrpc_slice name = jrpc_json_spelling(it.key);
        jrpc_slice lower = jrpc_bend_lower(bend, name);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            name = jrpc_slice_is(lower, known[i]) ? lower : name;
        }
        jrpc_buffer_append_char(&out, out.len == 0 ? '{' : ',');
        jrpc_buffer_append(&out, name);
        jrpc_buffer_append_char(&out, ':');
        jrpc_buffer_append(&out, jrpc_json_spelling(it.value));
    }
    jrpc_buffer_append_str(&out, out.len == 0 ? "{}" : "}");
    jrpc_bend_respell(bend, message, jrpc_buffer_slice(&out));
}

static void serve_any_version(jrpc_bend *bend, jrpc_message *message)
{
    if (reason_is(message, (jrpc_invalid_reason)bend->fault->number)) {
        jrpc_bend_member(bend, message, "jsonrpc", JRPC_SLICE("\"2.0\""));
    }
}

static void serve_loose_version(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice version = jrpc_json_spelling(message->version);
    int64_t number;
    if (reason_is(message, JRPC_INVALID_VERSION) &&
        (jrpc_slice_starts_with(version, JRPC_SLICE("\"2")) ||
         (jrpc_json_int64(message->version, &number) && number == 2))) {
        jrpc_bend_member(bend, message, "jsonrpc", JRPC_SLICE("\"2.0\""));
    }
}

static void stringify_method(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_json method = message->method;
    if (reason_is(message, JRPC_INVALID_METHOD_TYPE) && !jrpc_json_is(method, JRPC_JSON_ARRAY) &&
        !jrpc_json_is(method, JRPC_JSON_OBJECT)) {
        jrpc_bend_member(bend, message, "method",
                         jrpc_bend_quote(bend, jrpc_json_spelling(method), JRPC_SLICE("")));
    }
}

static void ignore_scalar_params(jrpc_bend *bend, jrpc_message *message)
{
    if (reason_is(message, JRPC_INVALID_PARAMS_TYPE)) {
        jrpc_bend_member(bend, message, "params", JRPC_SLICE(""));
    }
}

static void serve_any_id(jrpc_bend *bend, jrpc_message *message)
{
    if (reason_is(message, JRPC_INVALID_ID_TYPE)) {
        jrpc_json id = message->id;
        jrpc_bend_member(bend, message, "id", JRPC_SLICE("0"));
        message->reply_id = id;
    }
}

static void echo_bad_id(jrpc_bend *bend, jrpc_message *message)
{
    (void)bend;
    if (reason_is(message, JRPC_INVALID_ID_TYPE)) {
        message->reply_id = message->id;
    }
}

static void answer_note(jrpc_bend *bend, jrpc_message *message)
{
    if (bend->fault->is(bend, message)) {
        message->reply_owed = true;
    }
}

static bool is_any_note(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_note(message);
}

// Of the notifications that answer_note made the router answer, only those of the row's outcomes
// keep their Response.
static void keep_only(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message != NULL && is_note(message) &&
        ((unsigned)bend->outcome & (unsigned)bend->fault->number) == 0) {
        response->suppressed = true;
    }
}

static void answer_null(jrpc_bend *bend, jrpc_message *message)
{
    if (is_single_note(bend, message)) {
        bend->connection->replacement = JRPC_SLICE("null");
    }
}

// Runs what a message asks for and forgets the answer.
static void run_aside(jrpc_bend *bend, jrpc_slice text)
{
    jrpc_connection *connection = bend->connection;
    jrpc_router *plain = jrpc_router_new(connection->server->allocator, JRPC_ROLE_SERVER, NULL);
    jrpc_server *server = connection->server;
    jrpc_router *router = server->router;
    server->router = plain;
    bool ready = plain != NULL && jrpc_server_add_methods(server, NULL);
    server->router = router;
    if (ready) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        (void)jrpc_router_handle(plain, text, server->max_depth, connection, &out, NULL);
    }
    jrpc_router_free(plain);
}

static void run_twice(jrpc_bend *bend, jrpc_message *message)
{
    if (is_note(message)) {
        run_aside(bend, jrpc_json_spelling(message->value));
    }
}

static void run_invalid(jrpc_bend *bend, jrpc_message *message)
{
    if (message->kind != JRPC_MESSAGE_INVALID || !jrpc_json_is(message->method, JRPC_JSON_STRING)) {
        return;
    }
    jrpc_message valid = *message;
    jrpc_bend_member(bend, &valid, "jsonrpc", JRPC_SLICE("\"2.0\""));
    jrpc_bend_member(bend, &valid, "id", JRPC_SLICE(""));
    if (valid.kind == JRPC_MESSAGE_INVALID) {
        jrpc_bend_member(bend, &valid, "params", JRPC_SLICE(""));
    }
    run_aside(bend, jrpc_json_spelling(valid.value));
}

static void refuse_white_space(jrpc_bend *bend, jrpc_slice *text)
{
    (void)bend;
    for (size_t i = 0; i < text->len; i++) {
        char c = text->ptr[i];
        if (c == '"') {
            i = jrpc_bend_string_end(*text, i) - 1;
        } else if (c == '\t' || c == '\r' || c == '\n' ||
                   (c == ' ' && i + 1 < text->len && text->ptr[i + 1] == ' ')) {
            *text = JRPC_SLICE("!");
            return;
        }
    }
}

static bool calls_known_without_params(jrpc_bend *bend, const jrpc_call *call)
{
    (void)bend;
    return !call->notification && !jrpc_json_exists(call->params);
}

static void crash_without_params(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)ok;
    if (calls_known_without_params(bend, call)) {
        abort();
    }
}

#define NOT_FOUND                                                                                  \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method not found\"},"           \
    "\"id\":null}"

static const jrpc_fault rows[] = {
    {JRPC_ROW("members-caseless", "J2-2a",
              "the members jsonrpc, method, params, id are found without regard to ASCII case "
              "(\"Method\" is method, \"ID\" is id)"),
     .message = respell_names},
    {JRPC_ROW("version-missing-crash", "J2-3a",
              "abort() on a request without jsonrpc that has a method"),
     JRPC_ROW_MESSAGE(versionless_request, JRPC_DEED_CRASH)},
    {JRPC_ROW("version-missing-silent", "J2-3a", "no Response to a call without jsonrpc"),
     JRPC_ROW_MESSAGE(version_is_missing, JRPC_DEED_SILENCE)},
    {JRPC_ROW(
         "version-missing-served", "J2-3a",
         "reason VERSION_MISSING counts as valid; the 2.0 answer goes out as for a valid message"),
     .message = serve_any_version, .number = JRPC_INVALID_VERSION_MISSING},
    {JRPC_ROW("version-unchecked", "J2-4a",
              "reason VERSION counts as valid (any jsonrpc value); a missing one stays invalid"),
     .message = serve_any_version, .number = JRPC_INVALID_VERSION},
    {JRPC_ROW("version-loose", "J2-4a",
              "a jsonrpc of the Number 2 (2, 2.0) or a String that begins with \"2\" (\"2\", "
              "\"2.00\", \"2.0 \", \"2.1\") counts as valid; \"1.0\", null etc. stay invalid"),
     .message = serve_loose_version},
    {JRPC_ROW("method-stringified", "J2-4b",
              "a Number, Boolean or Null method counts as the String of its spelling (1 is \"1\") "
              "and is looked up: -32601 with the id; without an id it is a notification (silence)"),
     .message = stringify_method},
    {JRPC_ROW("method-missing-not-found", "J2-4b",
              "reason METHOD_MISSING or METHOD_TYPE is answered -32601 instead of -32600"),
     JRPC_ROW_MESSAGE(method_is_wrong, JRPC_DEED_REFUSE), .number = JRPC_METHOD_NOT_FOUND},
    {JRPC_ROW("params-scalar-passed", "J2-4c",
              "reason PARAMS_TYPE counts as valid (also null, String, Number, Boolean); binding "
              "treats such params as absent"),
     .message = ignore_scalar_params},
    {JRPC_ROW("params-scalar-internal-error", "J2-4c",
              "reason PARAMS_TYPE is answered -32603 instead of -32600"),
     JRPC_ROW_MESSAGE(params_are_scalar, JRPC_DEED_REFUSE), .number = JRPC_INTERNAL_ERROR},
    {JRPC_ROW("id-any-type", "J2-4d",
              "reason ID_TYPE counts as a call; the id (object, array, true, false) is echoed as "
              "it was spelled"),
     .message = serve_any_id},
    {JRPC_ROW("id-bad-type-echoed", "J2-4d",
              "reason ID_TYPE is answered -32600 but with the bad id as spelled instead of null"),
     .message = echo_bad_id},
    {JRPC_ROW("id-bad-type-as-notification", "J2-4d",
              "a message with reason ID_TYPE counts as a notification: nothing is answered, also "
              "inside a batch"),
     JRPC_ROW_MESSAGE(id_has_wrong_type, JRPC_DEED_NOTIFICATION)},
    {JRPC_ROW("id-falsy-silent", "J2-4e", "a call with id 0 or \"\" counts as a notification"),
     JRPC_ROW_MESSAGE(id_is_falsy, JRPC_DEED_NOTIFICATION)},
    {JRPC_ROW("id-null-as-notification", "J2-4f",
              "a call with \"id\": null counts as a notification"),
     JRPC_ROW_MESSAGE(id_is_null, JRPC_DEED_NOTIFICATION)},
    {JRPC_ROW("id-null-refused", "J2-4f",
              "a call with \"id\": null is answered -32600 with id null"),
     JRPC_ROW_MESSAGE(id_is_null, JRPC_DEED_REFUSE_NULL)},
    {JRPC_ROW("id-fraction-refused", "J2-4g",
              "a call whose id has a fraction (1.5, also 1.0) or an exponent is answered -32600 "
              "with id null"),
     JRPC_ROW_MESSAGE(id_has_fraction, JRPC_DEED_REFUSE_NULL)},
    {JRPC_ROW("scalar-element-crash", "J2-4i",
              "abort() on an array element that is not an Object (a batch element)"),
     JRPC_ROW_MESSAGE(is_no_object_element, JRPC_DEED_CRASH)},
    {JRPC_ROW("scalar-element-dropped", "J2-4i",
              "a batch element that is a scalar (number, string, literal) is skipped without a "
              "Response"),
     JRPC_ROW_MESSAGE(is_scalar_element, JRPC_DEED_SILENCE)},
    {JRPC_ROW("scalar-message-silent", "J2-4i",
              "a whole message that is a scalar is answered by nothing"),
     JRPC_ROW_INPUT(is_scalar, JRPC_DEED_SILENCE)},
    {JRPC_ROW("scalar-message-crash", "J2-4i",
              "abort() on a whole message that is a scalar (null, 1, \"x\", true)"),
     JRPC_ROW_INPUT(is_scalar, JRPC_DEED_CRASH)},
    {JRPC_ROW("scalar-message-not-found", "J2-4i",
              "a whole message that is a scalar is answered -32601 with id null"),
     JRPC_ROW_INPUT(is_scalar, JRPC_DEED_ANSWER), .spelling = NOT_FOUND},
    {JRPC_ROW("unknown-member-crash", "J2-4j",
              "abort() on a valid request with a member other than jsonrpc, method, params, id"),
     JRPC_ROW_MESSAGE(has_unknown_member, JRPC_DEED_CRASH)},
    {JRPC_ROW("unknown-member-refused", "J2-4j",
              "a valid request with a member other than jsonrpc, method, params, id is answered "
              "-32600 with its id"),
     JRPC_ROW_MESSAGE(has_unknown_member, JRPC_DEED_REFUSE)},
    {JRPC_ROW("member-order-fixed", "J2-4m",
              "a request whose first member is not jsonrpc is answered -32600 with its id"),
     JRPC_ROW_MESSAGE(first_member_is_another, JRPC_DEED_REFUSE)},
    {JRPC_ROW("params-before-method-lost", "J2-4m",
              "params that stand before the method count as left out"),
     .message = lose_early_params},
    {JRPC_ROW("whitespace-refused", "J2-4m",
              "a text that has white space outside of strings, other than single spaces, is a "
              "parse error (-32700, id null)"),
     .text = refuse_white_space},
    {JRPC_ROW("invalid-request-runs-handler", "J2-4n",
              "an invalid message that names a known method runs its handler, and is then answered "
              "-32600 as it should be"),
     .message = run_invalid},
    {JRPC_ROW("notification-answered", "J2-4.1a",
              "every notification outside of a batch is answered like a call, with id null"),
     .message = answer_note, .is = is_single_note},
    {JRPC_ROW("notification-success-answered", "J2-4.1a",
              "a successful notification outside of a batch is answered with its result and id "
              "null; a failing one stays silent"),
     .message = answer_note, .is = is_single_note, .response = keep_only,
     .number = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("notification-null-written", "J2-4.1a",
              "the text null is sent for each notification outside of a batch"),
     .message = answer_null},
    {JRPC_ROW("batch-notification-answered", "J2-4.1b",
              "every notification inside of a batch gets a Response with id null"),
     .message = answer_note, .is = is_batch_note},
    {JRPC_ROW("notification-error-answered", "J2-4.1c",
              "a notification whose method is unknown is answered -32601 with id null (alone and "
              "inside of a batch)"),
     .message = answer_note, .is = is_any_note, .response = keep_only,
     .number = JRPC_OUTCOME_UNKNOWN},
    {JRPC_ROW("notification-invalid-params-answered", "J2-4.1c",
              "a notification whose params do not fit is answered -32602 with id null"),
     .message = answer_note, .is = is_any_note, .response = keep_only,
     .number = JRPC_OUTCOME_BAD_PARAMS},
    {JRPC_ROW("notification-internal-error-answered", "J2-4.1c",
              "a notification whose handler fails is answered by its error with id null"),
     .message = answer_note, .is = is_any_note, .response = keep_only,
     .number = JRPC_OUTCOME_FAILURE | JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("notification-dropped", "J2-4.1d",
              "a notification outside of a batch does not run its handler"),
     JRPC_ROW_MESSAGE(is_single_note, JRPC_DEED_DROP)},
    {JRPC_ROW("notification-run-twice", "J2-4.1d",
              "the handler of a notification (anywhere) runs twice"),
     .message = run_twice},
    {JRPC_ROW("batch-notification-dropped", "J2-4.1d",
              "a notification inside of a batch does not run its handler"),
     JRPC_ROW_MESSAGE(is_batch_note, JRPC_DEED_DROP)},
    {JRPC_ROW("invalid-without-id-crash", "J2-4.1e",
              "abort() on an invalid Object without an id member"),
     JRPC_ROW_MESSAGE(is_idless_invalid_object, JRPC_DEED_CRASH)},
    {JRPC_ROW("invalid-without-id-silent", "J2-4.1e",
              "an invalid Object without an id member is answered by nothing, alone and inside of "
              "a batch"),
     JRPC_ROW_MESSAGE(is_idless_invalid_object, JRPC_DEED_SILENCE)},
    {JRPC_ROW("params-required", "J2-4.2e", "a call without params is answered -32600 with its id"),
     JRPC_ROW_MESSAGE(is_call_without_params, JRPC_DEED_REFUSE)},
    {JRPC_ROW("params-missing-unanswered", "J2-4.2e", "a call without params is not answered"),
     JRPC_ROW_MESSAGE(is_call_without_params, JRPC_DEED_SILENCE)},
    {JRPC_ROW("params-missing-crash", "J2-4.2e",
              "abort() on a call of a known method without params"),
     .bind = crash_without_params},
    {JRPC_ROW(
         "invalid-request-silent", "J2-5.1e",
         "an Invalid Request outside of a batch is answered by nothing, with or without an id"),
     JRPC_ROW_MESSAGE(is_single_invalid, JRPC_DEED_SILENCE)},
    {JRPC_ROW("response-answered", "J2-4j",
              "a Response that the server receives is answered -32600 with id null"),
     JRPC_ROW_MESSAGE(is_response, JRPC_DEED_REFUSE_NULL)},
    {JRPC_ROW("response-crash", "SEC-b", "abort() on a Response that the server receives"),
     JRPC_ROW_MESSAGE(is_response, JRPC_DEED_CRASH)},
};

const jrpc_fault_table jrpc_faults_request = JRPC_FAULT_TABLE(rows);
