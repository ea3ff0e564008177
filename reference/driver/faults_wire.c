// Faults in sending a message: how often it is sent, its frame, its media type.
#include "reference/driver/change.h"

#include "reference/wire/framing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static jrpc_peer_event send_twice(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                  int64_t deadline_us, jrpc_error *error)
{
    jrpc_peer_event event = jrpc_peer_send(peer, text, deadline_us, error);
    return event == JRPC_PEER_MESSAGE && jrpc_change_is_asking(change, text)
               ? jrpc_peer_send(peer, text, deadline_us, error)
               : event;
}

static jrpc_peer_event send_apart(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                  int64_t deadline_us, jrpc_error *error)
{
    jrpc_json value = jrpc_change_json(change, text);
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return jrpc_peer_send(peer, text, deadline_us, error);
    }
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         event == JRPC_PEER_MESSAGE && jrpc_json_step(&it);) {
        event = jrpc_peer_send(peer, jrpc_json_spelling(it.value), deadline_us, error);
    }
    return event;
}

// The second half of a long message waits until half of the next one is written.
static jrpc_peer_event send_interleaved(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                        int64_t deadline_us, jrpc_error *error)
{
    enum { LONG = 20000 };
    jrpc_buffer *kept = &change->driver->memory.kept;
    size_t half = text.len / 2;
    if (change->driver->endpoint.framing != JRPC_FRAMING_LINE ||
        (kept->len == 0 && text.len < LONG)) {
        return jrpc_peer_send(peer, text, deadline_us, error);
    }
    bool first = kept->len == 0;
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append(&out, jrpc_slice_of(text.ptr, half));
    jrpc_buffer_append(&out, jrpc_buffer_slice(kept));
    jrpc_buffer *rest = first ? kept : &out;
    jrpc_buffer_append(rest, jrpc_slice_from(text, half));
    jrpc_buffer_append_char(rest, '\n');
    if (!first) {
        jrpc_buffer_clear(kept);
    }
    return jrpc_peer_send_raw(peer, jrpc_buffer_slice(&out), deadline_us, error);
}

static bool is_notification(jrpc_change *change, jrpc_slice text)
{
    jrpc_json value = jrpc_change_json(change, text);
    return jrpc_json_exists(jrpc_json_get(value, "method")) &&
           !jrpc_json_exists(jrpc_json_get(value, "id"));
}

// Holds back a notification, and sends it together with the next message.
static jrpc_peer_event send_joined(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                   int64_t deadline_us, jrpc_error *error)
{
    jrpc_buffer *kept = &change->driver->memory.kept;
    bool hold = is_notification(change, text);
    if (hold || kept->len > 0) {
        jrpc_buffer_append(kept, text);
    }
    if (hold) {
        jrpc_buffer_append_char(kept, ' ');
        return JRPC_PEER_MESSAGE;
    }
    jrpc_slice all = kept->len > 0 ? jrpc_buffer_slice(kept) : text;
    jrpc_peer_event event = jrpc_peer_send(peer, all, deadline_us, error);
    jrpc_buffer_clear(kept);
    return event;
}

// Holds back every message until there is another one.
static jrpc_peer_event send_late(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                 int64_t deadline_us, jrpc_error *error)
{
    jrpc_buffer *kept = &change->driver->memory.kept;
    jrpc_buffer now = jrpc_change_buffer(change);
    jrpc_buffer_append(&now, jrpc_buffer_slice(kept));
    jrpc_buffer_clear(kept);
    jrpc_buffer_append(kept, text);
    return now.len == 0 ? JRPC_PEER_MESSAGE
                        : jrpc_peer_send(peer, jrpc_buffer_slice(&now), deadline_us, error);
}

static jrpc_peer_event never_send(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                  int64_t deadline_us, jrpc_error *error)
{
    return is_notification(change, text) ? JRPC_PEER_MESSAGE
                                         : jrpc_peer_send(peer, text, deadline_us, error);
}

static jrpc_peer_event send_without_end(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                        int64_t deadline_us, jrpc_error *error)
{
    return change->driver->endpoint.framing == JRPC_FRAMING_LINE
               ? jrpc_peer_send_raw(peer, text, deadline_us, error)
               : jrpc_peer_send(peer, text, deadline_us, error);
}

