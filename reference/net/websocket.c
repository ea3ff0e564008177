// Peers over WebSocket: libcurl connects (proxy, TLS) and carries the bytes, the frames are ours.
#include "reference/wire/websocket.h"

#include "reference/base/limits.h"
#include "reference/net/descriptor.h"
#include "reference/net/http_private.h"
#include "reference/net/peer_private.h"
#include "reference/wire/websocket_handshake.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { READ_BYTES = 64 << 10, CODE_NORMAL = 1000, CODE_NO_TEXT = 1007, CODE_TOO_LONG = 1009 };

typedef struct websocket_peer {
    jrpc_peer peer;
    jrpc_endpoint endpoint;
    CURL *easy;
    curl_socket_t socket;
    bool handshaken;
    jrpc_buffer head; // of the handshake's answer
    jrpc_websocket wire;
    int pings; // not answered yet
    bool ended, reset;
    bool told; // why we closed
    char piece[READ_BYTES];
} websocket_peer;

static websocket_peer *of(jrpc_peer *peer)
{
    return (websocket_peer *)peer; // `peer` is the first member
}

static jrpc_peer_event no_memory(jrpc_error *error)
{
    (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for messages");
    return JRPC_PEER_FAULT;
}

// Takes received bytes: of the handshake's answer, then of frames. False without memory.
static bool take(websocket_peer *self, jrpc_slice bytes)
{
    if (self->handshaken) {
        return jrpc_websocket_feed(&self->wire, bytes);
    }
    return jrpc_buffer_append(&self->head, bytes);
}

// Reads what is there. False when nothing was.
static bool read_some(websocket_peer *self, jrpc_peer_event *ret_event, jrpc_error *error)
{
    size_t got = 0;
    CURLcode code = curl_easy_recv(self->easy, self->piece, sizeof self->piece, &got);
    if (code == CURLE_AGAIN) {
        return false;
    }
    if (code != CURLE_OK || got == 0) {
        self->ended = true;
        self->reset = code != CURLE_OK;
    } else if (!take(self, jrpc_slice_of(self->piece, got))) {
        *ret_event = no_memory(error);
    }
    return true;
}

// Writes what is waiting and the other side takes. False when it takes nothing any more.
static bool write_some(websocket_peer *self)
{
    jrpc_buffer *out = &self->wire.out;
    while (out->len > 0) {
        size_t put = 0;
        CURLcode code = curl_easy_send(self->easy, out->ptr, out->len, &put);
        if (code == CURLE_AGAIN) {
            return true;
        }
        if (code != CURLE_OK) {
            self->reset = true;
            return false;
        }
        jrpc_buffer_consume(out, put);
    }
    return true;
}

// Reads and writes what moves; waits if nothing does. MESSAGE when something moved.
static jrpc_peer_event turn(websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    size_t before = self->wire.out.len;
    if (!write_some(self)) {
        // What it said before it left is still to be read.
        jrpc_buffer_clear(&self->wire.out);
    }
    // TLS may hold bytes that poll does not see: reading comes first, and poll after CURLE_AGAIN.
    if ((!self->ended && read_some(self, &event, error)) || self->wire.out.len < before) {
        return event;
    }
    struct pollfd entries[2] = {
        {.fd = self->socket, .events = (short)(POLLIN | (self->wire.out.len > 0 ? POLLOUT : 0))},
        {.fd = self->endpoint.interrupt_fd, .events = POLLIN}};
    int ready = jrpc_descriptor_poll(entries, 2, self->endpoint.clock, deadline_us);
    if (ready < 0) {
        (void)jrpc_error_set_errno(error, errno, "cannot wait for the peer");
        return JRPC_PEER_FAULT;
    }
    if (entries[1].revents != 0) {
        return JRPC_PEER_INTERRUPTED;
    }
    return ready == 0 ? JRPC_PEER_TIMEOUT : JRPC_PEER_MESSAGE;
}

static bool is_over(const websocket_peer *self)
{
    return self->ended || self->wire.closed;
}

// The same until the deadline: something always moves where the other side pings and pings.
static jrpc_peer_event turn_in_time(websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    jrpc_peer_event event = turn(self, deadline_us, error);
    bool late = jrpc_clock_now_us(self->endpoint.clock) > deadline_us;
    return event == JRPC_PEER_MESSAGE && late ? JRPC_PEER_TIMEOUT : event;
}

static jrpc_peer_event flush(websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    while (self->wire.out.len > 0) {
        if (is_over(self)) {
            return JRPC_PEER_ENDED;
        }
        jrpc_peer_event event = turn_in_time(self, deadline_us, error);
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
    websocket_peer *self = of(peer);
    if (is_over(self)) {
        return JRPC_PEER_ENDED;
    }
    if (!jrpc_websocket_send(&self->wire, binary, payload, offsets, count)) {
        return no_memory(error);
    }
    return flush(self, deadline_us, error);
}

static jrpc_peer_event websocket_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                                      jrpc_error *error)
{
    return send_fragments(peer, false, payload, NULL, 0, deadline_us, error);
}

// Whether the pongs that are owed came; what else comes meanwhile stays in line.
static jrpc_peer_event await_pong(websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    while (self->wire.pongs < self->pings && !is_over(self)) {
        jrpc_peer_event event = turn_in_time(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event websocket_send_as(jrpc_peer *peer, jrpc_slice payload,
                                         const jrpc_manner *manner, int64_t deadline_us,
                                         jrpc_error *error)
{
    websocket_peer *self = of(peer);
    if (manner->close && !is_over(self)) {
        return jrpc_websocket_close(&self->wire, CODE_NORMAL) ? flush(self, deadline_us, error)
                                                              : no_memory(error);
    }
    if (manner->ping && !is_over(self)) {
        self->pings++;
        if (!jrpc_websocket_ping(&self->wire)) {
            return no_memory(error);
        }
        jrpc_peer_event event = await_pong(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
    return send_fragments(peer, manner->binary, payload, NULL, 0, deadline_us, error);
}

static jrpc_peer_event websocket_send_raw(jrpc_peer *peer, jrpc_slice bytes, int64_t deadline_us,
                                          jrpc_error *error)
{
    websocket_peer *self = of(peer);
    if (is_over(self)) {
        return JRPC_PEER_ENDED;
    }
    return jrpc_buffer_append(&self->wire.out, bytes) ? flush(self, deadline_us, error)
                                                      : no_memory(error);
}

static jrpc_peer_event websocket_send_chunks(jrpc_peer *peer, jrpc_slice payload,
                                             const size_t *offsets, size_t count,
                                             int64_t deadline_us, jrpc_error *error)
{
    return send_fragments(peer, false, payload, offsets, count, deadline_us, error);
}

// Tells once why we closed, where the other side broke the protocol.
static bool tell_breach(websocket_peer *self, jrpc_received *ret_received)
{
    static const struct {
        int code;
        const char *why;
    } breaches[] = {
        {CODE_NO_TEXT, "a text message that is no UTF-8 (RFC 6455, section 8.1)"},
        {CODE_TOO_LONG, "a message longer than is taken"},
        {0, "a frame that breaks the protocol (RFC 6455, section 5)"},
    };
    if (!self->wire.broken || self->told) {
        return false;
    }
    self->told = true;
    size_t i = 0;
    while (breaches[i].code != 0 && breaches[i].code != self->wire.close_code) {
        i++;
    }
    *ret_received =
        (jrpc_received){.why = breaches[i].why, .at_us = jrpc_clock_now_us(self->endpoint.clock)};
    return true;
}

static jrpc_peer_event websocket_receive(jrpc_peer *peer, int64_t deadline_us,
                                         jrpc_received *ret_received, jrpc_error *error)
{
    websocket_peer *self = of(peer);
    for (;;) {
        jrpc_slice payload = {NULL, 0};
        switch (jrpc_websocket_next(&self->wire, &payload)) {
        case JRPC_WEBSOCKET_TEXT:
        case JRPC_WEBSOCKET_BINARY:
            *ret_received = (jrpc_received){.bytes = payload,
                                            .true_len = payload.len,
                                            .at_us = jrpc_clock_now_us(self->endpoint.clock)};
            return JRPC_PEER_MESSAGE;
        case JRPC_WEBSOCKET_PONG:
            continue;
        case JRPC_WEBSOCKET_CLOSE:
        case JRPC_WEBSOCKET_NONE:
            break;
        }
        if (is_over(self)) {
            (void)write_some(self); // our half of the closing handshake
            return tell_breach(self, ret_received) ? JRPC_PEER_NOISE : JRPC_PEER_ENDED;
        }
        jrpc_peer_event event = turn(self, deadline_us, error);
        if (event == JRPC_PEER_MESSAGE && jrpc_clock_now_us(self->endpoint.clock) > deadline_us &&
            jrpc_websocket_is_taken(&self->wire)) {
            event = JRPC_PEER_TIMEOUT; // it goes on writing what is not a message
        }
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
}

static void websocket_set_interrupt(jrpc_peer *peer, int interrupt_fd)
{
    of(peer)->endpoint.interrupt_fd = interrupt_fd;
}

static void websocket_close_write(jrpc_peer *peer)
{
    websocket_peer *self = of(peer);
    if (!is_over(self) && jrpc_websocket_close(&self->wire, CODE_NORMAL)) {
        (void)write_some(self);
    }
}

static jrpc_peer_ending websocket_end(jrpc_peer *peer, int64_t deadline_us)
{
    (void)deadline_us;
    const websocket_peer *self = of(peer);
    if (self->wire.closed) {
        return (jrpc_peer_ending){JRPC_END_WS_CLOSE, self->wire.close_code};
    }
    return (jrpc_peer_ending){self->reset   ? JRPC_END_RESET
                              : self->ended ? JRPC_END_CLOSED
                                            : JRPC_END_OPEN,
                              0};
}

static void websocket_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    (void)peer;
    (void)out;
}

static void websocket_close(jrpc_peer *peer, int64_t grace_ms)
{
    (void)grace_ms;
    websocket_peer *self = of(peer);
    if (self->handshaken) {
        websocket_close_write(peer);
    }
    curl_easy_cleanup(self->easy);
    jrpc_websocket_done(&self->wire);
    jrpc_buffer_done(&self->head);
    jrpc_deallocate(self->endpoint.allocator, self);
}

static const jrpc_peer_operations websocket_operations = {
    .send = websocket_send,
    .set_interrupt = websocket_set_interrupt,
    .send_as = websocket_send_as,
    .send_raw = websocket_send_raw,
    .send_chunks = websocket_send_chunks,
    .receive = websocket_receive,
    .close_write = websocket_close_write,
    .end = websocket_end,
    .stderr_tail = websocket_stderr_tail,
    .close = websocket_close,
};

// Appends the request of the handshake to what is to be written.
static bool put_request(websocket_peer *self, const char *url, const char *key, jrpc_error *error)
{
    CURLU *parts = curl_url();
    char *host = NULL;
    char *port = NULL;
    char *path = NULL;
    char *query = NULL;
    bool read = parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_PATH, &path, 0) == CURLUE_OK;
    (void)(read && curl_url_get(parts, CURLUPART_PORT, &port, 0) == CURLUE_OK);
    (void)(read && curl_url_get(parts, CURLUPART_QUERY, &query, 0) == CURLUE_OK);
    jrpc_buffer *out = &self->wire.out;
    read =
        read && jrpc_buffer_printf(out,
                                   "GET %s%s%s HTTP/1.1\r\nHost: %s%s%s\r\nUpgrade: websocket\r\n"
                                   "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
                                   "Sec-WebSocket-Version: 13\r\n",
                                   path, query == NULL ? "" : "?", query == NULL ? "" : query, host,
                                   port == NULL ? "" : ":", port == NULL ? "" : port, key);
    for (size_t i = 0; read && self->endpoint.headers != NULL && self->endpoint.headers[i] != NULL;
         i++) {
        read = jrpc_buffer_printf(out, "%s\r\n", self->endpoint.headers[i]);
    }
    read = read && jrpc_buffer_append_str(out, "\r\n");
    curl_free(host);
    curl_free(port);
    curl_free(path);
    curl_free(query);
    curl_url_cleanup(parts);
    return read || jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "cannot connect to %s: that is not a URL", self->endpoint.url);
}

static bool explain(const websocket_peer *self, jrpc_error_code code, const char *why,
                    jrpc_error *error)
{
    return jrpc_error_set(error, code, "cannot connect to %s: %s", self->endpoint.url, why);
}

static bool shake_hands(websocket_peer *self, const char *key, int64_t deadline_us,
                        jrpc_error *error)
{
    size_t head_len;
    while ((head_len = jrpc_head_length(jrpc_buffer_slice(&self->head))) == 0) {
        if (self->ended || self->head.failed) {
            return explain(self, JRPC_ERROR_CLOSED,
                           "the connection was closed in the handshake; is it WebSocket that is "
                           "spoken there?",
                           error);
        }
        switch (turn(self, deadline_us, error)) {
        case JRPC_PEER_MESSAGE:
            break;
        case JRPC_PEER_TIMEOUT:
            return explain(self, JRPC_ERROR_TIMEOUT,
                           "no answer to the handshake in time; is it WebSocket that is spoken "
                           "there?",
                           error);
        case JRPC_PEER_INTERRUPTED:
            return explain(self, JRPC_ERROR_INTERRUPTED, "interrupted", error);
        case JRPC_PEER_NOISE:
        case JRPC_PEER_SILENT:
        case JRPC_PEER_ENDED:
        case JRPC_PEER_FAULT:
            return explain(self, JRPC_ERROR_CLOSED, "it broke off the handshake", error);
        }
    }
    jrpc_slice received = jrpc_buffer_slice(&self->head);
    jrpc_slice head = jrpc_slice_of(received.ptr, head_len);
    if (!jrpc_websocket_check_answer(head, key, error)) {
        return jrpc_error_prefix(error, "cannot connect to %s", self->endpoint.url);
    }
    self->handshaken = true;
    return take(self, jrpc_slice_from(received, head_len)) ||
           explain(self, JRPC_ERROR_MEMORY, "no memory", error);
}

static bool connect_peer(websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    // libcurl of today's distributions knows no ws: the connection is made as for HTTP.
    char url[4096];
    const char *rest = strstr(self->endpoint.url, "://");
    int len =
        snprintf(url, sizeof url, "http%s%s", strncmp(self->endpoint.url, "wss", 3) == 0 ? "s" : "",
                 rest == NULL ? "" : rest);
    if (rest == NULL || len < 0 || (size_t)len >= sizeof url) {
        return explain(self, JRPC_ERROR_USAGE, "that is not a URL", error);
    }
    self->easy = jrpc_http_connect(&self->endpoint, url, deadline_us, error);
    if (self->easy == NULL) {
        return false;
    }
    if (curl_easy_getinfo(self->easy, CURLINFO_ACTIVESOCKET, &self->socket) != CURLE_OK) {
        return explain(self, JRPC_ERROR_CLOSED, "the connection is gone", error);
    }
    unsigned char random[16];
    for (size_t i = 0; i < sizeof random; i++) {
        random[i] = (unsigned char)(jrpc_random_next(&self->wire.random) >> 56);
    }
    char key[JRPC_WEBSOCKET_KEY_BYTES];
    jrpc_websocket_key(random, key);
    return put_request(self, url, key, error) && shake_hands(self, key, deadline_us, error);
}

jrpc_peer *jrpc_websocket_open(const jrpc_endpoint *endpoint, int64_t deadline_us,
                               jrpc_error *error)
{
    websocket_peer *self = jrpc_allocate(endpoint->allocator, sizeof *self);
    if (self == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    memset(self, 0, offsetof(websocket_peer, piece));
    self->peer.operations = &websocket_operations;
    self->endpoint = *endpoint;
    jrpc_buffer_init(&self->head, endpoint->allocator, JRPC_LIMIT_HEADER_BYTES * 4);
    size_t max_message =
        endpoint->max_message == 0 ? JRPC_LIMIT_MESSAGE_BYTES : endpoint->max_message;
    if (!jrpc_websocket_init(&self->wire, true, max_message, jrpc_random_seed(),
                             endpoint->allocator) ||
        !connect_peer(self, deadline_us, error)) {
        (void)no_memory(error);
        websocket_close(&self->peer, 0);
        return NULL;
    }
    return &self->peer;
}
