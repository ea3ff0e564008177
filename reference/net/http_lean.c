#include "reference/net/http_lean.h"

#include "reference/base/limits.h"
#include "reference/net/descriptor.h"
#include "reference/net/http_head.h"
#include "reference/net/http_private.h"
#include "reference/net/socket.h"
#include "reference/wire/http_body.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { READ_BYTES = 16 << 10, HEAD_BYTES = 64 << 10, NAME_BYTES = 512 };

void jrpc_http_lean_init(jrpc_http_lean *lean, const jrpc_endpoint *endpoint)
{
    *lean = (jrpc_http_lean){.endpoint = endpoint, .descriptor = -1};
    jrpc_buffer_init(&lean->usual, endpoint->allocator, HEAD_BYTES);
    jrpc_buffer *const buffers[] = {&lean->out, &lean->in, &lean->content};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        jrpc_buffer_init(buffers[i], endpoint->allocator, JRPC_LIMIT_INBOX_BYTES);
    }
}

void jrpc_http_lean_close(jrpc_http_lean *lean)
{
    jrpc_descriptor_close(&lean->descriptor);
    lean->busy = false;
    lean->ended = false;
    jrpc_buffer_clear(&lean->in);
}

void jrpc_http_lean_done(jrpc_http_lean *lean)
{
    jrpc_http_lean_close(lean);
    jrpc_buffer_done(&lean->usual);
    jrpc_buffer_done(&lean->out);
    jrpc_buffer_done(&lean->in);
    jrpc_buffer_done(&lean->content);
}

void jrpc_http_lean_set_headers(jrpc_http_lean *lean)
{
    jrpc_buffer_clear(&lean->usual);
}

bool jrpc_http_lean_suits(const jrpc_http_lean *lean, const jrpc_manner *manner)
{
    return manner->lean && manner->bytes == JRPC_BYTES_USUAL && manner->url == NULL &&
           manner->names == JRPC_NAMES_USUAL && !manner->aside && lean->endpoint->proxy == NULL &&
           strncmp(lean->endpoint->url, "http:", 5) == 0;
}

