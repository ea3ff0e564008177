// The limits of case files: one less than the limit and the limit itself are accepted, one more is
// refused. The same is tested for the length of a token's claims, the number of differences that a
// run remembers, the elements of a batch, the digits of a usual id, and the depth that is examined.
// Long texts with many values are read as well.
//
// Options: which limit, and where: 1 below it, 2 at it, 3 above it. The text is put into a title.
#include "reference/base/limits.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/told.h"
#include "harness/evidence/evidence.h"
#include "harness/judge/owed.h"
#include "harness/judge/repeats.h"
#include "harness/suite/load.h"
#include "harness/suite/load_table.h"
#include "reference/json/read.h"
#include "reference/json/write.h"
#include "reference/rpc/router.h"
#include "reference/wire/token.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 20, DEPTH = 64, MEBI = 1 << 20 };

#define EXPECTED ",\"expect\":{\"nothing\":true}"

// The numbers from 0 to count - 1, each between two texts, with commas between them.
static void put_each(jrpc_buffer *out, size_t count, const char *before, const char *after)
{
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_printf(out, "%s%s%zu%s", i == 0 ? "" : ",", before, i, after);
    }
}

// How many tables may be crossed: each has one row and one column.
static void put_tables(jrpc_buffer *out, size_t count)
{
    (void)jrpc_buffer_append_str(out, ",\"send\":1" EXPECTED ",\"table\":[");
    put_each(out, count, "{\"columns\":[\"c", "\"],\"rows\":[[\"a\"]]}");
    (void)jrpc_buffer_append_str(out, "]}");
}

static void put_columns(jrpc_buffer *out, size_t count)
{
    (void)jrpc_buffer_append_str(out, ",\"send\":[");
    put_each(out, count, "\"${row.c", "}\"");
    (void)jrpc_buffer_append_str(out, "]" EXPECTED ",\"table\":{\"columns\":[");
    put_each(out, count, "\"c", "\"");
    (void)jrpc_buffer_append_str(out, "],\"rows\":[[");
    put_each(out, count, "", "");
    (void)jrpc_buffer_append_str(out, "]]}}");
}

static void put_rows(jrpc_buffer *out, size_t count)
{
    (void)jrpc_buffer_append_str(out, ",\"send\":\"${row.n}\"" EXPECTED
                                      ",\"table\":{\"columns\":[\"n\"],\"rows\":[");
    put_each(out, count, "[\"r", "\"]");
    (void)jrpc_buffer_append_str(out, "]}}");
}

static void put_captures(jrpc_buffer *out, size_t count)
{
    (void)jrpc_buffer_append_str(out, ",\"steps\":[{\"send\":{\"id\":1},\"expect\":{\"result\":1},"
                                      "\"capture\":{");
    put_each(out, count, "\"c", "\":\"/result\"");
    (void)jrpc_buffer_append_str(out, "}}]}");
}

static void put_rounds(jrpc_buffer *out, size_t count)
{
    (void)jrpc_buffer_printf(out,
                             ",\"steps\":[{\"repeat\":%zu,\"steps\":[{\"send\":{\"id\":\"${id}\""
                             "},\"expect\":{\"result\":1}}]}]}",
                             count);
}

static void put_repeated(jrpc_buffer *out, const char *unit, size_t times)
{
    (void)jrpc_buffer_printf(out, ",\"send-repeat\":{\"unit\":\"%s\",\"times\":%zu}" EXPECTED "}",
                             unit, times);
}

static void put_times(jrpc_buffer *out, size_t count)
{
    put_repeated(out, "a", count);
}

// 64 bytes, a 64th as often.
static void put_long_units(jrpc_buffer *out, size_t count)
{
    put_repeated(out, "0123456789012345678901234567890123456789012345678901234567890123",
                 count - (size_t)63 * MEBI);
}

static void put_offset(jrpc_buffer *out, size_t count)
{
    (void)jrpc_buffer_printf(out, ",\"send\":1,\"chunks\":[1,%zu]" EXPECTED "}", count);
}

static const struct {
    void (*put)(jrpc_buffer *out, size_t count);
    size_t limit;
} limits[] = {
    {put_tables, JCK_LIMIT_TABLES},
    {put_columns, JCK_LIMIT_TABLE_COLUMNS},
    {put_rows, JCK_LIMIT_TABLE_CASES},
    {put_captures, JCK_LIMIT_CAPTURES},
    {put_rounds, JCK_LIMIT_ROUNDS},
    {put_times, JCK_LIMIT_PAYLOAD_BYTES},
    {put_long_units, JCK_LIMIT_PAYLOAD_BYTES},
    {put_offset, JCK_LIMIT_PAYLOAD_BYTES},
};
enum { LIMITS = sizeof limits / sizeof *limits };

