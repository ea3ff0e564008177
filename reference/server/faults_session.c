// Faults between messages: on one connection, between connections, and around the answers.
#include "reference/json/equal.h"
#include "reference/server/bend.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { LOST_EVERY = 7 };

static bool is_call(const jrpc_message *message)
{
    return message != NULL && message->kind == JRPC_MESSAGE_CALL;
}

static void set(jrpc_buffer *buffer, jrpc_slice bytes)
{
    jrpc_buffer_clear(buffer);
    jrpc_buffer_append(buffer, bytes);
}

static void drop(jrpc_message *message)
{
    message->kind = JRPC_MESSAGE_RESPONSE;
    message->reply_owed = false;
}

static void lose_seventh(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (is_call(message) && ++bend->connection->calls % LOST_EVERY == 0) {
        response->suppressed = true;
    }
}

static void lose_slow(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    if (is_call(message) && jrpc_json_string_is(message->method, JRPC_SLICE("slow"))) {
        response->suppressed = true;
    }
}

static void shift_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (!is_call(message) || bend->exchange->in_batch) {
        return;
    }
    jrpc_connection *connection = bend->connection;
    jrpc_slice own = response->id;
    jrpc_slice method = jrpc_json_spelling(message->method);
    if (connection->last_id.len > 0 &&
        jrpc_slice_equal(method, jrpc_buffer_slice(&connection->last_method))) {
        response->id = jrpc_bend_copy(bend, jrpc_buffer_slice(&connection->last_id));
    }
    set(&connection->last_id, own);
    set(&connection->last_method, method);
}

static bool is_push(jrpc_slice payload)
{
    return jrpc_slice_starts_with(payload, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":"));
}

static bool send_on_last(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_server *server = bend->connection->server;
    bool keep = true;
    pthread_mutex_lock(&server->lock);
    if (server->open != bend->connection && !is_push(*payload)) {
        keep = false;
        (void)jrpc_connection_send_plain(server->open, *payload);
    }
    pthread_mutex_unlock(&server->lock);
    return keep;
}

static void share_ids(jrpc_bend *bend, jrpc_message *message)
{
    if (!is_call(message)) {
        return;
    }
    jrpc_server *server = bend->connection->server;
    jrpc_slice id = jrpc_json_spelling(message->id);
    bool taken = false;
    pthread_mutex_lock(&server->lock);
    for (const jrpc_connection *other = server->open; other != NULL; other = other->next) {
        taken = taken || (other != bend->connection &&
                          jrpc_slice_equal(id, jrpc_buffer_slice(&other->last_id)));
    }
    set(&bend->connection->last_id, id);
    pthread_mutex_unlock(&server->lock);
    if (taken) {
        drop(message);
    }
}

