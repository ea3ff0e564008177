// Faults in asynchronous results and stream events (RO-JRPC, section 19).
#include "reference/server/bend.h"

static bool is_call(const jrpc_message *message)
{
    return message != NULL && message->kind == JRPC_MESSAGE_CALL;
}

static bool verb_is_reserved(const jrpc_message *message)
{
    static const char *const ends[] = {".yield\"", ".return\""};
    jrpc_slice method = jrpc_json_spelling(message->method);
    bool found = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        jrpc_slice end = jrpc_slice_str(ends[i]);
        found = found || (method.len > end.len &&
                          jrpc_slice_equal(jrpc_slice_from(method, method.len - end.len), end));
    }
    return found;
}

static bool is_reserved_call(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_call(message) && verb_is_reserved(message);
}

// Takes a result message for an Invalid Request.
static void refuse_result(jrpc_bend *bend, jrpc_message *message)
{
    (void)bend;
    if (message->kind == JRPC_MESSAGE_RESULT) {
        message->kind = JRPC_MESSAGE_INVALID;
        message->reply_owed = true;
        message->reply_code = JRPC_INVALID_REQUEST;
        message->reply_id = JRPC_JSON_ABSENT;
    }
}

static bool is_attachment(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_call(message) &&
           jrpc_json_string_is(message->method, JRPC_SLICE("attachment.create"));
}

// Reads an outgoing message. False unless it is a result or an event.
static bool read_result(jrpc_bend *bend, jrpc_slice payload, jrpc_message *ret_message)
{
    if (!jrpc_slice_starts_with(payload, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":"))) {
        return false;
    }
    *ret_message = jrpc_message_classify(jrpc_bend_json(bend, payload));
    return ret_message->kind == JRPC_MESSAGE_RESULT;
}

static bool is_final(const jrpc_message *message)
{
    return jrpc_json_string_is(jrpc_json_get(message->value, "verb"), JRPC_SLICE("return"));
}

static jrpc_status status_of(const jrpc_message *message)
{
    return jrpc_status_of(message->result);
}

static void set(jrpc_bend *bend, jrpc_message *message, const char *name, const char *spelling)
{
    jrpc_bend_member(bend, message, name, jrpc_slice_str(spelling));
}

// Sends what was changed instead.
static bool send_changed(const jrpc_message *message, jrpc_slice *payload)
{
    *payload = jrpc_json_spelling(message->value);
    return true;
}

static bool leave_out_method(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (read_result(bend, *payload, &message)) {
        set(bend, &message, "method", "");
        (void)send_changed(&message, payload);
    }
    return true;
}

static bool add_id(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (read_result(bend, *payload, &message)) {
        set(bend, &message, "id", "\"result-1\"");
        (void)send_changed(&message, payload);
    }
    return true;
}

static bool invent_status(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (read_result(bend, *payload, &message) && !is_final(&message)) {
        set(bend, &message, "result", bend->fault->spelling);
        (void)send_changed(&message, payload);
    }
    return true;
}

// A return with the status of a yield.
static bool pair_wrongly(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (read_result(bend, *payload, &message) && is_final(&message)) {
        set(bend, &message, "result", "{\"status\":\"pending\"}");
        (void)send_changed(&message, payload);
    }
    return true;
}

// One more yield of the same correlation after what ends it with the status of the row (`number`).
static bool go_on(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (!read_result(bend, *payload, &message) || !is_final(&message) ||
        (int)status_of(&message) != bend->fault->number) {
        return true;
    }
    (void)jrpc_connection_send_plain(bend->connection, *payload);
    bool job = jrpc_json_string_is(jrpc_json_get(message.value, "resource"), JRPC_SLICE("job"));
    set(bend, &message, "method", job ? "\"job.yield\"" : "\"session.yield\"");
    set(bend, &message, "verb", "\"yield\"");
    set(bend, &message, "result", "{\"status\":\"pending\"}");
    return send_changed(&message, payload);
}

static bool change_request_id(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (!read_result(bend, *payload, &message)) {
        return true;
    }
    jrpc_json id = jrpc_json_get(message.value, "request_id");
    if (jrpc_json_is(id, JRPC_JSON_NUMBER)) {
        jrpc_bend_member(bend, &message, "request_id",
                         jrpc_bend_quote(bend, jrpc_json_spelling(id), JRPC_SLICE("null")));
        (void)send_changed(&message, payload);
    }
    return true;
}

