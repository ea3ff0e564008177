// The message of an error is one printable line of limited length, whatever it is given or
// appended. If several errors are set, the first one stays. Line and column are as counted by line
// feeds. A random number is below its bound.
#include "reference/base/error.h"
#include "fuzz/fuzz.h"
#include "reference/base/random.h"
#include "reference/base/utf8.h"

#include <stdio.h>

enum { WORD_BYTES = 700 };

static void require_line(const char *text, size_t room)
{
    size_t len = strlen(text);
    FUZZ_REQUIRE(len < room);
    for (size_t i = 0; i < len;) {
        size_t sequence = jrpc_utf8_sequence(text + i, len - i, NULL);
        FUZZ_REQUIRE(sequence != 0);
        unsigned char byte = (unsigned char)text[i];
        FUZZ_REQUIRE(byte >= 0x20 && byte != 0x7F);
        FUZZ_REQUIRE(byte != 0xC2 || (unsigned char)text[i + 1] >= 0xA0);
        i += sequence;
    }
}

static void require_formatted(const jrpc_error *error, size_t room)
{
    char out[sizeof error->message + sizeof error->source + 64];
    room = room < sizeof out ? room : sizeof out;
    memset(out, '#', sizeof out);
    jrpc_error_format(error, out, room);
    if (room == 0) {
        FUZZ_REQUIRE(out[0] == '#');
        return;
    }
    FUZZ_REQUIRE(memchr(out, '\0', room) != NULL);
    char place[64];
    (void)snprintf(place, sizeof place, ":%zu:%zu: ", error->line, error->column);
    bool whole =
        room == sizeof out && error->line != 0 && error->column != 0 && error->source[0] != '\0';
    FUZZ_REQUIRE(!whole || strstr(out, place) != NULL);
    FUZZ_REQUIRE(room < sizeof out || strstr(out, error->message) != NULL);
}

// Of ASCII the message is what was said, cut at its room, with a mark for what does not print.
static void require_said(const char *message, size_t room, const char *said)
{
    size_t i = 0;
    while (said[i] != '\0' && i + 1 < room && (unsigned char)said[i] < 0x80) {
        bool shown = said[i] >= 0x20 && said[i] < 0x7F;
        FUZZ_REQUIRE(message[i] == (shown ? said[i] : '?'));
        i++;
    }
    FUZZ_REQUIRE((unsigned char)said[i] >= 0x80 || message[i] == '\0');
}

// The cause stands after a colon. Where there is no room for both, the words before it are cut off
// after 380 bytes.
static void require_cause(const char *message, const char *words, int errno_value)
{
    char reason[128];
    char said[WORD_BYTES + sizeof reason + 8];
    if (strerror_r(errno_value, reason, sizeof reason) == 0) {
        (void)snprintf(said, sizeof said, "%.380s: %s", words, reason);
        require_said(message, sizeof((jrpc_error *)0)->message, said);
    }
}

// Line and column by counting line feeds.
static void require_place(const jrpc_error *error, jrpc_slice text, size_t offset)
{
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < offset && i < text.len; i++) {
        column = text.ptr[i] == '\n' ? 1 : column + 1;
        line += text.ptr[i] == '\n' ? 1 : 0;
    }
    FUZZ_REQUIRE(error->line == line && error->column == column);
}

static void require_below(uint64_t seed)
{
    jrpc_random random;
    jrpc_random_init(&random, seed);
    for (uint64_t bound = 0; bound < 4; bound++) {
        uint64_t drawn = jrpc_random_below(&random, bound);
        FUZZ_REQUIRE(bound == 0 ? drawn == 0 : drawn < bound);
    }
    // Half of all numbers are drawn again for this one.
    uint64_t most = (UINT64_C(1) << 63) + 1;
    for (int i = 0; i < 8; i++) {
        FUZZ_REQUIRE(jrpc_random_below(&random, most) < most);
    }
}

