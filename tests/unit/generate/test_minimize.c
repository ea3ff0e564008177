// Delta debugging finds the parts that matter, within its probes.
#include "harness/generate/minimize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PARTS = 100 };

typedef struct wanted {
    const size_t *needed; // all of these
    size_t count;
    size_t probes;
    size_t stops_after; // 0: never
} wanted;

static bool holds(const size_t *parts, size_t count, size_t part)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[i] == part) {
            return true;
        }
    }
    return false;
}

static jck_probe try_parts(void *context, const size_t *parts, size_t count)
{
    wanted *w = context;
    w->probes++;
    if (w->stops_after != 0 && w->probes > w->stops_after) {
        return JCK_PROBE_STOPS;
    }
    for (size_t i = 0; i < w->count; i++) {
        if (!holds(parts, count, w->needed[i])) {
            return JCK_PROBE_LACKS;
        }
    }
    return JCK_PROBE_SHOWS;
}

static size_t run(wanted *w, size_t *parts, size_t count, size_t probes_max)
{
    size_t scratch[PARTS];
    for (size_t i = 0; i < count; i++) {
        parts[i] = i;
    }
    return jck_minimize(parts, count, scratch, probes_max, try_parts, w);
}

static void test_just_the_needed_parts_are_left_in_order(void **state)
{
    (void)state;
    static const size_t needed[][4] = {{0}, {99}, {3, 50}, {0, 99}, {10, 11, 12, 80}, {49, 50, 51}};
    static const size_t counts[] = {1, 1, 2, 2, 4, 3};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        wanted w = {needed[i], counts[i], 0, 0};
        size_t parts[PARTS];
        assert_int_equal(run(&w, parts, PARTS, 10000), counts[i]);
        assert_memory_equal(parts, needed[i], counts[i] * sizeof *parts);
        assert_true(w.probes < 120);
    }
}

static void test_the_last_part_is_never_taken(void **state)
{
    (void)state;
    wanted w = {NULL, 0, 0, 0};
    size_t parts[PARTS];
    assert_int_equal(run(&w, parts, PARTS, 10000), 1);
    assert_int_equal(run(&w, parts, 1, 10000), 1);
    assert_int_equal(run(&w, parts, 0, 10000), 0);
}

static void test_probes_are_bounded_and_what_was_won_is_kept(void **state)
{
    (void)state;
    static const size_t needed[] = {70};
    for (size_t limit = 0; limit < 12; limit++) {
        wanted w = {needed, 1, 0, 0};
        size_t parts[PARTS];
        size_t left = run(&w, parts, PARTS, limit);
        assert_true(w.probes <= limit);
        assert_true(holds(parts, left, 70));
        wanted stopped = {needed, 1, 0, limit + 1};
        left = run(&stopped, parts, PARTS, 10000);
        assert_true(stopped.probes <= limit + 2);
        assert_true(holds(parts, left, 70));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_just_the_needed_parts_are_left_in_order),
        cmocka_unit_test(test_the_last_part_is_never_taken),
        cmocka_unit_test(test_probes_are_bounded_and_what_was_won_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
