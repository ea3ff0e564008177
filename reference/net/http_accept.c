// The listening side of HTTP: each request is a peer that receives one message, and what is sent on
// it is the answer. The library's thread of the connection waits meanwhile.
#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/acceptor_private.h"
#include "reference/net/descriptor.h"
#include "reference/net/http_listener.h"
#include "reference/net/peer_private.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_OK = 200, STATUS_NO_CONTENT = 204, CONNECTIONS = 64 };

typedef struct http_acceptor http_acceptor;

// A request that waits for its answer. Belongs to its thread and, once taken, to a peer; the last
// of them frees it.
typedef struct exchange {
    jrpc_peer peer; // first
    http_acceptor *acceptor;
    struct exchange *next; // in the queue of those that were not taken
    jrpc_buffer head;      // "POST /path" and the headers that matter, a line each
    jrpc_buffer body;
    bool delivered;
    // Guarded by the acceptor's lock:
    bool answered, abandoned; // there will be no answer
    int status;
    char content_type[128];
    jrpc_buffer answer;
    size_t cuts[JRPC_HTTP_CUTS_MAX]; // as in jrpc_http_reply
    size_t cut_count;
    int owners;
} exchange;

struct http_acceptor {
    jrpc_acceptor acceptor;
    const jrpc_endpoint *endpoint;
    jrpc_http_listener *listener;
    int wake[2];
    pthread_mutex_t lock;
    pthread_cond_t changed;
    exchange *first; // not taken yet, the oldest first
    bool stopping;
};

static exchange *of(jrpc_peer *peer)
{
    return (exchange *)peer; // `peer` is the first member
}

// Called with the lock held.
static void leave(exchange *self)
{
    if (--self->owners > 0) {
        return;
    }
    jrpc_buffer_done(&self->head);
    jrpc_buffer_done(&self->body);
    jrpc_buffer_done(&self->answer);
    jrpc_deallocate(self->acceptor->endpoint->allocator, self);
}

static void settle(exchange *self)
{
    (void)pthread_mutex_lock(&self->acceptor->lock);
    self->answered = true;
    (void)pthread_cond_broadcast(&self->acceptor->changed);
    (void)pthread_mutex_unlock(&self->acceptor->lock);
}

static jrpc_peer_event exchange_send_as(jrpc_peer *peer, jrpc_slice payload,
                                        const jrpc_manner *manner, int64_t deadline_us,
                                        jrpc_error *error)
{
    (void)deadline_us;
    exchange *self = of(peer);
    if (self->answered) {
        return JRPC_PEER_ENDED;
    }
    if (!jrpc_buffer_append(&self->answer, payload)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for an answer");
        return JRPC_PEER_FAULT;
    }
    const char *type = manner->content_type == NULL ? "application/json" : manner->content_type;
    size_t len = strlen(type);
    len = len < sizeof self->content_type ? len : sizeof self->content_type - 1;
    memcpy(self->content_type, type, len);
    self->content_type[len] = '\0';
    self->status = manner->status > 0    ? (int)manner->status
                   : payload.ptr == NULL ? STATUS_NO_CONTENT
                                         : STATUS_OK;
    settle(self);
    return JRPC_PEER_MESSAGE;
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
    exchange *self = of(peer);
    self->cut_count = count < JRPC_HTTP_CUTS_MAX ? count : JRPC_HTTP_CUTS_MAX;
    memcpy(self->cuts, offsets, self->cut_count * sizeof *self->cuts);
    return exchange_send(peer, payload, deadline_us, error);
}

