// Faults in how messages travel over WebSocket.
#include "reference/base/utf8.h"
#include "reference/server/bend.h"

#include <stdlib.h>

enum {
    FIRST_BINARY = 0x82,   // an unfragmented binary message
    FIRST_FRAGMENT = 0x01, // the beginning of a fragmented text message
    CLOSE = 0x88,
    PING = 0x89,
    PONG = 0x8A,
};

static void close_at(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (bytes->len > 0 && (unsigned char)bytes->ptr[0] == bend->fault->number) {
        bend->connection->closing = true;
    }
}

// Ways in which a frame breaks RFC 6455: a row's number.
enum {
    NOT_UTF8 = 1,       // section 8.1
    NOT_MASKED,         // section 5.1
    RESERVED_OPCODE,    // section 5.2
    RESERVED_BIT,       // section 5.2
    CONTROL_TOO_LONG,   // section 5.5
    CONTROL_FRAGMENTED, // section 5.5
    NOTHING_CONTINUED,  // section 5.4
};

static bool is_text_of_no_utf8(jrpc_slice bytes)
{
    size_t len = (unsigned char)bytes.ptr[1] & 0x7Fu;
    bool valid = true;
    for (size_t i = 0; len < 126 && bytes.len == len + 6 && i < len && valid;) {
        char rest[126]; // unmasked from here on
        for (size_t k = i; k < len; k++) {
            rest[k - i] = (char)(bytes.ptr[6 + k] ^ bytes.ptr[2 + k % 4]);
        }
        size_t step = jrpc_utf8_sequence(rest, len - i, NULL);
        valid = step > 0;
        i += step;
    }
    return !valid;
}

static bool breaks(jrpc_slice bytes, int how)
{
    if (bytes.len < 2) {
        return false;
    }
    unsigned first = (unsigned char)bytes.ptr[0];
    unsigned second = (unsigned char)bytes.ptr[1];
    unsigned opcode = first & 0x0Fu;
    bool control = opcode >= 8;
    switch (how) {
    case NOT_UTF8:
        return first == 0x81 && (second & 0x80) != 0 && is_text_of_no_utf8(bytes);
    case NOT_MASKED:
        return (second & 0x80) == 0;
    case RESERVED_OPCODE:
        return (opcode >= 3 && opcode <= 7) || opcode >= 11;
    case RESERVED_BIT:
        return (first & 0x70) != 0;
    case CONTROL_TOO_LONG:
        return control && (second & 0x7F) > 125;
    case CONTROL_FRAGMENTED:
        return control && (first & 0x80) == 0;
    case NOTHING_CONTINUED:
        return first == 0x80;
    default:
        return false;
    }
}

// Looks at the first frame of a read, which is all of it where frames come one by one.
static void crash_if_broken(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (breaks(*bytes, bend->fault->number)) {
        abort();
    }
}

static void ignore_if_broken(jrpc_bend *bend, jrpc_slice *bytes)
{
    (void)bend;
    for (int how = NOT_UTF8; how <= NOTHING_CONTINUED; how++) {
        bytes->len = breaks(*bytes, how) ? 0 : bytes->len;
    }
}

// A message whose length stands in an extended field: 126 for 16 bits, 127 for 64.
static void crash_at_length(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (bytes->len > 1 && (unsigned char)bytes->ptr[0] == 0x81 &&
        ((unsigned char)bytes->ptr[1] & 0x7F) == bend->fault->number) {
        abort();
    }
}

// A fragmented message with a ping after its first frame, in one read.
static void forget_pinged(jrpc_bend *bend, jrpc_slice *bytes)
{
    (void)bend;
    enum { HEAD = 6, LONGEST = 125 };
    if (bytes->len < HEAD || (unsigned char)bytes->ptr[0] != FIRST_FRAGMENT) {
        return;
    }
    size_t len = (unsigned char)bytes->ptr[1] & 0x7Fu;
    if (len <= LONGEST && bytes->len > HEAD + len &&
        (unsigned char)bytes->ptr[HEAD + len] == PING) {
        bytes->len = 0;
    }
}

static void drop_out(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 0 && (unsigned char)out->ptr[0] == bend->fault->number) {
        jrpc_buffer_clear(out);
    }
}

