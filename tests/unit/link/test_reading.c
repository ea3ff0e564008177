// How long reading a long message may take.
#include "harness/link/synchronise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static void reading_takes_time_but_not_without_end(void **state)
{
    (void)state;
    static const struct {
        size_t bytes;
        int64_t us;
    } rows[] = {{0, 0},
                {1000, 10000},
                {999999, 9999990},
                {(size_t)16 << 20, 10000000},
                {SIZE_MAX, 10000000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(jck_reading_most_us(rows[i].bytes), rows[i].us);
    }
}

static void two_answers_show_how_fast_a_target_reads(void **state)
{
    (void)state;
    jck_reading reading = {.answers = 0};
    jck_reading_note(&reading, 1000, 1); // too short to say anything
    jck_reading_note(&reading, MIB, 40000);
    assert_int_equal(jck_reading_learned_us(&reading, MIB), 10000000);
    jck_reading_note(&reading, MIB, 6000);
    assert_int_equal(reading.answers, 2);
    assert_int_equal(jck_reading_learned_us(&reading, MIB / 2),
                     2000000); // 50 times the slower of the two
    assert_int_equal(jck_reading_learned_us(&reading, 100),
                     1000); // never more than was allowed before
    jck_reading fast = {.answers = 0};
    jck_reading_note(&fast, MIB, 600);
    jck_reading_note(&fast, MIB, 600);
    assert_int_equal(jck_reading_learned_us(&fast, MIB / 2), 1000000); // never less than a second
    jck_reading_note(&fast, MIB, 20000000);
    assert_int_equal(jck_reading_learned_us(&fast, MIB), 10000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_takes_time_but_not_without_end),
        cmocka_unit_test(two_answers_show_how_fast_a_target_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