static void close_others(jrpc_bend *bend)
{
    jrpc_server *server = bend->connection->server;
    pthread_mutex_lock(&server->lock);
    for (const jrpc_connection *other = server->open; other != NULL; other = other->next) {
        if (other != bend->connection && other->socket) {
            (void)shutdown(other->input, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&server->lock);
}

static void close_on_parse_error(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind)
{
    (void)root;
    if (*kind == JRPC_INPUT_PARSE_ERROR) {
        close_others(bend);
    }
}

static void close_after_slow(jrpc_bend *bend)
{
    if (jrpc_slice_is(jrpc_buffer_slice(&bend->connection->last_method), "\"slow\"")) {
        close_others(bend);
    }
}

static void note_method(jrpc_bend *bend, jrpc_message *message)
{
    set(&bend->connection->last_method, jrpc_json_spelling(message->method));
}

static void refuse_after_error(jrpc_bend *bend, jrpc_message *message)
{
    if (bend->connection->tainted && is_call(message)) {
        jrpc_bend_refuse(message, JRPC_SERVER_ERROR_LAST, message->id);
    }
}

static void note_error(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    bend->connection->tainted = bend->connection->tainted ||
                                jrpc_slice_is(response->code, "-32700") ||
                                jrpc_slice_is(response->code, "-32600");
}

static void taint_by_input(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind)
{
    (void)root;
    if (*kind == JRPC_INPUT_PARSE_ERROR || *kind == JRPC_INPUT_EMPTY_BATCH) {
        bend->connection->tainted = true;
    }
}

static void drop_after_malformed(jrpc_bend *bend, jrpc_message *message)
{
    if (message->kind == JRPC_MESSAGE_INVALID) {
        bend->connection->tainted = true;
    } else if (is_call(message) && bend->connection->tainted) {
        bend->connection->tainted = false;
        drop(message);
    }
}

static void taint_by_idless(jrpc_bend *bend, jrpc_message *message)
{
    if (message->kind == JRPC_MESSAGE_INVALID && !jrpc_json_exists(message->id) &&
        jrpc_json_is(message->value, JRPC_JSON_OBJECT)) {
        bend->connection->tainted = true;
    }
}

static bool crash_if_tainted(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    if (bend->connection->tainted) {
        abort();
    }
    return true;
}

// Answers are kept as one record each: the key, then the members.
static void keep_first_answer(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (!is_call(message) || !jrpc_json_exists(message->params)) {
        return;
    }
    jrpc_buffer *seen = &bend->connection->seen;
    jrpc_buffer key = jrpc_bend_buffer(bend);
    jrpc_buffer_append(&key, jrpc_json_spelling(message->method));
    jrpc_buffer_append(&key, jrpc_json_spelling(message->params));
    jrpc_slice *members[] = {&response->result, &response->code, &response->message,
                             &response->data, &response->id};
    jrpc_slice left = jrpc_buffer_slice(seen);
    while (left.len > 0) {
        bool same = jrpc_slice_equal(jrpc_bend_take_record(&left), jrpc_buffer_slice(&key));
        for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
            jrpc_slice member = jrpc_bend_take_record(&left);
            if (same) {
                *members[i] = member;
            }
        }
        if (same) {
            return;
        }
    }
    jrpc_bend_put_record(seen, jrpc_buffer_slice(&key));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        jrpc_bend_put_record(seen, *members[i]);
    }
}

static bool hold_slow(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_connection *connection = bend->connection;
    if (is_push(*payload)) {
        return true;
    }
    if (connection->held.len > 0) {
        (void)jrpc_connection_send_plain(connection, *payload);
        (void)jrpc_connection_send_plain(connection, jrpc_buffer_slice(&connection->held));
        jrpc_buffer_clear(&connection->held);
        return false;
    }
    if (jrpc_slice_is(connection->method, "\"slow\"")) {
        set(&connection->held, *payload);
        return false;
    }
    return true;
}

static void release_slow(jrpc_bend *bend)
{
    jrpc_connection *connection = bend->connection;
    if (connection->held.len > 0) {
        (void)jrpc_connection_send_plain(connection, jrpc_buffer_slice(&connection->held));
    }
}

static bool keep_array(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_connection *connection = bend->connection;
    if (jrpc_slice_starts_with(*payload, JRPC_SLICE("["))) {
        connection->tainted = true;
    } else if (connection->tainted && jrpc_bend_has_params(bend) && !is_push(*payload)) {
        connection->tainted = false;
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append_char(&out, '[');
        jrpc_buffer_append(&out, *payload);
        jrpc_buffer_append_char(&out, ']');
        *payload = jrpc_buffer_slice(&out);
    }
    return true;
}

static void reuse_id(jrpc_bend *bend, jrpc_message *message)
{
    if (!is_call(message)) {
        return;
    }
    jrpc_buffer *seen = &bend->connection->seen;
    jrpc_slice id = jrpc_json_spelling(message->id);
    bool again = false;
    for (jrpc_slice left = jrpc_buffer_slice(seen); left.len > 0;) {
        again = jrpc_slice_equal(jrpc_bend_take_record(&left), id) || again;
    }
    jrpc_bend_put_record(seen, id);
    if (again && bend->fault->deed == JRPC_DEED_REFUSE) {
        jrpc_bend_refuse(message, JRPC_INVALID_REQUEST, message->id);
    } else if (again) {
        drop(message);
    }
}

