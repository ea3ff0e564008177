// The judge is total and deterministic: every prefix of an answer, random bytes, memory that runs
// out at every allocation; and the right answer passes while every seeded defect in it fails.
#include "reference/base/random.h"
#include "tests/unit/judge/bench_starve.h"

#define BATCH_CASE                                                                                 \
    "\"rules\":[\"X-must\"],\"send\":[" CALL ",1],\"expect\":[{\"error\":{\"code\":-32601},"       \
    "\"id\":7},{\"error\":{\"code\":-32600},\"id\":null}]"

static const row rows[] = {
    {"a call", "\"rules\":[\"X-must\"],\"send\":" CALL ",\"expect\":" UNKNOWN, {ANSWER}, "pass"},
    {"a call under alternatives",
     "\"rules\":[\"X-must\"],\"send\":" CALL ",\"expect\":{\"any-of\":[" UNKNOWN
     ",{\"error\":{\"code\":-32603},\"as\":\"warn\"},{\"nothing\":true,\"as\":\"observe:no\"}]}",
     {ANSWER},
     "pass"},
    {"a batch", BATCH_CASE, {"[" ERROR_ANSWER("-32600", "null") "," ANSWER "]"}, "pass"},
    {"a rejection",
     "\"rules\":[\"J2-4a\"],\"send\":{\"jsonrpc\":\"1\",\"method\":\"m\",\"id\":7},"
     "\"expect\":{\"rejected\":\"J2-4a\"}",
     {ERROR_ANSWER("-32600", "7")},
     "pass invalid-request-id=echoed"},
    {"matchers and escapes",
     "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"${id}\"},"
     "\"expect\":{\"result\":{\"a\\u0062\":{\"$contains\":\"x\\ny\"},\"c\":{\"$each\":{\"$in\":"
     "[1,\"${id}\"]}}},\"id\":\"${id}\"}",
     {"{\"jsonrpc\":\"2.0\",\"result\":{\"\\u0061b\":\"wx\\nyz\",\"c\":[1,$ID]},\"id\":$ID}"},
     "pass"},
    {"waiting",
     "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL "},{\"receive\":[{\"id\":7},{\"method\":"
     "\"y\",\"$times\":[0,\"*\"]}],\"order\":\"exact\"}]",
     {ANSWER, "{\"jsonrpc\":\"2.0\",\"method\":\"y\"}"},
     "pass"},
    {"a defect",
     "\"rules\":[\"X-must\"],\"send\":" CALL ",\"expect\":" UNKNOWN,
     {"{\"jsonrpc\":\"2\",\"error\":\"\\u0061\",\"id\":\"7\",\"x\":1,\"y\":2}", "INFO", "{]"},
     "fail* J2-5b/M J2-5k/M FR-f/S J2-5j/M J2-4e/M J2-5l=\"x\" J2-5l=\"y\""},
    {"an echo",
     "\"rules\":[\"X-must\"],\"send\":" CALL ",\"expect\":" UNKNOWN,
     {"@echo "},
     "fail* J2-5a/M"},
};
#define ROWS (sizeof rows / sizeof rows[0])

static int load(void **state)
{
    static bench b;
    bench_load(&b, rows, ROWS);
    *state = &b;
    return 0;
}

static int unload(void **state)
{
    bench_done(*state);
    return 0;
}

static void the_rows_are_judged_as_they_say(void **state)
{
    (void)state;
    BENCH_CHECK(rows);
}

// The verdict of row `index` when exactly `bytes` came.
static const char *verdict_on(const bench *b, size_t index, jrpc_slice bytes, jrpc_arena *arena)
{
    execution run;
    jck_verdict verdict;
    bench_send(b, index, &run);
    const jck_message message = {
        .direction = JCK_RECEIVED, .connection = 'a', .bytes = bytes, .true_len = bytes.len};
    assert_true(jck_evidence_add(&run.evidence, &message));
    bench_judge(b, index, &run, arena, &verdict);
    assert_int_not_equal(verdict.outcome, JCK_OUTCOME_ERROR);
    for (size_t i = 0; i < verdict.findings.count; i++) {
        jrpc_slice text = verdict.findings.items[i].text;
        for (size_t k = 0; k < text.len; k++) {
            unsigned char byte = (unsigned char)text.ptr[k];
            assert_true(byte >= 0x20 && byte != 0x7f); // printable, with an ellipsis at most
        }
    }
    const char *spelled = bench_spell(&verdict, arena);
    bench_forget(&run);
    return spelled;
}

