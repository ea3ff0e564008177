// The exchange of a case, as members of its event.
#include "harness/run/event.h"
#include "harness/run/event_private.h"
#include "harness/suite/secret.h"
#include "reference/base/utf8.h"

#include <string.h>

void jck_event_text(jrpc_json_writer *writer, const char *name, jrpc_slice text)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_string(writer, text);
}

void jck_event_masked(jrpc_json_writer *writer, const char *name, jrpc_slice text)
{
    jrpc_buffer masked;
    jrpc_buffer_init(&masked, jrpc_allocator_heap(), writer->buffer->maximum);
    (void)jck_mask_secrets(&masked, text);
    writer->buffer->failed = writer->buffer->failed || masked.failed;
    jck_event_text(writer, name, jrpc_buffer_slice(&masked));
    jrpc_buffer_done(&masked);
}

void jck_event_number(jrpc_json_writer *writer, const char *name, int64_t number)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_int(writer, number);
}

void jck_event_bool(jrpc_json_writer *writer, const char *name, bool value)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_bool(writer, value);
}

static void write_base64(jrpc_json_writer *writer, jrpc_slice bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    jrpc_json_write_raw(writer, JRPC_SLICE("\""));
    jrpc_buffer *out = writer->buffer;
    for (size_t at = 0; at < bytes.len; at += 3) {
        unsigned group = 0;
        size_t left = bytes.len - at < 3 ? bytes.len - at : 3;
        for (size_t i = 0; i < 3; i++) {
            group = group << 8 | (i < left ? (unsigned char)bytes.ptr[at + i] : 0u);
        }
        for (size_t i = 0; i < 4; i++) {
            jrpc_buffer_append_char(out, i <= left ? digits[group >> (18 - 6 * i) & 63] : '=');
        }
    }
    jrpc_buffer_append_char(out, '"');
}

static bool is_plain_text(jrpc_slice bytes)
{
    return jrpc_utf8_is_valid(bytes.ptr, bytes.len) &&
           (bytes.len == 0 || memchr(bytes.ptr, '\0', bytes.len) == NULL);
}

// Bytes as `text` if they are valid UTF-8 without NUL, otherwise as `base64`; at most `room` of
// them, and the full length if there are more.
static void write_bytes(jrpc_json_writer *writer, const jck_message *message, size_t room)
{
    jrpc_slice bytes = message->bytes;
    size_t cap = room < JCK_EVENT_MESSAGE_BYTES ? room : JCK_EVENT_MESSAGE_BYTES;
    if (bytes.len > cap) {
        // Not in the middle of a character, if it is text.
        size_t end = cap;
        while (end > 0 && cap - end < 3 && ((unsigned char)bytes.ptr[end] & 0xC0) == 0x80) {
            end--;
        }
        bytes.len = is_plain_text(jrpc_slice_of(bytes.ptr, end)) ? end : cap;
    }
    if (is_plain_text(bytes)) {
        jck_event_text(writer, "text", bytes);
    } else {
        jrpc_json_write_key(writer, "base64");
        write_base64(writer, bytes);
    }
    if (message->true_len > bytes.len) {
        jck_event_number(writer, "length", (int64_t)message->true_len);
    }
}

static const char *role_name(jck_role_of_message role)
{
    switch (role) {
    case JCK_MESSAGE_OF_CASE:
        return "case";
    case JCK_MESSAGE_OF_FENCE:
        return "fence";
    case JCK_MESSAGE_OF_SESSION:
        return "session";
    case JCK_MESSAGE_NOISE:
        return "noise";
    case JCK_MESSAGE_OF_DRIVER:
        return "driver";
    case JCK_MESSAGE_OF_OPENING:
        return "opening";
    }
    return "case";
}

static void write_role(jrpc_json_writer *writer, const jck_message *message)
{
    if (message->role != JCK_MESSAGE_OF_CASE) {
        jck_event_text(writer, "role", jrpc_slice_str(role_name(message->role)));
    }
}

static void write_message(jrpc_json_writer *writer, const jck_message *message, size_t room)
{
    jrpc_json_write_begin_object(writer);
    jck_event_text(writer, "dir",
                   message->direction == JCK_SENT ? JRPC_SLICE("sent") : JRPC_SLICE("received"));
    jck_event_text(writer, "connection", jrpc_slice_of(&message->connection, 1));
    jck_event_number(writer, "step", message->step);
    jck_event_number(writer, "at_us", message->at_us);
    write_role(writer, message);
    write_bytes(writer, message, room);
    jrpc_json_write_end_object(writer);
}

