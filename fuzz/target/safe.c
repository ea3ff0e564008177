// Text that is made safe for a place shows every byte of it: whoever takes the place's escapes away
// has the bytes again, whatever they were. Cut at any length it ends between characters, and says
// how much there was. A report's JSON keeps every character.
//
// Options: where the text is cut, how long it is said to be.
#include "harness/report/safe.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/plain.h"
#include "fuzz/model/unsafe.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 20 };

static jrpc_slice as_it_is(tree_pool *pool, jrpc_slice written)
{
    (void)pool;
    return written;
}

static const struct {
    jck_safe_place place;
    jrpc_slice (*read)(tree_pool *pool, jrpc_slice written);
} places[] = {
    {JCK_SAFE_PLAIN, as_it_is},
    {JCK_SAFE_XML, unsafe_from_markup},
    {JCK_SAFE_HTML, unsafe_from_markup},
    {JCK_SAFE_HTML_BYTES, unsafe_from_marked},
    {JCK_SAFE_MARKDOWN, unsafe_from_markup},
    {JCK_SAFE_TAP, unsafe_from_tap},
};
enum { PLACES = sizeof places / sizeof *places };

// One line, which shows what it holds.
static void require_line(jrpc_slice written)
{
    plain_require(written);
    FUZZ_REQUIRE(written.len == 0 || memchr(written.ptr, '\n', written.len) == NULL);
}

// Markdown: nothing that begins markup, but within names.
static void require_no_markdown(jrpc_slice written)
{
    for (size_t i = 0; i < written.len; i++) {
        FUZZ_REQUIRE(strchr("*_`[]()!~|\\<>\"'@:+$", written.ptr[i]) == NULL);
        bool edge = i == 0 || i + 1 == written.len || written.ptr[i - 1] == ' ' ||
                    written.ptr[i + 1] == ' ';
        FUZZ_REQUIRE(!edge || strchr("-/.=", written.ptr[i]) == NULL);
    }
}

static void require_inverse(tree_pool *pool, jrpc_slice text)
{
    for (size_t i = 0; i < PLACES; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
        FUZZ_REQUIRE(jck_safe_append(&out, places[i].place, text));
        jrpc_slice written = jrpc_buffer_slice(&out);
        require_line(written);
        if (places[i].place == JCK_SAFE_MARKDOWN) {
            require_no_markdown(written);
        }
        FUZZ_REQUIRE(jrpc_slice_equal(unsafe_bytes(pool, places[i].read(pool, written)), text));
        // Room for the very last byte is enough, and no less is.
        size_t len = out.len;
        jrpc_buffer_done(&out);
        for (size_t less = 0; less < 2 && less < len; less++) {
            jrpc_buffer_init(&out, jrpc_allocator_heap(), len - less);
            FUZZ_REQUIRE(jck_safe_append(&out, places[i].place, text) == (less == 0));
            jrpc_buffer_done(&out);
        }
    }
}

// What is spelled in a sentence stays as it is, and stands for the same bytes wherever it is shown.
static void require_sentence(tree_pool *pool, jrpc_slice text)
{
    for (size_t i = 0; i < PLACES; i++) {
        if (places[i].place == JCK_SAFE_HTML_BYTES) {
            continue;
        }
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
        FUZZ_REQUIRE(jck_safe_append_sentence(&out, places[i].place, text, SIZE_MAX));
        jrpc_slice written = jrpc_buffer_slice(&out);
        require_line(written);
        if (places[i].place == JCK_SAFE_MARKDOWN) {
            require_no_markdown(written);
        }
        FUZZ_REQUIRE(jrpc_slice_equal(unsafe_bytes(pool, places[i].read(pool, written)),
                                      unsafe_sentence(pool, text)));
        jrpc_buffer_done(&out);
    }
}

