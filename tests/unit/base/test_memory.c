// Allocators that fail on demand, arenas, checked sizes, slices.
#include "reference/base/allocator.h"
#include "reference/base/arena.h"
#include "reference/base/checked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_failing_allocator_fails_from_the_chosen_allocation_on(void **state)
{
    (void)state;
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, 2);
    char *block = jrpc_allocate(&failing.allocator, 8);
    assert_non_null(block);
    memcpy(block, "content", 8);
    char *larger = jrpc_reallocate(&failing.allocator, block, 64);
    assert_non_null(larger);
    assert_null(jrpc_reallocate(&failing.allocator, larger, 128));
    assert_string_equal(larger, "content"); // the old block is as it was
    jrpc_deallocate(&failing.allocator, NULL);
    jrpc_deallocate(&failing.allocator, larger);
    assert_int_equal(failing.count, 3); // frees are not counted
    assert_int_equal(failing.remaining, 0);
}

static void an_allocation_of_nothing_is_no_failure(void **state)
{
    (void)state;
    void *block = jrpc_allocate(jrpc_allocator_heap(), 0);
    assert_non_null(block);
    jrpc_deallocate(jrpc_allocator_heap(), block);
}

static void an_arena_hands_out_zeroed_aligned_separate_memory(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), (size_t)1 << 24);
    char *blocks[200];
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 200; i++) {
            size_t size = i * 37 % 6000;
            blocks[i] = jrpc_arena_alloc(&arena, size);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
            for (size_t j = 0; j < size; j++) {
                assert_int_equal(blocks[i][j], 0);
            }
            memset(blocks[i], (int)(i + 1), size);
        }
        for (size_t i = 0; i < 200; i++) {
            size_t size = i * 37 % 6000;
            for (size_t j = 0; j < size; j++) {
                assert_int_equal((unsigned char)blocks[i][j], i + 1);
            }
        }
        jrpc_arena_clear(&arena);
        assert_int_equal(arena.used, 0);
    }
    jrpc_arena_done(&arena);
    jrpc_arena_done(&arena);
}

static void an_arena_stops_at_its_limit_and_goes_on_after_clear(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 100);
    assert_null(jrpc_arena_alloc(&arena, 101));
    assert_non_null(jrpc_arena_alloc(&arena, 100));
    assert_null(jrpc_arena_alloc(&arena, 1));
    jrpc_arena_clear(&arena);
    assert_non_null(jrpc_arena_alloc(&arena, 100));
    assert_null(jrpc_arena_alloc(&arena, SIZE_MAX));
    assert_null(jrpc_arena_array(&arena, SIZE_MAX / 2, 3));
    jrpc_arena_done(&arena);
}

static void clearing_keeps_memory_for_the_next_use(void **state)
{
    (void)state;
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, 1);
    jrpc_arena arena;
    jrpc_arena_init(&arena, &failing.allocator, SIZE_MAX);
    for (int round = 0; round < 3; round++) {
        assert_non_null(jrpc_arena_alloc(&arena, 1000));
        jrpc_arena_clear(&arena);
    }
    assert_int_equal(failing.count, 1);
    assert_null(jrpc_arena_alloc(&arena, 100000));
    assert_non_null(jrpc_arena_alloc(&arena, 1000));
    jrpc_arena_done(&arena);
}

static void copies_end_with_a_nul_and_failures_leave_the_output_alone(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 64);
    jrpc_slice copy = {NULL, 77};
    assert_true(jrpc_arena_copy(&arena, JRPC_SLICE("a\0b"), &copy));
    assert_int_equal(copy.len, 3);
    assert_memory_equal(copy.ptr, "a\0b", 4);
    assert_true(jrpc_arena_copy(&arena, jrpc_slice_of(NULL, 0), &copy));
    assert_int_equal(copy.len, 0);
    assert_string_equal(copy.ptr, "");
    assert_string_equal(jrpc_arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
    copy = jrpc_slice_str("untouched");
    char large[65] = {0};
    assert_false(jrpc_arena_copy(&arena, jrpc_slice_of(large, sizeof large), &copy));
    assert_string_equal(copy.ptr, "untouched");
    assert_null(jrpc_arena_printf(&arena, "%100d", 1));
    jrpc_arena_done(&arena);
}

static void checked_sizes_say_when_they_overflow(void **state)
{
    (void)state;
    size_t result = 5;
    assert_false(jrpc_checked_add(SIZE_MAX, 1, &result));
    assert_false(jrpc_checked_multiply(SIZE_MAX / 2, 3, &result));
    assert_int_equal(result, 5);
    assert_true(jrpc_checked_add(SIZE_MAX - 1, 1, &result));
    assert_int_equal(result, SIZE_MAX);
    assert_true(jrpc_checked_multiply(SIZE_MAX, 1, &result));
    assert_int_equal(result, SIZE_MAX);
    assert_true(jrpc_checked_multiply(SIZE_MAX, 0, &result));
    assert_int_equal(result, 0);
}

static void slices_compare_by_bytes(void **state)
{
    (void)state;
    assert_true(jrpc_slice_equal(JRPC_SLICE("a\0b"), JRPC_SLICE("a\0b")));
    assert_false(jrpc_slice_equal(JRPC_SLICE("a\0b"), JRPC_SLICE("a\0c")));
    assert_true(jrpc_slice_equal(jrpc_slice_of(NULL, 0), JRPC_SLICE("")));
    assert_false(jrpc_slice_is(JRPC_SLICE("a\0"), "a"));
    assert_true(jrpc_slice_starts_with(JRPC_SLICE("abc"), JRPC_SLICE("ab")));
    assert_true(jrpc_slice_starts_with(JRPC_SLICE("abc"), jrpc_slice_str(NULL)));
    assert_false(jrpc_slice_starts_with(JRPC_SLICE("a"), JRPC_SLICE("ab")));
    assert_true(jrpc_slice_is(jrpc_slice_from(JRPC_SLICE("abc"), 1), "bc"));
    assert_int_equal(jrpc_slice_from(JRPC_SLICE("abc"), 9).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failing_allocator_fails_from_the_chosen_allocation_on),
        cmocka_unit_test(an_allocation_of_nothing_is_no_failure),
        cmocka_unit_test(an_arena_hands_out_zeroed_aligned_separate_memory),
        cmocka_unit_test(an_arena_stops_at_its_limit_and_goes_on_after_clear),
        cmocka_unit_test(clearing_keeps_memory_for_the_next_use),
        cmocka_unit_test(copies_end_with_a_nul_and_failures_leave_the_output_alone),
        cmocka_unit_test(checked_sizes_say_when_they_overflow),
        cmocka_unit_test(slices_compare_by_bytes),
    };
    return cmocka_run_group_tests_name("base/memory", tests, NULL, NULL);
}
