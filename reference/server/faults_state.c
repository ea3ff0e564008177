// Faults in what one message leaves behind for the next: params, methods, ids, results and errors
// that turn up where they were not sent.
#include "reference/base/clock.h"
#include "reference/server/bend.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { IN_FLIGHT_MS = 20, LATE_MS = 100, LATE_CALLS = 2 };

static bool is_call(const jrpc_message *message)
{
    return message != NULL && message->kind == JRPC_MESSAGE_CALL;
}

static bool is_note(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_NOTIFICATION;
}

static void set(jrpc_buffer *buffer, jrpc_slice bytes)
{
    jrpc_buffer_clear(buffer);
    jrpc_buffer_append(buffer, bytes);
}

// The bytes that a fault has kept, safe from being overwritten while the message is handled.
static jrpc_slice kept(jrpc_bend *bend, const jrpc_buffer *buffer)
{
    return jrpc_bend_copy(bend, jrpc_buffer_slice(buffer));
}

// The row's number: 1 if what is kept is forgotten where a message begins that is not a later
// element of a batch.
static void forget_outside_of_batch(jrpc_bend *bend, jrpc_buffer *buffer)
{
    if (bend->fault->number == 1 &&
        (!bend->exchange->in_batch || bend->exchange->batch_index == 0)) {
        jrpc_buffer_clear(buffer);
    }
}

static void keep_params(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_buffer *last = &bend->connection->seen;
    forget_outside_of_batch(bend, last);
    if (!is_call(message) && !is_note(message)) {
        return;
    }
    if (jrpc_json_exists(message->params)) {
        set(last, jrpc_json_spelling(message->params));
    } else if (last->len > 0) {
        jrpc_bend_member(bend, message, "params", kept(bend, last));
    }
}

// Parameters by name that were not sent get what an earlier call of the method had for them.
static void keep_names(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    static const char *const names[] = {"minuend", "subtrahend"};
    jrpc_buffer *last = &bend->connection->seen;
    if (!jrpc_slice_is(call->method, "subtract") || !jrpc_json_is(call->params, JRPC_JSON_OBJECT)) {
        return;
    }
    jrpc_json earlier = jrpc_bend_json(bend, kept(bend, last));
    for (size_t i = 0; i < 2 && jrpc_json_exists(earlier); i++) {
        if (!jrpc_json_exists(call->arguments[i])) {
            call->arguments[i] = jrpc_json_get(earlier, names[i]);
        }
    }
    *ok = *ok || (jrpc_json_exists(call->arguments[0]) && jrpc_json_exists(call->arguments[1]));
    if (jrpc_json_count(call->params) == 2) {
        set(last, jrpc_json_spelling(call->params));
    }
}

static void keep_method(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_buffer *last = &bend->connection->last_method;
    if (message->kind == JRPC_MESSAGE_INVALID && message->reason == JRPC_INVALID_METHOD_MISSING &&
        last->len > 0) {
        jrpc_bend_member(bend, message, "method", kept(bend, last));
    } else if (is_call(message)) {
        set(last, jrpc_json_spelling(message->method));
    }
}

static void note_id(jrpc_bend *bend, jrpc_message *message)
{
    forget_outside_of_batch(bend, &bend->connection->last_id);
    if (is_call(message)) {
        set(&bend->connection->last_id, jrpc_json_spelling(message->id));
    }
}

static void last_id_for_null(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (!is_call(message) && jrpc_slice_is(response->id, "null") &&
        bend->connection->last_id.len > 0) {
        response->id = kept(bend, &bend->connection->last_id);
    }
}

static void answer_with_last_id(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_buffer *last = &bend->connection->last_id;
    if (is_call(message)) {
        set(last, jrpc_json_spelling(message->id));
    } else if (is_note(message) && last->len > 0) {
        jrpc_bend_member(bend, message, "id", kept(bend, last));
    }
}

static void code_of_error_before(jrpc_bend *bend, const jrpc_message *message,
                                 jrpc_response *response)
{
    (void)message;
    jrpc_buffer *last = &bend->connection->seen;
    jrpc_slice own = response->code;
    if (last->len > 0) {
        response->code = kept(bend, last);
    }
    set(last, own);
}

static void error_of_before(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    jrpc_connection *connection = bend->connection;
    if (response->code.len > 0) {
        set(&connection->held, response->code);
        set(&connection->seen, response->message);
    } else if (connection->held.len > 0) {
        response->code = kept(bend, &connection->held);
        response->message = kept(bend, &connection->seen);
        jrpc_buffer_clear(&connection->held);
    }
}

