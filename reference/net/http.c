// Peers over HTTP: each message a POST, each answer a body or a stream of events.
#include "reference/net/http_private.h"

#include "reference/base/limits.h"
#include "reference/net/descriptor.h"
#include "reference/net/http_answer.h"
#include "reference/net/http_aside.h"
#include "reference/net/http_bytes.h"
#include "reference/net/http_lean.h"
#include "reference/net/http_outgoing.h"
#include "reference/net/http_socket.h"
#include "reference/net/peer_private.h"

#include <stdio.h>
#include <string.h>

// Between two looks at the clock while a transfer is under way.
enum { LONGEST_POLL_MS = 60000 };
// How long the connection may stay open and silent after an answer that does not show where it
// ends, before the answer is taken as it is: the first time, and from the second time on; the
// latter if the answer says that there is more.
enum { ENDLESS_MS = 1000, ENDLESS_AGAIN_MS = 100, UNENDED_AGAIN_MS = 250, US_PER_MS = 1000 };

typedef struct http_peer {
    jrpc_peer peer;
    jrpc_endpoint endpoint;
    CURLM *multi;
    CURL *easy;
    char failure[CURL_ERROR_SIZE];
    struct curl_slist *headers; // of the exchange under way
    jrpc_http_outgoing *first;  // the one under way, if `running`
    bool running;
    jrpc_http_answer answer;
    bool endless; // an answer did not show where it ends
    bool told;    // the caller knows that the exchange is over; a stream may bring more
    jrpc_http_aside aside;
    jrpc_http_socket socket;
    jrpc_http_lean lean;
    bool plain; // the last answer shows where it ends, and is not a stream
    jrpc_end_kind end;
} http_peer;

static http_peer *of(jrpc_peer *peer)
{
    return (http_peer *)peer; // `peer` is the first member
}

static size_t on_header(char *line, size_t size, size_t count, void *context)
{
    http_peer *self = context;
    jrpc_http_answer_header(&self->answer, jrpc_slice_of(line, size * count));
    self->answer.last_us = jrpc_clock_now_us(self->endpoint.clock);
    return size * count;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
    http_peer *self = context;
    bool goes_on = jrpc_http_answer_body(&self->answer, jrpc_slice_of(bytes, size * count),
                                         jrpc_clock_now_us(self->endpoint.clock));
    return goes_on ? size * count : 0;
}

// Begins the exchange of the first waiting message.
static bool start(http_peer *self, jrpc_error *error)
{
    jrpc_http_lean_close(&self->lean); // a server may serve only one connection at a time
    jrpc_http_answer_clear(&self->answer);
    self->failure[0] = '\0';
    self->told = false;
    jrpc_http_socket_check(&self->socket, self->endpoint.clock);
    if (self->aside.listening && !self->aside.open &&
        jrpc_http_answer_is_taken(&self->aside.events) &&
        !jrpc_http_aside_listen(&self->aside, error)) {
        return false;
    }
    if (!jrpc_http_outgoing_set(self->first, self->easy, &self->endpoint, &self->headers, error)) {
        return false;
    }
    if (curl_multi_add_handle(self->multi, self->easy) != CURLM_OK) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a request");
    }
    self->running = true;
    return true;
}

static void forget_first(http_peer *self)
{
    jrpc_http_outgoing_drop(&self->first, self->endpoint.allocator);
}

// Whether a request met a kept connection that the server had closed meanwhile, as it may: such a
// request is sent again (RFC 9112, section 9.3.1). The library does that by itself, but only five
// times in the life of a handle before it fails once (before curl 8.17).
static bool met_a_closed_connection(const http_peer *self, CURLcode code, bool reused)
{
    return reused && self->answer.status == 0 && !self->first->again &&
           (code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR);
}