static size_t count_wrong(jrpc_slice text)
{
    const jck_suite *rules = fuzz_suite();
    jck_suite suite = {.rules = rules->rules, .rule_count = rules->rule_count};
    fuzz_told told = {.lines = fuzz_count_lines(text)};
    jck_reader reader;
    jrpc_error first = {.code = JRPC_OK};
    jrpc_json_document document;
    jrpc_arena_init(&suite.arena, jrpc_allocator_heap(), (size_t)256 << 20);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    FUZZ_REQUIRE(jrpc_json_read(&document, text, DEPTH, NULL));
    jck_reader_init(&reader, &suite.arena, fuzz_tell, &told, &first);
    reader.file = "cases/fuzz.json";
    reader.text = text;
    (void)jck_load_cases(&reader, &suite, jrpc_json_root(&document), "jsonrpc-2.0");
    FUZZ_REQUIRE(!reader.starved);
    jrpc_json_document_done(&document);
    jrpc_arena_done(&suite.arena);
    return reader.wrong;
}

static void put_file(jrpc_buffer *out, jrpc_slice title, size_t which, size_t count)
{
    static const char *const ids[] = {"t/", "t/${row.c0}", "t/${row.n}"};
    jrpc_json_writer writer;
    jrpc_json_writer_init(&writer, out);
    (void)jrpc_buffer_printf(out,
                             "{\"schema\":1,\"suite\":\"jsonrpc-2.0\",\"section\":\"1\",\"title\":"
                             "\"t\",\"cases\":[{\"id\":\"%s",
                             which < 3 ? ids[which] : "t/a");
    for (size_t i = 0; which == 0 && i < count; i++) {
        (void)jrpc_buffer_printf(out, "${row.c%zu}", i);
    }
    (void)jrpc_buffer_append_str(out, "\",\"rules\":[\"J2-4a\"],\"title\":");
    jrpc_json_write_string(&writer, title);
    limits[which].put(out, count);
    (void)jrpc_buffer_append_str(out, "]}");
    FUZZ_REQUIRE(!out->failed);
}

static void require_token(size_t offset)
{
    static const char claims[JRPC_TOKEN_CLAIMS_MAX + 1];
    jrpc_buffer token;
    size_t len = JRPC_TOKEN_CLAIMS_MAX - 1 + offset;
    jrpc_buffer_init(&token, jrpc_allocator_heap(), ROOM);
    bool written = jrpc_token_write(jrpc_slice_of(claims, len), JRPC_SLICE("k"), &token);
    FUZZ_REQUIRE(written == (len <= JRPC_TOKEN_CLAIMS_MAX));
    jrpc_buffer_done(&token);
}

// A difference under a name of its own, reported once more; whether it counts as a repetition.
static bool is_repeated_at(jck_repeats *repeats, size_t number, jck_level level)
{
    char name[24];
    (void)snprintf(name, sizeof name, "d%zu", number);
    jck_finding finding = {.rule = JRPC_SLICE("J2-4a"), .level = level};
    // Letters alone, as all numbers are alike.
    for (size_t i = 1; name[i] != '\0'; i++) {
        name[i] = (char)(name[i] - '0' + 'a');
    }
    finding.difference = jrpc_slice_str(name);
    jck_findings findings = {.items = &finding, .count = 1, .capacity = 1};
    jck_repeats_mark(repeats, &findings);
    return finding.repeats;
}

static bool is_repeated(jck_repeats *repeats, size_t number)
{
    return is_repeated_at(repeats, number, JCK_LEVEL_MUST);
}

// A later finding is a repetition if its level is not above the highest one reported, whether that
// came first or last.
static void require_worst_level(size_t place)
{
    jck_repeats *repeats = calloc(1, sizeof *repeats);
    FUZZ_REQUIRE(repeats != NULL);
    for (size_t i = 0; i < JCK_REPEATS_REPORTED; i++) {
        FUZZ_REQUIRE(!is_repeated_at(repeats, 0, i == place ? JCK_LEVEL_MUST : JCK_LEVEL_SHOULD));
    }
    FUZZ_REQUIRE(is_repeated_at(repeats, 0, JCK_LEVEL_SHOULD));
    FUZZ_REQUIRE(is_repeated(repeats, 0));
    free(repeats);
}

// So many differences are remembered, and each is reported so often, whichever came first.
static void require_repeats(size_t offset)
{
    jck_repeats *repeats = calloc(1, sizeof *repeats);
    size_t count = JCK_REPEATS_MAX - 1 + offset;
    FUZZ_REQUIRE(repeats != NULL);
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(!is_repeated(repeats, i));
    }
    for (size_t times = 1; times < JCK_REPEATS_REPORTED; times++) {
        FUZZ_REQUIRE(!is_repeated(repeats, 0) && !is_repeated(repeats, count - 1));
    }
    FUZZ_REQUIRE(is_repeated(repeats, 0));
    FUZZ_REQUIRE(is_repeated(repeats, count - 1) == (count <= JCK_REPEATS_MAX));
    free(repeats);
}

