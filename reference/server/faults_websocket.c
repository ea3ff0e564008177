// Faults in how messages travel over WebSocket.
#include "reference/server/bend.h"

enum {
    FIRST_BINARY = 0x82,   // an unfragmented binary message
    FIRST_FRAGMENT = 0x01, // the beginning of a fragmented text message
    CLOSE = 0x88,
    PONG = 0x8A,
};

static void close_at(jrpc_bend *bend, jrpc_slice bytes)
{
    if (bytes.len > 0 && (unsigned char)bytes.ptr[0] == bend->fault->number) {
        bend->connection->closing = true;
    }
}

static void drop_out(jrpc_bend *bend, jrpc_buffer *out)
{
    if (out->len > 0 && (unsigned char)out->ptr[0] == bend->fault->number) {
        jrpc_buffer_clear(out);
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

static const jrpc_fault rows[] = {
    {JRPC_ROW("ws-fragments-refused", "WS-a",
              "a text message in several frames ends the connection"),
     .websocket_received = close_at, .number = FIRST_FRAGMENT},
    {JRPC_ROW("ws-long-split", "WS-a",
              "a message of more than 1024 bytes goes out as two text messages"),
     .websocket_send = split_long},
    {JRPC_ROW("ws-binary-refused", "WS-a", "a binary message ends the connection"),
     .websocket_received = close_at, .number = FIRST_BINARY},
    {JRPC_ROW("ws-push-split", "WS-b", "each push goes out as two text messages"),
     .websocket_send = split_pushes},
    {JRPC_ROW("ws-ping-ignored", "WS-c", "a ping gets no pong"), .websocket_out = drop_out,
     .number = PONG},
    {JRPC_ROW("ws-close-unanswered", "WS-c",
              "a close ends the connection without a close of the server's own"),
     .websocket_out = drop_out, .number = CLOSE},
};

const jrpc_fault_table jrpc_faults_websocket = JRPC_FAULT_TABLE(rows);
