// Faults in how much is read or written at once.
#include "reference/server/bend.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    PLACES = 5,        // connections that leave in the middle of a message until none is served
    PIPE_BYTES = 4096, // what a pipe takes without a break
    IN_FLIGHT_MS = 20, // how long a long answer waits for another call
    MANY_PLACES = 60,
    PAUSE_MS = 100, // how long the rest of a message is waited for
    SILENCE_MS = 350,
};

// Counts the calls among the bytes of one read.
static void count_calls(jrpc_bend *bend, jrpc_slice *bytes)
{
    jrpc_slice mark = JRPC_SLICE("\"jsonrpc\"");
    for (size_t i = 0; i < bytes->len; i++) {
        bend->connection->calls += jrpc_slice_starts_with(jrpc_slice_from(*bytes, i), mark);
    }
}

static bool take_call(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    bend->connection->calls -= bend->connection->calls > 0;
    return true;
}

static bool is_another_in_flight(const jrpc_connection *connection)
{
    struct pollfd input = {.fd = connection->input, .events = POLLIN};
    return connection->calls > 0 || poll(&input, 1, IN_FLIGHT_MS) > 0;
}

// Holds back the end of a long answer until the next answer has been written.
static void interrupt(jrpc_bend *bend, jrpc_slice *bytes)
{
    jrpc_connection *connection = bend->connection;
    if (connection->held.len > 0) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append(&out, *bytes);
        jrpc_buffer_append(&out, jrpc_buffer_slice(&connection->held));
        jrpc_buffer_clear(&connection->held);
        *bytes = jrpc_buffer_slice(&out);
    } else if (bytes->len > PIPE_BYTES && is_another_in_flight(connection)) {
        jrpc_buffer_append(&connection->held, jrpc_slice_from(*bytes, PIPE_BYTES));
        bytes->len = PIPE_BYTES;
    }
}

static void begin_read(jrpc_bend *bend, jrpc_slice *bytes)
{
    (void)bytes;
    bend->connection->tainted = false;
}

static void note_malformed(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind)
{
    bend->connection->tainted =
        bend->connection->tainted || *kind == JRPC_INPUT_PARSE_ERROR ||
        (*kind == JRPC_INPUT_SINGLE && jrpc_message_classify(root).kind == JRPC_MESSAGE_INVALID);
}

static bool drop_rest(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    return !bend->connection->tainted;
}

static void note_last_byte(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (bytes->len > 0) {
        char last = bytes->ptr[bytes->len - 1];
        bend->connection->tainted = last != '}' && last != ']' && last != '\n';
    }
}

static void lose_place(jrpc_bend *bend)
{
    if (bend->connection->tainted) {
        atomic_fetch_add(&bend->connection->server->lost_places, 1);
    }
}

// The half message of a connection that has ended comes before the first bytes of another one.
static void put_half_first(jrpc_bend *bend, jrpc_slice *bytes)
{
    bool first = bend->connection->calls == 0 && bytes->len > 0;
    bend->connection->calls += bytes->len > 0;
    note_last_byte(bend, bytes);
    if (first && atomic_exchange(&bend->connection->server->lost_places, 0) > 0) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append_str(&out, "{\"jsonrpc\":\"2.0\",");
        jrpc_buffer_append(&out, *bytes);
        *bytes = jrpc_buffer_slice(&out);
    }
}

// What has come of a message is dropped if the rest does not come soon.
static void forget_after_pause(jrpc_bend *bend, jrpc_slice *bytes)
{
    jrpc_connection *connection = bend->connection;
    struct pollfd input = {.fd = connection->input, .events = POLLIN};
    char last = bytes->len > 0 ? bytes->ptr[bytes->len - 1] : '\n';
    bool whole = last == '\n' || last == '}' || last == ']';
    if (!whole && poll(&input, 1, bend->fault->number) == 0) {
        bytes->len = 0;
    }
}

static void crash_on_bad_params(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    bool numbers = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        numbers = numbers && jrpc_json_is(it.value, JRPC_JSON_NUMBER);
    }
    if (call->notification && jrpc_json_exists(call->params) && (!*ok || !numbers)) {
        abort();
    }
}

// The id is the first member of that name in the text, also if it is one of the params.
static void find_first_id(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_json inner = jrpc_json_get(message->params, "id");
    jrpc_json own = jrpc_json_get(message->value, "id");
    if (!jrpc_json_exists(inner) || !jrpc_json_exists(own)) {
        return;
    }
    if (jrpc_json_spelling(inner).ptr < jrpc_json_spelling(own).ptr) {
        jrpc_bend_member(bend, message, "id", jrpc_json_spelling(inner));
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW(
         "long-answer-interrupted", "CON-a",
         "the rest of an answer of more than 4096 bytes comes after the next answer, if another "
         "message is there or comes within 20 ms"),
     .received = count_calls, .incoming = take_call, .framed = interrupt},
    {JRPC_ROW("error-drops-rest-of-read", "SEC-b",
              "after text that is not JSON, or no valid Request, what was read together with it is "
              "dropped"),
     .received = begin_read, .input = note_malformed, .incoming = drop_rest},
    {JRPC_ROW("pause-ends-message", "FR-d",
              "the beginning of a message is dropped if the rest does not come within 100 ms"),
     .received = forget_after_pause, .number = PAUSE_MS},
    {JRPC_ROW("silence-ends-message", "FR-d", "the same if it does not come within 350 ms"),
     .received = forget_after_pause, .number = SILENCE_MS},
    {JRPC_ROW("half-message-leaks", "SEC-b",
              "once five connections have ended in the middle of a message, new connections are "
              "accepted, but nothing on them is answered"),
     .received = note_last_byte, .incoming = jrpc_bend_has_place, .ended = lose_place,
     .number = PLACES},
    {JRPC_ROW("half-messages-leak", "CON-b", "the same once 60 connections have ended so"),
     .received = note_last_byte, .incoming = jrpc_bend_has_place, .ended = lose_place,
     .number = MANY_PLACES},
    {JRPC_ROW("half-message-kept", "SEC-b",
              "the half message of a connection that has ended comes before the first message of "
              "another one"),
     .received = put_half_first, .ended = lose_place},
    {JRPC_ROW("half-message-stops", "SEC-b",
              "once a connection has ended in the middle of a message, new connections are "
              "accepted, but nothing on them is answered"),
     .received = note_last_byte, .incoming = jrpc_bend_has_place, .ended = lose_place, .number = 1},
    {JRPC_ROW(
         "bad-notification-crash", "SEC-l",
         "abort() on a notification of a known method with params that do not fit, or of which "
         "any is not a Number"),
     .bind = crash_on_bad_params},
    {JRPC_ROW("id-first-in-text", "J2-4e",
              "the id of a call is the member id of its params, if that comes first in the text"),
     .message = find_first_id},
};

const jrpc_fault_table jrpc_faults_bytes = JRPC_FAULT_TABLE(rows);
