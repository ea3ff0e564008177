// The listening side of HTTP for whoever plays the server: each request is a peer that receives one
// message, and what is sent on it is the answer, in whatever form its manner says.
#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/acceptor_private.h"
#include "reference/net/descriptor.h"
#include "reference/net/gzip.h"
#include "reference/net/http_connection.h"
#include "reference/net/http_replies.h"
#include "reference/net/http_request_flaw.h"
#include "reference/net/listener.h"
#include "reference/net/peer_private.h"
#include "reference/net/socket.h"
#include "reference/wire/websocket_handshake.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { STATUS_OK = 200, STATUS_NO_CONTENT = 204, STATUS_BAD = 400, CONNECTIONS = 64 };

typedef struct http_acceptor http_acceptor;
typedef struct exchange exchange;

// A connection, and the request that is being answered on it.
typedef struct visitor {
    jrpc_http_connection connection; // its socket is -1 in an unused slot
    exchange *current;               // NULL: none
} visitor;

struct exchange {
    jrpc_peer peer; // first
    http_acceptor *acceptor;
    visitor *visitor; // NULL: it is gone, or the answer was sent
    exchange *next;   // in the queue of those that were not taken
    jrpc_buffer head; // as it came
    jrpc_buffer body;
    const char *why; // it cannot be read
    bool delivered, answered;
};

struct http_acceptor {
    jrpc_acceptor acceptor;
    const jrpc_endpoint *endpoint;
    int socket, watch;
    visitor visitors[CONNECTIONS];
    exchange *first; // not taken yet, the oldest first
    char address[320];
};

static exchange *of(jrpc_peer *peer)
{
    return (exchange *)peer; // `peer` is the first member
}

// Waits from now on for what can happen on a connection; forgets one that is over.
static void await(http_acceptor *self, visitor *from)
{
    jrpc_http_connection *connection = &from->connection;
    if (connection->socket >= 0) {
        (void)jrpc_os_watch(self->watch, connection->socket, !connection->ended,
                            connection->out.len > 0, from);
        return;
    }
    if (from->current != NULL) {
        from->current->visitor = NULL;
        from->current = NULL;
    }
    jrpc_http_connection_done(connection); // closing a descriptor takes it out of the watch
}

static void exchange_free(exchange *self)
{
    jrpc_buffer_done(&self->head);
    jrpc_buffer_done(&self->body);
    jrpc_deallocate(self->acceptor->endpoint->allocator, self);
}

// Writes an answer, after which the next request of the connection is due.
static bool put_answer(exchange *self, const jrpc_http_reply_parts *parts)
{
    http_acceptor *acceptor = self->acceptor;
    visitor *to = self->visitor;
    self->answered = true;
    self->visitor = NULL;
    if (to == NULL) {
        return true; // nobody waits for it any more
    }
    to->current = NULL;
    jrpc_http_reply_end end;
    bool put = jrpc_http_reply_put(parts, &to->connection.out, &end);
    to->connection.leaving = end.close || !put;
    if (end.in_pieces) {
        jrpc_http_connection_write_apart(&to->connection, acceptor->endpoint->clock);
    } else {
        jrpc_http_connection_move(&to->connection);
    }
    await(acceptor, to);
    return put;
}

// Whether a request has HTTP/1.0, and whether the connection is to end after its answer.
static void read_version(jrpc_slice head, bool *ret_old, bool *ret_close)
{
    size_t line = 0;
    while (line < head.len && head.ptr[line] != '\r' && head.ptr[line] != '\n') {
        line++;
    }
    static const jrpc_slice old = JRPC_SLICE_INIT(" HTTP/1.0");
    jrpc_slice options = jrpc_head_value(head, "Connection");
    *ret_old = line >= old.len && memcmp(head.ptr + line - old.len, old.ptr, old.len) == 0;
    *ret_close =
        jrpc_head_lists(options, "close") || (*ret_old && !jrpc_head_lists(options, "keep-alive"));
}

static jrpc_peer_event answer(exchange *self, jrpc_slice payload, const jrpc_manner *manner,
                              const size_t *cuts, size_t cut_count, jrpc_error *error)
{
    if (self->answered) {
        return JRPC_PEER_ENDED;
    }
    jrpc_http_reply_parts parts = {
        .form = manner->reply,
        .status = manner->status > 0    ? (int)manner->status
                  : payload.ptr == NULL ? STATUS_NO_CONTENT
                                        : STATUS_OK,
        .content_type = manner->content_type == NULL ? "application/json" : manner->content_type,
        .body = payload,
        .cuts = cuts,
        .cut_count = cut_count,
    };
    read_version(jrpc_buffer_slice(&self->head), &parts.old, &parts.close);
    parts.takes_gzip =
        jrpc_gzip_is_listed(jrpc_head_value(jrpc_buffer_slice(&self->head), "Accept-Encoding"));
    if (!put_answer(self, &parts)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for an answer");
        return JRPC_PEER_FAULT;
    }
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event exchange_send_as(jrpc_peer *peer, jrpc_slice payload,
                                        const jrpc_manner *manner, int64_t deadline_us,
                                        jrpc_error *error)
{
    (void)deadline_us; // what the client does not read yet is written later
    return answer(of(peer), payload, manner, NULL, 0, error);
}

static jrpc_peer_event exchange_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                                     jrpc_error *error)
{
    const jrpc_manner usual = {.http_method = NULL};
    return exchange_send_as(peer, payload, &usual, deadline_us, error);
}

