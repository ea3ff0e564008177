// A small HTTP/1.1 server of its own, as many are written by hand: whole requests in, whole answers
// out. Its faults lie in bytes that a library would handle.
#include "reference/base/limits.h"
#include "reference/server/fault.h"
#include "reference/server/http.h"
#include "reference/server/http_reply_bytes.h"
#include "reference/wire/http_body.h"
#include "reference/wire/websocket_handshake.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10, WORD_BYTES = 1024, CUT_BYTES = 64 << 10 };
enum { STATUS_NO_CONTENT = 204, STATUS_BAD = 400, STATUS_NOT_FOUND = 404 };

typedef struct session {
    jrpc_server *server;
    jrpc_http_handlers handlers;
    void *state;
    int socket;
    jrpc_http_bytes_fault fault;
    bool continued; // the request at hand was told to go on
    bool chunks;    // its answer comes in chunks
    bool bodyless;  // its answer has no body
    bool old;       // it is one of HTTP/1.0
    bool over;
    bool chunked;      // an earlier request had a chunked body
    unsigned answered; // requests on this connection
    jrpc_buffer in, out;
    jrpc_buffer content; // of the body of the request at hand
    jrpc_buffer reply;   // … and what answers it
} session;

static jrpc_http_bytes_fault fault_of(const jrpc_server *server)
{
    jrpc_http_bytes_fault found = JRPC_HTTP_BYTES_RIGHT;
    for (size_t i = 0; i < server->fault_count; i++) {
        bool has = server->faults[i]->http_bytes != JRPC_HTTP_BYTES_RIGHT;
        found = has ? server->faults[i]->http_bytes : found;
    }
    return found;
}

bool jrpc_server_is_http_by_hand(const jrpc_server *server)
{
    return fault_of(server) != JRPC_HTTP_BYTES_RIGHT;
}

// The word that begins at `from` as a string; "" if it is too long.
static void take_word(jrpc_slice from, char into[WORD_BYTES])
{
    const char *end = memchr(from.ptr, ' ', from.len);
    size_t len = end == NULL ? 0 : (size_t)(end - from.ptr);
    len = len < WORD_BYTES ? len : 0;
    memcpy(into, from.ptr, len);
    into[len] = '\0';
}

static const char *take_header(jrpc_slice head, const char *name, char into[WORD_BYTES])
{
    jrpc_slice value = jrpc_head_value(head, name);
    size_t len = value.len < WORD_BYTES ? value.len : WORD_BYTES - 1;
    if (value.ptr == NULL) {
        return NULL;
    }
    memcpy(into, value.ptr, len);
    into[len] = '\0';
    return into;
}

// How many header fields of a name the head has; *ret_differ says whether their values do.
static unsigned count_fields(jrpc_slice head, const char *name, bool *ret_differ)
{
    unsigned count = 0;
    jrpc_slice first = jrpc_head_value(head, name);
    *ret_differ = false;
    for (jrpc_slice value = first; value.ptr != NULL; value = jrpc_head_value(head, name)) {
        count++;
        *ret_differ = *ret_differ || !jrpc_slice_equal(first, value);
        // The rest of the head, from the end of the line before.
        const char *end = value.ptr + value.len;
        head = jrpc_slice_of(end, (size_t)(head.ptr + head.len - end));
    }
    return count;
}

// Whether white space stands between the name of a header field and its colon.
static bool has_spaced_name(jrpc_slice head)
{
    for (const char *at = head.ptr; at != NULL;) {
        const char *end = memchr(at, '\n', (size_t)(head.ptr + head.len - at));
        const char *colon = end == NULL ? NULL : memchr(at, ':', (size_t)(end - at));
        if (colon != NULL && colon > at && at > head.ptr && colon[-1] == ' ') {
            return true;
        }
        at = end == NULL || end + 1 >= head.ptr + head.len ? NULL : end + 1;
    }
    return false;
}

