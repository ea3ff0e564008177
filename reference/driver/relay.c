#include "reference/driver/relay.h"

#include "reference/base/limits.h"
#include "reference/net/listener.h"
#include "reference/net/socket.h"
#include "reference/wire/http_body.h"
#include "reference/wire/websocket_handshake.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { WAYS = 16, READ_BYTES = 64 << 10, CONNECTIONS = 32, CONNECT_MS = 5000, URL_BYTES = 400 };
#define MESSAGE_BYTES ((size_t)256 << 20)

struct jrpc_relay {
    jrpc_relay_way ways[WAYS];
    size_t count;
    char scheme[8], host[200], port[16];
    char url[URL_BYTES];
    jrpc_listener *listener;
    pthread_t thread;
    atomic_bool cuts_next; // the next connection
};

// One connection of the client.
typedef struct passage {
    jrpc_relay *relay;
    int client, server;
    jrpc_buffer up;   // what the client wrote and was not passed on
    jrpc_buffer down; // what came since the last request
    jrpc_buffer out;
    bool over;
    char key[JRPC_WEBSOCKET_KEY_BYTES]; // of the client's handshake; "": there was none
    bool upgraded;                      // to frames
    jrpc_relay_memory memory;
} passage;

static void pass(passage *self, int to, jrpc_slice bytes)
{
    while (bytes.len > 0 && !self->over) {
        ssize_t put = send(to, bytes.ptr, bytes.len, MSG_NOSIGNAL);
        if (put > 0) {
            bytes = jrpc_slice_from(bytes, (size_t)put);
            continue;
        }
        struct pollfd entry = {.fd = to, .events = POLLOUT};
        self->over = poll(&entry, 1, CONNECT_MS) <= 0 || (entry.revents & (POLLERR | POLLHUP)) != 0;
    }
}

static bool is_line_of(jrpc_slice line, const char *name)
{
    size_t len = strlen(name);
    return line.len > len && strncasecmp(line.ptr, name, len) == 0 && line.ptr[len] == ':';
}

// Puts a line of a request's head in its changed form; *named says which ways have changed one.
static void put_line(passage *self, jrpc_slice line, bool named[WAYS])
{
    const jrpc_relay *relay = self->relay;
    for (size_t i = 0; i < relay->count; i++) {
        const jrpc_relay_way *way = &relay->ways[i];
        if (way->name != NULL && is_line_of(line, way->name)) {
            named[i] = true;
            (void)(way->line[0] != '\0' && jrpc_buffer_printf(&self->out, "%s\r\n", way->line));
            return;
        }
    }
    if (is_line_of(line, "Host")) {
        (void)jrpc_buffer_printf(&self->out, "Host: %s:%s\r\n", relay->host, relay->port);
    } else {
        (void)jrpc_buffer_append(&self->out, line);
    }
}

// Replaces the first occurrence in the head that is in `out`.
static void replace(jrpc_buffer *out, const char *from, const char *to)
{
    size_t len = strlen(from);
    for (size_t i = 0; i + len <= out->len; i++) {
        if (memcmp(out->ptr + i, from, len) == 0) {
            char rest[JRPC_LIMIT_HEADER_BYTES];
            size_t left = out->len - i - len;
            left = left < sizeof rest ? left : sizeof rest;
            memcpy(rest, out->ptr + i + len, left);
            jrpc_buffer_truncate(out, i);
            (void)jrpc_buffer_append_str(out, to);
            (void)jrpc_buffer_append(out, jrpc_slice_of(rest, left));
            return;
        }
    }
}

