// What speaks against a target: time that grows like the square of the length, memory that each
// message keeps. What is merely slow, noisy or large does not.
#include "harness/live/cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ARENA_BYTES ((size_t)1 << 16)
#define MIB ((uint64_t)1 << 20)

enum { MOST = 6 };

static const struct {
    const char *name;
    int64_t us[MOST]; // for messages each twice as long as the one before; 0: no more
    bool grows;
} times[] = {
    {"the square of the length", {500, 1500, 5500, 21500, 85500}, true},
    {"its third power", {300, 1600, 12000, 95000}, true},
    {"the length", {500, 1000, 2000, 4000, 8000, 160000}, false},
    {"a slow reader", {50000, 100000, 200000, 400000, 800000}, false},
    {"the length and its logarithm", {20000, 44000, 96000, 208000}, false},
    {"one late answer", {400, 800, 1600, 90000}, false},
    {"the square, too fast to judge", {100, 400, 1600, 6400, 25600}, false},
    {"two points", {10000, 90000}, false},
};

static void test_time_that_grows_faster_than_the_message_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        jck_cost_point points[MOST];
        size_t count = 0;
        for (; count < MOST && times[i].us[count] > 0; count++) {
            points[count] = (jck_cost_point){(size_t)1000 << count, times[i].us[count] + 200};
        }
        if (jck_cost_grows(points, count, 200) != times[i].grows) {
            fail_msg("%s", times[i].name);
        }
    }
}

// A process that had 20 MiB at first, and this many bytes more after each block.
static jck_cost_memory process(uint64_t bytes, size_t blocks, bool collects)
{
    jck_cost_memory memory = {.count = blocks + 1, .collects = collects};
    for (size_t i = 0; i <= blocks; i++) {
        memory.resident[i] = 20 * MIB + i * bytes;
    }
    return memory;
}

static void test_memory_that_each_message_keeps_is_reported(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_cost_memory lost = process(JCK_COST_BLOCK * 200, JCK_COST_BLOCKS, false);
    const char *text = jck_cost_memory_text(&lost, &arena);
    assert_non_null(text);
    assert_true(jrpc_slice_contains(jrpc_slice_str(text), JRPC_SLICE("200 bytes each")));
    lost.collects = true;
    assert_null(jck_cost_memory_text(&lost, &arena));
    lost = process(60 * MIB, JCK_COST_BLOCKS, true);
    assert_non_null(jck_cost_memory_text(&lost, &arena));
    jrpc_arena_done(&arena);
}

static void test_memory_that_comes_in_steps_or_not_at_all_is_not(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_cost_memory same = process(0, JCK_COST_BLOCKS, false);
    assert_false(jck_cost_may_leak(&same));
    assert_null(jck_cost_memory_text(&same, &arena));
    jck_cost_memory step = process(JCK_COST_BLOCK * 200, JCK_COST_BLOCKS, false);
    step.resident[6] = step.resident[5];
    assert_null(jck_cost_memory_text(&step, &arena));
    jck_cost_memory jump = process(JCK_COST_BLOCK * 200, JCK_COST_BLOCKS, false);
    for (size_t i = 6; i <= JCK_COST_BLOCKS; i++) {
        jump.resident[i] += 8 * MIB;
    }
    assert_null(jck_cost_memory_text(&jump, &arena));
    jck_cost_memory unfinished = process(JCK_COST_BLOCK * 200, 4, false);
    assert_true(jck_cost_may_leak(&unfinished));
    assert_null(jck_cost_memory_text(&unfinished, &arena));
    jrpc_arena_done(&arena);
}

static void test_runtimes_that_collect_are_known(void **state)
{
    (void)state;
    assert_true(jck_cost_collects(JRPC_SLICE("java")));
    assert_false(jck_cost_collects(JRPC_SLICE("javac")));
    assert_false(jck_cost_collects(JRPC_SLICE("python3")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_that_grows_faster_than_the_message_is_reported),
        cmocka_unit_test(test_memory_that_each_message_keeps_is_reported),
        cmocka_unit_test(test_memory_that_comes_in_steps_or_not_at_all_is_not),
        cmocka_unit_test(test_runtimes_that_collect_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
