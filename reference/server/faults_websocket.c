// Faults in how messages travel over WebSocket.
#include "reference/base/utf8.h"
#include "reference/server/bend.h"
#include "reference/wire/close_frame.h"
#include "reference/wire/websocket_handshake.h"

#include <poll.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

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
    CLOSE_BODY,         // section 5.5.1
    NEW_IN_FRAGMENTS,   // section 5.4
    LAST_BREACH = NEW_IN_FRAGMENTS,
};

enum { HEAD = 6, LONGEST = 125 }; // of a short frame of a client: bytes of its head and its payload

// Whether the bytes are one short frame of a client; *ret_payload is then its payload, in `room`
// without its mask.
static bool unmask_short(jrpc_slice bytes, char room[LONGEST], jrpc_slice *ret_payload)
{
    size_t len = bytes.len < HEAD ? 0 : (unsigned char)bytes.ptr[1] & 0x7Fu;
    if (len > LONGEST || bytes.len != len + HEAD || ((unsigned char)bytes.ptr[1] & 0x80) == 0) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        room[i] = (char)(bytes.ptr[HEAD + i] ^ bytes.ptr[2 + i % 4]);
    }
    *ret_payload = jrpc_slice_of(room, len);
    return true;
}

static bool is_close_of_no_code(jrpc_slice bytes)
{
    char room[LONGEST];
    jrpc_slice body;
    return unmask_short(bytes, room, &body) && jrpc_close_flaw(body) != NULL;
}

static bool is_text_of_no_utf8(jrpc_slice bytes)
{
    char room[LONGEST];
    jrpc_slice text;
    bool valid = true;
    if (unmask_short(bytes, room, &text)) {
        for (size_t i = 0; i < text.len && valid;) {
            size_t step = jrpc_utf8_sequence(text.ptr + i, text.len - i, NULL);
            valid = step > 0;
            i += step;
        }
    }
    return !valid;
}

// A short first fragment followed by a frame that begins another message.
static bool begins_in_fragments(jrpc_slice bytes)
{
    size_t len = (unsigned char)bytes.ptr[1] & 0x7Fu;
    return (unsigned char)bytes.ptr[0] == FIRST_FRAGMENT && len <= LONGEST &&
           bytes.len > HEAD + len &&
           ((unsigned char)bytes.ptr[HEAD + len] & 0x7F) == FIRST_FRAGMENT;
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
    case CLOSE_BODY:
        return first == CLOSE && is_close_of_no_code(bytes);
    case NEW_IN_FRAGMENTS:
        return begins_in_fragments(bytes);
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
    for (int how = NOT_UTF8; how <= LAST_BREACH; how++) {
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

// All pongs of a connection except the first.
static void drop_later_pongs(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 0 && (unsigned char)out->ptr[0] == PONG && bend->connection->calls++ > 0) {
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

// A pong that is cut after the row's number of bytes.
static void cut_pong(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 2 && (unsigned char)out->ptr[0] == PONG &&
        (unsigned char)out->ptr[1] > bend->fault->number) {
        out->ptr[1] = (char)bend->fault->number;
        out->len = 2 + (size_t)bend->fault->number;
    }
}

// A Close with a message after it.
static void talk_after_close(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 1 && (unsigned char)out->ptr[0] == CLOSE) {
        (void)jrpc_buffer_append_str(out, bend->fault->spelling);
    }
}

// WebSocket has been closed, but TCP stays open until the other side closes it.
static void linger(jrpc_bend *bend)
{
    struct pollfd entries[2] = {{.fd = bend->connection->input, .events = POLLIN},
                                {.fd = bend->connection->server->stop_fd, .events = POLLIN}};
    char rest[64];
    while (poll(entries, 2, -1) > 0 && entries[1].revents == 0 &&
           read(bend->connection->input, rest, sizeof rest) > 0) {
    }
}

// The answer to a handshake gets the row's spelling as one more header.
static void add_header(jrpc_bend *bend, jrpc_buffer *out)
{
    if (jrpc_slice_starts_with(jrpc_buffer_slice(out), JRPC_SLICE("HTTP/1.1 101"))) {
        out->len -= 2; // the empty line
        (void)jrpc_buffer_append_str(out, bend->fault->spelling);
        (void)jrpc_buffer_append_str(out, "\r\n\r\n");
    }
}

// The short frame of a message gets its length in 16 bits.
static void widen_length(jrpc_bend *bend, jrpc_buffer *out)
{
    (void)bend;
    char *room;
    if (out->len > 2 && (unsigned char)out->ptr[1] <= LONGEST &&
        jrpc_buffer_reserve(out, 2, &room)) {
        memmove(out->ptr + 4, out->ptr + 2, out->len - 2);
        out->ptr[3] = out->ptr[1];
        out->ptr[2] = '\0';
        out->ptr[1] = 126;
        jrpc_buffer_grew(out, 2);
    }
}

// The length of a message of 126 or 127 bytes is written in 7 bits.
static void narrow_to_7_bits(jrpc_bend *bend, jrpc_buffer *out)
{
    (void)bend;
    if (out->len > 4 && (unsigned char)out->ptr[1] == 126 && out->ptr[2] == '\0' &&
        (out->ptr[3] == 126 || out->ptr[3] == 127)) {
        out->ptr[1] = out->ptr[3];
        memmove(out->ptr + 2, out->ptr + 4, out->len - 4);
        out->len -= 2;
    }
}

// The length of a message of 65536 bytes is written in 16 bits, as 0.
static void narrow_to_16_bits(jrpc_bend *bend, jrpc_buffer *out)
{
    (void)bend;
    if (out->len == 10 + 65536) {
        out->ptr[1] = 126;
        out->ptr[2] = '\0';
        out->ptr[3] = '\0';
        memmove(out->ptr + 4, out->ptr + 10, out->len - 10);
        out->len -= 6;
    }
}

static void reserve_bit(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 1) {
        out->ptr[0] = (char)((unsigned char)out->ptr[0] | (unsigned)bend->fault->number);
    }
}

