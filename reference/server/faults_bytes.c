// Faults in what is read at once, and in what is written at once.
#include "reference/server/bend.h"

#include <poll.h>

enum {
    PIPE_BYTES = 4096, // what a pipe takes without a break
    IN_FLIGHT_MS = 20, // how long a long answer waits for another call
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

// Keeps the end of a long answer back until the next one has been written.
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
};

const jrpc_fault_table jrpc_faults_bytes = JRPC_FAULT_TABLE(rows);
