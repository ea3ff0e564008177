#include "reference/server/websocket.h"

#include "reference/base/limits.h"
#include "reference/server/credentials.h"
#include "reference/server/fault.h"
#include "reference/wire/websocket.h"
#include "reference/wire/websocket_handshake.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10, ORIGIN_BYTES = 256, CODE_NORMAL = 1000, CODE_GOING_AWAY = 1001 };

typedef struct session {
    jrpc_connection connection;
    jrpc_websocket wire;
    jrpc_buffer head;
    bool shaken;
} session;

// Called with the connection's lock held, or before others know of it.
static bool write_out(session *self)
{
    jrpc_buffer *out = &self->wire.out;
    while (out->len > 0 && !self->connection.broken) {
        struct pollfd entries[2] = {{.fd = self->connection.output, .events = POLLOUT},
                                    {.fd = self->connection.server->stop_fd, .events = POLLIN}};
        if (poll(entries, 2, -1) < 0 && errno != EINTR) {
            self->connection.broken = true;
        }
        ssize_t put =
            send(self->connection.output, out->ptr, out->len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put >= 0) {
            jrpc_buffer_consume(out, (size_t)put);
        } else if (entries[1].revents != 0 || (errno != EAGAIN && errno != EINTR)) {
            self->connection.broken = true;
        }
    }
    return !self->connection.broken;
}

static bool deliver(jrpc_connection *connection, jrpc_slice payload)
{
    session *self = connection->carrier;
    if (self->wire.closed) {
        return false; // our Close has gone out, and no message may follow it
    }
    jrpc_websocket_reply reply = {.payload = payload};
    jrpc_fault_websocket_send(connection, &reply);
    self->wire.masks = reply.masked;
    size_t first = reply.split ? reply.payload.len / 2 : reply.payload.len;
    bool queued = jrpc_websocket_send(&self->wire, reply.binary,
                                      jrpc_slice_of(reply.payload.ptr, first), NULL, 0);
    if (queued && reply.split) {
        queued = jrpc_websocket_send(&self->wire, reply.binary,
                                     jrpc_slice_from(reply.payload, first), NULL, 0);
    }
    jrpc_fault_websocket_framed(connection, &self->wire.out);
    return queued && write_out(self);
}

