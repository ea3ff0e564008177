// The listening side of WebSocket: the handshake is answered and the frames are read as the bytes
// come, so that nobody waits for a client that connects and says nothing.
#include "reference/net/acceptor_private.h"
#include "reference/net/descriptor.h"
#include "reference/net/socket.h"
#include "reference/net/websocket_peer.h"
#include "reference/wire/websocket_handshake.h"

#include <errno.h>
#include <sys/socket.h>

static ptrdiff_t count_of(ssize_t count)
{
    bool later = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    return later        ? JRPC_WEBSOCKET_WAIT
           : count < 0  ? JRPC_WEBSOCKET_BROKEN
           : count == 0 ? JRPC_WEBSOCKET_ENDED
                        : count;
}

static ptrdiff_t read_bytes(jrpc_websocket_peer *self, char *into, size_t room)
{
    return count_of(recv(self->socket, into, room, 0));
}

static ptrdiff_t write_bytes(jrpc_websocket_peer *self, jrpc_slice bytes)
{
    return count_of(send(self->socket, bytes.ptr, bytes.len, MSG_NOSIGNAL));
}

// Answers the handshake's request once its head is complete.
static bool answer_head(jrpc_websocket_peer *self, jrpc_slice bytes)
{
    if (!jrpc_buffer_append(&self->head, bytes)) {
        self->refused = true; // a head without an end
        return true;
    }
    jrpc_slice received = jrpc_buffer_slice(&self->head);
    size_t len = jrpc_head_length(received);
    if (len == 0) {
        return true;
    }
    self->refused = !jrpc_websocket_answer(jrpc_slice_of(received.ptr, len), &self->wire.out);
    self->handshaken = true;
    return self->refused || jrpc_websocket_peer_take(self, jrpc_slice_from(received, len));
}

static const char *breach(const jrpc_websocket_peer *self)
{
    return self->refused       ? "a handshake that is not one of WebSocket (RFC 6455)"
           : self->wire.broken ? "a frame that breaks the protocol (RFC 6455)"
                               : NULL;
}

static void disconnect(jrpc_websocket_peer *self)
{
    jrpc_descriptor_close(&self->socket);
}

static const jrpc_websocket_link server_link = {
    .read = read_bytes,
    .write = write_bytes,
    .shake = answer_head,
    .breach = breach,
    .close = disconnect,
};

static jrpc_peer *adopt(const jrpc_endpoint *endpoint, int descriptor, jrpc_error *error)
{
    jrpc_websocket_peer *self =
        jrpc_websocket_peer_new(endpoint, false, descriptor, &server_link, error);
    if (self == NULL) {
        jrpc_descriptor_close(&descriptor);
        return NULL;
    }
    jrpc_socket_no_delay(descriptor);
    if (!jrpc_descriptor_unblock(descriptor)) {
        (void)jrpc_error_set_errno(error, errno, "cannot take a connection");
        jrpc_peer_close(&self->peer, 0);
        return NULL;
    }
    return &self->peer;
}

jrpc_acceptor *jrpc_websocket_acceptor_new(const jrpc_endpoint *endpoint, jrpc_error *error)
{
    return jrpc_acceptor_of_sockets(endpoint, "ws://", adopt, error);
}