// A message goes out as a first fragment; another message comes before the last one.
static void interleave(jrpc_bend *bend, jrpc_buffer *out)
{
    (void)bend;
    if (out->len > 1 && (unsigned char)out->ptr[1] == 126) {
        out->ptr[0] = FIRST_FRAGMENT;
        (void)jrpc_buffer_append(out, jrpc_slice_of("\x81\x02[]\x80\x00", 6));
    }
}

// A read that ends inside the header of a frame.
static void close_at_cut_head(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (bytes->len == 1) {
        bend->connection->closing = true;
    }
}

// A frame whose masking key is zero.
static void close_at_zero_mask(jrpc_bend *bend, jrpc_slice *bytes)
{
    static const jrpc_slice zeros = JRPC_SLICE_INIT("\0\0\0\0");
    if (bytes->len >= HEAD && (unsigned char)bytes->ptr[1] >= 0x80 &&
        ((unsigned char)bytes->ptr[1] & 0x7F) <= LONGEST &&
        jrpc_slice_starts_with(jrpc_slice_from(*bytes, 2), zeros)) {
        bend->connection->closing = true;
    }
}

// A Close whose body has as many bytes as the row's number goes out with another body.
static void change_close(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 1 && (unsigned char)out->ptr[0] == CLOSE &&
        (unsigned char)out->ptr[1] == bend->fault->number) {
        jrpc_buffer_clear(out);
        (void)jrpc_buffer_append_str(out, bend->fault->spelling);
    }
}

// Things in a handshake's request that a server treats as it must not: a row's number.
enum { VERSION = 1, KEY, CONNECTION_WHOLE, CONNECTION_CASE, UPGRADE_CASE, NAME_CASE };

static bool has_exactly(jrpc_slice text, const char *word)
{
    return jrpc_slice_contains(text, jrpc_slice_str(word));
}