// Pages of other origins than the allowed ones are refused (RFC 6455, section 10.2).
static bool check_origin(session *self, jrpc_slice head)
{
    static const jrpc_slice forbidden =
        JRPC_SLICE_INIT("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    jrpc_slice value = jrpc_head_value(head, "Origin");
    char origin[ORIGIN_BYTES];
    if (value.ptr == NULL) {
        return true;
    }
    size_t len = value.len < sizeof origin ? value.len : sizeof origin - 1;
    memcpy(origin, value.ptr, len);
    origin[len] = '\0';
    if (jrpc_server_allows(self->connection.server, origin)) {
        return true;
    }
    (void)jrpc_buffer_append(&self->wire.out, forbidden);
    return false;
}

// Whoever has no token gets no connection.
static bool check_token(session *self, jrpc_slice head)
{
    static const jrpc_slice unauthorized = JRPC_SLICE_INIT(
        "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    if (jrpc_credentials_pass(&self->connection, jrpc_head_value(head, "Authorization"))) {
        return true;
    }
    (void)jrpc_buffer_append(&self->wire.out, unauthorized);
    return false;
}

// Whether the handshake is accepted; the answer is appended to what goes out.
static bool answer(session *self, jrpc_slice head)
{
    static const jrpc_slice bad = JRPC_SLICE_INIT(
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    switch (jrpc_fault_websocket_handshake(&self->connection, head)) {
    case JRPC_HANDSHAKE_CHECKED:
        break;
    case JRPC_HANDSHAKE_ACCEPTED:
        return jrpc_websocket_upgrade(jrpc_head_value(head, "Sec-WebSocket-Key"), &self->wire.out);
    case JRPC_HANDSHAKE_REFUSED:
        (void)jrpc_buffer_append(&self->wire.out, bad);
        return false;
    }
    return jrpc_websocket_answer(head, &self->wire.out);
}

// The request of the handshake. False when it is refused or the connection gone.
static bool shake_hands(session *self)
{
    size_t len = jrpc_head_length(jrpc_buffer_slice(&self->head));
    if (len == 0) {
        return self->head.len < JRPC_LIMIT_HEADER_BYTES;
    }
    jrpc_slice received = jrpc_buffer_slice(&self->head);
    jrpc_slice head = jrpc_slice_of(received.ptr, len);
    bool accepted = check_origin(self, head) && check_token(self, head) && answer(self, head);
    self->shaken = true;
    jrpc_fault_websocket_out(&self->connection, &self->wire.out);
    return write_out(self) && accepted &&
           jrpc_websocket_feed(&self->wire, jrpc_slice_from(received, len));
}

// Handles every message that is there. False when the connection is over.
static bool handle_all(session *self)
{
    jrpc_connection *connection = &self->connection;
    while (!connection->broken && !connection->closing && !connection->finished) {
        jrpc_slice payload = {NULL, 0};
        switch (jrpc_websocket_next(&self->wire, &payload)) {
        case JRPC_WEBSOCKET_TEXT:
        case JRPC_WEBSOCKET_BINARY:
            jrpc_connection_handle(connection, payload);
            break;
        case JRPC_WEBSOCKET_PONG:
            break;
        case JRPC_WEBSOCKET_CLOSE:
            return false;
        case JRPC_WEBSOCKET_NONE:
            return true;
        }
    }
    return false;
}

// Takes the bytes of one read. False when the connection is over.
static bool take(session *self, jrpc_slice bytes)
{
    if (!self->shaken) {
        if (!jrpc_buffer_append(&self->head, bytes) || !shake_hands(self)) {
            return false;
        }
    } else {
        jrpc_fault_websocket_received(&self->connection, &bytes);
        if (!jrpc_websocket_feed(&self->wire, bytes)) {
            return false;
        }
    }
    jrpc_fault_websocket_out(&self->connection, &self->wire.out);
    bool goes_on = handle_all(self);
    pthread_mutex_lock(&self->connection.lock);
    bool written = write_out(self);
    pthread_mutex_unlock(&self->connection.lock);
    return goes_on && written;
}

static void serve(session *self)
{
    char bytes[READ_BYTES];
    unsigned idle_s = self->connection.server->idle_s;
    for (;;) {
        struct pollfd entries[2] = {{.fd = self->connection.input, .events = POLLIN},
                                    {.fd = self->connection.server->stop_fd, .events = POLLIN}};
        int ready = poll(entries, 2, idle_s == 0 ? -1 : (int)idle_s * 1000);
        if (ready < 0 && errno != EINTR) {
            return;
        }
        if (ready == 0 || entries[1].revents != 0) {
            int code = ready == 0 ? CODE_NORMAL : CODE_GOING_AWAY;
            (void)(self->shaken && jrpc_websocket_close(&self->wire, code, (jrpc_slice){NULL, 0}) &&
                   write_out(self));
            return;
        }
        ssize_t got = read(self->connection.input, bytes, sizeof bytes);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        self->connection.broken = self->connection.broken || got < 0; // it was reset
        if (got <= 0 || !take(self, jrpc_slice_of(bytes, (size_t)got))) {
            return;
        }
    }
}

void jrpc_server_websocket(void *context, int input, int output)
{
    jrpc_server *server = context;
    session *self = jrpc_allocate(server->allocator, sizeof *self);
    if (self == NULL) {
        return;
    }
    *self = (session){.connection = {.input = input,
                                     .output = output,
                                     .socket = true,
                                     .transport = "websocket",
                                     .deliver = deliver,
                                     .carrier = self}};
    jrpc_buffer_init(&self->head, server->allocator, JRPC_LIMIT_HEADER_BYTES + READ_BYTES);
    if (jrpc_websocket_init(&self->wire, false, server->max_message, 0, server->allocator)) {
        if (jrpc_connection_init(&self->connection, server)) {
            serve(self);
            jrpc_fault_ended(&self->connection);
            jrpc_connection_done(&self->connection);
        }
    }
    jrpc_websocket_done(&self->wire);
    jrpc_buffer_done(&self->head);
    jrpc_deallocate(server->allocator, self);
}
