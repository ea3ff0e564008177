// The opening handshake of WebSocket: heads that hold anything. The answer to a request is one of
// the four that there are, and it upgrades exactly the requests that the list of conditions lets
// through; the answer that a key asks for is accepted, one for another key is not.
#include "fuzz/fuzz.h"
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
    jrpc_buffer_init(&request, jrpc_allocator_heap(), 2 * ROOM);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_slice text = input.text;
    text.len = text.len < ROOM ? text.len : ROOM;
    size_t len = jrpc_head_length(text);
    FUZZ_REQUIRE(len <= text.len && (len == 0 || len >= 4));
    for (size_t i = 0; i < len; i++) {
        FUZZ_REQUIRE(jrpc_head_length(jrpc_slice_of(text.ptr, i)) == 0);
    }
    // A head that is not complete is read as far as it goes, and not further.
    jrpc_slice head = {text.ptr, len == 0 ? text.len : len};
    static const char *const names[] = {"Upgrade", "Connection", "Sec-WebSocket-Key", "x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_head_value(head, names[i]), value_of(head, names[i])));
    }
    jrpc_buffer answer;
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), ROOM);
    bool accepted = jrpc_websocket_answer(head, &answer);
    require_answer(head, jrpc_buffer_slice(&answer), accepted);
    jrpc_buffer_done(&answer);
    jrpc_error error = {.code = JRPC_OK};
    bool upgraded = jrpc_websocket_check_answer(head, "dGhlIHNhbXBsZSBub25jZQ==", &error);
    FUZZ_REQUIRE(upgraded == (error.code == JRPC_OK));
    FUZZ_REQUIRE(!upgraded || jrpc_slice_is(value_of(head, "sec-websocket-accept"),
                                            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    require_own(text, &input);
    return 0;
}
