#include "reference/wire/token.h"

#include "reference/wire/sha1.h"
#include "reference/wire/sha256.h"

#include <string.h>

enum { ENCODED_MAX = (JRPC_TOKEN_CLAIMS_MAX + 2) / 3 * 4 + 1 };

static const jrpc_slice signed_head = JRPC_SLICE_INIT("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
static const jrpc_slice unsigned_head = JRPC_SLICE_INIT("{\"alg\":\"none\",\"typ\":\"JWT\"}");

// Appends the base64url of `bytes` (RFC 4648, section 5) without padding.
static bool encode(jrpc_slice bytes, jrpc_buffer *out)
{
    char text[ENCODED_MAX];
    if (bytes.len > JRPC_TOKEN_CLAIMS_MAX) {
        return false;
    }
    jrpc_base64(bytes, text);
    size_t len = strcspn(text, "=");
    for (size_t i = 0; i < len; i++) {
        text[i] = (char)(text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i]);
    }
    return jrpc_buffer_append(out, jrpc_slice_of(text, len));
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

static bool sign(jrpc_slice text, jrpc_slice key, jrpc_buffer *out)
{
    unsigned char code[JRPC_SHA256_BYTES];
    jrpc_hmac_sha256(key, text, code);
    return encode(jrpc_slice_of((const char *)code, sizeof code), out);
}

bool jrpc_token_write(jrpc_slice claims, jrpc_slice key, jrpc_buffer *out)
{
    size_t from = out->len;
    if (!encode(key.ptr == NULL ? unsigned_head : signed_head, out) ||
        !jrpc_buffer_append_char(out, '.') || !encode(claims, out)) {
        return false;
    }
    size_t len = out->len - from;
    return jrpc_buffer_append_char(out, '.') &&
           (key.ptr == NULL || sign(jrpc_slice_of(out->ptr + from, len), key, out));
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
    jrpc_buffer right;
    jrpc_buffer_init(&right, jrpc_allocator_heap(), ENCODED_MAX);
    jrpc_token_state state = JRPC_TOKEN_MALFORMED;
    if (jrpc_slice_equal(head, unsigned_head)) {
        state = JRPC_TOKEN_UNSIGNED;
    } else if (jrpc_slice_equal(head, signed_head) && sign(text, key, &right)) {
        unsigned differs = right.len != code.len;
        for (size_t i = 0; i < right.len && i < code.len; i++) {
            differs |= (unsigned)(right.ptr[i] ^ code.ptr[i]);
        }
        state = differs == 0 ? JRPC_TOKEN_SIGNED : JRPC_TOKEN_FORGED;
    }
    jrpc_buffer_done(&right);
    return state;
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
