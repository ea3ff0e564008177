// The listening side of WebSocket: the handshake is answered and the frames are read as the bytes
// come, so that nobody waits for a client that connects and says nothing.
#include "reference/base/limits.h"
#include "reference/net/acceptor_private.h"
#include "reference/net/descriptor.h"
#include "reference/net/peer_private.h"
#include "reference/net/socket.h"
#include "reference/wire/websocket.h"
#include "reference/wire/websocket_handshake.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10, CODE_NORMAL = 1000 };

typedef struct accepted {
    jrpc_peer peer;
    const jrpc_endpoint *endpoint;
    int socket;
    bool handshaken, refused;
    jrpc_buffer head; // of the handshake's request
    jrpc_websocket wire;
    bool ended, reset;
    bool told; // why the connection was ended for what the client did
    char piece[READ_BYTES];
} accepted;

static accepted *of(jrpc_peer *peer)
{
    return (accepted *)peer; // `peer` is the first member
}

static bool is_over(const accepted *self)
{
    return self->ended || self->refused || self->wire.closed;
}

static jrpc_peer_event no_memory(jrpc_error *error)
{
    (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for messages");
    return JRPC_PEER_FAULT;
}

// Takes received bytes: of the handshake's request, then of frames. False without memory.
static bool take(accepted *self, jrpc_slice bytes)
{
    if (self->handshaken) {
        return jrpc_websocket_feed(&self->wire, bytes);
    }
    if (!jrpc_buffer_append(&self->head, bytes)) {
        self->refused = true; // a head without an end
        return true;
    }
    size_t len = jrpc_head_length(jrpc_buffer_slice(&self->head));
    if (len == 0) {
        return true;
    }
    jrpc_slice received = jrpc_buffer_slice(&self->head);
    self->refused = !jrpc_websocket_answer(jrpc_slice_of(received.ptr, len), &self->wire.out);
    self->handshaken = true;
    return self->refused || jrpc_websocket_feed(&self->wire, jrpc_slice_from(received, len));
}

// Reads what is there. False without memory.
static bool read_some(accepted *self)
{
    ssize_t got = recv(self->socket, self->piece, sizeof self->piece, 0);
    if (got > 0) {
        return take(self, jrpc_slice_of(self->piece, (size_t)got));
    }
    if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        self->ended = true;
        self->reset = got < 0;
    }
    return true;
}

// Writes what the other side takes at this moment.
static void write_some(accepted *self)
{
    jrpc_buffer *out = &self->wire.out;
    while (out->len > 0) {
        ssize_t put = send(self->socket, out->ptr, out->len, MSG_NOSIGNAL);
        if (put < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
                self->reset = true;
                jrpc_buffer_clear(out); // what it said before it left is still to be read
            }
            return;
        }
        jrpc_buffer_consume(out, (size_t)put);
    }
}

