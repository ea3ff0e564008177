// How long it is worth while to wait for a target.
#include "harness/run/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const jck_timing full = {
    .start_ms = 15000, .reply_ms = 5000, .patience_ms = 200, .quiet_ms = 300, .grace_ms = 1000};

static void exchange(jck_pace *pace, int64_t took_us, jck_role_of_message role)
{
    jck_message messages[] = {
        {.direction = JCK_SENT, .role = role, .connection = 'a', .at_us = 1000},
        {.direction = JCK_RECEIVED, .role = role, .connection = 'a', .at_us = 1000 + took_us},
    };
    const jck_evidence evidence = {.messages = messages, .count = 2};
    jck_pace_note(pace, &evidence);
}

static jck_pace after(size_t answers, int64_t took_us)
{
    jck_pace pace = {.answers = 0};
    for (size_t i = 0; i < answers; i++) {
        exchange(&pace, took_us, i % 2 == 0 ? JCK_MESSAGE_OF_CASE : JCK_MESSAGE_OF_FENCE);
    }
    return pace;
}

static void assert_full(const jck_timing *timing)
{
    assert_int_equal(timing->reply_ms, full.reply_ms);
    assert_int_equal(timing->quiet_ms, full.quiet_ms);
    assert_int_equal(timing->patience_ms, full.patience_ms);
    assert_int_equal(timing->listen_ms, full.listen_ms);
    assert_int_equal(timing->idle_ms, full.idle_ms);
}

static void nothing_is_hurried_before_a_hundred_answers(void **state)
{
    (void)state;
    jck_pace pace = after(99, 1000);
    assert_false(jck_pace_is_known(&pace));
    jck_timing timing = jck_pace_timing(&pace, &full);
    assert_full(&timing);
    exchange(&pace, 1000, JCK_MESSAGE_OF_CASE);
    assert_true(jck_pace_is_known(&pace));
}

static void after_the_ground_cases_a_dozen_answers_allow_a_longer_first_look(void **state)
{
    (void)state;
    jck_pace pace = after(11, 1000);
    pace.early = true;
    assert_false(jck_pace_is_known(&pace));
    exchange(&pace, 1000, JCK_MESSAGE_OF_CASE);
    assert_true(jck_pace_is_known(&pace));
    jck_timing timing = jck_pace_timing(&pace, &full);
    assert_int_equal(timing.reply_ms, 1000);
    assert_int_equal(timing.quiet_ms, 100);
    assert_int_equal(timing.patience_ms, 50);
    jck_pace slow = after(20, 100000);
    slow.early = true;
    timing = jck_pace_timing(&slow, &full);
    assert_full(&timing);
    pace = after(100, 1000);
    pace.early = true;
    assert_int_equal(jck_pace_timing(&pace, &full).reply_ms, 400);
}

static void a_fast_target_is_given_a_hundred_times_its_time_and_never_too_little(void **state)
{
    (void)state;
    jck_pace fast = after(200, 100);
    jck_timing timing = jck_pace_timing(&fast, &full);
    assert_int_equal(timing.reply_ms, 400);
    assert_int_equal(timing.quiet_ms, 20);
    assert_int_equal(timing.patience_ms, 10);
    assert_int_equal(timing.start_ms, full.start_ms);
    jck_pace slower = after(200, 20000);
    timing = jck_pace_timing(&slower, &full);
    assert_int_equal(timing.reply_ms, 2000);
    assert_int_equal(timing.quiet_ms, 200);
    assert_int_equal(jck_pace_mean_us(&slower), 20000);
}

static void a_slow_target_is_never_given_more_than_the_full_time(void **state)
{
    (void)state;
    jck_pace slow = after(200, 300000);
    jck_timing timing = jck_pace_timing(&slow, &full);
    assert_full(&timing);
}

static void a_few_answers_that_a_busy_machine_delayed_do_not_count(void **state)
{
    (void)state;
    jck_pace pace = after(2000, 1000);
    for (size_t i = 0; i < JCK_SLOWEST - 1; i++) {
        exchange(&pace, 400000, JCK_MESSAGE_OF_CASE);
    }
    assert_int_equal(jck_pace_timing(&pace, &full).reply_ms, 400);
    exchange(&pace, 400000, JCK_MESSAGE_OF_CASE);
    assert_int_equal(jck_pace_timing(&pace, &full).reply_ms, 2000);
}

// The full time can be shorter than the longest one if the user has not set it.
static void a_missing_answer_is_waited_for_many_times_as_long_as_the_slowest_one_took(void **state)
{
    (void)state;
    jck_timing most = full;
    jck_pace fast = after(200, 1000);
    assert_int_equal(jck_pace_full(&fast, &most, false).reply_ms, 5000);
    most.reply_least_ms = 1000;
    assert_int_equal(jck_pace_full(&fast, &most, false).reply_ms, 1000);
    jck_pace slower = after(200, 50000);
    assert_int_equal(jck_pace_full(&slower, &most, false).reply_ms, 1500);
    jck_pace slow = after(200, 300000);
    assert_int_equal(jck_pace_full(&slow, &most, false).reply_ms, 5000);
    jck_pace unknown = after(99, 1000);
    assert_int_equal(jck_pace_full(&unknown, &most, false).reply_ms, 5000);
    unknown.early = true; // a dozen answers are enough for a first look only
    assert_int_equal(jck_pace_full(&unknown, &most, false).reply_ms, 5000);
    fast.misjudged = 4;
    assert_int_equal(jck_pace_full(&fast, &most, false).reply_ms, 5000);
}

