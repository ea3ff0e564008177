#include "reference/net/http_bytes.h"

#include "reference/base/limits.h"
#include "reference/net/descriptor.h"
#include "reference/net/http_head.h"
#include "reference/net/http_ways.h"
#include "reference/wire/http_body.h"
#include "reference/wire/websocket_handshake.h"

#include <string.h>

enum {
    READ_BYTES = 16 << 10,
    // How long a server is given to say "100 Continue" before the body is sent all the same.
    CONTINUE_MS = 1000,
    // … and to close the connection after its answer.
    CLOSE_MS = 2000,
    // … and to refuse a request that it has to refuse by its head alone.
    REFUSE_MS = 2000,
    // How long the server may wait for the rest of a body: networks are as slow.
    PIECE_MS = 250,
    // How long one request is repeated over a connection.
    MANY_MS = 1000,
};

typedef struct exchange {
    const jrpc_endpoint *endpoint;
    const jrpc_manner *manner;
    const jrpc_http_way *way;
    const jrpc_http_way *now; // of the request that is being written
    jrpc_http_answer *answer;
    int64_t deadline_us;
    CURL *easy;
    curl_socket_t socket;
    jrpc_buffer out, in;
    jrpc_buffer interim; // heads of the answers that came before the final one
    jrpc_buffer content;
    bool ended;     // the other side has closed
    bool announced; // … as its last answer announced
} exchange;