static jrpc_peer_event exchange_send_chunks(jrpc_peer *peer, jrpc_slice payload,
                                            const size_t *offsets, size_t count,
                                            int64_t deadline_us, jrpc_error *error)
{
    (void)deadline_us;
    const jrpc_manner usual = {.http_method = NULL};
    return answer(of(peer), payload, &usual, offsets, count, error);
}

static jrpc_peer_event exchange_receive(jrpc_peer *peer, int64_t deadline_us,
                                        jrpc_received *ret_received, jrpc_error *error)
{
    (void)error;
    exchange *self = of(peer);
    const jrpc_clock *clock = self->acceptor->endpoint->clock;
    if (!self->delivered) {
        self->delivered = true;
        jrpc_flaw flaw_of = JRPC_FLAW_FIELDS;
        const char *flaw = self->why == NULL
                               ? jrpc_http_flaw_of_request(jrpc_buffer_slice(&self->head),
                                                           self->acceptor->address, &flaw_of)
                               : NULL;
        jrpc_slice shown = jrpc_buffer_slice(self->why == NULL ? &self->body : &self->head);
        *ret_received = (jrpc_received){.bytes = shown,
                                        .true_len = shown.len,
                                        .why = self->why,
                                        .flaw = flaw,
                                        .flaw_of = flaw_of,
                                        .http_headers = jrpc_buffer_slice(&self->head),
                                        .at_us = jrpc_clock_now_us(clock)};
        return self->why == NULL ? JRPC_PEER_MESSAGE : JRPC_PEER_NOISE;
    }
    if (self->answered) {
        return JRPC_PEER_ENDED;
    }
    struct pollfd entry = {.fd = self->acceptor->endpoint->interrupt_fd, .events = POLLIN};
    (void)jrpc_descriptor_poll(&entry, 1, clock, deadline_us);
    return entry.revents != 0 ? JRPC_PEER_INTERRUPTED : JRPC_PEER_TIMEOUT;
}

static void exchange_close_write(jrpc_peer *peer)
{
    (void)peer;
}

static jrpc_peer_ending exchange_end(jrpc_peer *peer, int64_t deadline_us)
{
    (void)deadline_us;
    return (jrpc_peer_ending){of(peer)->answered ? JRPC_END_CLOSED : JRPC_END_OPEN, 0};
}

static void exchange_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    (void)peer;
    (void)out;
}

// Without an answer the connection ends.
static void exchange_close(jrpc_peer *peer, int64_t grace_ms)
{
    (void)grace_ms;
    exchange *self = of(peer);
    if (self->visitor != NULL) {
        jrpc_descriptor_close(&self->visitor->connection.socket);
        await(self->acceptor, self->visitor);
    }
    exchange_free(self);
}

static const jrpc_peer_operations exchange_operations = {
    .send = exchange_send,
    .send_as = exchange_send_as,
    .send_raw = exchange_send,
    .send_chunks = exchange_send_chunks,
    .receive = exchange_receive,
    .close_write = exchange_close_write,
    .end = exchange_end,
    .stderr_tail = exchange_stderr_tail,
    .close = exchange_close,
};

static exchange *exchange_new(http_acceptor *acceptor, visitor *from)
{
    const jrpc_allocator *allocator = acceptor->endpoint->allocator;
    exchange *self = jrpc_allocate(allocator, sizeof *self);
    if (self != NULL) {
        *self = (exchange){
            .peer.operations = &exchange_operations, .acceptor = acceptor, .visitor = from};
        jrpc_buffer_init(&self->head, allocator, JRPC_LIMIT_HEADER_BYTES * 4);
        jrpc_buffer_init(&self->body, allocator, SIZE_MAX / 2);
    }
    return self;
}

static void enqueue(http_acceptor *acceptor, exchange *self)
{
    exchange **place = &acceptor->first;
    while (*place != NULL) {
        place = &(*place)->next;
    }
    *place = self;
}

// Takes the next request of a connection, if it is complete and the one before has its answer.
static void take_request(http_acceptor *self, visitor *from)
{
    if (from->current != NULL || from->connection.in.len == 0 || from->connection.leaving) {
        return;
    }
    exchange *taken = exchange_new(self, from);
    if (taken == NULL) {
        jrpc_descriptor_close(&from->connection.socket);
        return;
    }
    jrpc_decoded read = jrpc_http_connection_take(&from->connection, &taken->head, &taken->body);
    if (read == JRPC_DECODED_MORE || from->connection.socket < 0) {
        exchange_free(taken);
        return;
    }
    from->current = taken;
    enqueue(self, taken);
    if (read == JRPC_DECODED_BAD) {
        taken->why = "a request over HTTP whose end cannot be found (RFC 9112, section 6)";
        (void)put_answer(taken, &(jrpc_http_reply_parts){.status = STATUS_BAD, .close = true});
    }
}