static void result_of_before(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    jrpc_buffer *last = &bend->connection->held;
    if (response->code.len == 0) {
        set(last, response->result);
    } else if (last->len > 0) {
        response->result = kept(bend, last);
        jrpc_buffer_clear(last);
    }
}

// Answers are kept as one record each: the key, then the members. What makes the key is the row's
// number.
enum { KEY_METHOD = 1, KEY_PARAMS = 2, KEY_ID = 4, KEY_UUID = 8, UUID_LEN = 38 };

static void answer_from_memory(jrpc_bend *bend, const jrpc_message *message,
                               jrpc_response *response)
{
    int parts = bend->fault->number;
    if (message == NULL ||
        ((parts & KEY_ID) != 0 ? !jrpc_json_exists(message->id)
                               : !jrpc_json_exists(message->params)) ||
        ((parts & KEY_UUID) != 0 && jrpc_json_spelling(message->id).len != UUID_LEN)) {
        return;
    }
    jrpc_buffer key = jrpc_bend_buffer(bend);
    jrpc_buffer_append(&key, jrpc_json_spelling((parts & KEY_METHOD) != 0   ? message->method
                                                : (parts & KEY_PARAMS) != 0 ? message->params
                                                                            : message->id));
    jrpc_slice *members[] = {&response->result, &response->code, &response->message,
                             &response->data};
    jrpc_slice left = kept(bend, &bend->connection->seen);
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
    jrpc_bend_put_record(&bend->connection->seen, jrpc_buffer_slice(&key));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        jrpc_bend_put_record(&bend->connection->seen, *members[i]);
    }
}

static void drop_call_after_note(jrpc_bend *bend, jrpc_message *message)
{
    if (is_note(message)) {
        bend->connection->tainted = true;
    } else if (is_call(message) && bend->connection->tainted) {
        bend->connection->tainted = false;
        message->kind = JRPC_MESSAGE_RESPONSE;
        message->reply_owed = false;
    }
}

static void drop_equal_ids(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_buffer *last = &bend->connection->last_id;
    if (!is_call(message)) {
        return;
    }
    if (jrpc_slice_equal(jrpc_json_spelling(message->id), jrpc_buffer_slice(last))) {
        message->kind = JRPC_MESSAGE_RESPONSE;
        message->reply_owed = false;
    }
    set(last, jrpc_json_spelling(message->id));
}

static bool is_answer(const jrpc_bend *bend, jrpc_slice payload)
{
    return bend->connection->answering && payload.len > 0;
}

static bool late_by_one(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_buffer *held = &bend->connection->held;
    if (!is_answer(bend, *payload) || !jrpc_bend_has_params(bend)) {
        return true;
    }
    jrpc_slice own = *payload;
    jrpc_slice before = kept(bend, held);
    set(held, own);
    *payload = before;
    return before.len > 0;
}

// A notification's Response, with the id null that it never had.
static void owe_note(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_connection *connection = bend->connection;
    if (is_note(message) && !bend->exchange->in_batch && !connection->tainted) {
        connection->tainted = true;
        connection->calls = 0;
        connection->scan[0] = (size_t)jrpc_clock_now_us(jrpc_clock_monotonic());
    }
}

static void pay_note(jrpc_bend *bend)
{
    jrpc_sink sink = jrpc_connection_sink(bend->connection);
    bend->connection->tainted = false;
    (void)sink.send(sink.context, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":null}"));
}

static bool pay_after_calls(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_connection *connection = bend->connection;
    if (is_answer(bend, *payload) && connection->tainted && ++connection->calls == LATE_CALLS) {
        pay_note(bend);
    }
    return true;
}

static bool pay_after_time(jrpc_bend *bend, jrpc_slice *payload)
{
    const jrpc_connection *connection = bend->connection;
    size_t now = (size_t)jrpc_clock_now_us(jrpc_clock_monotonic());
    if (is_answer(bend, *payload) && connection->tainted &&
        now - connection->scan[0] > (size_t)LATE_MS * 1000) {
        pay_note(bend);
    }
    return true;
}

// How many messages of the bytes of one read have not been handled: batches aside.
static void count_messages(jrpc_bend *bend, jrpc_slice *bytes)
{
    static const jrpc_slice mark = JRPC_SLICE_INIT("\"jsonrpc\"");
    for (jrpc_slice left = *bytes; left.len >= mark.len; left = jrpc_slice_from(left, 1)) {
        bend->connection->scan[0] += jrpc_slice_starts_with(left, mark) ? 1 : 0;
    }
}

