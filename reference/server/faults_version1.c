// JSON-RPC 1.0 beside 2.0, and the faults in serving it. A request without `jsonrpc` (or with null)
// is one of 1.0: id null makes it a notification, params stand in an Array, and its answer has no
// `jsonrpc` but both `result` and `error`.
#include "reference/server/bend.h"

#include <stdlib.h>

static void serve_message(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_connection *connection = bend->connection;
    bool null = jrpc_json_is(message->version, JRPC_JSON_NULL);
    connection->v1 = connection->v1_null = false;
    if (message->kind != JRPC_MESSAGE_INVALID || !jrpc_json_exists(message->method) ||
        (jrpc_json_exists(message->version) && !null)) {
        return;
    }
    connection->v1 = true;
    connection->v1_null = null;
    bool notification = jrpc_json_is(message->id, JRPC_JSON_NULL);
    jrpc_bend_member(bend, message, "jsonrpc", JRPC_SLICE("\"2.0\""));
    if (notification) {
        jrpc_bend_member(bend, message, "id", JRPC_SLICE(""));
    }
}

static void serve_bind(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    bend->connection->v1_fits = *ok;
    if (bend->connection->v1 && jrpc_json_is(call->params, JRPC_JSON_OBJECT)) {
        *ok = false;
    }
}

static void serve_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message == NULL || !bend->connection->v1) {
        return;
    }
    response->version = (jrpc_slice){NULL, 0};
    if (bend->outcome == JRPC_OUTCOME_SUCCESS) {
        response->error = JRPC_SLICE("null");
    } else {
        response->result = JRPC_SLICE("null");
    }
}

const jrpc_fault jrpc_version1 = {
    .name = "1.0", .message = serve_message, .bind = serve_bind, .response = serve_response};

static void v1_member(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message != NULL && bend->connection->v1) {
        jrpc_row_member(bend, message, response);
    }
}

static void v1_error_string(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message != NULL && bend->connection->v1) {
        response->error = response->message;
    }
}

static void v1_id_string(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message != NULL && bend->connection->v1 && jrpc_json_is(message->id, JRPC_JSON_NUMBER)) {
        response->id = jrpc_bend_quote(bend, response->id, response->id);
    }
}

static void v1_answer_null(jrpc_bend *bend, jrpc_message *message)
{
    if (bend->connection->v1 && message->kind == JRPC_MESSAGE_NOTIFICATION) {
        message->reply_owed = true;
    }
}

static void v1_keep_unknown(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message != NULL && bend->connection->v1 && message->kind == JRPC_MESSAGE_NOTIFICATION &&
        bend->outcome != JRPC_OUTCOME_UNKNOWN) {
        response->suppressed = true;
    }
}

static void v1_named(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)call;
    *ok = bend->connection->v1_fits;
}

static bool is_v1_batch(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    bool all = kind == JRPC_INPUT_BATCH;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
        jrpc_json version = jrpc_json_get(it.value, "jsonrpc");
        all = all && jrpc_json_exists(jrpc_json_get(it.value, "method")) &&
              (!jrpc_json_exists(version) || jrpc_json_is(version, JRPC_JSON_NULL));
    }
    return all;
}

static void v1_apart(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    size_t kept = 0;
    for (size_t i = 0; i < reply->count; i++) {
        if (jrpc_slice_starts_with(reply->elements[i], JRPC_SLICE("{\"jsonrpc\""))) {
            reply->elements[kept++] = reply->elements[i];
        } else {
            (void)jrpc_connection_send(bend->connection, reply->elements[i]);
        }
    }
    reply->count = kept;
}

static void v1_null_version(jrpc_bend *bend, jrpc_message *message)
{
    if (bend->connection->v1_null) {
        bend->connection->v1 = false;
        if (bend->fault->deed == JRPC_DEED_REFUSE) {
            jrpc_bend_refuse(message, JRPC_INVALID_REQUEST, message->id);
        }
    }
}

#define V1_MEMBER(when_, member_, text)                                                            \
    .response = v1_member, .when = when_, .member = offsetof(jrpc_response, member_),              \
    .spelling = text

static const jrpc_fault rows[] = {
    {JRPC_ROW("v1-answer-with-version", "J1-a",
              "the answer to a 1.0 request has \"jsonrpc\": \"2.0\" first"),
     V1_MEMBER(0, version, "\"2.0\"")},
    {JRPC_ROW("v1-answer-with-version-null", "J1-a",
              "the answer to a 1.0 request has \"jsonrpc\": null"),
     V1_MEMBER(0, version, "null")},
    {JRPC_ROW("v1-error-omitted", "J1-b",
              "the answer to a successful 1.0 request has no error member"),
     V1_MEMBER(JRPC_OUTCOME_SUCCESS, error, "")},
    {JRPC_ROW("v1-result-omitted", "J1-b",
              "the answer to a failed 1.0 request has no result member"),
     V1_MEMBER(JRPC_OUTCOME_ERRORS, result, "")},
    {JRPC_ROW("v1-error-empty", "J1-b", "the answer to a failed 1.0 request has \"error\": null"),
     V1_MEMBER(JRPC_OUTCOME_ERRORS, error, "null")},
    {JRPC_ROW("v1-error-as-string", "J1-b", "the error of a 1.0 answer is the message as a String"),
     .response = v1_error_string, .when = JRPC_OUTCOME_ERRORS},
    {JRPC_ROW("v1-id-as-string", "J1-b", "a Number id of a 1.0 request is written as a String"),
     .response = v1_id_string},
    {JRPC_ROW("v1-null-id-answered", "J1-c",
              "a 1.0 request with id null is answered, with id null"),
     .message = v1_answer_null},
    {JRPC_ROW("v1-null-id-error-answered", "J1-c",
              "a 1.0 request with id null whose method is unknown is answered by its error with id "
              "null; a successful one stays silent"),
     .message = v1_answer_null, .response = v1_keep_unknown},
    {JRPC_ROW("v1-named-params-served", "J1-d",
              "params as an Object are served for a 1.0 request as for a 2.0 one (the faultless "
              "server answers such a 1.0 request by an error)"),
     .bind = v1_named},
    {JRPC_ROW("v1-batch-crash", "J1-e",
              "abort() on an Array of which every element is a 1.0 request"),
     JRPC_ROW_INPUT(is_v1_batch, JRPC_DEED_CRASH)},
    {JRPC_ROW("v1-batch-answered-separately", "J1-e",
              "each answer to a 1.0 request of an Array is a message of its own"),
     .batch = v1_apart},
    {JRPC_ROW("v1-version-null-refused", "J1-f",
              "a request with \"jsonrpc\": null is answered -32600 in 2.0 form"),
     .message = v1_null_version, .deed = JRPC_DEED_REFUSE},
    {JRPC_ROW(
         "v1-version-null-as-2", "J1-f",
         "a request with \"jsonrpc\": null is served as a 2.0 request and answered in 2.0 form"),
     .message = v1_null_version},
};

const jrpc_fault_table jrpc_faults_version1 = JRPC_FAULT_TABLE(rows);