static void check_twice(const bench *b, size_t index, jrpc_slice bytes, bool may_pass)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
    const char *first = verdict_on(b, index, bytes, &arena);
    const char *second = verdict_on(b, index, bytes, &arena);
    assert_string_equal(first, second);
    if (!may_pass && strncmp(first, "fail", 4) != 0) {
        fail_msg("%s: %s for %.*s", rows[index].name, first, (int)bytes.len, bytes.ptr);
    }
    jrpc_arena_done(&arena);
}

static void every_true_prefix_of_the_right_answer_fails_the_same_way_twice(void **state)
{
    const bench *b = *state;
    for (size_t i = 0; i < 4; i++) {
        jrpc_slice whole = jrpc_slice_str(rows[i].came[0]);
        // A blank message is none: what is lacking then is reported by the rules on silence.
        for (size_t len = 1; len < whole.len; len++) {
            check_twice(b, i, jrpc_slice_of(whole.ptr, len), false);
        }
        check_twice(b, i, whole, true);
    }
}

static void random_bytes_get_the_same_verdict_twice(void **state)
{
    static const char alphabet[] = "{}[]:,\"\\u0 17eE.-ntf\n\xEF\xBB\xBF\xC3\x00id";
    const bench *b = *state;
    jrpc_random random;
    jrpc_random_init(&random, 20);
    for (int round = 0; round < 4000; round++) {
        char bytes[64];
        size_t len = 1 + (size_t)jrpc_random_below(&random, sizeof bytes);
        for (size_t i = 0; i < len; i++) {
            bytes[i] = round % 2 == 0 ? (char)jrpc_random_below(&random, 256)
                                      : alphabet[jrpc_random_below(&random, sizeof alphabet - 1)];
        }
        check_twice(b, (size_t)round % ROWS, jrpc_slice_of(bytes, len), true);
    }
}

static void one_changed_byte_never_breaks_the_judge(void **state)
{
    const bench *b = *state;
    jrpc_random random;
    jrpc_random_init(&random, 21);
    for (int round = 0; round < 4000; round++) {
        size_t index = (size_t)round % 4;
        char bytes[256];
        size_t len = strlen(rows[index].came[0]);
        assert_true(len < sizeof bytes);
        memcpy(bytes, rows[index].came[0], len);
        bytes[jrpc_random_below(&random, len)] = (char)jrpc_random_below(&random, 256);
        check_twice(b, index, jrpc_slice_of(bytes, len), true);
    }
}

static void memory_that_runs_out_gives_an_error_or_the_right_verdict(void **state)
{
    const bench *b = *state;
    for (size_t i = 0; i < ROWS; i++) {
        bench_starve_blocks(b, i);
    }
}

static void an_arena_that_is_too_small_gives_an_error_or_the_right_verdict(void **state)
{
    const bench *b = *state;
    for (size_t i = 0; i < ROWS; i++) {
        bench_starve_room(b, i);
    }
}

// Replaces `from` by `to`, once, in the right answer of a row.
typedef struct defect {
    size_t row;
    const char *from;
    const char *to;
    const char *rule;
} defect;