static void put_head(passage *self, jrpc_slice head)
{
    const jrpc_relay *relay = self->relay;
    bool named[WAYS] = {false};
    jrpc_buffer_clear(&self->out);
    while (head.len > 2) {
        const char *end = memchr(head.ptr, '\n', head.len);
        size_t len = (size_t)(end - head.ptr) + 1;
        put_line(self, jrpc_slice_of(head.ptr, len), named);
        head = jrpc_slice_from(head, len);
    }
    for (size_t i = 0; i < relay->count; i++) {
        const jrpc_relay_way *way = &relay->ways[i];
        if (way->name != NULL && !named[i] && way->line[0] != '\0') {
            (void)jrpc_buffer_printf(&self->out, "%s\r\n", way->line);
        }
    }
    (void)jrpc_buffer_append_str(&self->out, "\r\n");
    for (size_t i = 0; i < relay->count; i++) {
        if (relay->ways[i].from != NULL) {
            replace(&self->out, relay->ways[i].from, relay->ways[i].to);
        }
    }
}

// Passes on the complete frames of one side, `from`, as the ways say.
static void pass_frames(passage *self, jrpc_buffer *from, int to)
{
    jrpc_buffer payload;
    jrpc_relay_frame frame;
    jrpc_buffer_init(&payload, jrpc_allocator_heap(), MESSAGE_BYTES);
    jrpc_buffer_clear(&self->out);
    while (!self->over && jrpc_relay_take_frame(from, &payload, &frame)) {
        jrpc_relay_verdict verdict = JRPC_RELAY_PASS;
        for (size_t i = 0; i < self->relay->count && verdict == JRPC_RELAY_PASS; i++) {
            const jrpc_relay_way *way = &self->relay->ways[i];
            jrpc_relay_verdict (*look)(jrpc_relay_frame * frame, jrpc_relay_memory * memory) =
                to == self->server ? way->up : way->down;
            verdict = look == NULL ? verdict : look(&frame, &self->memory);
        }
        self->over = verdict == JRPC_RELAY_CUT;
        if (verdict == JRPC_RELAY_PASS) {
            (void)jrpc_relay_put_frame(&self->out, &frame);
        }
    }
    bool over = self->over; // what came before is still passed on
    self->over = false;
    pass(self, to, jrpc_buffer_slice(&self->out));
    self->over = self->over || over;
    jrpc_buffer_done(&payload);
}

// Keeps the key of a handshake.
static void note_key(passage *self, jrpc_slice head)
{
    jrpc_slice key = jrpc_head_value(head, "Sec-WebSocket-Key");
    if (key.len < sizeof self->key) {
        memcpy(self->key, key.ptr, key.len);
        self->key[key.len] = '\0';
    }
}

// Passes on the requests that are complete.
static void go_up(passage *self)
{
    if (self->upgraded) {
        pass_frames(self, &self->up, self->server);
        return;
    }
    jrpc_buffer content;
    jrpc_buffer_init(&content, jrpc_allocator_heap(), MESSAGE_BYTES);
    for (;;) {
        jrpc_slice bytes = jrpc_buffer_slice(&self->up);
        size_t len = jrpc_head_length(bytes);
        jrpc_http_body body;
        jrpc_buffer_clear(&content);
        jrpc_slice head = jrpc_slice_of(bytes.ptr, len);
        if (len == 0 || jrpc_http_body_read(head, jrpc_slice_from(bytes, len), false, false,
                                            &content, &body) != JRPC_DECODED_DONE) {
            break;
        }
        jrpc_buffer_clear(&self->down);
        note_key(self, head);
        put_head(self, head);
        pass(self, self->server, jrpc_buffer_slice(&self->out));
        pass(self, self->server, jrpc_slice_of(bytes.ptr + len, body.used));
        jrpc_buffer_consume(&self->up, len + body.used);
    }
    jrpc_buffer_done(&content);
}