static bool has_another_in_flight(jrpc_bend *bend)
{
    jrpc_connection *connection = bend->connection;
    struct pollfd input = {.fd = connection->input, .events = POLLIN};
    connection->scan[0] -= connection->scan[0] > 0 ? 1 : 0;
    return connection->scan[0] > 0 ||
           (!connection->one_answer && poll(&input, 1, IN_FLIGHT_MS) > 0 &&
            (input.revents & POLLIN) != 0);
}

static jrpc_slice with_id_of(jrpc_bend *bend, jrpc_slice answer, jrpc_slice other)
{
    jrpc_message message = jrpc_message_classify(jrpc_bend_json(bend, answer));
    jrpc_json id = jrpc_json_get(jrpc_bend_json(bend, other), "id");
    jrpc_bend_member(bend, &message, "id", jrpc_json_spelling(id));
    return jrpc_json_spelling(message.value);
}

static bool swap_in_flight(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_connection *connection = bend->connection;
    if (!is_answer(bend, *payload) || payload->ptr[0] != '{') {
        return true;
    }
    jrpc_slice before = kept(bend, &connection->held);
    if (before.len == 0 && has_another_in_flight(bend)) {
        set(&connection->held, *payload);
        return false;
    }
    if (before.len > 0) {
        connection->scan[0] -= connection->scan[0] > 0 ? 1 : 0;
        jrpc_buffer_clear(&connection->held);
        (void)jrpc_connection_send_plain(connection, with_id_of(bend, before, *payload));
        *payload = with_id_of(bend, *payload, before);
    }
    return true;
}

static void release_held(jrpc_bend *bend)
{
    jrpc_connection *connection = bend->connection;
    if (connection->held.len > 0) {
        (void)jrpc_connection_send_plain(connection, jrpc_buffer_slice(&connection->held));
    }
}

// What other open connections keep in `seen` under the same key (`last_id`) replaces the result.
static void result_of_neighbour(jrpc_bend *bend, const jrpc_message *message,
                                jrpc_response *response)
{
    jrpc_connection *connection = bend->connection;
    jrpc_server *server = connection->server;
    if (!is_call(message) || !jrpc_json_exists(message->params)) {
        return;
    }
    jrpc_slice key =
        jrpc_json_spelling(bend->fault->number == KEY_ID ? message->id : message->method);
    jrpc_slice own = response->result;
    pthread_mutex_lock(&server->lock);
    for (const jrpc_connection *other = server->open; other != NULL; other = other->next) {
        if (other != connection && jrpc_slice_equal(key, jrpc_buffer_slice(&other->last_id))) {
            response->result = kept(bend, &other->seen);
        }
    }
    set(&connection->last_id, key);
    set(&connection->seen, own);
    pthread_mutex_unlock(&server->lock);
}

// Drops a message that has the very bytes of the one before it.
static bool drop_equal(jrpc_bend *bend, jrpc_slice text)
{
    jrpc_buffer *last = &bend->connection->seen;
    bool equal = jrpc_slice_equal(text, jrpc_buffer_slice(last));
    set(last, text);
    return !equal;
}

static void note_last_byte(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (bytes->len > 0) {
        set(&bend->connection->seen, jrpc_slice_from(*bytes, bytes->len - 1));
    }
}

static void crash_in_the_middle(jrpc_bend *bend)
{
    jrpc_slice last = jrpc_buffer_slice(&bend->connection->seen);
    if (last.len > 0 && strchr("}]\n", last.ptr[0]) == NULL) {
        abort();
    }
}

static void crash_unasked(jrpc_bend *bend)
{
    if (bend->connection->seen.len == 0) {
        abort();
    }
}

static void crash_if_reset(jrpc_bend *bend)
{
    if (bend->connection->broken) {
        abort();
    }
}

static bool leave_each_nth_alone(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    return bend->connection->number % (unsigned long)bend->fault->number != 0;
}

#define NULL_IDS (JRPC_OUTCOME_INVALID | JRPC_OUTCOME_EMPTY_BATCH)

