#include "reference/net/http_connection.h"

#include "reference/base/limits.h"
#include "reference/net/descriptor.h"
#include "reference/net/http_head.h"
#include "reference/wire/http_body.h"
#include "reference/wire/websocket_handshake.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READ_BYTES = 64 << 10,
    PAUSE_MS = 20, // between the parts of an answer
    PARTS = 4,
};

void jrpc_http_connection_init(jrpc_http_connection *self, int socket, size_t max_body,
                               const jrpc_allocator *allocator)
{
    *self = (jrpc_http_connection){.socket = socket};
    // Chunks of one byte have six bytes each.
    size_t most =
        max_body < SIZE_MAX / 8 ? max_body * 6 + JRPC_LIMIT_HEADER_BYTES * 4 : SIZE_MAX / 2;
    jrpc_buffer_init(&self->in, allocator, most);
    jrpc_buffer_init(&self->out, allocator, SIZE_MAX / 2);
}

void jrpc_http_connection_done(jrpc_http_connection *self)
{
    jrpc_descriptor_close(&self->socket);
    jrpc_buffer_done(&self->in);
    jrpc_buffer_done(&self->out);
}

static bool is_later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static void write_some(jrpc_http_connection *self, size_t most)
{
    while (most > 0 && self->out.len > 0) {
        size_t len = self->out.len < most ? self->out.len : most;
        ssize_t put = send(self->socket, self->out.ptr, len, MSG_NOSIGNAL);
        if (put < 0) {
            if (!is_later()) {
                jrpc_descriptor_close(&self->socket);
            }
            return;
        }
        jrpc_buffer_consume(&self->out, (size_t)put);
        most -= (size_t)put;
    }
}

static void read_some(jrpc_http_connection *self)
{
    char bytes[READ_BYTES];
    ssize_t got = recv(self->socket, bytes, sizeof bytes, 0);
    if (got < 0 && !is_later()) {
        jrpc_descriptor_close(&self->socket);
    } else if (got == 0) {
        self->ended = true;
    } else if (got > 0 && !self->leaving) { // what comes after the last answer is not read
        (void)jrpc_buffer_append(&self->in, jrpc_slice_of(bytes, (size_t)got));
    }
}

void jrpc_http_connection_move(jrpc_http_connection *self)
{
    if (self->socket >= 0) {
        write_some(self, SIZE_MAX);
    }
    if (self->socket >= 0 && !self->ended) {
        read_some(self);
    }
    if (self->socket >= 0 && self->leaving && self->out.len == 0) {
        if (!self->left) {
            (void)shutdown(self->socket, SHUT_WR);
            self->left = true;
        }
        if (self->ended) {
            jrpc_descriptor_close(&self->socket);
        }
    }
}

jrpc_decoded jrpc_http_connection_take(jrpc_http_connection *self, jrpc_buffer *head,
                                       jrpc_buffer *content)
{
    // A server ignores an empty line before a request (RFC 9112, section 2.2).
    while (self->in.len >= 2 && memcmp(self->in.ptr, "\r\n", 2) == 0) {
        jrpc_buffer_consume(&self->in, 2);
    }
    jrpc_slice bytes = jrpc_buffer_slice(&self->in);
    size_t len = jrpc_http_head_length(bytes);
    bool over = self->in.failed || self->ended;
    if (len == 0) {
        return over && bytes.len > 0 ? JRPC_DECODED_BAD : JRPC_DECODED_MORE;
    }
    jrpc_slice front = jrpc_slice_of(bytes.ptr, len);
    jrpc_http_body body = {.used = 0};
    jrpc_decoded read =
        jrpc_http_body_read(front, jrpc_slice_from(bytes, len), false, over, content, &body);
    if (read == JRPC_DECODED_MORE) {
        jrpc_buffer_clear(content);
        if (!self->continued && jrpc_head_lists(jrpc_head_value(front, "Expect"), "100-continue")) {
            self->continued = true;
            (void)jrpc_buffer_append_str(&self->out, "HTTP/1.1 100 Continue\r\n\r\n");
            jrpc_http_connection_move(self);
        }
        return JRPC_DECODED_MORE;
    }
    if (!jrpc_buffer_append(head, front)) {
        read = JRPC_DECODED_BAD;
    }
    jrpc_buffer_consume(&self->in, read == JRPC_DECODED_DONE ? len + body.used : self->in.len);
    self->continued = false;
    return read;
}

void jrpc_http_connection_write_apart(jrpc_http_connection *self, const jrpc_clock *clock)
{
    size_t part = self->out.len / PARTS + 1;
    while (self->socket >= 0 && self->out.len > part) {
        const char *end = memchr(self->out.ptr, '\r', part);
        write_some(self, end == NULL ? part : (size_t)(end - self->out.ptr) + 1);
        (void)jrpc_descriptor_poll(NULL, 0, clock, jrpc_deadline_in_ms(clock, PAUSE_MS));
    }
    jrpc_http_connection_move(self);
}