// A wrong number in Content-Length: the length in characters, or one byte less.
static jrpc_peer_event send_length(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                   int64_t deadline_us, jrpc_error *error)
{
    if (change->driver->endpoint.framing != JRPC_FRAMING_CONTENT_LENGTH) {
        return jrpc_peer_send(peer, text, deadline_us, error);
    }
    size_t length = change->fault->spelling[0] == '-' ? text.len - 1 : 0;
    for (size_t i = 0; change->fault->spelling[0] != '-' && i < text.len; i++) {
        length += ((unsigned char)text.ptr[i] & 0xC0u) != 0x80u;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_printf(&out, "Content-Length: %zu\r\n\r\n", length);
    jrpc_buffer_append(&out, text);
    return jrpc_peer_send_raw(peer, jrpc_buffer_slice(&out), deadline_us, error);
}

static jrpc_peer_event send_header(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                   int64_t deadline_us, jrpc_error *error)
{
    if (change->driver->endpoint.framing != JRPC_FRAMING_CONTENT_LENGTH) {
        return jrpc_peer_send(peer, text, deadline_us, error);
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_printf(&out, "Content-Length: %zu\n\n", text.len);
    jrpc_buffer_append(&out, text);
    return jrpc_peer_send_raw(peer, jrpc_buffer_slice(&out), deadline_us, error);
}

static void pretty(jrpc_change *change, jrpc_slice *text)
{
    *text = jrpc_change_replace(change, *text, ",\"", ",\n  \"");
}

static jrpc_peer_event send_manner(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                   int64_t deadline_us, jrpc_error *error)
{
    const char *name = change->fault->name;
    const jrpc_manner manner = {
        .content_type = strcmp(name, "http-media-type") == 0 ? "text/plain" : NULL,
        .http_method = strcmp(name, "http-put") == 0 ? "PUT" : NULL,
        .binary = strcmp(name, "websocket-binary") == 0,
    };
    return jrpc_peer_send_as(peer, text, &manner, deadline_us, error);
}

static const char *const no_accept[] = {"Accept:", NULL};
static const char *const odd_accept[] = {"Accept: text/html", NULL};

static jrpc_peer_event send_accept(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                   int64_t deadline_us, jrpc_error *error)
{
    const jrpc_manner manner = {.headers =
                                    change->fault->spelling[0] == '-' ? no_accept : odd_accept};
    return jrpc_peer_send_as(peer, text, &manner, deadline_us, error);
}

// An empty batch: handled as a notification, and written as [].
static bool empty_batch(jrpc_change *change, jrpc_command *command)
{
    jrpc_commanded_request *nothing = jrpc_arena_alloc(change->arena, sizeof *nothing);
    if (nothing != NULL && command->kind == JRPC_COMMAND_BATCH && command->count == 0) {
        *nothing = (jrpc_commanded_request){.method = JRPC_SLICE("nothing"), .notification = true};
        command->kind = JRPC_COMMAND_NOTIFY;
        command->requests = nothing;
        command->count = 1;
        change->driver->memory.empty = true;
    }
    return true;
}

static void write_empty(jrpc_change *change, jrpc_slice *text)
{
    *text = change->driver->memory.empty ? JRPC_SLICE("[]") : *text;
}

static void settle_empty(jrpc_change *change, const jrpc_outcome_line *line, jrpc_buffer *members)
{
    (void)line;
    if (change->driver->memory.empty) {
        change->driver->memory.empty = false;
        jrpc_buffer_clear(members);
        jrpc_buffer_append_str(members, "\"list\":[]");
    }
}

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("sent-twice", "CL-9", "every message is sent twice"), .send = send_twice},
    {JRPC_CLIENT_ROW("batch-sent-apart", "CL-8", "the Requests of a batch are sent one by one"),
     .send = send_apart},
    {JRPC_CLIENT_ROW("batch-empty-sent", "CL-8", "a batch of nothing is sent as []"),
     .command = empty_batch, .outgoing = write_empty, .settled = settle_empty},
    {JRPC_CLIENT_ROW("notification-unsent", "CL-9", "notifications are not sent"),
     .send = never_send},
    {JRPC_CLIENT_ROW("written-interleaved", "CL-10",
                     "the second half of a long message is written amid the next one"),
     .send = send_interleaved},
    {JRPC_CLIENT_ROW("sent-late", "CL-9", "every message is kept back until there is another one"),
     .send = send_late},
    {JRPC_CLIENT_ROW("two-in-one", "CL-10",
                     "a notification goes out in one piece with the next message: in one line, "
                     "frame or POST"),
     .send = send_joined},
    {JRPC_CLIENT_ROW("line-without-end", "CL-10", "a line has no line feed at its end"),
     .send = send_without_end},
    {JRPC_CLIENT_ROW("line-pretty", "CL-10", "messages are spread over several lines"),
     .outgoing = pretty},
    {JRPC_CLIENT_ROW("length-short", "CL-10", "Content-Length is one byte too small"),
     .send = send_length, .spelling = "-"},
    {JRPC_CLIENT_ROW("length-characters", "CL-10", "Content-Length counts characters"),
     .send = send_length, .spelling = "c"},
    {JRPC_CLIENT_ROW("header-bare-line-feed", "CL-10", "header lines end in LF alone"),
     .send = send_header},
    {JRPC_CLIENT_ROW("http-media-type", "CL-10", "the media type is text/plain"),
     .send = send_manner},
    {JRPC_CLIENT_ROW("http-put", "CL-10", "messages are sent with PUT"), .send = send_manner},
    {JRPC_CLIENT_ROW("http-accept-html", "CL-10", "Accept asks for text/html"), .send = send_accept,
     .spelling = "h"},
    {JRPC_CLIENT_ROW("http-accept-missing", "CL-10", "there is no Accept"), .send = send_accept,
     .spelling = "-"},
    {JRPC_CLIENT_ROW("websocket-binary", "CL-10", "messages are binary frames"),
     .send = send_manner},
};

const jrpc_client_fault_table jrpc_client_faults_wire = JRPC_CLIENT_FAULT_TABLE(rows);