// What the end of an exchange means for the peer.
static void conclude(http_peer *self, CURLcode code)
{
    long fresh = 1;
    (void)curl_easy_getinfo(self->easy, CURLINFO_NUM_CONNECTS, &fresh);
    self->answer.reused = fresh == 0;
    int64_t now = jrpc_clock_now_us(self->endpoint.clock);
    (void)curl_multi_remove_handle(self->multi, self->easy);
    self->running = false;
    if (met_a_closed_connection(self, code, fresh == 0)) {
        self->first->again = true;
        return;
    }
    forget_first(self);
    self->plain = code == CURLE_OK && jrpc_http_answer_is_sized(&self->answer);
    bool over = code == CURLE_OK && jrpc_http_answer_is_cut(&self->answer) &&
                jrpc_http_socket_has_more(&self->socket, self->endpoint.clock);
    jrpc_http_answer_check_end(&self->answer, code != CURLE_OK, over);
    if (code == CURLE_OK || self->answer.cut || self->answer.flaw != NULL) {
        jrpc_http_answer_end(&self->answer, now, NULL);
    } else if (self->answer.status != 0) {
        // It answered, and broke off: the answer is evidence, and the server may well live.
        jrpc_http_answer_end(&self->answer, now,
                             self->failure[0] != '\0' ? self->failure : curl_easy_strerror(code));
    } else {
        bool reset = code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR;
        self->end = reset ? JRPC_END_RESET : JRPC_END_CLOSED;
    }
}

static jrpc_peer_event fault(CURLMcode code, jrpc_error *error)
{
    (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot speak HTTP: %s",
                         curl_multi_strerror(code));
    return JRPC_PEER_FAULT;
}

// Whether a GET was answered by a stream of events, which never ends: its head is the answer.
static bool opens_a_stream(const http_peer *self)
{
    const char *method = self->first->manner.http_method;
    return method != NULL && strcmp(method, "GET") == 0 && self->first->manner.url == NULL &&
           self->answer.headed && self->answer.events;
}

