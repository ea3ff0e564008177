// Faults that depend on how many messages came before, or on how long none has come.
#include "reference/base/clock.h"
#include "reference/server/bend.h"

#include <poll.h>
#include <stdatomic.h>

enum { SILENCE_MS = 300 };

// Counts the messages, or answers, of the whole server. Whether this is one of those that are hit.
static bool is_nth(jrpc_bend *bend)
{
    jrpc_server *server = bend->connection->server;
    unsigned long n = (unsigned long)bend->fault->number;
    return (atomic_fetch_add(&server->messages, 1) + 1) % n == 0;
}

static bool lose_nth(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    return !is_nth(bend);
}

static void spoil_nth(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (is_nth(bend)) {
        if (bend->fault->deed == JRPC_DEED_REFUSE_NULL) {
            response->id = JRPC_SLICE("null");
        } else {
            response->code = JRPC_SLICE("-32000");
        }
    }
}

static bool cut_nth(jrpc_bend *bend, jrpc_slice *payload)
{
    payload->len -= is_nth(bend) ? 1 : 0;
    return true;
}

static bool leave_after_many(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    return bend->connection->calls++ < (unsigned long)bend->fault->number;
}

static bool lose_after_silence(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    size_t *last_us = &bend->connection->scan[0];
    size_t now_us = (size_t)jrpc_clock_now_us(jrpc_clock_monotonic());
    bool late = *last_us > 0 && now_us - *last_us > (size_t)SILENCE_MS * 1000;
    *last_us = now_us;
    return !late;
}

static void send_answer(jrpc_bend *bend)
{
    (void)jrpc_connection_send_plain(
        bend->connection, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":null}"));
}

// Answers a notification if nothing comes for a while.
static void answer_in_silence(jrpc_bend *bend, jrpc_message *message)
{
    struct pollfd input = {.fd = bend->connection->input, .events = POLLIN};
    if (message->kind == JRPC_MESSAGE_NOTIFICATION && !bend->exchange->in_batch && input.fd >= 0 &&
        poll(&input, 1, SILENCE_MS) == 0) {
        send_answer(bend);
    }
}

// Notes when a notification of `update` came.
static void note_update(jrpc_bend *bend, jrpc_message *message)
{
    if (message->kind == JRPC_MESSAGE_NOTIFICATION && !bend->exchange->in_batch &&
        jrpc_json_string_is(message->method, JRPC_SLICE("update"))) {
        bend->connection->scan[0] = (size_t)jrpc_clock_now_us(jrpc_clock_monotonic());
    }
}

// Answers it with the first message that goes out long after it.
static bool answer_update(jrpc_bend *bend, jrpc_slice *payload)
{
    (void)payload;
    size_t came_us = bend->connection->scan[0];
    size_t now_us = (size_t)jrpc_clock_now_us(jrpc_clock_monotonic());
    if (came_us > 0 && now_us - came_us > (size_t)SILENCE_MS * 1000) {
        bend->connection->scan[0] = 0;
        send_answer(bend);
    }
    return true;
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("each-fiftieth-lost", "J2-5a", "every 50th message to the process is dropped"),
     .incoming = lose_nth, .number = 50},
    {JRPC_ROW("each-hundredth-other-code", "J2-5.1f",
              "every 100th error for an unknown method has code -32000"),
     .response = spoil_nth, .when = JRPC_OUTCOME_UNKNOWN, .number = 100},
    {JRPC_ROW("each-hundredth-id-null", "J2-4e",
              "every 100th error for an unknown method has id null"),
     .response = spoil_nth, .when = JRPC_OUTCOME_UNKNOWN, .deed = JRPC_DEED_REFUSE_NULL,
     .number = 100},
    {JRPC_ROW("each-two-hundredth-cut", "J2-5j", "every 200th answer lacks its last byte"),
     .outgoing = cut_nth, .number = 200},
    {JRPC_ROW("connection-of-hundred", "J2-5a",
              "after 100 messages, nothing on a connection is answered"),
     .incoming = leave_after_many, .number = 100},
    {JRPC_ROW("call-after-silence-lost", "J2-5a",
              "the first message after 300 ms without one on its connection is dropped"),
     .incoming = lose_after_silence},
    {JRPC_ROW("notification-answered-long-after", "J2-4.1c",
              "a notification is answered with id null if nothing comes within 300 ms"),
     .message = answer_in_silence},
    {JRPC_ROW(
         "update-answered-long-after", "J2-4.1c",
         "a notification of update is answered with id null once more than 300 ms have passed"),
     .message = note_update, .outgoing = answer_update},
};

const jrpc_fault_table jrpc_faults_count = JRPC_FAULT_TABLE(rows);