static void write_end(jrpc_json_writer *writer, const jck_evidence *evidence)
{
    static const char *const kinds[] = {"open",   "closed",   "reset",
                                        "exited", "signaled", "ws-close"};
    static const char *const values[] = {NULL, NULL, NULL, "status", "signal", "code"};
    jrpc_json_write_key(writer, "end");
    jrpc_json_write_begin_object(writer);
    jck_event_text(writer, "kind", jrpc_slice_str(kinds[evidence->end.kind]));
    if (values[evidence->end.kind] != NULL) {
        jck_event_number(writer, values[evidence->end.kind], evidence->end.value);
    }
    jrpc_json_write_end_object(writer);
}

// A cookie that the target sets is as good as a password.
static void write_headers(jrpc_json_writer *writer, jrpc_slice headers)
{
    jrpc_buffer masked;
    jrpc_buffer_init(&masked, jrpc_allocator_heap(), writer->buffer->maximum);
    while (headers.len > 0) {
        const char *end = memchr(headers.ptr, '\n', headers.len);
        size_t len = end == NULL ? headers.len : (size_t)(end - headers.ptr);
        (void)jck_mask_header(&masked, jrpc_slice_of(headers.ptr, len));
        (void)jrpc_buffer_append_str(&masked, end == NULL ? "" : "\n");
        headers = jrpc_slice_from(headers, len + (end != NULL));
    }
    writer->buffer->failed = writer->buffer->failed || masked.failed;
    jck_event_text(writer, "headers", jrpc_buffer_slice(&masked));
    jrpc_buffer_done(&masked);
}

static void write_http(jrpc_json_writer *writer, const jck_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->http_status != 0 && message->role == JCK_MESSAGE_OF_CASE) {
            jrpc_json_write_key(writer, "http");
            jrpc_json_write_begin_object(writer);
            jck_event_number(writer, "status", message->http_status);
            write_headers(writer, message->http_headers);
            jrpc_json_write_end_object(writer);
            return;
        }
    }
}

// How much of `room` a message has used.
static size_t bytes_taken(const jck_message *message, size_t room)
{
    size_t shown =
        message->bytes.len < JCK_EVENT_MESSAGE_BYTES ? message->bytes.len : JCK_EVENT_MESSAGE_BYTES;
    return shown < room ? shown : room;
}

void jck_event_exchange(jrpc_json_writer *writer, const jck_evidence *evidence)
{
    jrpc_json_write_key(writer, "exchange");
    jrpc_json_write_begin_object(writer);
    jrpc_json_write_key(writer, "messages");
    jrpc_json_write_begin_array(writer);
    size_t room = JCK_EVENT_EXCHANGE_BYTES;
    size_t left_out = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        if (room == 0) {
            left_out++;
            continue;
        }
        write_message(writer, &evidence->messages[i], room);
        room -= bytes_taken(&evidence->messages[i], room);
    }
    jrpc_json_write_end_array(writer);
    if (left_out > 0) {
        jck_event_number(writer, "left_out", (int64_t)left_out);
    }
    write_end(writer, evidence);
    write_http(writer, evidence);
    if (evidence->stderr_tail.len > 0) {
        jck_event_masked(writer, "stderr", evidence->stderr_tail);
    }
    jck_event_bool(writer, "isolated", evidence->isolated);
    jrpc_json_write_end_object(writer);
}

void jck_event_sequence(jrpc_json_writer *writer, const jck_message *messages, size_t count)
{
    jrpc_json_write_key(writer, "sequence");
    jrpc_json_write_begin_array(writer);
    size_t room = JCK_EVENT_EXCHANGE_BYTES;
    for (size_t i = 0; i < count && room > 0; i++) {
        jrpc_json_write_begin_object(writer);
        jck_event_text(writer, "connection", jrpc_slice_of(&messages[i].connection, 1));
        write_role(writer, &messages[i]);
        write_bytes(writer, &messages[i], room);
        jrpc_json_write_end_object(writer);
        room -= bytes_taken(&messages[i], room);
    }
    jrpc_json_write_end_array(writer);
}
