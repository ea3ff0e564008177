// Peers over WebSocket: libcurl connects (proxy, TLS) and carries the bytes, the frames are ours.
#include "reference/net/websocket_peer.h"

#include "reference/net/http_private.h"
#include "reference/wire/websocket_handshake.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define KEY_NAME "Sec-WebSocket-Key"

enum { CODE_NO_TEXT = 1007, CODE_TOO_LONG = 1009 };

static CURL *easy_of(const jrpc_websocket_peer *self)
{
    return self->handle;
}

static ptrdiff_t count_of(CURLcode code, size_t count)
{
    return code == CURLE_AGAIN ? JRPC_WEBSOCKET_WAIT
           : code != CURLE_OK  ? JRPC_WEBSOCKET_BROKEN
           : count == 0        ? JRPC_WEBSOCKET_ENDED
                               : (ptrdiff_t)count;
}

static ptrdiff_t read_bytes(jrpc_websocket_peer *self, char *into, size_t room)
{
    size_t got = 0;
    CURLcode code = curl_easy_recv(easy_of(self), into, room, &got);
    return count_of(code, got);
}

static ptrdiff_t write_bytes(jrpc_websocket_peer *self, jrpc_slice bytes)
{
    size_t put = 0;
    CURLcode code = curl_easy_send(easy_of(self), bytes.ptr, bytes.len, &put);
    return count_of(code, put);
}

static bool keep_head(jrpc_websocket_peer *self, jrpc_slice bytes)
{
    return jrpc_buffer_append(&self->head, bytes);
}

static const char *breach(const jrpc_websocket_peer *self)
{
    static const struct {
        int code;
        const char *why;
    } breaches[] = {
        {CODE_NO_TEXT, "a text message that is no UTF-8 (RFC 6455, section 8.1)"},
        {CODE_TOO_LONG, "a message longer than is taken"},
        {0, "a frame that breaks the protocol (RFC 6455, section 5)"},
    };
    size_t i = 0;
    while (breaches[i].code != 0 && breaches[i].code != self->wire.close_code) {
        i++;
    }
    return self->wire.broken ? breaches[i].why : NULL;
}

static void disconnect(jrpc_websocket_peer *self)
{
    curl_easy_cleanup(easy_of(self));
}

static const jrpc_websocket_link client_link = {
    .read = read_bytes,
    .write = write_bytes,
    .shake = keep_head,
    .breach = breach,
    .close = disconnect,
};

// The value of a line "Name: value"; empty in "Name:", which leaves the header out.
static const char *value_of(const char *line)
{
    const char *value = line + strcspn(line, ":");
    return *value == '\0' ? value : value + 1 + strspn(value + 1, " ");
}

// The first header line with that name; NULL if there is none.
static const char *line_of(const char *const *lines, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; lines != NULL && lines[i] != NULL; i++) {
        if (strncasecmp(lines[i], name, len) == 0 && lines[i][len] == ':') {
            return lines[i];
        }
    }
    return NULL;
}

// What is sent as the key: ours, or what stands in its place; NULL: none.
static const char *key_sent(const jrpc_endpoint *endpoint, const char *key)
{
    const char *line = line_of(endpoint->handshake, KEY_NAME);
    return line == NULL ? key : *value_of(line) == '\0' ? NULL : value_of(line);
}

// Whether the answer to the handshake has a header that is only allowed if the request had it too.
static bool has_unasked(const jrpc_websocket_peer *self, jrpc_slice head, const char *name)
{
    return jrpc_head_value(head, name).ptr != NULL &&
           line_of(self->endpoint.headers, name) == NULL &&
           line_of(self->endpoint.handshake, name) == NULL;
}