// What of the answer has come.
static jrpc_relay_answer read_answer(const passage *self, bool ended)
{
    jrpc_relay_answer answer = {.bytes = jrpc_buffer_slice(&self->down)};
    jrpc_slice rest = answer.bytes;
    size_t len;
    while ((len = jrpc_head_length(rest)) > 0 &&
           jrpc_slice_starts_with(rest, JRPC_SLICE("HTTP/1.1 1"))) {
        rest = jrpc_slice_from(rest, len);
    }
    if (len == 0) {
        return answer;
    }
    jrpc_buffer content;
    jrpc_buffer_init(&content, jrpc_allocator_heap(), MESSAGE_BYTES);
    jrpc_http_body body = {.used = 0};
    answer.head = jrpc_slice_of(rest.ptr, len);
    answer.whole = jrpc_http_body_read(answer.head, jrpc_slice_from(rest, len), true, ended,
                                       &content, &body) == JRPC_DECODED_DONE;
    answer.extensions = answer.whole && body.extensions;
    answer.trailers = answer.whole && body.trailer > 0;
    jrpc_buffer_done(&content);
    return answer;
}

// Passes on the answer to a handshake once it is complete.
static void shake_hands(passage *self)
{
    jrpc_slice bytes = jrpc_buffer_slice(&self->down);
    size_t len = jrpc_head_length(bytes);
    if (len == 0) {
        return;
    }
    const jrpc_relay_answer answer = {.bytes = bytes, .head = jrpc_slice_of(bytes.ptr, len)};
    bool forgiven = false;
    for (size_t i = 0; i < self->relay->count; i++) {
        const jrpc_relay_way *way = &self->relay->ways[i];
        self->over = self->over || (way->chokes != NULL && way->chokes(&answer));
        forgiven = forgiven ||
                   (way->forgives != NULL && way->forgives(answer.head, jrpc_slice_str(self->key)));
    }
    jrpc_buffer_clear(&self->out);
    (void)(forgiven ? jrpc_websocket_upgrade(jrpc_slice_str(self->key), &self->out)
                    : jrpc_buffer_append(&self->out, answer.head));
    pass(self, self->client, jrpc_buffer_slice(&self->out));
    jrpc_buffer_consume(&self->down, len);
    self->upgraded = true;
}

// Follows a redirect. False: it is none, or the client follows none.
static bool follow(passage *self, const jrpc_relay_answer *answer)
{
    const char *request = NULL;
    for (size_t i = 0; i < self->relay->count && request == NULL; i++) {
        request = self->relay->ways[i].follows;
    }
    if (request == NULL || !jrpc_slice_contains(answer->head, JRPC_SLICE(" 307 "))) {
        return false;
    }
    jrpc_buffer_clear(&self->out);
    (void)jrpc_buffer_printf(&self->out, "%sHost: %s:%s\r\n\r\n", request, self->relay->host,
                             self->relay->port);
    pass(self, self->server, jrpc_buffer_slice(&self->out));
    jrpc_buffer_clear(&self->down);
    return true;
}

static void go_down(passage *self, jrpc_slice bytes)
{
    (void)jrpc_buffer_append(&self->down, bytes);
    if (self->key[0] != '\0') {
        if (!self->upgraded) {
            shake_hands(self);
        }
        if (self->upgraded) {
            pass_frames(self, &self->down, self->client);
        }
        return;
    }
    const jrpc_relay_answer answer = read_answer(self, bytes.len == 0);
    for (size_t i = 0; i < self->relay->count; i++) {
        const jrpc_relay_way *way = &self->relay->ways[i];
        self->over = self->over || (way->chokes != NULL && way->chokes(&answer));
        if (way->stays != NULL && answer.whole && way->stays(&answer)) {
            atomic_store(&self->relay->cuts_next, true);
        }
    }
    if (!follow(self, &answer)) {
        pass(self, self->client, bytes);
    }
}

// Reads what one side says. False when nothing more will come of it.
static bool take(passage *self, int from)
{
    char bytes[READ_BYTES];
    ssize_t got = recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
    jrpc_slice piece = jrpc_slice_of(bytes, got > 0 ? (size_t)got : 0);
    if (from == self->server) {
        go_down(self, piece);
    } else if (got > 0) {
        (void)jrpc_buffer_append(&self->up, piece);
        go_up(self);
    }
    return got > 0;
}