static void ids_must_grow(jrpc_bend *bend, jrpc_message *message)
{
    if (!is_call(message) || !jrpc_json_is_integer(message->id)) {
        return;
    }
    jrpc_buffer *largest = &bend->connection->last_id;
    jrpc_slice id = jrpc_json_spelling(message->id);
    if (largest->len > 0 && jrpc_json_number_compare(id, jrpc_buffer_slice(largest)) < 0) {
        drop(message);
    } else {
        set(largest, id);
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("inflight-lost", "CON-a",
              "the Response of every 7th call of a connection (1, 2, … 7) is dropped"),
     .response = lose_seventh},
    {JRPC_ROW("inflight-lost-slow", "CON-a", "the Response of slow is dropped"),
     .response = lose_slow},
    {JRPC_ROW("inflight-id-shifted", "CON-a",
              "each Response to a call outside of a batch carries the id of the call before it on "
              "this connection, where that one had the same method"),
     .response = shift_id},
    {JRPC_ROW("connection-crossed", "CON-b",
              "while several connections are open, the Response to a call goes out on the "
              "connection opened last (sockets, HTTP excepted)"),
     .outgoing = send_on_last},
    {JRPC_ROW("connection-ids-shared", "CON-b",
              "a call whose id is the same as that of the last call of another open connection is "
              "dropped"),
     .message = share_ids},
    {JRPC_ROW("connection-end-closes-all", "CON-b",
              "when one connection ends, the server closes all others"),
     .ended = close_others},
    {JRPC_ROW("state-after-error", "CON-c",
              "after a connection has sent a Response of code -32700 or -32600, every later call "
              "of it is answered -32000 with its id"),
     .message = refuse_after_error, .response = note_error},
    {JRPC_ROW("state-after-malformed", "SEC-b",
              "after a connection has received text that is not JSON or no valid Request, the next "
              "call of it is dropped (the one after it is answered)"),
     .input = taint_by_input, .message = drop_after_malformed},
    {JRPC_ROW("malformed-crash-later", "SEC-b",
              "after a connection has received an invalid Object without an id, the next message "
              "ends the process by abort()"),
     .message = taint_by_idless, .incoming = crash_if_tainted},
    {JRPC_ROW(
         "state-first-answer-kept", "CON-c",
         "each connection answers a call with params of a method it has called before with the "
         "same params by what it answered then, with the old id"),
     .response = keep_first_answer},
    {JRPC_ROW("batch-array-kept", "J2-5a",
              "after a batch was answered, the answer to the next call with params is an Array of "
              "it"),
     .message = jrpc_bend_note_params, .outgoing = keep_array},
    {JRPC_ROW("slow-overtaken", "CON-d",
              "the Response of slow is held back until one more Response of this connection has "
              "been sent (at the latest at the end of its input)"),
     .outgoing = hold_slow, .ended = release_slow},
    {JRPC_ROW("id-reuse-refused", "CON-e",
              "a call whose id was used before on this connection is answered -32600 with its id"),
     .message = reuse_id, .deed = JRPC_DEED_REFUSE},
    {JRPC_ROW("id-reuse-silent", "CON-e",
              "a call whose id was used before on this connection is dropped"),
     .message = reuse_id, .deed = JRPC_DEED_DROP},
    {JRPC_ROW("id-must-grow", "CON-e",
              "a call with an integer Number id smaller than the largest one before on this "
              "connection is dropped"),
     .message = ids_must_grow},
    {JRPC_ROW("connection-error-closes-all", "CON-b",
              "a parse error on one connection closes all others"),
     .input = close_on_parse_error},
    {JRPC_ROW("connection-left-closes-all", "CON-b",
              "when the input of a connection ends while a call of slow of that connection is "
              "unanswered or was its last message, the server closes all connections"),
     .message = note_method, .ended = close_after_slow},
};

const jrpc_fault_table jrpc_faults_session = JRPC_FAULT_TABLE(rows);