static void one_seeded_defect_in_the_right_answer_always_fails(void **state)
{
    static const defect defects[] = {
        {0, "\"jsonrpc\":\"2.0\",", "", "J2-5b"},
        {0, "\"2.0\"", "2.0", "J2-5b"},
        {0, "\"2.0\"", "\"2.00\"", "J2-5b"},
        {0, "\"jsonrpc\"", "\"JSONRPC\"", "J2-5b"},
        {0, "\"error\":{", "\"result\":null,\"error\":{", "J2-5d"},
        {0, "\"error\":{\"code\":-32601,\"message\":\"no\"}", "\"error\":null", "J2-5h"},
        {0, "\"error\":{\"code\":-32601,\"message\":\"no\"}", "\"error\":\"no\"", "J2-5k"},
        {0, "\"error\":{\"code\":-32601,\"message\":\"no\"}", "\"error\":[-32601]", "J2-5k"},
        {0, "\"error\":{\"code\":-32601,\"message\":\"no\"}", "\"x\":0", "J2-5h"},
        {0, "\"error\":{\"code\":-32601,\"message\":\"no\"}", "\"code\":-32601", "J2-5h"},
        {0, "-32601", "\"-32601\"", "J2-5.1a"},
        {0, "-32601", "-32601.5", "J2-5.1a"},
        {0, "-32601", "null", "J2-5.1a"},
        {0, "\"code\":-32601,", "", "J2-5.1a"},
        {0, "-32601", "-32604", "J2-5.1i"},
        {0, "-32601", "-32100", "J2-5.1i"},
        {0, "-32601", "-32768", "J2-5.1i"},
        {0, "-32601", "-32699", "J2-5.1i"},
        {0, "-32601", "-32599", "J2-5.1i"},
        {0, "-32601", "-32600", "X-must"},
        {0, "-32601", "-32769", "X-must"},
        {0, "-32601", "-32099", "X-must"},
        {0, ",\"message\":\"no\"", "", "J2-5.1b"},
        {0, "\"no\"", "null", "J2-5.1b"},
        {0, ",\"id\":7", "", "J2-5f"},
        {0, "\"id\":7", "\"Id\":7", "J2-5f"},
        {0, "\"id\":7", "\"id\":7.5", "J2-4e"},
        {0, "\"id\":7", "\"id\":[7]", "J2-4e"},
        {0, "\"id\":7", "\"id\":70000000000000000000000000000000000000001", "J2-4e"},
        {0, "\"no\"", "'no'", "J2-5j"},
        {0, "\"no\"", "\"\t\"", "J2-5j"},
        {0, "\"no\"", "\"\\x\"", "J2-5j"},
        {0, "\"no\"", "\"\xED\xA0\x80\"", "J2-5j"},
        {0, "\"no\"", "NaN", "J2-5j"},
        {0, "{\"jsonrpc\"", "{,\"jsonrpc\"", "J2-5j"},
        {2, "[{", "{", "J2-5j"},
        {2, "-32600", "-32700", "J2-6g"},
        {2, "\"id\":null", "\"id\":0", "J2-5g"},
        {2, "\"id\":7", "\"id\":\"7\"", "J2-4e"},
        {3, "-32600", "-32602", "J2-5.1e"},
        {3, "\"id\":7", "\"id\":\"7\"", "J2-5g"},
    };
    const bench *b = *state;
    for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++) {
        const defect *seeded = &defects[i];
        const char *right = rows[seeded->row].came[0];
        const char *at = strstr(right, seeded->from);
        jrpc_arena arena;
        assert_non_null(at);
        jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
        const char *wrong = jrpc_arena_printf(&arena, "%.*s%s%s", (int)(at - right), right,
                                              seeded->to, at + strlen(seeded->from));
        const char *verdict = verdict_on(b, seeded->row, jrpc_slice_str(wrong), &arena);
        const char *named = jrpc_arena_printf(&arena, " %s/M", seeded->rule);
        if (strncmp(verdict, "fail*", 5) != 0 || strstr(verdict, named) == NULL) {
            fail_msg("%s: %s, where %s is broken", wrong, verdict, seeded->rule);
        }
        jrpc_arena_done(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_are_judged_as_they_say),
        cmocka_unit_test(every_true_prefix_of_the_right_answer_fails_the_same_way_twice),
        cmocka_unit_test(random_bytes_get_the_same_verdict_twice),
        cmocka_unit_test(one_changed_byte_never_breaks_the_judge),
        cmocka_unit_test(memory_that_runs_out_gives_an_error_or_the_right_verdict),
        cmocka_unit_test(an_arena_that_is_too_small_gives_an_error_or_the_right_verdict),
        cmocka_unit_test(one_seeded_defect_in_the_right_answer_always_fails),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
