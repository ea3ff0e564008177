// Faults with fragments and pongs of WebSocket.
#include "reference/server/bend.h"

enum {
    FIRST_FRAGMENT = 0x01, // the beginning of a fragmented text message
    FRAGMENT = 0x00,       // … a later fragment
    LAST_FRAGMENT = 0x80,  // … the last one
    PONG = 0x8A,
    HEAD = 6,      // bytes before the payload of a short frame of a client
    LENGTH = 0x7F, // the bits of the second byte that are its length
    FIRST_BEYOND_ASCII = 0x80,
};

// Closes the connection if a frame in a read has the row's first byte and no payload. All frames of
// the read are short.
static void close_at_empty(jrpc_bend *bend, jrpc_slice *bytes)
{
    for (size_t at = 0; at + 1 < bytes->len;) {
        size_t len = (unsigned char)bytes->ptr[at + 1] & LENGTH;
        bool found = (unsigned char)bytes->ptr[at] == bend->fault->number && len == 0;
        bend->connection->closing = bend->connection->closing || found;
        at += HEAD + len;
    }
}

// A pong whose data were decoded as ASCII.
static void replace_in_pong(jrpc_bend *bend, jrpc_buffer *out)
{
    (void)bend;
    bool pong = out->len > 2 && (unsigned char)out->ptr[0] == PONG;
    for (size_t i = 2; pong && i < out->len; i++) {
        out->ptr[i] = (unsigned char)out->ptr[i] < FIRST_BEYOND_ASCII ? out->ptr[i] : '?';
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("ws-empty-first-refused", "WS-a", "an empty first fragment ends the connection"),
     .websocket_received = close_at_empty, .number = FIRST_FRAGMENT},
    {JRPC_ROW("ws-empty-fragment-refused", "WS-a",
              "an empty fragment between others ends the connection"),
     .websocket_received = close_at_empty, .number = FRAGMENT},
    {JRPC_ROW("ws-empty-last-refused", "WS-a", "an empty last fragment ends the connection"),
     .websocket_received = close_at_empty, .number = LAST_FRAGMENT},
    {JRPC_ROW("ws-pong-refused", "WS-c", "an empty pong ends the connection"),
     .websocket_received = close_at_empty, .number = PONG},
    {JRPC_ROW("ws-pong-as-text", "WS-c", "a pong has ? where the ping has bytes above 127"),
     .websocket_out = replace_in_pong},
};

const jrpc_fault_table jrpc_faults_fragments = JRPC_FAULT_TABLE(rows);