// An id of up to fifteen digits is a usual one.
static void require_usual_id(size_t offset)
{
    char text[96];
    (void)snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":%.*s}",
                   (int)(14 + offset), "1234567890123456");
    FUZZ_REQUIRE((jck_owed_bit(jrpc_slice_str(text)) == 0) == (offset < 2));
}

// Brackets inside a string do not count, even if the text is nested too deep to be examined.
static void require_deep(jrpc_slice content, size_t offset)
{
    enum { DEPTH_ASKED = JCK_MESSAGE_DEPTH + 1 };
    static const char *const behind[] = {"]", "", "]]"};
    jrpc_buffer text;
    jrpc_json_document document;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    (void)jrpc_buffer_append_char(&text, '[');
    (void)jrpc_json_quote(&text, content);
    (void)jrpc_buffer_append_char(&text, ',');
    for (size_t i = 0; i < (size_t)2 * DEPTH_ASKED; i++) {
        (void)jrpc_buffer_append_char(&text, i < DEPTH_ASKED ? '[' : ']');
    }
    FUZZ_REQUIRE(jrpc_buffer_append_str(&text, behind[offset]));
    jck_owed owed = jck_owed_for(jrpc_buffer_slice(&text), JRPC_SLICE("x"), &document);
    FUZZ_REQUIRE(owed.kind == (offset == 0 ? JCK_OWED_UNKNOWN : JCK_OWED_RESPONSE));
    FUZZ_REQUIRE(owed.code == (offset == 0 ? 0 : JRPC_PARSE_ERROR));
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&text);
}

// An Array of so many zeros, at least one.
static void put_zeros(jrpc_buffer *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(jrpc_buffer_append_str(out, i == 0 ? "[0" : ",0"));
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, ']'));
}

// Reads an Array of so many zeros. At first, the reader makes room for one value per eight bytes.
static void require_values(size_t count)
{
    jrpc_buffer text;
    jrpc_json_document document;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    put_zeros(&text, count);
    FUZZ_REQUIRE(jrpc_json_read(&document, jrpc_buffer_slice(&text), 1, NULL));
    FUZZ_REQUIRE(document.count == count + 1);
    uint32_t at = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_root(&document)); jrpc_json_step(&it);
         at++) {
        FUZZ_REQUIRE(it.value.index == at + 1 && jrpc_slice_is(jrpc_json_spelling(it.value), "0"));
    }
    FUZZ_REQUIRE(at == count);
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&text);
}

// A batch of so many invalid elements gets one error for each of them, or a single one if there are
// too many.
static void require_batch(size_t count)
{
    jrpc_buffer text;
    jrpc_buffer out;
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), (size_t)64 * MEBI);
    put_zeros(&text, count);
    FUZZ_REQUIRE(jrpc_router_handle(router, jrpc_buffer_slice(&text), 4, NULL, &out, NULL) ==
                 JRPC_REPLY_TEXT);
    size_t answers = 0;
    for (size_t i = 0; i < out.len; i++) {
        answers += jrpc_slice_starts_with(jrpc_slice_from(jrpc_buffer_slice(&out), i),
                                          JRPC_SLICE("-32600"))
                       ? 1
                       : 0;
    }
    bool each = count <= JRPC_LIMIT_BATCH_ELEMENTS;
    FUZZ_REQUIRE(answers == (each ? count : 1) && out.ptr[0] == (each ? '[' : '{'));
    jrpc_buffer_done(&out);
    jrpc_buffer_done(&text);
    jrpc_router_free(router);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    size_t which = input.options[0] % (LIMITS + 6);
    size_t offset = input.options[1] % 3;
    switch (which) {
    case LIMITS:
        require_token(offset);
        return 0;
    case LIMITS + 1:
        require_repeats(offset);
        return 0;
    case LIMITS + 2:
        require_values(2047 + offset + input.options[2] * (size_t)61);
        return 0;
    case LIMITS + 3:
        if (fuzz_turn(&input, 0, 64)) { // it costs as much as thousands of others
            require_batch(JRPC_LIMIT_BATCH_ELEMENTS - 1 + offset);
        }
        return 0;
    case LIMITS + 4:
        require_usual_id(offset);
        require_worst_level(offset);
        return 0;
    case LIMITS + 5:
        require_deep(input.text, offset);
        return 0;
    default:
        break;
    }
    // A title is text; what it holds shows nothing about the limits.
    size_t len = 0;
    while (len < input.text.len && len < 40 && input.text.ptr[len] >= ' ' &&
           input.text.ptr[len] <= '~' && input.text.ptr[len] != '$') {
        len++;
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    put_file(&text, len == 0 ? JRPC_SLICE("t") : jrpc_slice_of(input.text.ptr, len), which,
             limits[which].limit - 1 + offset);
    size_t wrong = count_wrong(jrpc_buffer_slice(&text));
    FUZZ_REQUIRE((wrong == 0) == (offset < 2));
    jrpc_buffer_done(&text);
    return 0;
}