// Lets the transfer go on as far as it can now. MESSAGE, or FAULT.
static jrpc_peer_event go_on(http_peer *self, jrpc_error *error)
{
    int running = 0;
    CURLMcode failure = curl_multi_perform(self->multi, &running);
    if (failure != CURLM_OK) {
        return fault(failure, error);
    }
    int left = 0;
    const CURLMsg *message;
    while ((message = curl_multi_info_read(self->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE &&
            !jrpc_http_aside_conclude(&self->aside, message->easy_handle)) {
            conclude(self, message->data.result);
        }
    }
    if (self->answer.failed || self->aside.events.failed) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for received messages");
        return JRPC_PEER_FAULT;
    }
    bool again = !self->running && self->first != NULL && self->first->again;
    if (again && !start(self, error)) {
        return JRPC_PEER_FAULT;
    }
    if (self->running && opens_a_stream(self)) {
        conclude(self, CURLE_OK);
    }
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event wait_for_more(http_peer *self, int64_t deadline_us, jrpc_error *error)
{
    int wait_ms = jrpc_deadline_poll_ms(self->endpoint.clock, deadline_us);
    if (wait_ms == 0) {
        return JRPC_PEER_TIMEOUT;
    }
    jrpc_http_socket_hurry(&self->socket);
    struct curl_waitfd interrupt = {.fd = self->endpoint.interrupt_fd, .events = CURL_WAIT_POLLIN};
    CURLMcode failure =
        curl_multi_poll(self->multi, &interrupt, self->endpoint.interrupt_fd >= 0 ? 1 : 0,
                        wait_ms < 0 || wait_ms > LONGEST_POLL_MS ? LONGEST_POLL_MS : wait_ms, NULL);
    if (failure != CURLM_OK) {
        return fault(failure, error);
    }
    return interrupt.revents != 0 ? JRPC_PEER_INTERRUPTED : JRPC_PEER_MESSAGE;
}

// Lets the transfer go on until the request is on its way: a message that was sent shall have left
// also where nobody listens for its answer. How far it got by the deadline, receiving tells.
static jrpc_peer_event write_out(http_peer *self, int64_t deadline_us, jrpc_error *error)
{
    for (;;) {
        jrpc_peer_event event = go_on(self, error);
        long written = 0;
        (void)curl_easy_getinfo(self->easy, CURLINFO_REQUEST_SIZE, &written);
        if (event != JRPC_PEER_MESSAGE || !self->running || written > 0) {
            return event;
        }
        event = wait_for_more(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
        }
    }
}

// A server may serve only one connection at a time.
static void close_idle(http_peer *self)
{
    jrpc_http_lean_close(&self->lean);
    jrpc_http_aside_renew(&self->aside, &self->multi);
}

// Whether a message can go out over the lean connection.
static bool is_lean(const http_peer *self, const jrpc_manner *manner)
{
    return self->plain && !self->running && self->first == NULL && !self->lean.busy &&
           !self->aside.listening && jrpc_http_answer_is_taken(&self->answer) &&
           jrpc_http_lean_suits(&self->lean, manner);
}

static jrpc_peer_event http_send_as(jrpc_peer *peer, jrpc_slice payload, const jrpc_manner *manner,
                                    int64_t deadline_us, jrpc_error *error)
{
    http_peer *self = of(peer);
    if (self->end != JRPC_END_OPEN) {
        return JRPC_PEER_ENDED;
    }
    if (is_lean(self, manner)) {
        self->told = false;
        if (self->lean.descriptor < 0) {
            close_idle(self);
        }
        return jrpc_http_lean_send(&self->lean, payload, manner, deadline_us, error);
    }
    if (manner->aside && self->running && jrpc_http_aside_post(&self->aside, payload)) {
        return go_on(self, error);
    }
    if (manner->bytes != JRPC_BYTES_USUAL && !self->running && self->endpoint.proxy == NULL) {
        self->told = false;
        close_idle(self);
        return jrpc_http_bytes_exchange(&self->endpoint, payload, manner, &self->answer,
                                        deadline_us, error);
    }
    if (!jrpc_http_outgoing_add(&self->first, payload, manner, self->endpoint.allocator, error)) {
        return JRPC_PEER_FAULT;
    }
    // What has not been received yet is kept from being overwritten by the next answer.
    if (self->running || self->lean.busy || !jrpc_http_answer_is_taken(&self->answer)) {
        return JRPC_PEER_MESSAGE;
    }
    return start(self, error) ? write_out(self, deadline_us, error) : JRPC_PEER_FAULT;
}

static jrpc_peer_event http_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                                 jrpc_error *error)
{
    static const jrpc_manner as_usual = {.chunked = false};
    return http_send_as(peer, payload, &as_usual, deadline_us, error);
}

static jrpc_peer_event http_send_chunks(jrpc_peer *peer, jrpc_slice payload, const size_t *offsets,
                                        size_t count, int64_t deadline_us, jrpc_error *error)
{
    (void)offsets; // how a body is split over segments is the library's business
    (void)count;
    return http_send(peer, payload, deadline_us, error);
}

// When an answer that does not show its end is taken as it is, or the deadline if that is earlier
// or if there is no such answer.
static int64_t give_up_at(const http_peer *self, int64_t deadline_us)
{
    int64_t again_ms = self->answer.sized ? UNENDED_AGAIN_MS : ENDLESS_AGAIN_MS;
    int64_t quiet_ms = self->endless ? again_ms : ENDLESS_MS;
    int64_t until_us = self->answer.last_us + quiet_ms * US_PER_MS;
    bool endless = self->running && jrpc_http_answer_is_endless(&self->answer) != NULL;
    return endless && until_us < deadline_us ? until_us : deadline_us;
}