// Whether the server, with its fault, cannot read a field of the head.
static bool misreads_field(const session *self, jrpc_slice head)
{
    bool unspaced = false;
    for (size_t i = 1; i < head.len && self->fault == JRPC_HTTP_BYTES_UNSPACED; i++) {
        const char *end = memchr(head.ptr + i, '\n', head.len - i);
        const char *colon = memchr(head.ptr + i, ':', head.len - i);
        bool field = head.ptr[i - 1] == '\n' && end != NULL && colon != NULL && colon < end;
        unspaced = unspaced || (field && colon[1] != ' ');
    }
    return unspaced ||
           (self->fault == JRPC_HTTP_BYTES_TABBED && memchr(head.ptr, '\t', head.len) != NULL);
}

// Whether the request has to be refused (RFC 9112, sections 3.2 and 6.3).
static bool is_badly_framed(const session *self, jrpc_slice head)
{
    bool differ;
    unsigned hosts = count_fields(head, "Host", &differ);
    bool hostless = hosts == 0 && !self->old && self->fault != JRPC_HTTP_BYTES_NO_HOST;
    (void)count_fields(head, "Content-Length", &differ);
    bool spaced = has_spaced_name(head) && self->fault != JRPC_HTTP_BYTES_SPACED;
    bool empty_line = head.ptr[0] == '\r';
    return hostless || hosts > 1 || spaced || empty_line || misreads_field(self, head) ||
           (differ && self->fault != JRPC_HTTP_BYTES_LENGTHS);
}

// Whether the server, with its fault, cannot read the sizes of these chunks.
static bool misreads(const session *self, jrpc_slice chunks)
{
    bool padded = jrpc_slice_starts_with(chunks, JRPC_SLICE("00"));
    bool lettered = false;
    size_t i = 0;
    for (; i < chunks.len && chunks.ptr[i] != '\r'; i++) {
        lettered = lettered || strchr("abcdefABCDEF", chunks.ptr[i]) != NULL;
    }
    return (lettered && self->fault == JRPC_HTTP_BYTES_LETTERS) ||
           (i > 1 && !lettered && self->fault == JRPC_HTTP_BYTES_DECIMAL) ||
           (padded && self->fault == JRPC_HTTP_BYTES_NO_ZEROS);
}

// Whether "close" is one of the options of Connection.
static bool asks_to_close(const session *self, jrpc_slice options)
{
    const jrpc_slice word = JRPC_SLICE("close");
    if (self->fault == JRPC_HTTP_BYTES_EXACT) {
        return jrpc_slice_equal(options, word);
    }
    bool alone = self->fault == JRPC_HTTP_BYTES_ALONE;
    return jrpc_head_lists(options, "close") && !(alone && options.len != word.len);
}

// Takes note of what the head of a request asks for.
static void note_head(session *self, jrpc_slice head)
{
    const jrpc_slice version = JRPC_SLICE(" HTTP/1.0\r");
    const char *end = memchr(head.ptr, '\n', head.len);
    size_t len = end == NULL ? 0 : (size_t)(end - head.ptr);
    self->old = len > version.len && memcmp(end - version.len, version.ptr, version.len) == 0;
    self->chunks = self->fault == JRPC_HTTP_BYTES_CHUNKS;
    self->bodyless =
        jrpc_slice_starts_with(head, JRPC_SLICE("HEAD ")) && self->fault != JRPC_HTTP_BYTES_HEAD;
    bool old = self->old && self->fault != JRPC_HTTP_BYTES_OLD_STAYS;
    bool closes = old || asks_to_close(self, jrpc_head_value(head, "Connection"));
    self->over = self->over || (closes && self->fault != JRPC_HTTP_BYTES_STAYS);
}

