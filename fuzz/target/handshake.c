// The opening handshake of WebSocket: heads that hold anything. The answer to a request is one of
// the four that there are, and it upgrades exactly the requests that the list of conditions lets
// through; the answer that a key asks for is accepted, one for another key is not. SHA-1 and base64
// are what a second one says.
#include "fuzz/fuzz.h"
#include "reference/wire/sha1.h"
#include "reference/wire/websocket_handshake.h"

#include <strings.h>

enum { ROOM = 4096 };

// The first value of a header, by splitting at line ends: the second opinion on jrpc_head_value.
static jrpc_slice value_of(jrpc_slice head, const char *name)
{
    size_t len = strlen(name);
    while (head.len != 0) {
        size_t line = 0;
        while (line < head.len && head.ptr[line] != '\n') {
            line++;
        }
        if (line > len && head.ptr[len] == ':' && strncasecmp(head.ptr, name, len) == 0) {
            size_t from = len + 1;
            while (from < line && strchr(" \t", head.ptr[from]) != NULL && head.ptr[from] != '\0') {
                from++;
            }
            while (line > from && head.ptr[line - 1] != '\0' &&
                   strchr(" \t\r", head.ptr[line - 1]) != NULL) {
                line--;
            }
            return jrpc_slice_of(head.ptr + from, line - from);
        }
        head = jrpc_slice_from(head, line + 1);
    }
    return (jrpc_slice){NULL, 0};
}

static bool has(jrpc_slice text, const char *word)
{
    for (size_t i = 0; i + strlen(word) <= text.len; i++) {
        if (strncasecmp(text.ptr + i, word, strlen(word)) == 0) {
            return true;
        }
    }
    return false;
}

// SHA-1 as FIPS 180-4 writes it: the message padded whole, then block by block.
static void sha1(jrpc_slice bytes, unsigned char digest[JRPC_SHA1_BYTES])
{
    static unsigned char padded[ROOM + 128];
    size_t len = (bytes.len + 9 + 63) / 64 * 64;
    memset(padded, 0, len);
    memcpy(padded, bytes.len == 0 ? "" : bytes.ptr, bytes.len);
    padded[bytes.len] = 0x80;
    for (size_t i = 0; i < 4; i++) {
        padded[len - 1 - i] = (unsigned char)(bytes.len * 8 >> (8 * i));
    }
    uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    for (size_t at = 0; at < len; at += 64) {
        uint32_t w[80] = {0};
        uint32_t v[5];
        memcpy(v, h, sizeof v);
        for (size_t t = 0; t < 80; t++) {
            for (size_t i = 0; t < 16 && i < 4; i++) {
                w[t] = w[t] * 256 + padded[at + 4 * t + i];
            }
            uint32_t mixed = t < 16 ? w[t] : w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16];
            w[t] = t < 16 ? mixed : (mixed << 1 | mixed >> 31);
            uint32_t b = v[1];
            uint32_t c = v[2];
            uint32_t d = v[3];
            uint32_t f[] = {(b & c) ^ (~b & d), b ^ c ^ d, (b & c) ^ (b & d) ^ (c & d), b ^ c ^ d};
            static const uint32_t k[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
            uint32_t next = (v[0] << 5 | v[0] >> 27) + f[t / 20] + v[4] + k[t / 20] + w[t];
            memmove(v + 1, v, 4 * sizeof *v);
            v[0] = next;
            v[2] = b << 30 | b >> 2;
        }
        for (size_t i = 0; i < 5; i++) {
            h[i] += v[i];
        }
    }
    for (size_t i = 0; i < JRPC_SHA1_BYTES; i++) {
        digest[i] = (unsigned char)(h[i / 4] >> (24 - i % 4 * 8));
    }
}

static void require_digest(jrpc_slice text)
{
    unsigned char digest[JRPC_SHA1_BYTES];
    unsigned char expected[JRPC_SHA1_BYTES];
    jrpc_sha1(text, digest);
    sha1(text, expected);
    FUZZ_REQUIRE(memcmp(digest, expected, sizeof digest) == 0);
    // The base64 of the text, read back six bits at a time.
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char encoded[2 * ROOM];
    jrpc_base64(text, encoded);
    size_t len = strlen(encoded);
    FUZZ_REQUIRE(len == (text.len + 2) / 3 * 4);
    for (size_t i = 0; i < text.len; i++) {
        size_t at = i / 3 * 4 + i % 3;
        const char *high = strchr(digits, encoded[at]);
        const char *low = strchr(digits, encoded[at + 1]);
        FUZZ_REQUIRE(high != NULL && low != NULL);
        unsigned both = (unsigned)(high - digits) << 6 | (unsigned)(low - digits);
        FUZZ_REQUIRE((unsigned char)(both >> (4 - i % 3 * 2)) == (unsigned char)text.ptr[i]);
    }
    for (size_t i = 0; i < (3 - text.len % 3) % 3; i++) {
        FUZZ_REQUIRE(encoded[len - 1 - i] == '=');
    }
}