// Waits until `until_us` at most. An answer that has not ended by then is taken as complete, and
// its connection is closed.
static jrpc_peer_event wait_for_end(http_peer *self, int64_t deadline_us, jrpc_error *error)
{
    int64_t until_us = give_up_at(self, deadline_us);
    jrpc_peer_event event = wait_for_more(self, until_us, error);
    if (event == JRPC_PEER_TIMEOUT && until_us < deadline_us) {
        self->endless = true;
        self->answer.flaw = jrpc_http_answer_is_endless(&self->answer);
        self->answer.flaw_of = JRPC_FLAW_LENGTH;
        conclude(self, CURLE_OK);
        event = JRPC_PEER_MESSAGE;
    }
    return event;
}

static jrpc_peer_event http_receive(jrpc_peer *peer, int64_t deadline_us,
                                    jrpc_received *ret_received, jrpc_error *error)
{
    http_peer *self = of(peer);
    for (;;) {
        // What a server sends of its own goes before the answer that it sends then.
        if (jrpc_http_answer_take(&self->aside.events, ret_received) ||
            jrpc_http_answer_take(&self->answer, ret_received)) {
            return ret_received->why == NULL ? JRPC_PEER_MESSAGE : JRPC_PEER_NOISE;
        }
        if (self->end != JRPC_END_OPEN) {
            return JRPC_PEER_ENDED;
        }
        if (self->lean.busy) {
            jrpc_peer_event event =
                jrpc_http_lean_receive(&self->lean, &self->answer, deadline_us, error);
            self->end = event == JRPC_PEER_ENDED ? JRPC_END_CLOSED : self->end;
            self->plain = self->plain && event != JRPC_PEER_TIMEOUT;
            if (event != JRPC_PEER_MESSAGE) {
                return event;
            }
            continue;
        }
        if (!self->running && self->first == NULL && !(self->aside.listening && self->told)) {
            self->told = true;
            jrpc_http_answer_describe(&self->answer, ret_received);
            if (self->answer.items.len > 0) {
                ret_received->flaw = NULL; // already reported with a message
            }
            return JRPC_PEER_SILENT;
        }
        if (!self->running && self->first != NULL && !start(self, error)) {
            return JRPC_PEER_FAULT;
        }
        jrpc_peer_event event = go_on(self, error);
        bool waits = self->running || (self->aside.listening && self->told);
        if (event == JRPC_PEER_MESSAGE && waits && jrpc_http_answer_is_taken(&self->answer) &&
            jrpc_http_answer_is_taken(&self->aside.events)) {
            event = wait_for_end(self, deadline_us, error);
        }
        if (event == JRPC_PEER_TIMEOUT && self->running && self->answer.headed) {
            jrpc_http_answer_describe(&self->answer, ret_received);
            ret_received->true_len = self->answer.body.len;
        }
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
}

static void http_set_headers(jrpc_peer *peer, const char *const *headers)
{
    of(peer)->endpoint.headers = headers;
    jrpc_http_lean_set_headers(&of(peer)->lean);
}

// How long a server may take to say whether it offers a stream before it is taken to do so.
enum { LISTEN_MS = 2000 };

static jrpc_peer_event http_listen(jrpc_peer *peer, int64_t deadline_us, jrpc_error *error)
{
    http_peer *self = of(peer);
    int64_t soon = jrpc_deadline_in_ms(self->endpoint.clock, LISTEN_MS);
    deadline_us = soon < deadline_us ? soon : deadline_us;
    if (!jrpc_http_aside_listen(&self->aside, error)) {
        return JRPC_PEER_FAULT;
    }
    for (;;) {
        jrpc_peer_event event = go_on(self, error);
        bool settled = false;
        if (event != JRPC_PEER_MESSAGE ||
            !jrpc_http_aside_is_settled(&self->aside, &settled, error)) {
            return JRPC_PEER_FAULT;
        }
        if (settled) {
            return JRPC_PEER_MESSAGE;
        }
        event = wait_for_more(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
        }
    }
}

static void http_set_interrupt(jrpc_peer *peer, int interrupt_fd)
{
    of(peer)->endpoint.interrupt_fd = interrupt_fd;
}

// Every request says where it ends, so what can be closed is the connection: a client that leaves.
static void http_close_write(jrpc_peer *peer)
{
    http_peer *self = of(peer);
    if (self->running) {
        (void)curl_multi_remove_handle(self->multi, self->easy);
        self->running = false;
    }
    while (self->first != NULL) {
        forget_first(self);
    }
    jrpc_http_answer_clear(&self->answer);
    close_idle(self);
}

static void http_close_hard(jrpc_peer *peer)
{
    jrpc_descriptor_reset_when_closed(of(peer)->socket.descriptor);
    jrpc_descriptor_reset_when_closed(of(peer)->lean.descriptor);
}

static jrpc_peer_ending http_end(jrpc_peer *peer, int64_t deadline_us)
{
    (void)deadline_us;
    return (jrpc_peer_ending){of(peer)->end, 0};
}

static void http_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    (void)peer;
    (void)out;
}