// A short frame without its payload.
static void empty_out(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 1 && (unsigned char)out->ptr[0] == bend->fault->number) {
        out->ptr[1] = '\0';
        out->len = 2;
    }
}

static void split_long(jrpc_bend *bend, jrpc_websocket_reply *reply)
{
    (void)bend;
    reply->split = reply->payload.len > 1024;
}

// Pushes go out in pieces: a message each.
static void split_pushes(jrpc_bend *bend, jrpc_websocket_reply *reply)
{
    (void)bend;
    static const jrpc_slice push = JRPC_SLICE_INIT("{\"jsonrpc\":\"2.0\",\"method\":\"push.note\"");
    reply->split = jrpc_slice_starts_with(reply->payload, push);
}

static void mask(jrpc_bend *bend, jrpc_websocket_reply *reply)
{
    (void)bend;
    reply->masked = true;
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("ws-fragments-refused", "WS-a",
              "a text message in several frames ends the connection"),
     .websocket_received = close_at, .number = FIRST_FRAGMENT},
    {JRPC_ROW("ws-pinged-fragments-lost", "WS-a",
              "a text message is lost if a ping comes between its fragments"),
     .websocket_received = forget_pinged},
    {JRPC_ROW("ws-long-split", "WS-a",
              "a message of more than 1024 bytes goes out as two text messages"),
     .websocket_send = split_long},
    {JRPC_ROW("ws-binary-refused", "WS-a", "a binary message ends the connection"),
     .websocket_received = close_at, .number = FIRST_BINARY},
    {JRPC_ROW("ws-masked", "WS-e", "every message goes out in a masked frame"),
     .websocket_send = mask},
    {JRPC_ROW("ws-push-split", "WS-b", "each push goes out as two text messages"),
     .websocket_send = split_pushes},
    {JRPC_ROW("ws-ping-ignored", "WS-c", "a ping gets no pong"), .websocket_out = drop_out,
     .number = PONG},
    {JRPC_ROW("ws-pong-empty", "WS-c", "a pong has no data"), .websocket_out = empty_out,
     .number = PONG},
    {JRPC_ROW("ws-bad-frames-ignored", "WS-d",
              "frames that break RFC 6455 are dropped, and the connection goes on"),
     .websocket_received = ignore_if_broken},
    {JRPC_ROW("ws-invalid-utf8-crash", "WS-d", "abort() on a text message that is not UTF-8"),
     .websocket_received = crash_if_broken, .number = NOT_UTF8},
    {JRPC_ROW("ws-unmasked-crash", "WS-d", "abort() on a frame that is not masked"),
     .websocket_received = crash_if_broken, .number = NOT_MASKED},
    {JRPC_ROW("ws-reserved-opcode-crash", "WS-d", "abort() on a frame of a reserved opcode"),
     .websocket_received = crash_if_broken, .number = RESERVED_OPCODE},
    {JRPC_ROW("ws-reserved-bit-crash", "WS-d", "abort() on a frame with a reserved bit"),
     .websocket_received = crash_if_broken, .number = RESERVED_BIT},
    {JRPC_ROW("ws-control-long-crash", "WS-d", "abort() on a control frame of more than 125 bytes"),
     .websocket_received = crash_if_broken, .number = CONTROL_TOO_LONG},
    {JRPC_ROW("ws-control-fragmented-crash", "WS-d", "abort() on a fragmented control frame"),
     .websocket_received = crash_if_broken, .number = CONTROL_FRAGMENTED},
    {JRPC_ROW("ws-continuation-crash", "WS-d", "abort() on a continuation of nothing"),
     .websocket_received = crash_if_broken, .number = NOTHING_CONTINUED},
    {JRPC_ROW("ws-length-16-crash", "WS-a", "abort() on a message whose length stands in 16 bits"),
     .websocket_received = crash_at_length, .number = 126},
    {JRPC_ROW("ws-length-64-crash", "WS-a", "abort() on a message whose length stands in 64 bits"),
     .websocket_received = crash_at_length, .number = 127},
    {JRPC_ROW("ws-close-unanswered", "WS-c",
              "a close ends the connection without a close of the server's own"),
     .websocket_out = drop_out, .number = CLOSE},
};

const jrpc_fault_table jrpc_faults_websocket = JRPC_FAULT_TABLE(rows);