// A method may need longer than the refusal of a call.
static void the_result_of_a_method_is_waited_for_in_full_until_results_were_seen(void **state)
{
    (void)state;
    jck_timing most = full;
    most.reply_least_ms = 1000;
    jck_pace pace = after(200, 1000);
    assert_int_equal(pace.results, 0);
    assert_int_equal(jck_pace_full(&pace, &most, true).reply_ms, 5000);
    pace.results = 19;
    assert_int_equal(jck_pace_full(&pace, &most, true).reply_ms, 5000);
    pace.results = 20;
    assert_int_equal(jck_pace_full(&pace, &most, true).reply_ms, 1000);
}

static void several_slow_answers_show_a_strained_target(void **state)
{
    (void)state;
    jck_pace pace = {0};
    for (int i = 0; i < JCK_SLOWEST; i++) {
        assert_false(jck_pace_is_strained(&pace, &full));
        exchange(&pace, (int64_t)full.reply_ms * 1000 / 8, JCK_MESSAGE_OF_CASE);
    }
    assert_true(jck_pace_is_strained(&pace, &full));
}

static void hurrying_that_goes_wrong_is_given_up(void **state)
{
    (void)state;
    jck_pace pace = after(200, 1000);
    pace.misjudged = 3;
    assert_true(jck_pace_is_known(&pace));
    pace.misjudged = 4;
    jck_timing timing = jck_pace_timing(&pace, &full);
    assert_full(&timing);
}

// An attempt aside is a second look: it is in less of a hurry than the first, and never takes
// longer than a full one.
static void
an_attempt_aside_waits_longer_than_a_first_look_and_never_longer_than_the_full_time(void **state)
{
    (void)state;
    static const int64_t answers_us[] = {10, 1000, 20000, 200000, 2000000};
    for (size_t i = 0; i < sizeof answers_us / sizeof answers_us[0]; i++) {
        jck_pace pace = after(200, answers_us[i]);
        jck_timing first = jck_pace_timing(&pace, &full);
        jck_timing aside = jck_pace_aside(&first, &full);
        assert_int_equal(aside.reply_ms, first.reply_ms);
        assert_true(aside.quiet_ms >= first.quiet_ms && aside.quiet_ms <= full.quiet_ms);
        assert_true(aside.patience_ms >= first.patience_ms &&
                    aside.patience_ms <= full.patience_ms);
        assert_true(aside.quiet_ms > first.quiet_ms || first.quiet_ms == full.quiet_ms);
    }
}

static void an_answer_is_timed_from_what_it_answers(void **state)
{
    (void)state;
    // A call whose answer overtakes that of a fence sent after it, and noise that answers nothing.
    jck_message messages[] = {
        {.direction = JCK_SENT, .role = JCK_MESSAGE_OF_CASE, .connection = 'a', .at_us = 0},
        {.direction = JCK_SENT, .role = JCK_MESSAGE_OF_FENCE, .connection = 'a', .at_us = 200},
        {.direction = JCK_SENT, .role = JCK_MESSAGE_OF_FENCE, .connection = 'a', .at_us = 300},
        {.direction = JCK_RECEIVED, .role = JCK_MESSAGE_NOISE, .connection = 'a', .at_us = 350},
        {.direction = JCK_RECEIVED, .role = JCK_MESSAGE_OF_FENCE, .connection = 'a', .at_us = 360},
        {.direction = JCK_RECEIVED, .role = JCK_MESSAGE_OF_CASE, .connection = 'a', .at_us = 400},
        {.direction = JCK_RECEIVED, .role = JCK_MESSAGE_OF_CASE, .connection = 'b', .at_us = 900},
    };
    const jck_evidence evidence = {.messages = messages, .count = 7};
    jck_pace pace = {.answers = 0};
    jck_pace_note(&pace, &evidence);
    assert_int_equal(pace.answers, 2);
    assert_int_equal(pace.slowest_us[0], 400);
    assert_int_equal(pace.slowest_us[1], 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_hurried_before_a_hundred_answers),
        cmocka_unit_test(after_the_ground_cases_a_dozen_answers_allow_a_longer_first_look),
        cmocka_unit_test(a_fast_target_is_given_a_hundred_times_its_time_and_never_too_little),
        cmocka_unit_test(a_slow_target_is_never_given_more_than_the_full_time),
        cmocka_unit_test(a_few_answers_that_a_busy_machine_delayed_do_not_count),
        cmocka_unit_test(a_missing_answer_is_waited_for_many_times_as_long_as_the_slowest_one_took),
        cmocka_unit_test(the_result_of_a_method_is_waited_for_in_full_until_results_were_seen),
        cmocka_unit_test(several_slow_answers_show_a_strained_target),
        cmocka_unit_test(hurrying_that_goes_wrong_is_given_up),
        cmocka_unit_test(
            an_attempt_aside_waits_longer_than_a_first_look_and_never_longer_than_the_full_time),
        cmocka_unit_test(an_answer_is_timed_from_what_it_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
