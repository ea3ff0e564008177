// Names and their numbers.
#include "harness/suite/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void every_name_is_found_again_and_no_other(void **state)
{
    (void)state;
    enum { NAMES = 5000 };
    jrpc_arena arena;
    jck_index index = {0};
    size_t number = 0;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), (size_t)16 << 20);
    assert_false(jck_index_find(&index, JRPC_SLICE("x"), &number));
    for (size_t i = 0; i < NAMES; i++) {
        const char *name = jrpc_arena_printf(&arena, "name/%zu", i);
        assert_non_null(name);
        assert_true(jck_index_add(&index, &arena, jrpc_slice_str(name), i));
        // The first number stays.
        assert_true(jck_index_add(&index, &arena, jrpc_slice_str(name), i + 1));
    }
    assert_true(jck_index_add(&index, &arena, (jrpc_slice){NULL, 0}, 7));
    for (size_t i = 0; i < NAMES; i++) {
        const char *name = jrpc_arena_printf(&arena, "name/%zu", i);
        assert_true(jck_index_find(&index, jrpc_slice_str(name), &number));
        assert_int_equal(number, i);
        name = jrpc_arena_printf(&arena, "name/%zu.", i);
        assert_false(jck_index_find(&index, jrpc_slice_str(name), &number));
    }
    assert_true(jck_index_find(&index, JRPC_SLICE(""), &number));
    assert_int_equal(number, 7);
    assert_int_equal(index.count, NAMES + 1);
    jrpc_arena_done(&arena);
}

static void memory_that_is_out_is_reported(void **state)
{
    (void)state;
    jrpc_arena arena;
    jck_index index = {0};
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 10);
    assert_false(jck_index_add(&index, &arena, JRPC_SLICE("x"), 1));
    jrpc_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_found_again_and_no_other),
        cmocka_unit_test(memory_that_is_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