// Answers one request into `reply`.
static void answer(session *self, jrpc_slice head, const jrpc_http_body *body, jrpc_slice chunks)
{
    char method[WORD_BYTES];
    char path[WORD_BYTES];
    char texts[3][WORD_BYTES];
    take_word(head, method);
    take_word(jrpc_slice_from(head, strlen(method) + 1), path);
    const jrpc_http_request request = {.method = method,
                                       .path = path,
                                       .content_type = take_header(head, "Content-Type", texts[0]),
                                       .accept = take_header(head, "Accept", texts[1]),
                                       .origin = take_header(head, "Origin", texts[2]),
                                       .chunked = body->chunked,
                                       .body = jrpc_buffer_slice(&self->content)};
    jrpc_http_reply reply = {.status = 200};
    jrpc_buffer_init(&reply.body, self->server->allocator, SIZE_MAX / 2);
    note_head(self, head);
    bool plain = body->extensions && self->fault == JRPC_HTTP_BYTES_PLAIN;
    if (plain || (body->chunked && misreads(self, chunks)) || is_badly_framed(self, head)) {
        reply.status = STATUS_BAD;
        reply.close = true;
    } else if (self->fault == JRPC_HTTP_BYTES_ABSOLUTE && path[0] != '/') {
        reply.status = STATUS_NOT_FOUND;
    } else {
        self->handlers.handle(self->handlers.context, self->state, &request, &reply);
    }
    bool silence =
        reply.status == STATUS_NO_CONTENT && self->fault == JRPC_HTTP_BYTES_SILENCE_CLOSES;
    self->over = self->over || reply.close || reply.status == 0 || silence;
    if (reply.status != 0) {
        const jrpc_http_reply_bytes how = {self->fault, self->chunks, self->bodyless};
        jrpc_http_reply_write(&reply, how, &self->reply);
    }
    jrpc_buffer_done(&reply.body);
}

// What was answered goes after the answers before it, or in front of them.
static void put_reply(session *self)
{
    jrpc_buffer *reply = &self->reply;
    if (self->fault == JRPC_HTTP_BYTES_CROSSES) {
        (void)jrpc_buffer_append(reply, jrpc_buffer_slice(&self->out));
        jrpc_buffer_clear(&self->out);
    }
    (void)jrpc_buffer_append(&self->out, jrpc_buffer_slice(reply));
    jrpc_buffer_clear(reply);
}

static void go_on(session *self, jrpc_slice head)
{
    bool expects = jrpc_head_value(head, "Expect").ptr != NULL;
    if (expects && !self->continued && self->fault != JRPC_HTTP_BYTES_NO_100) {
        (void)jrpc_buffer_append_str(&self->out, "HTTP/1.1 100 Continue\r\n\r\n");
        self->continued = true;
    }
}

// How many of the bytes after the head count as the body of the request.
static size_t taken_of(const session *self, jrpc_slice head, const jrpc_http_body *body)
{
    bool unread =
        self->fault == JRPC_HTTP_BYTES_UNREAD && !jrpc_slice_starts_with(head, JRPC_SLICE("POST "));
    bool left = self->fault == JRPC_HTTP_BYTES_TRAILERS;
    return unread ? 0 : body->used - (left ? body->trailer : 0);
}

// Reads the body of a request as the fault does.
static jrpc_decoded read_body(session *self, jrpc_slice head, jrpc_slice rest, jrpc_http_body *body)
{
    jrpc_buffer_clear(&self->content);
    jrpc_decoded read = jrpc_http_body_read(head, rest, false, false, &self->content, body);
    bool cut = self->fault == JRPC_HTTP_BYTES_BY_READS && read == JRPC_DECODED_MORE &&
               rest.len > 0 && !body->chunked;
    bool other = self->fault == JRPC_HTTP_BYTES_LENGTH_WINS && body->chunked &&
                 jrpc_head_value(head, "Content-Length").ptr != NULL && rest.len > 0;
    if (cut || other) {
        body->used = other ? 1 : rest.len;
        jrpc_buffer_clear(&self->content);
        (void)jrpc_buffer_append(&self->content, jrpc_slice_of(rest.ptr, body->used));
        return JRPC_DECODED_DONE;
    }
    if (self->fault == JRPC_HTTP_BYTES_CUT && self->content.len > CUT_BYTES) {
        self->content.len = CUT_BYTES;
    }
    bool lost = self->fault == JRPC_HTTP_BYTES_REMEMBERS && self->chunked && !body->chunked;
    if (lost) {
        jrpc_buffer_clear(&self->content); // there are no chunks in it
    }
    return read;
}

