#include "reference/wire/token.h"

#include "reference/wire/sha1.h"
#include "reference/wire/sha256.h"

#include <string.h>

enum { ENCODED_MAX = (JRPC_TOKEN_CLAIMS_MAX + 2) / 3 * 4 + 1 };

static const jrpc_slice signed_head = JRPC_SLICE_INIT("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
static const jrpc_slice unsigned_head = JRPC_SLICE_INIT("{\"alg\":\"none\",\"typ\":\"JWT\"}");

// The base64url of at most JRPC_TOKEN_CLAIMS_MAX bytes (RFC 4648, section 5) without padding;
// `room` has ENCODED_MAX bytes.
static jrpc_slice to_base64url(jrpc_slice bytes, char *room)
{
    jrpc_base64(bytes, room);
    size_t len = strcspn(room, "=");
    for (size_t i = 0; i < len; i++) {
        room[i] = (char)(room[i] == '+' ? '-' : room[i] == '/' ? '_' : room[i]);
    }
    return jrpc_slice_of(room, len);
}

// Appends what base64url stands for. False if it is not base64url.
static bool decode(jrpc_slice text, jrpc_buffer *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned group = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *digit = memchr(digits, text.ptr[i], sizeof digits - 1);
        if (digit == NULL) {
            return false;
        }
        group = group << 6 | (unsigned)(digit - digits);
        if (i % 4 > 0 && !jrpc_buffer_append_char(out, (char)(group >> (6 - 2 * (i % 4)) & 0xff))) {
            return false;
        }
    }
    return text.len % 4 != 1;
}

// The code of a text under a key, in base64url: `room` has ENCODED_MAX bytes.
static jrpc_slice sign(jrpc_slice text, jrpc_slice key, char *room)
{
    unsigned char code[JRPC_SHA256_BYTES];
    jrpc_hmac_sha256(key, text, code);
    return to_base64url(jrpc_slice_of((const char *)code, sizeof code), room);
}

bool jrpc_token_write(jrpc_slice claims, jrpc_slice key, jrpc_buffer *out)
{
    char room[ENCODED_MAX];
    size_t from = out->len;
    if (claims.len > JRPC_TOKEN_CLAIMS_MAX) {
        return false;
    }
    (void)jrpc_buffer_append(out,
                             to_base64url(key.ptr == NULL ? unsigned_head : signed_head, room));
    (void)jrpc_buffer_append_char(out, '.');
    if (!jrpc_buffer_append(out, to_base64url(claims, room))) {
        return false;
    }
    size_t len = out->len - from;
    (void)jrpc_buffer_append_char(out, '.');
    if (key.ptr != NULL) {
        (void)jrpc_buffer_append(out, sign(jrpc_slice_of(out->ptr + from, len), key, room));
    }
    return !out->failed;
}

// The part of a token up to the next dot, which is passed.
static jrpc_slice take_part(jrpc_slice *token)
{
    const char *dot = token->len == 0 ? NULL : memchr(token->ptr, '.', token->len);
    size_t len = dot == NULL ? token->len : (size_t)(dot - token->ptr);
    jrpc_slice part = jrpc_slice_of(token->ptr, len);
    *token = jrpc_slice_from(*token, dot == NULL ? len : len + 1);
    return part;
}

static jrpc_token_state judge(jrpc_slice head, jrpc_slice text, jrpc_slice code, jrpc_slice key)
{
    if (jrpc_slice_equal(head, unsigned_head)) {
        return JRPC_TOKEN_UNSIGNED;
    }
    if (!jrpc_slice_equal(head, signed_head)) {
        return JRPC_TOKEN_MALFORMED;
    }
    char room[ENCODED_MAX];
    jrpc_slice right = sign(text, key, room);
    if (right.len != code.len) {
        return JRPC_TOKEN_FORGED;
    }
    unsigned differs = 0;
    for (size_t i = 0; i < right.len; i++) {
        differs |= (unsigned)(right.ptr[i] ^ code.ptr[i]);
    }
    return differs == 0 ? JRPC_TOKEN_SIGNED : JRPC_TOKEN_FORGED;
}

jrpc_token_state jrpc_token_read(jrpc_slice token, jrpc_slice key, jrpc_buffer *claims)
{
    jrpc_slice left = token;
    jrpc_slice head = take_part(&left);
    jrpc_slice body = take_part(&left);
    jrpc_slice text = jrpc_slice_of(token.ptr, head.len + 1 + body.len);
    jrpc_buffer plain;
    jrpc_buffer_init(&plain, jrpc_allocator_heap(), JRPC_TOKEN_CLAIMS_MAX);
    bool readable = text.len < token.len && decode(head, &plain) && decode(body, claims);
    jrpc_token_state state =
        readable ? judge(jrpc_buffer_slice(&plain), text, left, key) : JRPC_TOKEN_MALFORMED;
    jrpc_buffer_done(&plain);
    return state;
}