// What is wrong with a valid answer to the handshake; NULL: nothing.
static const char *flaw_of_answer(const jrpc_websocket_peer *self, jrpc_slice head)
{
    if (has_unasked(self, head, "Sec-WebSocket-Protocol")) {
        return "the answer to the handshake names a subprotocol, but none was requested (RFC 6455, "
               "section 4.2.2)";
    }
    return has_unasked(self, head, "Sec-WebSocket-Extensions")
               ? "the answer to the handshake names an extension, but none was offered (RFC 6455, "
                 "section 9.1)"
               : NULL;
}

// Appends the request of the handshake to what is to be written.
static bool put_request(jrpc_websocket_peer *self, const char *url, const char *key,
                        jrpc_error *error)
{
    jrpc_buffer *out = &self->wire.out;
    const jrpc_http_opening opening = {.method = "GET", .version = "HTTP/1.1"};
    if (!jrpc_http_put_opening(out, &opening, url, error)) {
        return false;
    }
    char key_line[sizeof KEY_NAME + 2 + JRPC_WEBSOCKET_KEY_BYTES];
    (void)snprintf(key_line, sizeof key_line, KEY_NAME ": %s", key);
    const char *const own[] = {"Upgrade: websocket", "Connection: Upgrade", key_line,
                               "Sec-WebSocket-Version: 13", NULL};
    struct curl_slist *headers =
        jrpc_http_headers(&self->endpoint, self->endpoint.handshake, own, error);
    bool put = headers != NULL;
    for (const struct curl_slist *line = headers; put && line != NULL; line = line->next) {
        put = *value_of(line->data) == '\0' || jrpc_buffer_printf(out, "%s\r\n", line->data);
    }
    put = put && jrpc_buffer_append_str(out, "\r\n");
    curl_slist_free_all(headers);
    return put || jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a handshake");
}

static bool explain(const jrpc_websocket_peer *self, jrpc_error_code code, const char *why,
                    jrpc_error *error)
{
    return jrpc_error_set(error, code, "cannot connect to %s: %s", self->endpoint.url, why);
}

static bool shake_hands(jrpc_websocket_peer *self, const char *key, int64_t deadline_us,
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
        switch (jrpc_websocket_peer_turn(self, deadline_us, error)) {
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
    self->handshake_flaw = flaw_of_answer(self, head);
    self->handshake_flaw_of = JRPC_FLAW_HANDSHAKE;
    if (self->endpoint.strict && self->handshake_flaw != NULL) {
        return explain(self, JRPC_ERROR_INVALID, self->handshake_flaw, error);
    }
    self->handshaken = true;
    return jrpc_websocket_peer_take(self, jrpc_slice_from(received, head_len)) ||
           explain(self, JRPC_ERROR_MEMORY, "no memory", error);
}

static bool connect_peer(jrpc_websocket_peer *self, int64_t deadline_us, jrpc_error *error)
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
    self->handle = jrpc_http_connect(&self->endpoint, url, deadline_us, error);
    if (self->handle == NULL) {
        return false;
    }
    if (curl_easy_getinfo(easy_of(self), CURLINFO_ACTIVESOCKET, &self->socket) != CURLE_OK) {
        return explain(self, JRPC_ERROR_CLOSED, "the connection is gone", error);
    }
    unsigned char random[16];
    for (size_t i = 0; i < sizeof random; i++) {
        random[i] = (unsigned char)(jrpc_random_next(&self->wire.random) >> 56);
    }
    char key[JRPC_WEBSOCKET_KEY_BYTES];
    jrpc_websocket_key(random, key);
    return put_request(self, url, key, error) &&
           shake_hands(self, key_sent(&self->endpoint, key), deadline_us, error);
}

jrpc_peer *jrpc_websocket_open(const jrpc_endpoint *endpoint, int64_t deadline_us,
                               jrpc_error *error)
{
    jrpc_websocket_peer *self = jrpc_websocket_peer_new(endpoint, true, -1, &client_link, error);
    if (self == NULL) {
        return NULL;
    }
    if (!connect_peer(self, deadline_us, error)) {
        jrpc_peer_close(&self->peer, 0);
        return NULL;
    }
    return &self->peer;
}