static bool correlate_session(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (read_result(bend, *payload, &message) &&
        !jrpc_json_exists(jrpc_json_get(message.value, "request_id"))) {
        jrpc_bend_member(bend, &message, "request_id",
                         jrpc_json_spelling(jrpc_json_get(message.value, "target")));
        (void)send_changed(&message, payload);
    }
    return true;
}

static bool never_return(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    return !read_result(bend, *payload, &message) || !is_final(&message);
}

static bool answer_again(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (!read_result(bend, *payload, &message) || !is_final(&message)) {
        return true;
    }
    jrpc_json id = jrpc_json_get(message.value, "request_id");
    if (!jrpc_json_exists(id)) {
        return true;
    }
    (void)jrpc_connection_send_plain(bend->connection, *payload);
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append_str(&out, "{\"jsonrpc\":\"2.0\",\"result\":");
    jrpc_buffer_append(&out, jrpc_json_spelling(message.result));
    jrpc_buffer_append_str(&out, ",\"id\":");
    jrpc_buffer_append(&out, jrpc_json_spelling(id));
    jrpc_buffer_append_str(&out, "}");
    *payload = jrpc_buffer_slice(&out);
    return true;
}

static bool send_elsewhere(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_message message;
    if (!read_result(bend, *payload, &message)) {
        return true;
    }
    jrpc_server *server = bend->connection->server;
    bool keep = true;
    pthread_mutex_lock(&server->lock);
    if (server->open != bend->connection && server->open->socket) {
        keep = false;
        (void)jrpc_connection_send_plain(server->open, *payload);
    }
    pthread_mutex_unlock(&server->lock);
    return keep;
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("ro-yield-callable", "RO-19a", "a call of yield or return is answered by null"),
     .response = jrpc_row_null_result, .when = JRPC_OUTCOME_ERRORS, .is = is_reserved_call},
    {JRPC_ROW("ro-result-answered", "RO-10a",
              "a result message that the server receives is answered -32600 with id null"),
     .message = refuse_result},
    {JRPC_ROW("ro-result-without-method", "RO-19b", "result messages have no method"),
     .outgoing = leave_out_method},
    {JRPC_ROW("ro-result-with-id", "RO-19b", "result messages have an id of their own"),
     .outgoing = add_id},
    {JRPC_ROW("ro-status-unknown", "RO-19c", "yields carry the status working"),
     .outgoing = invent_status, .spelling = "{\"status\":\"working\"}"},
    {JRPC_ROW("ro-yield-done", "RO-19d", "yields carry the status done, and a return follows"),
     .outgoing = invent_status, .spelling = "{\"status\":\"done\"}"},
    {JRPC_ROW("ro-status-missing", "RO-19c", "yields carry no status"), .outgoing = invent_status,
     .spelling = "{\"progress\":60}"},
    {JRPC_ROW("ro-return-pending", "RO-19i", "returns carry the status pending"),
     .outgoing = pair_wrongly},
    {JRPC_ROW("ro-after-return", "RO-19d",
              "after a return of status done comes one more yield of the same correlation"),
     .outgoing = go_on, .number = JRPC_STATUS_DONE},
    {JRPC_ROW("ro-after-error", "RO-19d",
              "after a return of status error comes one more yield of the same correlation"),
     .outgoing = go_on, .number = JRPC_STATUS_ERROR},
    {JRPC_ROW("ro-request-id-type", "RO-19e", "request_id is a String where the id was a Number"),
     .outgoing = change_request_id},
    {JRPC_ROW("ro-session-request-id", "RO-19g", "the events of a session carry a request_id"),
     .outgoing = correlate_session},
    {JRPC_ROW("ro-yield-without-return", "RO-19i", "returns are dropped"),
     .outgoing = never_return},
    {JRPC_ROW("ro-results-instead-of-response", "RO-19k",
              "attachment.create gets no Response, only its results"),
     .response = jrpc_row_withhold, .when = JRPC_OUTCOME_SUCCESS, .is = is_attachment},
    {JRPC_ROW("ro-response-twice", "RO-19k",
              "behind the return to a call comes a second Response to that call"),
     .outgoing = answer_again},
    {JRPC_ROW("ro-results-elsewhere", "RO-19j",
              "results go out on the connection opened last (sockets, HTTP excepted)"),
     .outgoing = send_elsewhere},
};

const jrpc_fault_table jrpc_faults_results = JRPC_FAULT_TABLE(rows);