static const jrpc_fault rows[] = {
    {JRPC_ROW(
         "inflight-swapped", "CON-a",
         "an answer waits 20 ms for another message of its connection; where one came, the two "
         "answers exchange their ids"),
     .received = count_messages, .outgoing = swap_in_flight, .ended = release_held},
    {JRPC_ROW("equal-message-dropped", "J2-5a",
              "a message of the very bytes of the one before it on its connection is dropped"),
     .incoming = drop_equal},
    {JRPC_ROW("half-message-crash", "SEC-b",
              "abort() when the input of a connection ends and its last byte is none that ends a "
              "message: }, ] or a line feed"),
     .received = note_last_byte, .ended = crash_in_the_middle},
    {JRPC_ROW("silent-visitor-crash", "SEC-l",
              "abort() when the input of a connection ends before anything came"),
     .received = note_last_byte, .ended = crash_unasked},
    {JRPC_ROW("unread-answers-crash", "SEC-l",
              "abort() when a connection is reset (sockets, HTTP excepted)"),
     .ended = crash_if_reset},
    {JRPC_ROW("connection-each-seventh-mute", "CON-b",
              "whatever comes on each seventh connection is dropped"),
     .incoming = leave_each_nth_alone, .number = 7},
    {JRPC_ROW("inflight-equal-ids-merged", "J2-5a",
              "a call with the same id as the call before it on this connection is dropped"),
     .message = drop_equal_ids},
    {JRPC_ROW(
         "connection-results-crossed", "CON-b",
         "the result of a call with params is that of the last such call of the same method on "
         "another open connection, if there is one"),
     .response = result_of_neighbour, .when = JRPC_OUTCOME_SUCCESS, .number = KEY_METHOD},
    {JRPC_ROW("connection-results-by-id", "CON-b",
              "the result of a call with params is that of the last such call on another open "
              "connection, if that has the same id"),
     .response = result_of_neighbour, .when = JRPC_OUTCOME_SUCCESS, .number = KEY_ID},
    {JRPC_ROW("params-kept", "CON-f",
              "a message without params gets those of the last message of its connection that had "
              "any"),
     .message = keep_params},
    {JRPC_ROW("params-kept-in-batch", "CON-f",
              "an element of a batch without params gets those of the last element before it that "
              "had any"),
     .message = keep_params, .number = 1},
    {JRPC_ROW("names-kept", "CON-f",
              "a parameter of subtract that is missing by name gets the value that an earlier call "
              "of the connection had for it"),
     .bind = keep_names},
    {JRPC_ROW("method-kept", "CON-f",
              "a message without a method gets that of the last call of its connection"),
     .message = keep_method},
    {JRPC_ROW(
         "invalid-last-id", "J2-5g",
         "an error that owes id null, but for parse errors, carries the id of the last call of "
         "its connection"),
     .message = note_id, .response = last_id_for_null, .when = NULL_IDS},
    {JRPC_ROW(
         "batch-invalid-previous-id", "J2-5g",
         "an element of a batch that owes id null carries the id of the last call before it in "
         "the batch"),
     .message = note_id, .response = last_id_for_null, .when = NULL_IDS, .number = 1},
    {JRPC_ROW(
         "notification-answered-with-last-id", "J2-4.1c",
         "a notification is answered as a call with the id of the last call of its connection"),
     .message = answer_with_last_id},
    {JRPC_ROW("error-code-kept", "CON-c",
              "an error carries the code of the error before it on its connection"),
     .response = code_of_error_before, .when = JRPC_OUTCOME_ERRORS},
    {JRPC_ROW("error-kept", "J2-5e",
              "the first success after an error carries that error beside its result"),
     .response = error_of_before},
    {JRPC_ROW("result-kept", "J2-5d",
              "the first error after a success carries that result beside it"),
     .response = result_of_before},
    {JRPC_ROW("result-kept-by-method", "CON-c",
              "a call with params is answered by what its connection answered first for that "
              "method, whatever the params"),
     .response = answer_from_memory, .number = KEY_METHOD},
    {JRPC_ROW("result-kept-by-params", "CON-c",
              "a call with params is answered by what its connection answered first for those "
              "params, whatever the method"),
     .response = answer_from_memory, .number = KEY_PARAMS},
    {JRPC_ROW("response-kept-by-id", "CON-e",
              "a message with an id is answered by what its connection answered first for that id"),
     .response = answer_from_memory, .number = KEY_ID},
    {JRPC_ROW("response-kept-by-uuid", "CON-e", "the same, if the id has the length of a UUID"),
     .response = answer_from_memory, .number = KEY_ID | KEY_UUID},
    {JRPC_ROW("call-after-notification-lost", "J2-5a",
              "the first call after a notification is dropped"),
     .message = drop_call_after_note},
    {JRPC_ROW("answers-late-by-one", "J2-5a",
              "the answer to a call with params goes out when the next call with params has come"),
     .message = jrpc_bend_note_params, .outgoing = late_by_one},
    {JRPC_ROW(
         "notification-answered-later", "J2-4.1c",
         "a notification is answered by a Response with id null behind the second answer after "
         "it"),
     .message = owe_note, .outgoing = pay_after_calls},
    {JRPC_ROW("notification-answered-after-delay", "J2-4.1c",
              "a notification is answered by a Response with id null behind the first answer that "
              "is due more than 100 ms after it"),
     .message = owe_note, .outgoing = pay_after_time},
};

const jrpc_fault_table jrpc_faults_state = JRPC_FAULT_TABLE(rows);