// Appended words follow the message as far as there is room, and nothing is written beyond the
// error.
static void require_appended(jrpc_error error, const char *words)
{
    struct {
        jrpc_error error;
        char behind[64];
    } guarded = {.error = error};
    char joined[sizeof error.message + WORD_BYTES];
    memset(guarded.behind, '#', sizeof guarded.behind);
    (void)snprintf(joined, sizeof joined, "%s%s", error.message, words);
    FUZZ_REQUIRE(!jrpc_error_append(&guarded.error, "%s", words));
    require_line(guarded.error.message, sizeof error.message);
    require_said(guarded.error.message, sizeof error.message, joined);
    FUZZ_REQUIRE(guarded.error.line == error.line && guarded.error.offset == error.offset);
    FUZZ_REQUIRE(strcmp(guarded.error.source, error.source) == 0);
    FUZZ_REQUIRE(guarded.behind[0] == '#' && guarded.behind[sizeof guarded.behind - 1] == '#');
    FUZZ_REQUIRE(!jrpc_error_append(NULL, "%s", words));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    char words[WORD_BYTES] = {0};
    size_t len = input.text.len < sizeof words - 1 ? input.text.len : sizeof words - 1;
    memcpy(words, len == 0 ? "" : input.text.ptr, len);
    static const jrpc_error fresh = {.code = JRPC_OK};
    jrpc_error error = fresh;
    jrpc_error_code code = (jrpc_error_code)(1 + input.options[0] % 8);
    FUZZ_REQUIRE(!jrpc_error_set(&error, code, "%s", words));
    FUZZ_REQUIRE(error.code == code);
    require_line(error.message, sizeof error.message);
    require_said(error.message, sizeof error.message, words);
    jrpc_error first = error;
    FUZZ_REQUIRE(!jrpc_error_set(&error, JRPC_ERROR_SYSTEM, "another"));
    FUZZ_REQUIRE(!jrpc_error_set_errno(&error, 2, "another"));
    FUZZ_REQUIRE(error.code == first.code && strcmp(error.message, first.message) == 0);

    size_t offset = input.options[1] * (size_t)3;
    FUZZ_REQUIRE(
        !jrpc_error_locate(&error, input.options[2] == 0 ? NULL : words, input.text, offset));
    require_line(error.source, sizeof error.source);
    require_place(&error, input.text, offset);
    require_formatted(&error, SIZE_MAX);
    require_formatted(&error, input.options[3]);
    require_said(error.source, sizeof error.source, input.options[2] == 0 ? "" : words);
    char joined[WORD_BYTES + sizeof error.message + 2];
    (void)snprintf(joined, sizeof joined, "%.511s: %s", words, error.message);
    FUZZ_REQUIRE(!jrpc_error_prefix(&error, "%s", words));
    require_line(error.message, sizeof error.message);
    require_said(error.message, sizeof error.message, joined);
    require_appended(first, words);
    require_appended(error, words); // where there is little room
    error.column = 0;
    require_formatted(&error, SIZE_MAX);
    error.line = 0;
    require_formatted(&error, SIZE_MAX);
    jrpc_error_clear(&error);
    FUZZ_REQUIRE(error.code == JRPC_OK);
    FUZZ_REQUIRE(!jrpc_error_set_errno(&error, input.options[4] * 9, "%s", words));
    FUZZ_REQUIRE(error.code == JRPC_ERROR_SYSTEM);
    require_line(error.message, sizeof error.message);
    require_cause(error.message, words, input.options[4] * 9);
    // Nobody wants to know.
    FUZZ_REQUIRE(!jrpc_error_set(NULL, code, "x") && !jrpc_error_set_errno(NULL, 1, "x"));
    FUZZ_REQUIRE(!jrpc_error_prefix(NULL, "x") && !jrpc_error_locate(NULL, "x", input.text, 0));
    require_below(fuzz_input_seed(&input));
    return 0;
}