static jrpc_handshake shake(jrpc_bend *bend, jrpc_slice head)
{
    jrpc_slice connection = jrpc_head_value(head, "Connection");
    bool accepts = false;
    bool refuses = false;
    switch (bend->fault->number) {
    case VERSION:
        accepts = !jrpc_slice_is(jrpc_head_value(head, "Sec-WebSocket-Version"), "13");
        break;
    case KEY:
        accepts = jrpc_head_value(head, "Sec-WebSocket-Key").len != JRPC_WEBSOCKET_KEY_BYTES - 1;
        break;
    case CONNECTION_WHOLE:
        refuses = connection.len != 7 || strncasecmp(connection.ptr, "upgrade", 7) != 0;
        break;
    case CONNECTION_CASE:
        refuses = !has_exactly(connection, "Upgrade");
        break;
    case UPGRADE_CASE:
        refuses = !jrpc_slice_is(jrpc_head_value(head, "Upgrade"), "websocket");
        break;
    default: // NAME_CASE
        refuses = !has_exactly(head, "\nUpgrade:") || !has_exactly(head, "\nConnection:") ||
                  !has_exactly(head, "\nSec-WebSocket-Version:");
        break;
    }
    return accepts   ? JRPC_HANDSHAKE_ACCEPTED
           : refuses ? JRPC_HANDSHAKE_REFUSED
                     : JRPC_HANDSHAKE_CHECKED;
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
    {JRPC_ROW("ws-length-wide", "WS-e", "the length of a short message stands in 16 bits"),
     .websocket_framed = widen_length},
    {JRPC_ROW("ws-length-7-wide", "WS-e",
              "the length of a message of 126 or 127 bytes is written in 7 bits"),
     .websocket_framed = narrow_to_7_bits},
    {JRPC_ROW("ws-length-16-cut", "WS-e",
              "the length of a message of 65536 bytes is written in 16 bits"),
     .websocket_framed = narrow_to_16_bits},
    {JRPC_ROW("ws-reserved-bit-sent", "WS-e", "every message goes out with a reserved bit"),
     .websocket_framed = reserve_bit, .number = 0x40},
    {JRPC_ROW("ws-interleaved", "WS-e",
              "a message of 126 to 65535 bytes has another one between its fragments"),
     .websocket_framed = interleave},
    {JRPC_ROW("ws-message-after-close", "WS-e", "a message follows the server's close"),
     .websocket_out = talk_after_close, .spelling = "\x81\x02[]"},
    {JRPC_ROW("ws-tcp-left-open", "WS-i", "TCP is left open after the closing handshake"),
     .ended = linger},
    {JRPC_ROW("ws-subprotocol-unasked", "WS-j",
              "the answer to a handshake names a subprotocol that nobody asked for"),
     .websocket_out = add_header, .spelling = "Sec-WebSocket-Protocol: jsonrpc"},
    {JRPC_ROW("ws-extension-unasked", "WS-j",
              "the answer to a handshake names an extension that nobody offered"),
     .websocket_out = add_header, .spelling = "Sec-WebSocket-Extensions: permessage-deflate"},
    {JRPC_ROW("ws-read-is-frame", "WS-a",
              "the connection ends if a read returns only the first byte of a frame"),
     .websocket_received = close_at_cut_head},
    {JRPC_ROW("ws-mask-zero-refused", "WS-a",
              "a frame whose masking key is zero ends the connection"),
     .websocket_received = close_at_zero_mask},
    {JRPC_ROW("ws-push-split", "WS-b", "each push goes out as two text messages"),
     .websocket_send = split_pushes},
    {JRPC_ROW("ws-ping-ignored", "WS-c", "a ping gets no pong"), .websocket_out = drop_out,
     .number = PONG},
    {JRPC_ROW("ws-ping-once", "WS-c", "only the first ping of a connection gets a pong"),
     .websocket_out = drop_later_pongs},
    {JRPC_ROW("ws-pong-empty", "WS-c", "a pong has no data"), .websocket_out = empty_out,
     .number = PONG},
    {JRPC_ROW("ws-pong-cut", "WS-c", "a pong has at most 64 bytes of the ping's data"),
     .websocket_out = cut_pong, .number = 64},
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
    {JRPC_ROW("ws-new-in-fragments-crash", "WS-d",
              "abort() on a message that begins between the fragments of another"),
     .websocket_received = crash_if_broken, .number = NEW_IN_FRAGMENTS},
    {JRPC_ROW("ws-length-16-crash", "WS-a", "abort() on a message whose length stands in 16 bits"),
     .websocket_received = crash_at_length, .number = 126},
    {JRPC_ROW("ws-length-64-crash", "WS-a", "abort() on a message whose length stands in 64 bits"),
     .websocket_received = crash_at_length, .number = 127},
    {JRPC_ROW("ws-close-unanswered", "WS-c",
              "a close ends the connection without a close of the server's own"),
     .websocket_out = drop_out, .number = CLOSE},
    {JRPC_ROW("ws-close-body-crash", "WS-d", "abort() on a close whose body breaks RFC 6455"),
     .websocket_received = crash_if_broken, .number = CLOSE_BODY},
    {JRPC_ROW("ws-close-1005", "WS-f", "a close without a status code is answered with code 1005"),
     .websocket_out = change_close, .number = 0, .spelling = "\x88\x02\x03\xED"},
    {JRPC_ROW("ws-close-code-999", "WS-f", "a close is answered with status code 999"),
     .websocket_out = change_close, .number = 2, .spelling = "\x88\x02\x03\xE7"},
    {JRPC_ROW("ws-close-one-byte", "WS-f", "a close is answered with a close of one byte"),
     .websocket_out = change_close, .number = 2, .spelling = "\x88\x01\x03"},
    {JRPC_ROW("ws-close-reason", "WS-f", "a close is answered with a reason that is not UTF-8"),
     .websocket_out = change_close, .number = 2, .spelling = "\x88\x04\x03\xE8\xC3\x28"},
    {JRPC_ROW("ws-version-unchecked", "WS-g", "a handshake is accepted whatever its version"),
     .websocket_handshake = shake, .number = VERSION},
    {JRPC_ROW("ws-key-unchecked", "WS-g", "a handshake is accepted whatever its key"),
     .websocket_handshake = shake, .number = KEY},
    {JRPC_ROW("ws-connection-whole", "WS-h",
              "a handshake is refused if its header Connection is more than the word Upgrade"),
     .websocket_handshake = shake, .number = CONNECTION_WHOLE},
    {JRPC_ROW("ws-connection-case", "WS-h",
              "a handshake is refused if its header Connection spells Upgrade in another case"),
     .websocket_handshake = shake, .number = CONNECTION_CASE},
    {JRPC_ROW("ws-upgrade-case", "WS-h",
              "a handshake is refused if its header Upgrade spells websocket in another case"),
     .websocket_handshake = shake, .number = UPGRADE_CASE},
    {JRPC_ROW("ws-header-case", "WS-h",
              "a handshake is refused if the names of its headers are in another case"),
     .websocket_handshake = shake, .number = NAME_CASE},
};

const jrpc_fault_table jrpc_faults_websocket = JRPC_FAULT_TABLE(rows);