// Answers one request that has come. False while none is whole.
static bool take_request(session *self)
{
    bool empty_line = jrpc_slice_starts_with(jrpc_buffer_slice(&self->in), JRPC_SLICE("\r\n"));
    if (empty_line && self->fault != JRPC_HTTP_BYTES_EMPTY_LINE) {
        jrpc_buffer_consume(&self->in, 2); // RFC 9112, section 2.2
    }
    jrpc_slice bytes = jrpc_buffer_slice(&self->in);
    size_t len = jrpc_head_length(bytes);
    if (len == 0 || self->over) {
        return false;
    }
    jrpc_slice head = jrpc_slice_of(bytes.ptr, len);
    jrpc_http_body body;
    switch (read_body(self, head, jrpc_slice_from(bytes, len), &body)) {
    case JRPC_DECODED_DONE:
        break;
    case JRPC_DECODED_MORE:
        go_on(self, head);
        return false;
    case JRPC_DECODED_BAD:
        self->over = true;
        return false;
    }
    self->answered++;
    bool unheard =
        self->fault == JRPC_HTTP_BYTES_NO_HEAD && jrpc_slice_starts_with(head, JRPC_SLICE("HEAD "));
    if (unheard || (self->fault == JRPC_HTTP_BYTES_TWENTIETH && self->answered == 20)) {
        self->over = true;
        return false;
    }
    answer(self, head, &body, jrpc_slice_from(bytes, len));
    self->over = self->over || (self->fault == JRPC_HTTP_BYTES_SEVENTH && self->answered == 7);
    bool forgets = self->fault == JRPC_HTTP_BYTES_FORGETS ||
                   (self->fault == JRPC_HTTP_BYTES_GIVES_UP &&
                    jrpc_slice_contains(jrpc_buffer_slice(&self->reply), JRPC_SLICE("-32700")));
    put_reply(self);
    self->continued = false;
    self->chunked = self->chunked || body.chunked;
    if (forgets) {
        jrpc_buffer_clear(&self->in);
    } else {
        jrpc_buffer_consume(&self->in, len + taken_of(self, head, &body));
    }
    return true;
}

static bool await(const session *self, short events)
{
    struct pollfd entries[2] = {{.fd = self->socket, .events = events},
                                {.fd = self->server->stop_fd, .events = POLLIN}};
    while (poll(entries, 2, -1) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return entries[1].revents == 0;
}

static void write_out(session *self)
{
    while (self->out.len > 0 && !self->over) {
        ssize_t put = await(self, POLLOUT) ? send(self->socket, self->out.ptr, self->out.len,
                                                  MSG_NOSIGNAL | MSG_DONTWAIT)
                                           : -1;
        if (put < 0 && errno != EAGAIN && errno != EINTR) {
            self->over = true;
        }
        jrpc_buffer_consume(&self->out, put > 0 ? (size_t)put : 0);
    }
}

static void serve(session *self)
{
    char bytes[READ_BYTES];
    while (!self->over && await(self, POLLIN)) {
        ssize_t got = read(self->socket, bytes, sizeof bytes);
        if (got <= 0 || !jrpc_buffer_append(&self->in, jrpc_slice_of(bytes, (size_t)got))) {
            return;
        }
        while (take_request(self)) {
        }
        bool over = self->over;
        self->over = false; // the last answer still goes out
        write_out(self);
        self->over = self->over || over;
    }
}

void jrpc_server_http_by_hand(void *context, int input, int output)
{
    (void)output;
    jrpc_server *server = context;
    session self = {.server = server,
                    .handlers = jrpc_server_http_handlers(server),
                    .socket = input,
                    .fault = fault_of(server)};
    jrpc_buffer *const buffers[] = {&self.in, &self.out, &self.content, &self.reply};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        jrpc_buffer_init(buffers[i], server->allocator, server->max_message * 2);
    }
    self.state = self.handlers.opened(server);
    if (self.state != NULL) {
        serve(&self);
        self.handlers.closed(server, self.state);
    }
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        jrpc_buffer_done(buffers[i]);
    }
}
