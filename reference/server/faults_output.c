// Faults in the bytes that go out: pushes, and messages as a whole.
#include "reference/server/bend.h"

#include <poll.h>
#include <sys/socket.h>

enum { LINGER_MS = 100 };

static bool is_push(jrpc_slice payload)
{
    return jrpc_slice_starts_with(payload, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":"));
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

// The second parse error in a row, and each after it.
static bool send_repeated_twice(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_buffer *last = &bend->connection->seen;
    bool again = last->len > 0;
    bool parse_error = payload->len > 0 && is_error_of(*payload, bend->fault->spelling);
    jrpc_buffer_clear(last);
    if (parse_error) {
        jrpc_buffer_append(last, JRPC_SLICE("!"));
    }
    return !parse_error || !again || send_twice(bend, payload);
}

static bool bare_error(jrpc_bend *bend, jrpc_slice *payload)
{
    if (is_error_of(*payload, "")) {
        *payload = jrpc_json_spelling(jrpc_json_get(jrpc_bend_json(bend, *payload), "error"));
    }
    return true;
}

// Whether a payload is one that the faults over whole answers spoil.
static bool is_spoiled(const jrpc_bend *bend, jrpc_slice payload)
{
    return !is_push(payload) && jrpc_bend_has_params(bend);
}

static bool begin_with(jrpc_bend *bend, jrpc_slice *payload)
{
    if (is_spoiled(bend, *payload)) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append_str(&out, bend->fault->spelling);
        jrpc_buffer_append(&out, *payload);
        *payload = jrpc_buffer_slice(&out);
    }
    return true;
}

static bool end_with(jrpc_bend *bend, jrpc_slice *payload)
{
    if (is_spoiled(bend, *payload)) {
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
    if (last > 0 && is_spoiled(bend, *payload)) {
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
    {JRPC_ROW("second-parse-error-twice", "J2-5a",
              "the Response to a parse error that follows another one is sent twice"),
     .outgoing = send_repeated_twice, .spelling = "-32700"},
    {JRPC_ROW("bare-error", "J2-5h",
              "an error Response is written as its bare error Object {\"code\":…,\"message\":…}"),
     .outgoing = bare_error},
    {JRPC_ROW("response-bom", "J2-5j",
              "the answer to a call with params begins with a UTF-8 byte-order mark"),
     .message = jrpc_bend_note_params, .outgoing = begin_with, .spelling = "\xEF\xBB\xBF"},
    {JRPC_ROW("response-trailing-comma", "J2-5j",
              "a comma before the last closing brace of the answer to a call with params"),
     .message = jrpc_bend_note_params, .outgoing = trailing_comma},
    {JRPC_ROW("response-two-documents", "J2-5j",
              "{} is glued behind the answer to a call with params, in the same message"),
     .message = jrpc_bend_note_params, .outgoing = end_with, .spelling = "{}"},
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

const jrpc_fault_table jrpc_faults_output = JRPC_FAULT_TABLE(rows);
