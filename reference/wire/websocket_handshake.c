#include "reference/wire/websocket_handshake.h"

#include "reference/wire/sha1.h"

#include <strings.h>

size_t jrpc_head_length(jrpc_slice bytes)
{
    for (size_t i = 3; i < bytes.len; i++) {
        if (memcmp(bytes.ptr + i - 3, "\r\n\r\n", 4) == 0) {
            return i + 1;
        }
    }
    return 0;
}

static jrpc_slice trimmed(jrpc_slice text)
{
    while (text.len > 0 && (text.ptr[0] == ' ' || text.ptr[0] == '\t')) {
        text = jrpc_slice_from(text, 1);
    }
    while (text.len > 0 && memchr(" \t\r\n", text.ptr[text.len - 1], 4) != NULL) {
        text.len--;
    }
    return text;
}

jrpc_slice jrpc_head_value(jrpc_slice head, const char *name)
{
    size_t len = strlen(name);
    for (size_t at = 0; at < head.len;) {
        const char *end = memchr(head.ptr + at, '\n', head.len - at);
        size_t next = end == NULL ? head.len : (size_t)(end - head.ptr) + 1;
        if (next - at > len && strncasecmp(head.ptr + at, name, len) == 0 &&
            head.ptr[at + len] == ':') {
            return trimmed(jrpc_slice_of(head.ptr + at + len + 1, next - at - len - 1));
        }
        at = next;
    }
    return (jrpc_slice){NULL, 0};
}

bool jrpc_head_lists(jrpc_slice value, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= value.len; i++) {
        if (strncasecmp(value.ptr + i, word, len) == 0) {
            return true;
        }
    }
    return false;
}

void jrpc_websocket_key(const unsigned char random[16], char ret_key[JRPC_WEBSOCKET_KEY_BYTES])
{
    jrpc_base64(jrpc_slice_of((const char *)random, 16), ret_key);
}

void jrpc_websocket_accept(jrpc_slice key, char ret_accept[JRPC_WEBSOCKET_ACCEPT_BYTES])
{
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char text[64 + sizeof guid];
    size_t len = key.len < 64 ? key.len : 64; // a key has 24 bytes; another one is wrong anyway
    memcpy(text, key.ptr, len);
    memcpy(text + len, guid, sizeof guid - 1);
    unsigned char digest[JRPC_SHA1_BYTES];
    jrpc_sha1(jrpc_slice_of(text, len + sizeof guid - 1), digest);
    jrpc_base64(jrpc_slice_of((const char *)digest, sizeof digest), ret_accept);
}

bool jrpc_websocket_check_answer(jrpc_slice head, const char *key, jrpc_error *error)
{
    if (!jrpc_slice_starts_with(head, JRPC_SLICE("HTTP/1.1 101"))) {
        size_t shown = 0;
        while (shown < head.len && shown < 80 && head.ptr[shown] != '\r') {
            shown++;
        }
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "the handshake was refused: \"%.*s\"; is a WebSocket served at this "
                              "path?",
                              (int)shown, head.ptr);
    }
    if (!jrpc_head_lists(jrpc_head_value(head, "Upgrade"), "websocket") ||
        !jrpc_head_lists(jrpc_head_value(head, "Connection"), "upgrade")) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "the answer to the handshake does not upgrade to websocket");
    }
    char wanted[JRPC_WEBSOCKET_ACCEPT_BYTES] = "";
    if (key != NULL) {
        jrpc_websocket_accept(jrpc_slice_str(key), wanted);
    }
    if (key != NULL && !jrpc_slice_is(jrpc_head_value(head, "Sec-WebSocket-Accept"), wanted)) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "Sec-WebSocket-Accept is not the answer to the key that was sent");
    }
    return true;
}

static bool refuse(jrpc_buffer *out, const char *status, const char *more)
{
    (void)jrpc_buffer_printf(out, "HTTP/1.1 %s\r\n%sConnection: close\r\nContent-Length: 0\r\n\r\n",
                             status, more);
    return false;
}

bool jrpc_websocket_answer(jrpc_slice head, jrpc_buffer *out)
{
    jrpc_slice key = jrpc_head_value(head, "Sec-WebSocket-Key");
    if (!jrpc_slice_starts_with(head, JRPC_SLICE("GET "))) {
        return refuse(out, "405 Method Not Allowed", "Allow: GET\r\n");
    }
    if (!jrpc_head_lists(jrpc_head_value(head, "Upgrade"), "websocket")) {
        return refuse(out, "426 Upgrade Required", "Upgrade: websocket\r\n");
    }
    if (!jrpc_head_lists(jrpc_head_value(head, "Connection"), "upgrade") || key.len != 24) {
        return refuse(out, "400 Bad Request", "");
    }
    if (!jrpc_slice_is(jrpc_head_value(head, "Sec-WebSocket-Version"), "13")) {
        return refuse(out, "426 Upgrade Required", "Sec-WebSocket-Version: 13\r\n");
    }
    return jrpc_websocket_upgrade(key, out);
}

bool jrpc_websocket_upgrade(jrpc_slice key, jrpc_buffer *out)
{
    char accept[JRPC_WEBSOCKET_ACCEPT_BYTES];
    jrpc_websocket_accept(key, accept);
    return jrpc_buffer_printf(out,
                              "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                              accept);
}
