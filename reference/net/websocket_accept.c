// The listening side of WebSocket: the handshake is answered and the frames are read as the bytes
// come, so that nobody waits for a client that connects and says nothing.
#include "reference/net/acceptor_private.h"
#include "reference/net/descriptor.h"
#include "reference/net/http_head.h"
#include "reference/net/http_request_flaw.h"
#include "reference/net/socket.h"
#include "reference/net/websocket_forms.h"
#include "reference/net/websocket_peer.h"
#include "reference/wire/websocket_handshake.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
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

// Whether a key is the base64 of 16 bytes (RFC 6455, section 4.1).
static bool is_key(jrpc_slice key)
{
    enum { KEY_LEN = 24, LAST = 21 };
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bool right = key.len == KEY_LEN && memcmp(key.ptr + LAST + 1, "==", 2) == 0;
    for (size_t i = 0; right && i <= LAST; i++) {
        right = key.ptr[i] != '\0' && strchr(digits, key.ptr[i]) != NULL;
    }
    return right;
}

// Whether a key came with an earlier handshake; it is kept.
static bool is_known(jrpc_websocket_keys *keys, jrpc_slice key)
{
    enum { MOST = sizeof keys->keys / sizeof keys->keys[0] };
    bool known = false;
    for (size_t i = 0; keys != NULL && i < keys->count && i < MOST; i++) {
        known = known || jrpc_slice_is(key, keys->keys[i]);
    }
    if (keys != NULL && key.len < sizeof keys->keys[0]) {
        char *place = keys->keys[keys->count++ % MOST];
        memcpy(place, key.ptr, key.len);
        place[key.len] = '\0';
    }
    return known;
}

// What is wrong with the request of a handshake; NULL: nothing.
static const char *flaw_of_request(jrpc_websocket_peer *self, jrpc_slice head)
{
    struct sockaddr_in own = {.sin_port = 0};
    socklen_t len = sizeof own;
    char address[64];
    (void)getsockname(self->socket, (struct sockaddr *)&own, &len);
    (void)snprintf(address, sizeof address, "ws://127.0.0.1:%u/", (unsigned)ntohs(own.sin_port));
    const char *of_head = jrpc_http_flaw_of_request(head, address, &self->handshake_flaw_of);
    jrpc_slice key = jrpc_head_value(head, "Sec-WebSocket-Key");
    const char *of_key =
        !is_key(key) ? "the Sec-WebSocket-Key of a handshake is not the base64 of 16 bytes (RFC "
                       "6455, section 4.1)"
        : is_known(self->endpoint.keys, key)
            ? "two handshakes have the same Sec-WebSocket-Key, which has to be selected randomly "
              "for each connection (RFC 6455, section 4.1)"
            : NULL;
    if (of_key != NULL) {
        self->handshake_flaw_of = JRPC_FLAW_HANDSHAKE;
    }
    return of_key != NULL ? of_key : of_head;
}

// Answers the handshake's request once its head is complete.
static bool answer_head(jrpc_websocket_peer *self, jrpc_slice bytes)
{
    if (!jrpc_buffer_append(&self->head, bytes)) {
        self->refused = true; // a head without an end
        return true;
    }
    jrpc_slice received = jrpc_buffer_slice(&self->head);
    size_t len = jrpc_http_head_length(received);
    if (len == 0) {
        return true;
    }
    jrpc_slice head = jrpc_slice_of(received.ptr, len);
    size_t before = self->wire.out.len;
    self->handshake_flaw = flaw_of_request(self, head);
    self->refused = !jrpc_websocket_answer(head, &self->wire.out);
    if (self->refused && self->handshake_flaw == NULL) {
        self->handshake_flaw = "a handshake that is not a GET with Upgrade, Connection and version "
                               "13 (RFC 6455, section 4.1)";
        self->handshake_flaw_of = JRPC_FLAW_HANDSHAKE;
    }
    if (!self->refused && self->endpoint.welcome != NULL) {
        jrpc_buffer_truncate(&self->wire.out, before);
        if (!jrpc_websocket_welcome_put(self->endpoint.welcome,
                                        jrpc_head_value(head, "Sec-WebSocket-Key"),
                                        &self->wire.out)) {
            return false;
        }
    }
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