static jrpc_peer_event no_memory(jrpc_error *error)
{
    (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a request");
    return JRPC_PEER_FAULT;
}

// Changes the white space between the colons of header fields and their values. `from`: where the
// head begins in the output.
static bool pad_values(exchange *self, size_t from)
{
    jrpc_buffer *out = &self->out;
    jrpc_slice head = jrpc_slice_from(jrpc_buffer_slice(out), from);
    jrpc_buffer padded;
    jrpc_buffer_init(&padded, self->endpoint->allocator, JRPC_LIMIT_INBOX_BYTES);
    bool in_name = false;
    for (size_t i = 0; i < head.len; i++) {
        bool colon = in_name && head.ptr[i] == ':' && i + 1 < head.len && head.ptr[i + 1] == ' ';
        (void)jrpc_buffer_append_char(&padded, head.ptr[i]);
        (void)(colon && jrpc_buffer_append_str(&padded, self->now->padding));
        i += colon ? 1 : 0;
        in_name = (in_name && !colon) || head.ptr[i] == '\n';
    }
    out->len = from;
    bool put = !padded.failed && jrpc_buffer_append(out, jrpc_buffer_slice(&padded));
    jrpc_buffer_done(&padded);
    return put;
}

// One request with its body, up to its head where the body has to wait.
static bool put_head(exchange *self, jrpc_slice body, jrpc_error *error)
{
    static const char *const defaults[] = {"Content-Type: application/json",
                                           "Accept: application/json",
                                           "User-Agent: jrpcheck/" JRPCHECK_VERSION, NULL};
    struct curl_slist *headers =
        jrpc_http_headers(self->endpoint, self->manner->headers, defaults, error);
    size_t from = self->out.len;
    bool put =
        (self->now->before == NULL || jrpc_buffer_append_str(&self->out, self->now->before)) &&
        headers != NULL &&
        jrpc_http_mirror(self->endpoint, body, self->manner->headers, &headers, error) &&
        jrpc_http_put_opening(&self->out, &self->now->opening, self->endpoint->url, error);
    for (const struct curl_slist *line = headers; put && line != NULL; line = line->next) {
        put = jrpc_buffer_printf(&self->out, "%s\r\n", line->data);
    }
    curl_slist_free_all(headers);
    if (put && self->now->line != NULL) {
        put = jrpc_buffer_printf(&self->out, "%s\r\n", self->now->line);
    }
    if (put && self->now->chunks != NULL) {
        put = jrpc_buffer_append_str(&self->out, "Transfer-Encoding: chunked\r\n");
    } else if (put && !self->now->bodyless) {
        put = jrpc_buffer_printf(&self->out, "Content-Length: %zu\r\n", body.len);
    }
    if (put && self->now->announces_less) {
        put = jrpc_buffer_printf(&self->out, "Content-Length: %zu\r\n",
                                 body.len - (body.len > 0 ? 1 : 0));
    }
    put = put && (self->now->padding == NULL || pad_values(self, from));
    return put && jrpc_buffer_append_str(&self->out, "\r\n");
}

static bool put_body(exchange *self, jrpc_slice body)
{
    const jrpc_http_chunking *chunks = self->now->chunks;
    if (self->now->bodyless) {
        return true;
    }
    if (chunks == NULL) {
        return jrpc_buffer_append(&self->out, body);
    }
    return jrpc_http_put_chunks(&self->out, chunks, body);
}

// Writes what waits, and reads what is there; waits for either until then. MESSAGE when something
// moved or the other side closed.
static jrpc_peer_event turn(exchange *self, int64_t until_us, jrpc_error *error)
{
    char bytes[READ_BYTES];
    size_t count = 0;
    bool moved = false;
    while (self->out.len > 0 &&
           curl_easy_send(self->easy, self->out.ptr, self->out.len, &count) == CURLE_OK) {
        jrpc_buffer_consume(&self->out, count);
        moved = true;
    }
    CURLcode code = curl_easy_recv(self->easy, bytes, sizeof bytes, &count);
    self->ended = code != CURLE_AGAIN && (code != CURLE_OK || count == 0);
    if (code == CURLE_OK && !jrpc_buffer_append(&self->in, jrpc_slice_of(bytes, count))) {
        return no_memory(error);
    }
    if (moved || code != CURLE_AGAIN) {
        return JRPC_PEER_MESSAGE;
    }
    struct pollfd entries[2] = {
        {.fd = self->socket, .events = (short)(POLLIN | (self->out.len > 0 ? POLLOUT : 0))},
        {.fd = self->endpoint->interrupt_fd, .events = POLLIN}};
    int ready = jrpc_descriptor_poll(entries, 2, self->endpoint->clock, until_us);
    if (ready < 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot wait for an answer over HTTP");
        return JRPC_PEER_FAULT;
    }
    return entries[1].revents != 0 ? JRPC_PEER_INTERRUPTED
           : ready == 0            ? JRPC_PEER_TIMEOUT
                                   : JRPC_PEER_MESSAGE;
}

// Takes a final answer out of what came, with the interim ones before it. DONE, MORE, or BAD when
// no more can be read from the connection.
static jrpc_decoded take_answer(exchange *self)
{
    for (;;) {
        jrpc_slice bytes = jrpc_buffer_slice(&self->in);
        size_t len = jrpc_http_head_length(bytes);
        if (len == 0) {
            return self->ended ? JRPC_DECODED_BAD : JRPC_DECODED_MORE;
        }
        jrpc_slice head = jrpc_slice_of(bytes.ptr, len);
        int status = jrpc_http_head_status(head);
        jrpc_http_body body = {.used = 0};
        jrpc_buffer_clear(&self->content);
        if (jrpc_http_has_body(status) && !self->way->bodyless) {
            jrpc_decoded read = jrpc_http_body_read(head, jrpc_slice_from(bytes, len), true,
                                                    self->ended, &self->content, &body);
            if (read != JRPC_DECODED_DONE) {
                return read;
            }
        }
        (void)jrpc_buffer_append(&self->interim, head);
        if (status >= JRPC_HTTP_FINAL) {
            if (self->way->times > 0) {
                jrpc_http_answer_clear(self->answer); // the last one counts
            }
            self->announced = jrpc_http_head_announces_close(head);
            jrpc_http_answer_add(self->answer, jrpc_buffer_slice(&self->interim),
                                 jrpc_buffer_slice(&self->content),
                                 jrpc_clock_now_us(self->endpoint->clock));
            jrpc_buffer_clear(&self->interim);
        }
        jrpc_buffer_consume(&self->in, len + body.used);
        if (status >= JRPC_HTTP_FINAL) {
            return JRPC_DECODED_DONE;
        }
    }
}

// Waits for "100 Continue", or for what comes in its place.
static jrpc_peer_event await_continue(exchange *self, jrpc_error *error)
{
    int64_t until_us = jrpc_deadline_in_ms(self->endpoint->clock, CONTINUE_MS);
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    while (event == JRPC_PEER_MESSAGE && !self->ended &&
           jrpc_http_head_length(jrpc_buffer_slice(&self->in)) == 0) {
        event = turn(self, until_us, error);
    }
    self->answer->early = event == JRPC_PEER_MESSAGE && self->in.len > 0;
    return event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
}

// Takes the first request from a payload: the first line if each is one, else all of it.
static jrpc_slice take_request(const exchange *self, jrpc_slice *payload)
{
    const char *end = self->way->by_line ? memchr(payload->ptr, '\n', payload->len) : NULL;
    size_t len = end != NULL ? (size_t)(end - payload->ptr) : payload->len;
    jrpc_slice request = jrpc_slice_of(payload->ptr, len);
    *payload = jrpc_slice_from(*payload, end != NULL ? len + 1 : len);
    return request;
}

// Sends the first part of a body, then gives the server time to mistake it for the whole body.
static jrpc_peer_event send_piece(exchange *self, jrpc_slice *body, jrpc_error *error)
{
    int64_t until_us = jrpc_deadline_in_ms(self->endpoint->clock, PIECE_MS);
    jrpc_slice piece = jrpc_slice_of(body->ptr, body->len / 2);
    *body = jrpc_slice_from(*body, piece.len);
    if (!jrpc_buffer_append(&self->out, piece)) {
        return no_memory(error);
    }
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    while (event == JRPC_PEER_MESSAGE && !self->ended && self->in.len == 0) {
        event = turn(self, until_us, error);
    }
    return event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
}

static jrpc_peer_event send_request(exchange *self, jrpc_slice body, jrpc_error *error)
{
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    if (!put_head(self, body, error)) {
        return error->code == JRPC_OK ? no_memory(error) : JRPC_PEER_FAULT;
    }
    if (self->manner->bytes == JRPC_BYTES_EXPECT) {
        event = await_continue(self, error);
    } else if (self->now->pieces) {
        event = send_piece(self, &body, error);
    }
    return event == JRPC_PEER_MESSAGE && !put_body(self, body) ? no_memory(error) : event;
}

// Sends the requests of a payload that need not wait for one another.
static jrpc_peer_event send_all(exchange *self, jrpc_slice payload, jrpc_error *error)
{
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    while (payload.len > 0 && event == JRPC_PEER_MESSAGE) {
        event = send_request(self, take_request(self, &payload), error);
        payload.len = self->way->then != NULL ? 0 : payload.len;
    }
    return event;
}

// After an answer: sends the request once more, unless the time for that is over or the server
// closes the connection. *ret_over: it is not sent.
static jrpc_peer_event send_again(exchange *self, jrpc_slice payload, int64_t until_us,
                                  bool *ret_over, jrpc_error *error)
{
    int64_t now_us = jrpc_clock_now_us(self->endpoint->clock);
    jrpc_peer_event event = turn(self, now_us, error); // has it closed?
    event = event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
    *ret_over = self->announced || self->ended || now_us > until_us;
    if (self->ended && !self->announced) {
        self->answer->left = "after an answer that did not say so";
    }
    return event == JRPC_PEER_MESSAGE && !*ret_over ? send_request(self, payload, error) : event;
}

// Sends the same request over and over.
static jrpc_peer_event repeat(exchange *self, jrpc_slice payload, jrpc_error *error)
{
    int64_t until_us = jrpc_deadline_in_ms(self->endpoint->clock, MANY_MS);
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    bool over = false;
    for (int sent = 1; event == JRPC_PEER_MESSAGE && sent < self->way->times && !over; sent++) {
        event = send_again(self, payload, until_us, &over, error);
        jrpc_decoded taken = over ? JRPC_DECODED_DONE : JRPC_DECODED_MORE;
        while (event == JRPC_PEER_MESSAGE && taken == JRPC_DECODED_MORE) {
            event = turn(self, self->deadline_us, error);
            taken = take_answer(self);
        }
        if (taken != JRPC_DECODED_DONE) {
            self->answer->left = "without an answer to a request";
            over = true;
        }
    }
    return event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
}

// After the last answer: reads on until the server closes, or has had its time to.
static jrpc_peer_event read_to_end(exchange *self, jrpc_error *error)
{
    int64_t until_us = jrpc_deadline_in_ms(self->endpoint->clock, CLOSE_MS);
    until_us = until_us < self->deadline_us ? until_us : self->deadline_us;
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    while (event == JRPC_PEER_MESSAGE && !self->ended &&
           jrpc_clock_now_us(self->endpoint->clock) < until_us) {
        event = turn(self, until_us, error);
    }
    self->answer->closed = self->ended;
    self->answer->surplus = self->in.len > 0;
    return event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
}

// Sends over one connection; *payload is what is left unanswered when it is over.
static jrpc_peer_event exchange_once(exchange *self, jrpc_slice *payload, jrpc_error *error)
{
    const jrpc_slice whole = *payload;
    self->now = self->way;
    jrpc_peer_event event = send_all(self, whole, error);
    while (event == JRPC_PEER_MESSAGE && payload->len > 0) {
        switch (take_answer(self)) {
        case JRPC_DECODED_DONE:
            (void)take_request(self, payload);
            if (self->announced && payload->len > 0) {
                return JRPC_PEER_ENDED; // no more requests on this connection (section 9.6)
            }
            if (self->way->then != NULL && payload->len > 0) {
                self->now = self->way->then;
                event = send_all(self, *payload, error);
            }
            break;
        case JRPC_DECODED_BAD:
            return JRPC_PEER_ENDED;
        case JRPC_DECODED_MORE:
            event = turn(self, self->deadline_us, error);
            break;
        }
    }
    if (event == JRPC_PEER_MESSAGE && self->way->times > 0) {
        event = repeat(self, whole, error);
    }
    return event == JRPC_PEER_MESSAGE && self->way->until_end ? read_to_end(self, error) : event;
}

static bool connect_anew(exchange *self, jrpc_error *error)
{
    curl_easy_cleanup(self->easy);
    jrpc_buffer_clear(&self->in);
    jrpc_buffer_clear(&self->out);
    jrpc_buffer_clear(&self->interim);
    self->ended = false;
    self->announced = false;
    self->easy = jrpc_http_connect(self->endpoint, self->endpoint->url, self->deadline_us, error);
    return self->easy != NULL &&
           curl_easy_getinfo(self->easy, CURLINFO_ACTIVESOCKET, &self->socket) == CURLE_OK;
}

jrpc_peer_event jrpc_http_bytes_exchange(const jrpc_endpoint *endpoint, jrpc_slice payload,
                                         const jrpc_manner *manner, jrpc_http_answer *answer,
                                         int64_t deadline_us, jrpc_error *error)
{
    exchange self = {.endpoint = endpoint,
                     .manner = manner,
                     .way = jrpc_http_way_of(manner->bytes),
                     .answer = answer,
                     .deadline_us = deadline_us};
    jrpc_buffer *const buffers[] = {&self.out, &self.in, &self.interim, &self.content};
    int64_t soon_us = jrpc_deadline_in_ms(endpoint->clock, REFUSE_MS);
    if (self.way->refusable && soon_us < deadline_us) {
        self.deadline_us = soon_us;
    }
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        jrpc_buffer_init(buffers[i], endpoint->allocator, JRPC_LIMIT_INBOX_BYTES);
    }
    jrpc_http_answer_clear(answer);
    jrpc_peer_event event = JRPC_PEER_ENDED;
    size_t left = payload.len + 1;
    // As long as each connection brings at least one answer.
    while (event == JRPC_PEER_ENDED && payload.len > 0 && payload.len < left) {
        left = payload.len;
        if (connect_anew(&self, error)) {
            event = exchange_once(&self, &payload, error);
        }
    }
    curl_easy_cleanup(self.easy);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        jrpc_buffer_done(buffers[i]);
    }
    // What was not answered shows by that.
    return event == JRPC_PEER_ENDED || event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
}