static void move(http_acceptor *self, visitor *from)
{
    jrpc_http_connection_move(&from->connection);
    if (from->connection.socket >= 0) {
        take_request(self, from);
    }
    jrpc_http_connection *connection = &from->connection;
    if (connection->socket >= 0 && connection->ended && from->current == NULL &&
        connection->out.len == 0) {
        jrpc_descriptor_close(&connection->socket); // the client has left
    }
    await(self, from);
}

static void accept_visitors(http_acceptor *self)
{
    size_t limit =
        self->endpoint->max_message == 0 ? JRPC_LIMIT_MESSAGE_BYTES : self->endpoint->max_message;
    int descriptor;
    while ((descriptor = jrpc_os_accept(self->socket)) >= 0) {
        size_t i = 0;
        while (i < CONNECTIONS && self->visitors[i].connection.socket >= 0) {
            i++;
        }
        if (i == CONNECTIONS || !jrpc_descriptor_unblock(descriptor)) {
            jrpc_descriptor_close(&descriptor);
            continue;
        }
        jrpc_socket_no_delay(descriptor);
        jrpc_http_connection_init(&self->visitors[i].connection, descriptor, limit,
                                  self->endpoint->allocator);
        await(self, &self->visitors[i]);
    }
}

static const char *http_address(const jrpc_acceptor *acceptor)
{
    return ((const http_acceptor *)acceptor)->address;
}

static int http_descriptor(const jrpc_acceptor *acceptor)
{
    return ((const http_acceptor *)acceptor)->watch;
}

static jrpc_peer *http_take(jrpc_acceptor *acceptor, jrpc_error *error)
{
    (void)error;
    http_acceptor *self = (http_acceptor *)acceptor;
    void *ready[CONNECTIONS];
    size_t count = jrpc_os_watch_ready(self->watch, ready, CONNECTIONS);
    for (size_t i = 0; i < count; i++) {
        if (ready[i] == self) {
            accept_visitors(self);
        } else {
            move(self, ready[i]);
        }
    }
    // Requests may have come together.
    for (size_t i = 0; i < CONNECTIONS; i++) {
        visitor *from = &self->visitors[i];
        if (from->connection.socket >= 0 && from->current == NULL && from->connection.in.len > 0) {
            move(self, from);
        }
    }
    exchange *taken = self->first;
    if (taken != NULL) {
        self->first = taken->next;
        taken->next = NULL;
    }
    return taken == NULL ? NULL : &taken->peer;
}

static void http_free(jrpc_acceptor *acceptor)
{
    http_acceptor *self = (http_acceptor *)acceptor;
    while (self->first != NULL) {
        exchange *left = self->first;
        self->first = left->next;
        exchange_close(&left->peer, 0);
    }
    for (size_t i = 0; i < CONNECTIONS; i++) {
        jrpc_http_connection_done(&self->visitors[i].connection);
    }
    jrpc_descriptor_close(&self->socket);
    jrpc_descriptor_close(&self->watch);
    jrpc_deallocate(self->endpoint->allocator, self);
}

static const jrpc_acceptor_operations http_operations = {
    .address = http_address,
    .descriptor = http_descriptor,
    .take = http_take,
    .free = http_free,
};

static bool listen_at(http_acceptor *self, jrpc_error *error)
{
    jrpc_listener *listener = jrpc_listener_tcp(self->endpoint->host, self->endpoint->port, error);
    if (listener == NULL) {
        return false;
    }
    const char *address = jrpc_listener_address(listener);
    (void)snprintf(self->address, sizeof self->address, "http%s/", address + strlen("tcp"));
    self->socket = jrpc_listener_take_socket(listener);
    jrpc_listener_free(listener);
    self->watch = jrpc_os_watch_new();
    if (self->watch < 0 || !jrpc_descriptor_unblock(self->socket) ||
        !jrpc_os_watch(self->watch, self->socket, true, false, self)) {
        return jrpc_error_set_errno(error, errno, "cannot listen for HTTP");
    }
    return true;
}

jrpc_acceptor *jrpc_http_acceptor_new(const jrpc_endpoint *endpoint, jrpc_error *error)
{
    http_acceptor *self = jrpc_allocate(endpoint->allocator, sizeof *self);
    if (self == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory to listen");
        return NULL;
    }
    memset(self, 0, sizeof *self);
    self->acceptor.operations = &http_operations;
    self->endpoint = endpoint;
    self->socket = self->watch = -1;
    for (size_t i = 0; i < CONNECTIONS; i++) {
        self->visitors[i].connection.socket = -1;
    }
    if (!listen_at(self, error)) {
        http_free(&self->acceptor);
        return NULL;
    }
    return &self->acceptor;
}
