#include "harness/link/connection.h"

#include "reference/base/limits.h"

#include <assert.h>

#define HEADERS_BYTES ((size_t)1 << 20)

void jck_connection_init(jck_connection *connection, const jrpc_allocator *nodes)
{
    *connection = (jck_connection){.state = JCK_CONNECTION_CLOSED};
    jrpc_json_document_init(&connection->document, nodes);
    jrpc_buffer_init(&connection->request, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
    jrpc_buffer_init(&connection->reply, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
    jrpc_buffer_init(&connection->last, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_arena_init(&connection->header_texts, jrpc_allocator_heap(), HEADERS_BYTES);
}

void jck_connection_done(jck_connection *connection)
{
    jrpc_arena_done(&connection->header_texts);
}

void jck_connection_begin(jck_connection *connection, jrpc_peer *peer, uint64_t number)
{
    assert(connection->state == JCK_CONNECTION_CLOSED);
    connection->state = JCK_CONNECTION_OPENING;
    connection->peer = peer;
    connection->number = number;
    connection->carried = 0;
}

// The connection is READY or closed: what was sent before no longer counts.
static void nothing_since(jck_connection *connection)
{
    connection->messages_since = 0;
    connection->bytes_since = 0;
    connection->sending_us = 0;
}

void jck_connection_greeted(jck_connection *connection)
{
    assert(connection->state == JCK_CONNECTION_OPENING);
    connection->state = JCK_CONNECTION_READY;
    nothing_since(connection);
}

void jck_connection_asked(jck_connection *connection, size_t messages, size_t bytes, int64_t now_us)
{
    if (connection->state == JCK_CONNECTION_READY) {
        connection->state = JCK_CONNECTION_ASKED;
    }
    if (connection->messages_since == 0) {
        connection->asked_us = now_us;
    }
    connection->carried += messages;
    connection->messages_since += messages;
    connection->bytes_since += bytes;
}

void jck_connection_settled(jck_connection *connection)
{
    if (connection->state == JCK_CONNECTION_ASKED) {
        connection->state = JCK_CONNECTION_READY;
    }
    nothing_since(connection);
}

void jck_connection_spend(jck_connection *connection)
{
    if (connection->state == JCK_CONNECTION_READY || connection->state == JCK_CONNECTION_ASKED) {
        connection->state = JCK_CONNECTION_SPENT;
    }
}

void jck_connection_regain(jck_connection *connection)
{
    assert(connection->state == JCK_CONNECTION_SPENT);
    connection->state = JCK_CONNECTION_READY;
    nothing_since(connection);
}

void jck_connection_half_close(jck_connection *connection)
{
    if (jck_connection_is_open(connection)) {
        jrpc_peer_close_write(connection->peer);
        connection->state = JCK_CONNECTION_HALF;
    }
}

void jck_connection_fail(jck_connection *connection, jck_connection_state state)
{
    if (connection->state != JCK_CONNECTION_CLOSED) {
        connection->state = state;
    }
}

jrpc_peer *jck_connection_take(jck_connection *connection)
{
    jrpc_peer *peer = connection->peer;
    connection->peer = NULL;
    connection->keep_us = 0;
    connection->idle_us = 0;
    connection->unfinished = false;
    connection->state = JCK_CONNECTION_CLOSED;
    connection->fences = (jck_fences){0};
    connection->replies_left = 0;
    nothing_since(connection);
    jck_connection_hear_anew(connection);
    jrpc_json_document_done(&connection->document);
    jrpc_buffer_done(&connection->request);
    jrpc_buffer_done(&connection->reply);
    jrpc_buffer_done(&connection->last);
    jrpc_arena_clear(&connection->header_texts);
    connection->captured = NULL;
    return peer;
}

void jck_connection_close(jck_connection *connection, int64_t grace_ms)
{
    jrpc_peer_close(jck_connection_take(connection), grace_ms);
}

bool jck_connection_is_open(const jck_connection *connection)
{
    switch (connection->state) {
    case JCK_CONNECTION_OPENING:
    case JCK_CONNECTION_READY:
    case JCK_CONNECTION_ASKED:
    case JCK_CONNECTION_HALF:
    case JCK_CONNECTION_SPENT:
        return true;
    case JCK_CONNECTION_CLOSED:
    case JCK_CONNECTION_MUTE:
    case JCK_CONNECTION_FLOODING:
    case JCK_CONNECTION_ENDED:
        return false;
    }
    return false;
}

bool jck_connection_is_in_order(const jck_connection *connection)
{
    return connection->state == JCK_CONNECTION_READY || connection->state == JCK_CONNECTION_ASKED;
}

bool jck_connection_counts_flood(jck_connection *connection, const jrpc_received *received,
                                 size_t most)
{
    size_t len =
        received->true_len > received->bytes.len ? received->true_len : received->bytes.len;
    connection->heard_count++;
    connection->heard_bytes += len;
    connection->heard_us = received->at_us;
    return connection->heard_count > JCK_FLOOD_MESSAGES || connection->heard_bytes > most;
}

void jck_connection_hear_anew(jck_connection *connection)
{
    connection->heard_count = 0;
    connection->heard_bytes = 0;
    connection->heard_us = 0;
}
