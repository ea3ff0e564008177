// A token that was written is read as signed, with its claims, by whoever has the key, and by
// nobody else; a token that was changed anywhere is not; and whatever is read, nothing of it stays
// behind. The signature is what the model says.
//
// The text is a key, a line feed, and claims or a token.
#include "reference/wire/token.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/digest.h"

enum { ROOM = 1 << 16 };

static jrpc_token_state read(jrpc_slice token, jrpc_slice key, jrpc_slice claims, bool exact)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    jrpc_token_state state = jrpc_token_read(token, key, &out);
    FUZZ_REQUIRE(!exact || jrpc_slice_equal(jrpc_buffer_slice(&out), claims));
    jrpc_buffer_done(&out);
    return state;
}

// The signature of a token, base64url (RFC 4648, section 5), by the model.
static void require_signature(jrpc_slice token, jrpc_slice key)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned char code[DIGEST_BYTES + 1] = {0}; // the bits after the last byte are 0
    size_t dot = token.len;
    while (token.ptr[dot - 1] != '.') {
        dot--;
    }
    digest_hmac(key, jrpc_slice_of(token.ptr, dot - 1), code);
    FUZZ_REQUIRE(token.len - dot == (DIGEST_BYTES * 8 + 5) / 6);
    for (size_t i = 0; dot + i < token.len; i++) {
        unsigned two = (unsigned)code[i * 6 / 8] << 8 | code[i * 6 / 8 + 1];
        FUZZ_REQUIRE(token.ptr[dot + i] == digits[two >> (10 - i * 6 % 8) & 63]);
    }
}

static void require_written(jrpc_slice claims, jrpc_slice key, size_t changed)
{
    jrpc_buffer token;
    char other[64] = "another key";
    jrpc_buffer_init(&token, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_token_write(claims, key, &token));
    jrpc_slice written = jrpc_buffer_slice(&token);
    FUZZ_REQUIRE(read(written, key, claims, true) == JRPC_TOKEN_SIGNED);
    require_signature(written, key);
    other[0] = key.len == 0 || key.ptr[0] != 'b' ? 'b' : 'c';
    FUZZ_REQUIRE(read(written, jrpc_slice_str(other), claims, true) == JRPC_TOKEN_FORGED);
    // Another letter anywhere, a letter less, a letter more.
    char *letter = token.ptr + changed % token.len;
    char before = *letter;
    *letter = before == 'A' ? 'B' : 'A';
    FUZZ_REQUIRE(read(written, key, claims, false) != JRPC_TOKEN_SIGNED);
    *letter = before;
    jrpc_slice less = jrpc_slice_of(written.ptr, written.len - 1);
    FUZZ_REQUIRE(read(less, key, claims, false) != JRPC_TOKEN_SIGNED);
    FUZZ_REQUIRE(jrpc_buffer_append_char(&token, 'A'));
    FUZZ_REQUIRE(read(jrpc_buffer_slice(&token), key, claims, false) != JRPC_TOKEN_SIGNED);
    jrpc_buffer_clear(&token);
    FUZZ_REQUIRE(jrpc_token_write(claims, (jrpc_slice){NULL, 0}, &token));
    FUZZ_REQUIRE(read(jrpc_buffer_slice(&token), key, claims, true) == JRPC_TOKEN_UNSIGNED);
    jrpc_buffer_done(&token);
}

// The length of a part of a token cannot leave a single digit of base64url at the end.
static void require_whole_digits(jrpc_slice claims, jrpc_slice key)
{
    jrpc_buffer token;
    jrpc_buffer_init(&token, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_token_write(claims, key, &token));
    jrpc_slice written = jrpc_buffer_slice(&token);
    size_t head = 0;
    while (written.ptr[head] != '.') {
        head++;
    }
    size_t end = head + 1;
    while (written.ptr[end] != '.') {
        end++;
    }
    for (size_t body = end - head - 1, more = 1; more < 5; more++) {
        jrpc_buffer longer;
        jrpc_buffer_init(&longer, jrpc_allocator_heap(), ROOM);
        FUZZ_REQUIRE(jrpc_buffer_append(&longer, jrpc_slice_of(written.ptr, end)) &&
                     jrpc_buffer_append(&longer, jrpc_slice_of("AAAA", more)) &&
                     jrpc_buffer_append(&longer, jrpc_slice_from(written, end)));
        jrpc_token_state state = read(jrpc_buffer_slice(&longer), key, claims, false);
        FUZZ_REQUIRE((state == JRPC_TOKEN_MALFORMED) == ((body + more) % 4 == 1));
        jrpc_buffer_done(&longer);
    }
    jrpc_buffer_done(&token);
}

// A token has three parts, with dots between them. Anything shorter is malformed, whoever reads it.
static void require_parts(jrpc_slice token, jrpc_slice key)
{
    size_t dots = 0;
    for (size_t i = 0; i < token.len; i++) {
        dots += token.ptr[i] == '.' ? 1 : 0;
    }
    FUZZ_REQUIRE(dots >= 2 || read(token, key, token, false) == JRPC_TOKEN_MALFORMED);
}

// The first part of a token that was written, and its first two parts.
static void require_no_less(jrpc_slice claims, jrpc_slice key)
{
    jrpc_buffer token;
    jrpc_buffer_init(&token, jrpc_allocator_heap(), ROOM);
    for (int keyed = 0; keyed < 2; keyed++) {
        jrpc_buffer_clear(&token);
        FUZZ_REQUIRE(jrpc_token_write(claims, keyed != 0 ? key : (jrpc_slice){NULL, 0}, &token));
        for (size_t i = 0; i < token.len; i++) {
            if (token.ptr[i] == '.') {
                require_parts(jrpc_slice_of(token.ptr, i), key);
            }
        }
    }
    jrpc_buffer_done(&token);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_slice text = input.text;
    const char *feed = text.len == 0 ? NULL : memchr(text.ptr, '\n', text.len);
    size_t len = feed == NULL ? text.len : (size_t)(feed - text.ptr);
    jrpc_slice key = jrpc_slice_of(feed == NULL ? "" : text.ptr, feed == NULL ? 0 : len);
    jrpc_slice rest = jrpc_slice_from(text, feed == NULL ? 0 : len + 1);
    require_parts(rest, key);
    if (rest.len <= JRPC_TOKEN_CLAIMS_MAX) {
        require_written(rest, key, input.options[0] + input.options[1] * (size_t)7);
        require_whole_digits(rest, key);
        require_no_less(rest, key);
    }
    return 0;
}