// A String of JSON: each character as it is; a byte that is none is U+FFFD.
static void require_json(tree_pool *pool, jrpc_slice text)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_buffer_append_char(&out, '"') && jck_safe_append(&out, JCK_SAFE_JSON, text) &&
                 jrpc_buffer_append_char(&out, '"'));
    require_line(jrpc_buffer_slice(&out));
    FUZZ_REQUIRE(grammar_check(jrpc_buffer_slice(&out), 1).verdict == GRAMMAR_JSON);
    jrpc_slice read = tree_read(pool, jrpc_buffer_slice(&out))->content;
    for (size_t i = 0; i < text.len;) {
        size_t len = 1;
        jrpc_slice left = jrpc_slice_from(text, i);
        while (len <= 4 && len <= left.len) {
            jrpc_buffer quoted;
            jrpc_buffer_init(&quoted, jrpc_allocator_heap(), 16);
            FUZZ_REQUIRE(jrpc_buffer_append_char(&quoted, '"') &&
                         jrpc_buffer_append_char(
                             &quoted, (unsigned char)left.ptr[0] < 0x80 ? 'a' : left.ptr[0]) &&
                         jrpc_buffer_append(&quoted, jrpc_slice_of(left.ptr + 1, len - 1)) &&
                         jrpc_buffer_append_char(&quoted, '"'));
            bool whole = grammar_check(jrpc_buffer_slice(&quoted), 1).verdict == GRAMMAR_JSON;
            jrpc_buffer_done(&quoted);
            if (whole) {
                break;
            }
            len++;
        }
        bool valid = len <= 4 && len <= left.len;
        jrpc_slice wanted = valid ? jrpc_slice_of(left.ptr, len) : JRPC_SLICE("\xEF\xBF\xBD");
        FUZZ_REQUIRE(jrpc_slice_starts_with(read, wanted));
        read = jrpc_slice_from(read, wanted.len);
        i += valid ? len : 1;
    }
    FUZZ_REQUIRE(read.len == 0);
    jrpc_buffer_done(&out);
}

// At most `most` bytes are shown, none of a character that does not fit, and the rest is counted.
static void require_capped(tree_pool *pool, jrpc_slice text, size_t most, size_t more)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jck_safe_append_capped(&out, JCK_SAFE_PLAIN, text, most, text.len + more));
    char behind[64];
    (void)snprintf(behind, sizeof behind, "\xE2\x80\xA6 (%zu bytes in all)", text.len + more);
    jrpc_slice written = jrpc_buffer_slice(&out);
    bool cut = text.len > most || more > 0;
    size_t tail = cut ? strlen(behind) : 0;
    FUZZ_REQUIRE(tail == 0 || (written.len >= tail &&
                               memcmp(written.ptr + written.len - tail, behind, tail) == 0));
    jrpc_slice shown = unsafe_bytes(pool, jrpc_slice_of(written.ptr, written.len - tail));
    size_t least = text.len <= most ? text.len : most < 3 ? 0 : most - 3;
    FUZZ_REQUIRE(shown.len <= most && shown.len >= least && jrpc_slice_starts_with(text, shown));
    for (size_t back = 1; back < 4 && back <= shown.len && shown.len < text.len; back++) {
        jrpc_slice before = jrpc_slice_from(text, shown.len - back);
        FUZZ_REQUIRE(before.ptr[0] == '\n' || plain_character(before) <= back);
    }
    jrpc_buffer_done(&out);
}

// A stream gets what a buffer gets, in pieces.
static void require_printed(jrpc_slice text, size_t times)
{
    char *printed = NULL;
    size_t len = 0;
    jrpc_buffer whole;
    jrpc_buffer out;
    jrpc_buffer_init(&whole, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), (size_t)ROOM * 4);
    for (size_t i = 0; i < times; i++) {
        FUZZ_REQUIRE(jrpc_buffer_append(&whole, text));
    }
    FILE *stream = open_memstream(&printed, &len);
    FUZZ_REQUIRE(stream != NULL);
    FUZZ_REQUIRE(jck_print_safe(stream, jrpc_buffer_slice(&whole)) && fclose(stream) == 0);
    FUZZ_REQUIRE(jck_safe_append(&out, JCK_SAFE_PLAIN, jrpc_buffer_slice(&whole)));
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_slice_of(printed, len), jrpc_buffer_slice(&out)));
    free(printed);
    jrpc_buffer_done(&out);
    jrpc_buffer_done(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    tree_pool pool = {NULL};
    require_inverse(&pool, input.text);
    require_sentence(&pool, input.text);
    require_json(&pool, input.text);
    require_capped(&pool, input.text, input.options[0], input.options[1]);
    if (input.text.len != 0) {
        require_capped(&pool, input.text, input.text.len - 1, 0);
        require_capped(&pool, input.text, input.text.len, 0);
    }
    if (fuzz_turn(&input, 0, 8) && input.text.len != 0) {
        require_printed(input.text, 4200 / input.text.len + 1);
    }
    tree_pool_done(&pool);
    return 0;
}