static void http_close(jrpc_peer *peer, int64_t grace_ms)
{
    (void)grace_ms;
    http_peer *self = of(peer);
    if (self->running) {
        (void)curl_multi_remove_handle(self->multi, self->easy);
    }
    jrpc_http_aside_done(&self->aside);
    curl_easy_cleanup(self->easy);
    if (self->multi != NULL) {
        (void)curl_multi_cleanup(self->multi);
    }
    curl_slist_free_all(self->headers);
    while (self->first != NULL) {
        forget_first(self);
    }
    jrpc_http_answer_done(&self->answer);
    jrpc_http_lean_done(&self->lean);
    jrpc_deallocate(self->endpoint.allocator, self);
}

static const jrpc_peer_operations http_operations = {
    .send = http_send,
    .set_interrupt = http_set_interrupt,
    .send_as = http_send_as,
    .set_headers = http_set_headers,
    .listen = http_listen,
    .send_raw = http_send,
    .send_chunks = http_send_chunks,
    .receive = http_receive,
    .close_write = http_close_write,
    .close_hard = http_close_hard,
    .end = http_end,
    .stderr_tail = http_stderr_tail,
    .close = http_close,
};

static bool set_callbacks(http_peer *self)
{
    CURL *easy = self->easy;
    return curl_easy_setopt(easy, CURLOPT_READFUNCTION, jrpc_http_outgoing_chunk) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, jrpc_http_outgoing_rewind) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERDATA, self) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEDATA, self) == CURLE_OK;
}

jrpc_peer *jrpc_http_open(const jrpc_endpoint *endpoint, int64_t deadline_us, jrpc_error *error)
{
    // That nobody listens, or TLS fails, is told now and not by the first message.
    CURL *probe = jrpc_http_connect(endpoint, endpoint->url, deadline_us, error);
    if (probe == NULL) {
        return NULL;
    }
    curl_easy_cleanup(probe);
    http_peer *self = jrpc_allocate(endpoint->allocator, sizeof *self);
    if (self == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a connection");
        return NULL;
    }
    *self = (http_peer){
        .peer.operations = &http_operations, .endpoint = *endpoint, .end = JRPC_END_OPEN};
    size_t max_message =
        endpoint->max_message == 0 ? JRPC_LIMIT_MESSAGE_BYTES : endpoint->max_message;
    jrpc_http_answer_init(&self->answer, max_message, endpoint->allocator);
    jrpc_http_lean_init(&self->lean, &self->endpoint);
    self->easy = jrpc_http_handle(&self->endpoint, endpoint->url, self->failure, error);
    self->multi = curl_multi_init();
    jrpc_http_aside_init(&self->aside, &self->endpoint, self->multi, max_message);
    if (self->easy == NULL || self->multi == NULL || !set_callbacks(self) ||
        !jrpc_http_socket_watch(&self->socket, self->easy, self->endpoint.url)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a connection");
        http_close(&self->peer, 0);
        return NULL;
    }
    return &self->peer;
}