static jrpc_peer_event no_memory(jrpc_error *error)
{
    (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a request");
    return JRPC_PEER_FAULT;
}

// The header lines of the library's list: "Name:" leaves a header out, "Name;" sends it without a
// value.
static bool put_lines(const struct curl_slist *list, jrpc_buffer *out)
{
    bool put = true;
    for (const struct curl_slist *at = list; put && at != NULL; at = at->next) {
        jrpc_slice line = jrpc_slice_str(at->data);
        char last = line.len > 0 ? line.ptr[line.len - 1] : ':';
        bool empty = last == ';' && memchr(line.ptr, ':', line.len) == NULL;
        if (last == ':') {
            continue;
        }
        line.len -= empty ? 1 : 0;
        put =
            jrpc_buffer_append(out, line) && jrpc_buffer_append_str(out, empty ? ":\r\n" : "\r\n");
    }
    return put;
}

// The request line and all header fields but the one that says how long the body is.
static bool put_head(const jrpc_http_lean *lean, const jrpc_manner *manner, jrpc_buffer *out,
                     jrpc_error *error)
{
    char type[NAME_BYTES];
    const char *given = manner->content_type == NULL ? "application/json" : manner->content_type;
    int len = snprintf(type, sizeof type, "Content-Type%s%s", given[0] == '\0' ? ";" : ": ", given);
    if (len < 0 || (size_t)len >= sizeof type) {
        return jrpc_error_set(error, JRPC_ERROR_LIMIT, "the content type is too long");
    }
    const char *const defaults[] = {type, "Accept: application/json",
                                    "User-Agent: jrpcheck/" JRPCHECK_VERSION, NULL};
    const jrpc_http_opening opening = {
        .method = manner->http_method == NULL ? "POST" : manner->http_method,
        .version = "HTTP/1.1",
    };
    struct curl_slist *headers =
        jrpc_http_headers(lean->endpoint, manner->headers, defaults, error);
    bool put = headers != NULL &&
               jrpc_http_put_opening(out, &opening, lean->endpoint->url, error) &&
               put_lines(headers, out);
    curl_slist_free_all(headers);
    return put;
}

static bool put_chunks(const jrpc_manner *manner, jrpc_slice body, jrpc_buffer *out)
{
    bool put = true;
    for (size_t at = 0, i = 0; put && at < body.len; i++) {
        size_t end =
            i < manner->piece_count && manner->pieces[i] < body.len ? manner->pieces[i] : body.len;
        if (end > at) {
            put = jrpc_buffer_printf(out, "%zx\r\n", end - at) &&
                  jrpc_buffer_append(out, jrpc_slice_of(body.ptr + at, end - at)) &&
                  jrpc_buffer_append_str(out, "\r\n");
            at = end;
        }
    }
    return put && jrpc_buffer_append_str(out, "0\r\n\r\n");
}

static bool is_usual(const jrpc_manner *manner)
{
    return manner->http_method == NULL && manner->content_type == NULL && manner->headers == NULL &&
           !manner->chunked;
}

// Writes the whole request into lean->out.
static bool put_request(jrpc_http_lean *lean, jrpc_slice payload, const jrpc_manner *manner,
                        jrpc_error *error)
{
    const char *method = manner->http_method;
    bool head = method != NULL && strcmp(method, "HEAD") == 0;
    bool bare =
        head || (method != NULL && (strcmp(method, "GET") == 0 || strcmp(method, "DELETE") == 0));
    lean->bodyless = head;
    jrpc_buffer_clear(&lean->out);
    if (is_usual(manner)) {
        if (lean->usual.len == 0 && !put_head(lean, manner, &lean->usual, error)) {
            return false;
        }
        (void)jrpc_buffer_append(&lean->out, jrpc_buffer_slice(&lean->usual));
    } else if (!put_head(lean, manner, &lean->out, error)) {
        return false;
    }
    if (bare) {
        return jrpc_buffer_append_str(&lean->out, "\r\n");
    }
    if (manner->chunked) {
        return jrpc_buffer_append_str(&lean->out, "Transfer-Encoding: chunked\r\n\r\n") &&
               put_chunks(manner, payload, &lean->out);
    }
    return jrpc_buffer_append_str(&lean->out, "Content-Length: ") &&
           jrpc_buffer_append_number(&lean->out, (int64_t)payload.len) &&
           jrpc_buffer_append_str(&lean->out, "\r\n\r\n") &&
           jrpc_buffer_append(&lean->out, payload);
}

static bool connect_to(jrpc_http_lean *lean, int64_t deadline_us, jrpc_error *error)
{
    const jrpc_endpoint *endpoint = lean->endpoint;
    char host[NAME_BYTES];
    char port[NAME_BYTES];
    lean->ended = false;
    jrpc_buffer_clear(&lean->in);
    if (jrpc_http_place_of(endpoint->url, host, port, NAME_BYTES)) {
        lean->descriptor = jrpc_socket_connect_tcp(host, port, endpoint->clock, deadline_us,
                                                   endpoint->interrupt_fd, error);
    }
    return lean->descriptor >= 0;
}

// Reads what is there. FAULT without memory.
static jrpc_peer_event read_some(jrpc_http_lean *lean, jrpc_error *error)
{
    char *room;
    if (!jrpc_buffer_reserve(&lean->in, READ_BYTES, &room)) {
        return no_memory(error);
    }
    ssize_t got = recv(lean->descriptor, room, READ_BYTES, 0);
    if (got > 0) {
        jrpc_buffer_grew(&lean->in, (size_t)got);
    }
    lean->ended = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
    return JRPC_PEER_MESSAGE;
}

// Waits until the connection is ready, and reads.
static jrpc_peer_event wait_and_read(jrpc_http_lean *lean, bool writes, int64_t deadline_us,
                                     jrpc_error *error)
{
    struct pollfd entries[2] = {
        {.fd = lean->descriptor, .events = (short)(POLLIN | (writes ? POLLOUT : 0))},
        {.fd = lean->endpoint->interrupt_fd, .events = POLLIN}};
    int ready = jrpc_descriptor_poll(entries, 2, lean->endpoint->clock, deadline_us);
    if (ready < 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot wait for an answer over HTTP");
        return JRPC_PEER_FAULT;
    }
    if (ready == 0 || entries[1].revents != 0) {
        return ready == 0 ? JRPC_PEER_TIMEOUT : JRPC_PEER_INTERRUPTED;
    }
    return (entries[0].revents & ~POLLOUT) != 0 ? read_some(lean, error) : JRPC_PEER_MESSAGE;
}

// Writes lean->out; what arrives meanwhile is kept. If the server has closed the connection, that
// shows when its answer is read.
static jrpc_peer_event write_out(jrpc_http_lean *lean, int64_t deadline_us, jrpc_error *error)
{
    for (size_t at = 0; at < lean->out.len && !lean->ended;) {
        ssize_t sent = send(lean->descriptor, lean->out.ptr + at, lean->out.len - at, MSG_NOSIGNAL);
        if (sent > 0) {
            at += (size_t)sent;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) {
            return read_some(lean, error); // it may have answered before it left
        }
        jrpc_peer_event event = wait_and_read(lean, true, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
    return JRPC_PEER_MESSAGE;
}

// Sends lean->out over a new connection.
static jrpc_peer_event send_anew(jrpc_http_lean *lean, int64_t deadline_us, jrpc_error *error)
{
    jrpc_http_lean_close(lean);
    lean->kept = false;
    if (!connect_to(lean, deadline_us, error)) {
        return error->code == JRPC_ERROR_INTERRUPTED ? JRPC_PEER_INTERRUPTED : JRPC_PEER_ENDED;
    }
    lean->busy = true;
    return write_out(lean, deadline_us, error);
}

jrpc_peer_event jrpc_http_lean_send(jrpc_http_lean *lean, jrpc_slice payload,
                                    const jrpc_manner *manner, int64_t deadline_us,
                                    jrpc_error *error)
{
    if (!put_request(lean, payload, manner, error)) {
        return error->code == JRPC_OK ? no_memory(error) : JRPC_PEER_FAULT;
    }
    if (lean->descriptor < 0) {
        return send_anew(lean, deadline_us, error);
    }
    lean->kept = true;
    lean->busy = true;
    return write_out(lean, deadline_us, error);
}

// Takes the answer out of what came. DONE, MORE, or BAD if it can no longer become complete.
static jrpc_decoded take_answer(jrpc_http_lean *lean, jrpc_http_answer *answer)
{
    for (;;) {
        jrpc_slice bytes = jrpc_buffer_slice(&lean->in);
        size_t len = jrpc_http_head_length(bytes);
        jrpc_slice head = jrpc_slice_of(bytes.ptr, len);
        if (len == 0) {
            return lean->ended ? JRPC_DECODED_BAD : JRPC_DECODED_MORE;
        }
        int status = jrpc_http_head_status(head);
        jrpc_http_body body = {.used = 0};
        jrpc_buffer_clear(&lean->content);
        if (jrpc_http_has_body(status) && !lean->bodyless) {
            jrpc_decoded read = jrpc_http_body_read(head, jrpc_slice_from(bytes, len), true,
                                                    lean->ended, &lean->content, &body);
            if (read != JRPC_DECODED_DONE) {
                return read;
            }
        }
        bool final = status >= JRPC_HTTP_FINAL;
        bool last = final && jrpc_http_head_announces_close(head);
        if (final) {
            jrpc_http_answer_clear(answer);
            jrpc_http_answer_add(answer, head, jrpc_buffer_slice(&lean->content),
                                 jrpc_clock_now_us(lean->endpoint->clock));
        }
        jrpc_buffer_consume(&lean->in, len + body.used);
        // More bytes than the answer has would be taken for the next one.
        if (last || (final && (lean->ended || lean->in.len > 0))) {
            jrpc_http_lean_close(lean);
        }
        if (final) {
            lean->busy = false;
            return JRPC_DECODED_DONE;
        }
    }
}

// The connection ended without a whole answer, or what came is not one.
static jrpc_peer_event break_off(jrpc_http_lean *lean, jrpc_http_answer *answer,
                                 int64_t deadline_us, jrpc_error *error)
{
    // A kept connection may be closed before the request arrives: it is sent again (RFC 9112,
    // section 9.3.1).
    if (lean->kept && lean->in.len == 0) {
        return send_anew(lean, deadline_us, error);
    }
    size_t len = jrpc_http_head_length(jrpc_buffer_slice(&lean->in));
    jrpc_http_answer_clear(answer);
    if (len > 0) {
        jrpc_http_answer_add(answer, jrpc_slice_of(lean->in.ptr, len), (jrpc_slice){NULL, 0},
                             jrpc_clock_now_us(lean->endpoint->clock));
    }
    bool came = lean->in.len > 0;
    jrpc_http_lean_close(lean);
    return came ? JRPC_PEER_MESSAGE : JRPC_PEER_ENDED;
}

jrpc_peer_event jrpc_http_lean_receive(jrpc_http_lean *lean, jrpc_http_answer *answer,
                                       int64_t deadline_us, jrpc_error *error)
{
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    while (event == JRPC_PEER_MESSAGE && lean->busy) {
        jrpc_decoded taken =
            lean->in.len > 0 || lean->ended ? take_answer(lean, answer) : JRPC_DECODED_MORE;
        if (taken == JRPC_DECODED_MORE) {
            event = wait_and_read(lean, false, deadline_us, error);
        } else if (taken == JRPC_DECODED_BAD) {
            event = break_off(lean, answer, deadline_us, error);
        }
    }
    return event;
}