static void require_answer(jrpc_slice head, jrpc_slice answer, bool accepted)
{
    static const char *const statuses[] = {"HTTP/1.1 400 ", "HTTP/1.1 405 ", "HTTP/1.1 426 "};
    FUZZ_REQUIRE(jrpc_head_length(answer) == answer.len);
    bool owed = jrpc_slice_starts_with(head, JRPC_SLICE("GET ")) &&
                has(value_of(head, "upgrade"), "websocket") &&
                has(value_of(head, "connection"), "upgrade") &&
                value_of(head, "sec-websocket-key").len == 24 &&
                jrpc_slice_is(value_of(head, "sec-websocket-version"), "13");
    FUZZ_REQUIRE(accepted == owed);
    FUZZ_REQUIRE(accepted == jrpc_slice_starts_with(answer, JRPC_SLICE("HTTP/1.1 101 ")));
    bool known = accepted;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        known = known || jrpc_slice_starts_with(answer, jrpc_slice_str(statuses[i]));
    }
    FUZZ_REQUIRE(known);
    if (accepted) {
        char key[32] = {0};
        memcpy(key, value_of(head, "sec-websocket-key").ptr, 24);
        FUZZ_REQUIRE(strlen(key) < 24 || jrpc_websocket_check_answer(answer, key, NULL));
        key[0] = key[0] == 'A' ? 'B' : 'A';
        FUZZ_REQUIRE(!jrpc_websocket_check_answer(answer, key, NULL));
    }
}

// A request of our own with the input's lines among its headers.
static void require_own(jrpc_slice lines, const fuzz_input *input)
{
    unsigned char random[16] = {0};
    char key[JRPC_WEBSOCKET_KEY_BYTES];
    memcpy(random, input->options, FUZZ_OPTION_BYTES);
    jrpc_websocket_key(random, key);
    FUZZ_REQUIRE(strlen(key) == sizeof key - 1);
    jrpc_buffer request;
    jrpc_buffer answer;
    jrpc_buffer_init(&request, jrpc_allocator_heap(), (size_t)2 * ROOM);
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(
        jrpc_buffer_printf(&request,
                           "GET / HTTP/1.1\r\nUpgrade: WebSocket\r\nConnection: keep-alive, "
                           "Upgrade\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n",
                           key));
    FUZZ_REQUIRE(jrpc_buffer_append(&request, lines));
    FUZZ_REQUIRE(jrpc_websocket_answer(jrpc_buffer_slice(&request), &answer));
    FUZZ_REQUIRE(jrpc_websocket_check_answer(jrpc_buffer_slice(&answer), key, NULL));
    jrpc_buffer_done(&answer);
    jrpc_buffer_done(&request);
}

// A head is complete at its last byte, not before.
static void require_length(jrpc_slice text, size_t len)
{
    FUZZ_REQUIRE(len <= text.len && (len == 0 || len >= 4));
    for (size_t i = 0; i < len; i++) {
        FUZZ_REQUIRE(jrpc_head_length(jrpc_slice_of(text.ptr, i)) == 0);
    }
}

static void require_request(jrpc_slice head)
{
    static const char *const names[] = {"Upgrade", "Connection", "Sec-WebSocket-Key", "x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_head_value(head, names[i]), value_of(head, names[i])));
    }
    jrpc_buffer answer;
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), ROOM);
    bool accepted = jrpc_websocket_answer(head, &answer);
    require_answer(head, jrpc_buffer_slice(&answer), accepted);
    jrpc_buffer_done(&answer);
}

static void require_upgrade(jrpc_slice head)
{
    jrpc_error error = {.code = JRPC_OK};
    bool upgraded = jrpc_websocket_check_answer(head, "dGhlIHNhbXBsZSBub25jZQ==", &error);
    FUZZ_REQUIRE(upgraded == (error.code == JRPC_OK));
    FUZZ_REQUIRE(!upgraded || jrpc_slice_is(value_of(head, "sec-websocket-accept"),
                                            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_slice text = input.text;
    text.len = text.len < ROOM ? text.len : ROOM;
    size_t len = jrpc_head_length(text);
    // A head that is not complete is read as far as it goes, and not further.
    jrpc_slice head = {text.ptr, len == 0 ? text.len : len};
    if (fuzz_turn(&input, 0, 4)) {
        require_length(text, len);
        require_upgrade(head);
    }
    if (fuzz_turn(&input, 1, 4)) {
        require_request(head);
    }
    if (fuzz_turn(&input, 2, 4)) {
        require_own(text, &input);
    }
    if (fuzz_turn(&input, 3, 4)) {
        require_digest(text);
    }
    return 0;
}
