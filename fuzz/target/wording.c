// What a sentence or a report shows of texts: where one differs from another, as much of it as
// there is room for, and as many words of a list as fit, with the last byte of the room and no
// more. Names are sorted as if their numbers had equally many digits.
//
// The text is two texts, the second after the first line feed; options: how much is shown, how long
// the first is said to be.
#include "fuzz/fuzz.h"
#include "fuzz/model/plain.h"
#include "harness/report/cut.h"
#include "harness/report/rulebook.h"
#include "harness/suite/nearest.h"

#include <stdlib.h>

enum { ROOM = 1 << 20, WORDS_MOST = 64 };

// The difference begins where the texts first differ and ends where their common end begins, which
// is as long as it can be without overlapping their common beginning.
static void require_difference(jrpc_slice text, jrpc_slice other)
{
    size_t from = SIZE_MAX;
    size_t to = SIZE_MAX;
    jck_difference_of(text, other, &from, &to);
    size_t least = text.len < other.len ? text.len : other.len;
    FUZZ_REQUIRE(from <= to && to <= text.len && from <= least);
    size_t tail = text.len - to;
    FUZZ_REQUIRE(from + tail <= least);
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_slice_of(text.ptr, from), jrpc_slice_of(other.ptr, from)));
    FUZZ_REQUIRE(
        jrpc_slice_equal(jrpc_slice_from(text, to), jrpc_slice_from(other, other.len - tail)));
    FUZZ_REQUIRE(from == least || text.ptr[from] != other.ptr[from]);
    FUZZ_REQUIRE(from + tail == least || text.ptr[to - 1] != other.ptr[other.len - tail - 1]);
}

// A cut text shows where it differs, and how long it is; without a gap it is the whole text.
static void require_cut(jrpc_slice text, jrpc_slice other, size_t most, size_t more)
{
    size_t from;
    size_t to;
    jrpc_buffer out;
    jrpc_buffer whole;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&whole, jrpc_allocator_heap(), ROOM);
    jck_difference_of(text, other, &from, &to);
    jck_append_cut(&out, JCK_SAFE_PLAIN, text, text.len + more, most, from, to);
    FUZZ_REQUIRE(!out.failed && jck_safe_append(&whole, JCK_SAFE_PLAIN, text));
    plain_require(jrpc_buffer_slice(&out));
    if (text.len <= most && more == 0) {
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&out), jrpc_buffer_slice(&whole)));
    } else {
        char behind[40];
        (void)snprintf(behind, sizeof behind, " (%zu bytes)", text.len + more);
        FUZZ_REQUIRE(plain_count(jrpc_buffer_slice(&out), behind) >= 1);
    }
    jrpc_buffer_done(&whole);
    jrpc_buffer_done(&out);
}

// The words of a text in a list, written into every size of room: those that fit, whole.
static void require_list(char *copy)
{
    const char *words[WORDS_MOST + 1] = {NULL};
    size_t count = 0;
    size_t all = 1;
    for (char *at = copy; *at != '\0' && count < WORDS_MOST;) {
        size_t len = strcspn(at, " \n");
        words[count] = at;
        count += len > 0;
        all += len + 2;
        at += len;
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    words[count] = NULL;
    for (size_t room = 1; room <= all + 2; room += room < 40 ? 1 : 7) {
        char *out = malloc(room);
        FUZZ_REQUIRE(out != NULL && jck_word_list(words, out, room) == out);
        size_t len = 0;
        size_t shown = 0;
        for (; shown < count; shown++) {
            const char *between = shown == 0 ? "" : ", ";
            size_t more = strlen(between) + strlen(words[shown]);
            if (len == strlen(out) && shown > 0) {
                break;
            }
            FUZZ_REQUIRE(len + more <= strlen(out) || out[len] == '\0');
            if (out[len] == '\0') {
                break;
            }
            FUZZ_REQUIRE(strncmp(out + len, between, strlen(between)) == 0 &&
                         strncmp(out + len + strlen(between), words[shown], strlen(words[shown])) ==
                             0);
            len += more;
        }
        FUZZ_REQUIRE(len == strlen(out) && len < room);
        // A word is left out only where it does not fit beside its separator and the end.
        FUZZ_REQUIRE(shown == count || len + strlen(words[shown]) + 3 > room);
        free(out);
    }
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

// The text with zeros before each number, up to nine digits; false if a number has more.
static bool pad(jrpc_buffer *out, jrpc_slice text)
{
    enum { DIGITS = 9 };
    for (size_t at = 0; at < text.len;) {
        size_t len = 0;
        while (at + len < text.len && is_digit(text.ptr[at + len])) {
            len++;
        }
        if (len > DIGITS) {
            return false;
        }
        for (size_t i = len; len != 0 && i < DIGITS; i++) {
            FUZZ_REQUIRE(jrpc_buffer_append_char(out, '0'));
        }
        len = len == 0 ? 1 : len;
        FUZZ_REQUIRE(jrpc_buffer_append(out, jrpc_slice_of(text.ptr + at, len)));
        at += len;
    }
    return true;
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

static void require_order(jrpc_slice a, jrpc_slice b)
{
    jrpc_buffer left;
    jrpc_buffer right;
    jrpc_buffer_init(&left, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&right, jrpc_allocator_heap(), ROOM);
    if (pad(&left, a) && pad(&right, b)) {
        size_t least = left.len < right.len ? left.len : right.len;
        int order = least == 0 ? 0 : memcmp(left.ptr, right.ptr, least);
        order = order != 0 ? order : (left.len > right.len) - (left.len < right.len);
        FUZZ_REQUIRE(sign(jck_natural_order(a, b)) == sign(order));
        FUZZ_REQUIRE(sign(jck_natural_order(b, a)) == -sign(order));
    }
    jrpc_buffer_done(&right);
    jrpc_buffer_done(&left);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_slice text = input.text;
    jrpc_slice second = text;
    jrpc_slice first = text;
    (void)jrpc_slice_take_line(&second, &first);
    require_difference(first, second);
    require_difference(second, first);
    require_order(first, second);
    require_cut(first, second, input.options[0], input.options[1]);
    if (text.len == 0 || memchr(text.ptr, '\0', text.len) == NULL) {
        char *copy = strndup(text.ptr == NULL ? "" : text.ptr, text.len);
        FUZZ_REQUIRE(copy != NULL);
        require_list(copy);
        free(copy);
    }
    return 0;
}