static jrpc_peer_event exchange_receive(jrpc_peer *peer, int64_t deadline_us,
                                        jrpc_received *ret_received, jrpc_error *error)
{
    (void)error;
    exchange *self = of(peer);
    if (!self->delivered) {
        self->delivered = true;
        *ret_received =
            (jrpc_received){.bytes = jrpc_buffer_slice(&self->body),
                            .true_len = self->body.len,
                            .http_headers = jrpc_buffer_slice(&self->head),
                            .at_us = jrpc_clock_now_us(self->acceptor->endpoint->clock)};
        return JRPC_PEER_MESSAGE;
    }
    if (self->answered) {
        return JRPC_PEER_ENDED;
    }
    struct pollfd entry = {.fd = self->acceptor->endpoint->interrupt_fd, .events = POLLIN};
    (void)jrpc_descriptor_poll(&entry, 1, self->acceptor->endpoint->clock, deadline_us);
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

static void exchange_close(jrpc_peer *peer, int64_t grace_ms)
{
    (void)grace_ms;
    exchange *self = of(peer);
    http_acceptor *acceptor = self->acceptor;
    (void)pthread_mutex_lock(&acceptor->lock);
    self->abandoned = !self->answered;
    (void)pthread_cond_broadcast(&acceptor->changed);
    leave(self);
    (void)pthread_mutex_unlock(&acceptor->lock);
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

static exchange *exchange_new(http_acceptor *acceptor, const jrpc_http_request *request)
{
    const jrpc_allocator *allocator = acceptor->endpoint->allocator;
    exchange *self = jrpc_allocate(allocator, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    memset(self, 0, sizeof *self);
    self->peer.operations = &exchange_operations;
    self->acceptor = acceptor;
    self->owners = 1;
    jrpc_buffer_init(&self->head, allocator, JRPC_LIMIT_HEADER_BYTES * 4);
    jrpc_buffer_init(&self->body, allocator, SIZE_MAX / 2);
    jrpc_buffer_init(&self->answer, allocator, SIZE_MAX / 2);
    (void)jrpc_buffer_printf(&self->head, "%s %s\r\n", request->method, request->path);
    const char *const names[] = {"Content-Type", "Accept"};
    const char *const values[] = {request->content_type, request->accept};
    for (size_t i = 0; i < 2; i++) {
        if (values[i] != NULL) {
            (void)jrpc_buffer_printf(&self->head, "%s: %s\r\n", names[i], values[i]);
        }
    }
    (void)jrpc_buffer_append(&self->body, request->body);
    if (self->head.failed || self->body.failed) {
        leave(self);
        return NULL;
    }
    return self;
}

// Called with the lock held.
static void enqueue(http_acceptor *acceptor, exchange *self)
{
    exchange **place = &acceptor->first;
    while (*place != NULL) {
        place = &(*place)->next;
    }
    *place = self;
    self->owners++;
    ssize_t ignored = write(acceptor->wake[1], "", 1);
    (void)ignored;
}

// The same media type as a constant, which outlives the exchange; text/plain for one that no case
// has.
static const char *constant_type(const char *type)
{
    static const char *const types[] = {"application/json",
                                        "application/json; charset=utf-8",
                                        "application/json;charset=UTF-8",
                                        "application/json; charset=\"utf-8\"",
                                        "Application/JSON",
                                        "application/json-rpc",
                                        "application/jsonrequest",
                                        "text/html"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(type, types[i]) == 0) {
            return types[i];
        }
    }
    return "text/plain";
}

static void handle(void *context, void *state, const jrpc_http_request *request,
                   jrpc_http_reply *reply)
{
    (void)state;
    http_acceptor *acceptor = context;
    reply->status = 0;
    exchange *self = exchange_new(acceptor, request);
    if (self == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&acceptor->lock);
    enqueue(acceptor, self);
    while (!self->answered && !self->abandoned && !acceptor->stopping) {
        (void)pthread_cond_wait(&acceptor->changed, &acceptor->lock);
    }
    if (self->answered) {
        reply->status = self->status;
        reply->content_type = constant_type(self->content_type);
        (void)jrpc_buffer_append(&reply->body, jrpc_buffer_slice(&self->answer));
        memcpy(reply->cuts, self->cuts, sizeof reply->cuts);
        reply->cut_count = self->cut_count;
    }
    leave(self);
    (void)pthread_mutex_unlock(&acceptor->lock);
}

static void *opened(void *context)
{
    return context;
}

static void closed(void *context, void *state)
{
    (void)context;
    (void)state;
}

static const char *http_address(const jrpc_acceptor *acceptor)
{
    return jrpc_http_listener_address(((const http_acceptor *)acceptor)->listener);
}

static int http_descriptor(const jrpc_acceptor *acceptor)
{
    return ((const http_acceptor *)acceptor)->wake[0];
}

static jrpc_peer *http_take(jrpc_acceptor *acceptor, jrpc_error *error)
{
    (void)error;
    http_acceptor *self = (http_acceptor *)acceptor;
    char bytes[CONNECTIONS];
    (void)pthread_mutex_lock(&self->lock);
    exchange *taken = self->first;
    if (taken != NULL) {
        self->first = taken->next;
        taken->next = NULL;
    }
    while (self->first == NULL && read(self->wake[0], bytes, sizeof bytes) > 0) {
    }
    (void)pthread_mutex_unlock(&self->lock);
    return taken == NULL ? NULL : &taken->peer;
}

static void http_free(jrpc_acceptor *acceptor)
{
    http_acceptor *self = (http_acceptor *)acceptor;
    (void)pthread_mutex_lock(&self->lock);
    self->stopping = true;
    (void)pthread_cond_broadcast(&self->changed);
    (void)pthread_mutex_unlock(&self->lock);
    jrpc_http_listener_free(self->listener); // waits for the handlers
    while (self->first != NULL) {
        exchange *left = self->first;
        self->first = left->next;
        leave(left);
    }
    jrpc_descriptor_close(&self->wake[0]);
    jrpc_descriptor_close(&self->wake[1]);
    (void)pthread_cond_destroy(&self->changed);
    (void)pthread_mutex_destroy(&self->lock);
    jrpc_deallocate(self->endpoint->allocator, self);
}

static const jrpc_acceptor_operations http_operations = {
    .address = http_address,
    .descriptor = http_descriptor,
    .take = http_take,
    .free = http_free,
};

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
    self->wake[0] = self->wake[1] = -1;
    (void)pthread_mutex_init(&self->lock, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    const jrpc_http_handlers handlers = {
        .context = self, .opened = opened, .closed = closed, .handle = handle};
    const jrpc_http_limits limits = {.body = endpoint->max_message == 0 ? JRPC_LIMIT_MESSAGE_BYTES
                                                                        : endpoint->max_message,
                                     .connections = CONNECTIONS};
    bool piped = jrpc_os_pipe(self->wake) && jrpc_descriptor_unblock(self->wake[0]) &&
                 jrpc_descriptor_unblock(self->wake[1]);
    if (!piped) {
        (void)jrpc_error_set_errno(error, errno, "cannot make a pipe");
    } else {
        self->listener = jrpc_http_listener_new(endpoint->host, endpoint->port, &handlers, &limits,
                                                endpoint->allocator, error);
    }
    if (self->listener == NULL) {
        http_free(&self->acceptor);
        return NULL;
    }
    return &self->acceptor;
}
