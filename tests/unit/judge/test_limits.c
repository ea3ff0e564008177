// What a finding says is bounded: one below, at and above each limit.
#include "tests/unit/judge/bench.h"

#define ABSENT_CALL "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":8}"
#define ONE_OF(list)                                                                               \
    "\"rules\":[\"X-must\"],\"send\":" ABSENT_CALL ",\"expect\":{\"any-of\":[" list "]}"
#define RIGHT(value) "{\"result\":" value "}"
#define WARNED(value) "{\"result\":" value ",\"as\":\"warn\"}"
#define WRONG                                                                                      \
    {                                                                                              \
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"x\"},\"id\":8}"                  \
    }

static const struct {
    row row;
    const char *sentence; // of the first finding, up to what came
    size_t examples;
} all[] = {
    {{"three answers are named", ONE_OF(RIGHT("1") "," RIGHT("2") "," RIGHT("3")), WRONG},
     "expected result 1 or result 2 or result 3;",
     3},
    {{"four", ONE_OF(RIGHT("1") "," RIGHT("2") "," RIGHT("3") "," RIGHT("4")), WRONG},
     "expected result 1 or result 2 or result 3 or result 4;",
     4},
    {{"of five, four",
      ONE_OF(RIGHT("1") "," RIGHT("2") "," RIGHT("3") "," RIGHT("4") "," RIGHT("5")), WRONG},
     "expected result 1 or result 2 or result 3 or result 4;",
     4},
    {{"what is named already takes no place",
      ONE_OF(RIGHT("1") "," RIGHT("1") "," RIGHT("2") "," RIGHT("3") "," RIGHT("4")), WRONG},
     "expected result 1 or result 2 or result 3 or result 4;",
     4},
    {{"what is part of another name is named", ONE_OF(RIGHT("12") "," RIGHT("1")), WRONG},
     "expected result 12 or result 1;",
     2},
    {{"what earns a warning is not named beside what passes",
      ONE_OF(WARNED("1") "," RIGHT("2") "," WARNED("3")), WRONG},
     "expected result 2;",
     1},
};
#define ROWS (sizeof all / sizeof all[0])

static void a_finding_names_four_answers_and_shows_four_examples(void **state)
{
    (void)state;
    bench b;
    row rows[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = all[i].row;
    }
    bench_load(&b, rows, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        execution run;
        jrpc_arena arena;
        jck_verdict verdict;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
        bench_execute(&b, i, &run, &arena, &verdict);
        assert_true(verdict.findings.count > 0);
        const jck_finding *first = &verdict.findings.items[0];
        if (!jrpc_slice_starts_with(first->text, jrpc_slice_str(all[i].sentence)) ||
            first->expected_count != all[i].examples) {
            fail_msg("%s: %zu examples, %.*s", rows[i].name, first->expected_count,
                     (int)first->text.len, first->text.ptr);
        }
        bench_forget(&run);
        jrpc_arena_done(&arena);
    }
    bench_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_names_four_answers_and_shows_four_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