// One poll: reads and writes what moves.
static jrpc_peer_event turn(accepted *self, int64_t deadline_us, jrpc_error *error)
{
    write_some(self);
    short events = (short)(POLLIN | (self->wire.out.len > 0 ? POLLOUT : 0));
    struct pollfd entries[2] = {{.fd = self->ended ? -1 : self->socket, .events = events},
                                {.fd = self->endpoint->interrupt_fd, .events = POLLIN}};
    int ready = jrpc_descriptor_poll(entries, 2, self->endpoint->clock, deadline_us);
    if (ready < 0) {
        (void)jrpc_error_set_errno(error, errno, "cannot wait for the peer");
        return JRPC_PEER_FAULT;
    }
    if (entries[1].revents != 0) {
        return JRPC_PEER_INTERRUPTED;
    }
    if (ready == 0) {
        return JRPC_PEER_TIMEOUT;
    }
    if ((entries[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_some(self)) {
        return no_memory(error);
    }
    write_some(self);
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event flush(accepted *self, int64_t deadline_us, jrpc_error *error)
{
    write_some(self);
    while (self->wire.out.len > 0) {
        if (is_over(self)) {
            return JRPC_PEER_ENDED;
        }
        jrpc_peer_event event = turn(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event send_fragments(jrpc_peer *peer, bool binary, jrpc_slice payload,
                                      const size_t *offsets, size_t count, int64_t deadline_us,
                                      jrpc_error *error)
{
    accepted *self = of(peer);
    if (is_over(self) || !self->handshaken) {
        return JRPC_PEER_ENDED;
    }
    return jrpc_websocket_send(&self->wire, binary, payload, offsets, count)
               ? flush(self, deadline_us, error)
               : no_memory(error);
}

static jrpc_peer_event accepted_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                                     jrpc_error *error)
{
    return send_fragments(peer, false, payload, NULL, 0, deadline_us, error);
}

static jrpc_peer_event accepted_send_as(jrpc_peer *peer, jrpc_slice payload,
                                        const jrpc_manner *manner, int64_t deadline_us,
                                        jrpc_error *error)
{
    accepted *self = of(peer);
    bool said =
        is_over(self) || ((!manner->ping || jrpc_websocket_ping(&self->wire)) &&
                          (!manner->close || jrpc_websocket_close(&self->wire, CODE_NORMAL)));
    if (!said) {
        return no_memory(error);
    }
    return manner->close
               ? flush(self, deadline_us, error)
               : send_fragments(peer, manner->binary, payload, NULL, 0, deadline_us, error);
}

static jrpc_peer_event accepted_send_raw(jrpc_peer *peer, jrpc_slice bytes, int64_t deadline_us,
                                         jrpc_error *error)
{
    accepted *self = of(peer);
    if (is_over(self)) {
        return JRPC_PEER_ENDED;
    }
    return jrpc_buffer_append(&self->wire.out, bytes) ? flush(self, deadline_us, error)
                                                      : no_memory(error);
}

static jrpc_peer_event accepted_send_chunks(jrpc_peer *peer, jrpc_slice payload,
                                            const size_t *offsets, size_t count,
                                            int64_t deadline_us, jrpc_error *error)
{
    return send_fragments(peer, false, payload, offsets, count, deadline_us, error);
}

// Tells once what the client did wrong, where that ended the connection.
static bool tell_breach(accepted *self, jrpc_received *ret_received)
{
    const char *why = self->refused       ? "a handshake that is not one of WebSocket (RFC 6455)"
                      : self->wire.broken ? "a frame that breaks the protocol (RFC 6455)"
                                          : NULL;
    if (why == NULL || self->told) {
        return false;
    }
    self->told = true;
    *ret_received = (jrpc_received){.bytes = self->refused ? jrpc_buffer_slice(&self->head)
                                                           : (jrpc_slice){NULL, 0},
                                    .true_len = self->refused ? self->head.len : 0,
                                    .why = why,
                                    .at_us = jrpc_clock_now_us(self->endpoint->clock)};
    return true;
}

static jrpc_peer_event accepted_receive(jrpc_peer *peer, int64_t deadline_us,
                                        jrpc_received *ret_received, jrpc_error *error)
{
    accepted *self = of(peer);
    bool late = false;
    for (;;) {
        jrpc_slice payload = {NULL, 0};
        jrpc_websocket_event event =
            self->handshaken ? jrpc_websocket_next(&self->wire, &payload) : JRPC_WEBSOCKET_NONE;
        if (event == JRPC_WEBSOCKET_TEXT || event == JRPC_WEBSOCKET_BINARY) {
            *ret_received = (jrpc_received){.bytes = payload,
                                            .true_len = payload.len,
                                            .http_headers = event == JRPC_WEBSOCKET_BINARY
                                                                ? JRPC_SLICE("binary")
                                                                : (jrpc_slice){NULL, 0},
                                            .at_us = jrpc_clock_now_us(self->endpoint->clock)};
            return JRPC_PEER_MESSAGE;
        }
        if (event == JRPC_WEBSOCKET_PONG) {
            continue;
        }
        if (is_over(self)) {
            write_some(self); // our half of the closing handshake, or the refusal
            return tell_breach(self, ret_received) ? JRPC_PEER_NOISE : JRPC_PEER_ENDED;
        }
        if (late) {
            return JRPC_PEER_TIMEOUT;
        }
        late = jrpc_clock_now_us(self->endpoint->clock) >= deadline_us;
        jrpc_peer_event moved = turn(self, deadline_us, error);
        if (moved != JRPC_PEER_MESSAGE) {
            return moved;
        }
    }
}

static void accepted_close_write(jrpc_peer *peer)
{
    accepted *self = of(peer);
    if (self->handshaken && !is_over(self) && jrpc_websocket_close(&self->wire, CODE_NORMAL)) {
        write_some(self);
    }
}

static jrpc_peer_ending accepted_end(jrpc_peer *peer, int64_t deadline_us)
{
    (void)deadline_us;
    const accepted *self = of(peer);
    if (self->wire.closed) {
        return (jrpc_peer_ending){JRPC_END_WS_CLOSE, self->wire.close_code};
    }
    return (jrpc_peer_ending){self->reset                    ? JRPC_END_RESET
                              : self->ended || self->refused ? JRPC_END_CLOSED
                                                             : JRPC_END_OPEN,
                              0};
}

static void accepted_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    (void)peer;
    (void)out;
}

static int accepted_descriptor(const jrpc_peer *peer)
{
    return ((const accepted *)peer)->socket;
}

static void accepted_close(jrpc_peer *peer, int64_t grace_ms)
{
    (void)grace_ms;
    accepted *self = of(peer);
    accepted_close_write(peer);
    jrpc_descriptor_close(&self->socket);
    jrpc_websocket_done(&self->wire);
    jrpc_buffer_done(&self->head);
    jrpc_deallocate(self->endpoint->allocator, self);
}

static const jrpc_peer_operations accepted_operations = {
    .send = accepted_send,
    .send_as = accepted_send_as,
    .send_raw = accepted_send_raw,
    .send_chunks = accepted_send_chunks,
    .receive = accepted_receive,
    .close_write = accepted_close_write,
    .end = accepted_end,
    .stderr_tail = accepted_stderr_tail,
    .descriptor = accepted_descriptor,
    .close = accepted_close,
};

static jrpc_peer *adopt(const jrpc_endpoint *endpoint, int descriptor, jrpc_error *error)
{
    accepted *self = jrpc_allocate(endpoint->allocator, sizeof *self);
    if (self == NULL) {
        jrpc_descriptor_close(&descriptor);
        (void)no_memory(error);
        return NULL;
    }
    memset(self, 0, offsetof(accepted, piece));
    self->peer.operations = &accepted_operations;
    self->endpoint = endpoint;
    self->socket = descriptor;
    jrpc_socket_no_delay(descriptor);
    jrpc_buffer_init(&self->head, endpoint->allocator, JRPC_LIMIT_HEADER_BYTES * 4);
    size_t max_message =
        endpoint->max_message == 0 ? JRPC_LIMIT_MESSAGE_BYTES : endpoint->max_message;
    if (!jrpc_websocket_init(&self->wire, false, max_message, 0, endpoint->allocator) ||
        !jrpc_descriptor_unblock(descriptor)) {
        (void)no_memory(error);
        accepted_close(&self->peer, 0);
        return NULL;
    }
    return &self->peer;
}

jrpc_acceptor *jrpc_websocket_acceptor_new(const jrpc_endpoint *endpoint, jrpc_error *error)
{
    return jrpc_acceptor_of_sockets(endpoint, "ws://", adopt, error);
}