static void serve(void *context, int input, int output)
{
    (void)output;
    jrpc_relay *relay = context;
    const jrpc_clock *clock = jrpc_clock_monotonic();
    if (atomic_exchange(&relay->cuts_next, false)) {
        return;
    }
    passage self = {.relay = relay, .client = input};
    self.server = jrpc_socket_connect_tcp(relay->host, relay->port, clock,
                                          jrpc_deadline_in_ms(clock, CONNECT_MS), -1, NULL);
    jrpc_buffer_init(&self.up, jrpc_allocator_heap(), MESSAGE_BYTES);
    jrpc_buffer_init(&self.down, jrpc_allocator_heap(), MESSAGE_BYTES);
    jrpc_buffer_init(&self.out, jrpc_allocator_heap(), MESSAGE_BYTES);
    self.over = self.server < 0;
    while (!self.over) {
        struct pollfd entries[2] = {{.fd = self.client, .events = POLLIN},
                                    {.fd = self.server, .events = POLLIN}};
        (void)poll(entries, 2, -1);
        bool goes_on = true;
        goes_on = entries[0].revents == 0 || take(&self, self.client);
        goes_on = (entries[1].revents == 0 || take(&self, self.server)) && goes_on;
        self.over = self.over || !goes_on;
    }
    if (self.server >= 0) {
        (void)close(self.server);
    }
    jrpc_buffer_done(&self.up);
    jrpc_buffer_done(&self.down);
    jrpc_buffer_done(&self.out);
}

static void *run(void *context)
{
    jrpc_relay *relay = context;
    jrpc_listener_run(relay->listener, CONNECTIONS, serve, relay);
    return NULL;
}

// Takes "http://HOST:PORT/" apart.
static bool read_url(jrpc_relay *relay, const char *url)
{
    const char *host = strstr(url, "://");
    const char *port = host == NULL ? NULL : strrchr(host + 3, ':');
    if (port == NULL) {
        return false;
    }
    int scheme_len = (int)(host - url);
    int host_len = (int)(port - host - 3);
    int port_len = (int)strcspn(port + 1, "/");
    return snprintf(relay->scheme, sizeof relay->scheme, "%.*s", scheme_len, url) == scheme_len &&
           snprintf(relay->host, sizeof relay->host, "%.*s", host_len, host + 3) == host_len &&
           snprintf(relay->port, sizeof relay->port, "%.*s", port_len, port + 1) == port_len;
}

jrpc_relay *jrpc_relay_new(const char *url, const jrpc_relay_way *const *ways, size_t count,
                           jrpc_error *error)
{
    jrpc_relay *relay = jrpc_allocate(jrpc_allocator_heap(), sizeof *relay);
    if (relay == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a relay");
        return NULL;
    }
    memset(relay, 0, sizeof *relay);
    atomic_init(&relay->cuts_next, false);
    for (; relay->count < count && relay->count < WAYS; relay->count++) {
        relay->ways[relay->count] = *ways[relay->count];
    }
    if (!read_url(relay, url)) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "this fault needs a URL with a port");
    } else {
        relay->listener = jrpc_listener_tcp("127.0.0.1", "0", error);
    }
    if (relay->listener != NULL) {
        const char *address = jrpc_listener_address(relay->listener);
        (void)snprintf(relay->url, sizeof relay->url, "%s%s/", relay->scheme,
                       address + strlen("tcp"));
        if (pthread_create(&relay->thread, NULL, run, relay) == 0) {
            return relay;
        }
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot start a thread");
        jrpc_listener_free(relay->listener);
    }
    jrpc_deallocate(jrpc_allocator_heap(), relay);
    return NULL;
}

const char *jrpc_relay_url(const jrpc_relay *relay)
{
    return relay->url;
}

void jrpc_relay_free(jrpc_relay *relay)
{
    if (relay != NULL) {
        jrpc_listener_stop(relay->listener);
        (void)pthread_join(relay->thread, NULL);
        jrpc_listener_free(relay->listener);
        jrpc_deallocate(jrpc_allocator_heap(), relay);
    }
}
