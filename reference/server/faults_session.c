// Faults between messages: on one connection, between connections, and around the answers.
#include "reference/json/equal.h"
#include "reference/server/bend.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { LOST_EVERY = 7, LINGER_MS = 100 };

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

// Answers are kept as one record each: the key, then the members, each with its length in front.
static void put_record(jrpc_buffer *out, jrpc_slice bytes)
{
    jrpc_buffer_append(out, jrpc_slice_of((const char *)&bytes.len, sizeof bytes.len));
    jrpc_buffer_append(out, bytes);
}

static jrpc_slice take_record(jrpc_slice *from)
{
    size_t len;
    memcpy(&len, from->ptr, sizeof len);
    jrpc_slice record = jrpc_slice_of(from->ptr + sizeof len, len);
    *from = jrpc_slice_from(*from, sizeof len + len);
    return record;
}

static void keep_first_answer(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (!is_call(message)) {
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
        bool same = jrpc_slice_equal(take_record(&left), jrpc_buffer_slice(&key));
        for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
            jrpc_slice member = take_record(&left);
            if (same) {
                *members[i] = member;
            }
        }
        if (same) {
            return;
        }
    }
    put_record(seen, jrpc_buffer_slice(&key));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        put_record(seen, *members[i]);
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

static void reuse_id(jrpc_bend *bend, jrpc_message *message)
{
    if (!is_call(message)) {
        return;
    }
    jrpc_buffer *seen = &bend->connection->seen;
    jrpc_slice id = jrpc_json_spelling(message->id);
    bool again = false;
    for (jrpc_slice left = jrpc_buffer_slice(seen); left.len > 0;) {
        again = jrpc_slice_equal(take_record(&left), id) || again;
    }
    put_record(seen, id);
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

// In a pushed notification: the row's spelling in place of the first `number` bytes after the
// opening brace, or in front of the closing one if that is 0.
static bool bend_push(jrpc_bend *bend, jrpc_slice *payload)
{
    if (!is_push(*payload)) {
        return true;
    }
    size_t drop_len = (size_t)bend->fault->number;
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_slice spelling = jrpc_slice_str(bend->fault->spelling);
    if (drop_len > 0) {
        jrpc_buffer_append_char(&out, '{');
        jrpc_buffer_append(&out, spelling);
        jrpc_buffer_append(&out, jrpc_slice_from(*payload, 1 + drop_len));
    } else {
        jrpc_buffer_append(&out, jrpc_slice_of(payload->ptr, payload->len - 1));
        jrpc_buffer_append(&out, spelling);
        jrpc_buffer_append_char(&out, '}');
    }
    *payload = jrpc_buffer_slice(&out);
    return true;
}

static bool is_error_of(jrpc_slice payload, const char *code)
{
    jrpc_slice start = JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":");
    return jrpc_slice_starts_with(payload, start) &&
           jrpc_slice_starts_with(jrpc_slice_from(payload, start.len), jrpc_slice_str(code));
}

static bool send_twice(jrpc_bend *bend, jrpc_slice *payload)
{
    if (payload->len > 0 && payload->ptr[0] == '{' && !is_push(*payload) &&
        (bend->fault->spelling == NULL || is_error_of(*payload, bend->fault->spelling))) {
        (void)jrpc_connection_send_plain(bend->connection, *payload);
    }
    return true;
}

static bool bare_error(jrpc_bend *bend, jrpc_slice *payload)
{
    if (is_error_of(*payload, "")) {
        *payload = jrpc_json_spelling(jrpc_json_get(jrpc_bend_json(bend, *payload), "error"));
    }
    return true;
}

static bool begin_with(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append_str(&out, bend->fault->spelling);
    jrpc_buffer_append(&out, *payload);
    *payload = jrpc_buffer_slice(&out);
    return true;
}

static bool end_with(jrpc_bend *bend, jrpc_slice *payload)
{
    if (!is_push(*payload)) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append(&out, *payload);
        jrpc_buffer_append_str(&out, bend->fault->spelling);
        *payload = jrpc_buffer_slice(&out);
    }
    return true;
}

static bool trailing_comma(jrpc_bend *bend, jrpc_slice *payload)
{
    size_t last = payload->len;
    while (last > 0 && payload->ptr[last - 1] != '}') {
        last--;
    }
    if (last > 0 && !is_push(*payload)) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append(&out, jrpc_slice_of(payload->ptr, last - 1));
        jrpc_buffer_append_char(&out, ',');
        jrpc_buffer_append(&out, jrpc_slice_from(*payload, last - 1));
        *payload = jrpc_buffer_slice(&out);
    }
    return true;
}

static void greet(jrpc_bend *bend)
{
    if (!bend->connection->socket) {
        (void)jrpc_connection_write(bend->connection, JRPC_SLICE("server ready\n"));
    }
}

static bool log_line(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_slice method = {NULL, 0};
    if (!bend->connection->socket && !is_push(*payload)) {
        (void)jrpc_bend_content(bend, bend->connection->method, &method);
        jrpc_buffer line = jrpc_bend_buffer(bend);
        jrpc_buffer_append_str(&line, "handled ");
        jrpc_buffer_append(&line, method);
        jrpc_buffer_append_char(&line, '\n');
        (void)jrpc_connection_write(bend->connection, jrpc_buffer_slice(&line));
    }
    return true;
}

// Whether the input ends within a moment. Here time is the subject: a real server of this kind
// loses what it has not written when it notices.
static bool lose_at_end(jrpc_bend *bend, jrpc_slice *payload)
{
    (void)payload;
    jrpc_connection *connection = bend->connection;
    struct pollfd entry = {.fd = connection->input, .events = POLLIN};
    char byte;
    bool ends =
        poll(&entry, 1, LINGER_MS) > 0 &&
        (connection->socket ? recv(connection->input, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0
                            : (entry.revents & POLLIN) == 0 && (entry.revents & POLLHUP) != 0);
    connection->closing = connection->closing || ends;
    return !ends;
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
              "after a connection has received text that is no JSON or no valid Request, the next "
              "call of it is dropped (the one after it is answered)"),
     .input = taint_by_input, .message = drop_after_malformed},
    {JRPC_ROW("malformed-crash-later", "SEC-b",
              "after a connection has received an invalid Object without an id, the next message "
              "ends the process by abort()"),
     .message = taint_by_idless, .incoming = crash_if_tainted},
    {JRPC_ROW("state-first-answer-kept", "CON-c",
              "each connection answers a call of a method it has called before with the same "
              "params by what it answered then, with the old id"),
     .response = keep_first_answer},
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
    {JRPC_ROW("push-with-result", "PUSH-a", "a pushed notification also has \"result\": null"),
     .outgoing = bend_push, .spelling = ",\"result\":null"},
    {JRPC_ROW(
         "push-as-request", "PUSH-b",
         "the push is a request with id 0 instead of a notification; the answer to it is dropped"),
     .outgoing = bend_push, .spelling = ",\"id\":0"},
    {JRPC_ROW("push-version-missing", "PUSH-a", "a pushed notification has no jsonrpc"),
     .outgoing = bend_push, .spelling = "", .number = 16},
    {JRPC_ROW("push-method-number", "PUSH-a", "a pushed notification has method 1"),
     .outgoing = bend_push, .spelling = "\"jsonrpc\":\"2.0\",\"method\":1", .number = 36},
    {JRPC_ROW("call-answered-twice", "J2-5a", "every Response outside of a batch is sent twice"),
     .outgoing = send_twice},
    {JRPC_ROW("parse-error-answered-twice", "J2-5a", "the Response to a parse error is sent twice"),
     .outgoing = send_twice, .spelling = "-32700"},
    {JRPC_ROW("bare-error", "J2-5h",
              "an error Response is written as its bare error Object {\"code\":…,\"message\":…}"),
     .outgoing = bare_error},
    {JRPC_ROW("response-bom", "J2-5j",
              "each message begins with a UTF-8 byte-order mark (only in the Response to a call "
              "with params: a target whose every answer is unreadable is never started)"),
     .outgoing = begin_with, .spelling = "\xEF\xBB\xBF"},
    {JRPC_ROW("response-trailing-comma", "J2-5j",
              "a comma before the last closing brace of each Response (only in the Response to a "
              "call with params: a target whose every answer is unreadable is never started)"),
     .outgoing = trailing_comma},
    {JRPC_ROW("response-two-documents", "J2-5j",
              "{} is glued behind each Response in the same message (only in the Response to a "
              "call with params: a target whose every answer is unreadable is never started)"),
     .outgoing = end_with, .spelling = "{}"},
    {JRPC_ROW("stdout-greeting", "FR-f",
              "on stdio the line \"server ready\" is written to stdout when the server starts"),
     .started = greet},
    {JRPC_ROW("stdout-log", "FR-f",
              "on stdio the line \"handled \" and the method name is written to stdout before each "
              "answer"),
     .outgoing = log_line},
    {JRPC_ROW("end-of-input-drops", "FR-f",
              "at the end of its input the server exits at once (status 0): messages read together "
              "with the end, and answers not yet written, are lost"),
     .outgoing = lose_at_end},
};

const jrpc_fault_table jrpc_faults_session = JRPC_FAULT_TABLE(rows);
