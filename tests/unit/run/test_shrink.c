// The smallest form of a case that fails: fewer steps, then smaller messages, with the same
// finding.
#include "harness/run/shrink.h"
#include "tests/unit/run/scripted_run.h"

typedef struct shrunk {
    scripted_run run;
    jrpc_arena arena;
    jck_shrunk result;
    jck_run_end end;
    jrpc_error error;
} shrunk;

// Shrinks a case of that id against a server that behaves so. Whether it came to an end.
static bool shrink(shrunk *s, run_behaviour *behaviour, const char *id)
{
    memset(s, 0, sizeof *s);
    run_begin(&s->run, JRPC_TRANSPORT_STDIO);
    s->run.side.on_message = behaviour;
    s->run.options.max_us = INT64_C(3600) * 1000000;
    run_pick(&s->run, id);
    jrpc_arena_init(&s->arena, jrpc_allocator_heap(), RUN_BYTES);
    return jck_shrink(&s->run.options, jck_suite_find_case(run_suite, jrpc_slice_str(id)),
                      &s->arena, &s->result, &s->end, &s->error);
}

static void end(shrunk *s)
{
    jrpc_arena_done(&s->arena);
    run_end(&s->run);
}

static const jck_payload *only_payload(const shrunk *s)
{
    assert_true(s->result.failed);
    assert_int_equal(s->result.smallest.step_count, 1);
    return &s->result.smallest.steps[0].payload;
}

static void steps_and_elements_that_do_nothing_are_left_out(void **state)
{
    (void)state;
    static shrunk s;
    assert_true(shrink(&s, run_die_of_batches, "batch/call-then-batch"));
    assert_int_equal(s.end, JCK_RUN_FINISHED);
    assert_int_equal(s.result.outcome, JCK_OUTCOME_CRASH);
    assert_true(jrpc_slice_is(jrpc_json_spelling(only_payload(&s)->json), "[]"));
    assert_int_equal(s.result.bytes, 2);
    assert_true(s.result.before > 100);
    assert_true(s.result.probes > 3);
    end(&s);
}

// An id in an Object inside of another value is fatal.
static void die_of_inner_ids(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strstr(text, ":{\"id\":") != NULL || strstr(text, "[{\"id\":") != NULL) {
        DIES(c, 1);
    } else {
        run_answer(c, 1, text);
    }
}

static void members_are_left_out_and_values_made_simple(void **state)
{
    (void)state;
    static shrunk s;
    assert_true(shrink(&s, die_of_inner_ids, "notification/id-inside-params"));
    assert_true(jrpc_slice_is(jrpc_json_spelling(only_payload(&s)->json), "{\"\":{\"id\":1}}"));
    end(&s);
}

static void die_of_angles(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strchr(text, '<') != NULL) {
        DIES(c, 1);
    } else {
        run_answer(c, 1, text);
    }
}

static void bytes_are_taken_away_from_what_is_not_json(void **state)
{
    (void)state;
    static shrunk s;
    assert_true(shrink(&s, die_of_angles, "parse/xml"));
    assert_int_equal(only_payload(&s)->kind, JCK_PAYLOAD_TEXT);
    assert_true(jrpc_slice_is(only_payload(&s)->text, "<"));
    end(&s);
}

static void die_of_length(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strlen(text) > 1000) {
        DIES(c, 1);
    } else {
        run_answer(c, 1, text);
    }
}

static void repetitions_become_as_few_as_will_do(void **state)
{
    (void)state;
    static shrunk s;
    assert_true(shrink(&s, die_of_length, "id/string-1-mib"));
    assert_int_equal(only_payload(&s)->kind, JCK_PAYLOAD_REPEAT);
    assert_in_range(s.result.bytes, 900, 1100); // without the id of the call that is put in
    assert_true(s.result.before > 1000000);
    end(&s);
}

static void a_case_that_passes_is_left_as_it_is(void **state)
{
    (void)state;
    static shrunk s;
    assert_true(shrink(&s, run_answer_rightly, "batch/empty"));
    assert_false(s.result.failed);
    end(&s);
}

static void ignore(scripted *c, const char *text, bool is_fence)
{
    (void)c;
    (void)text;
    (void)is_fence;
}

static void nothing_is_shrunk_on_a_server_that_answers_nothing(void **state)
{
    (void)state;
    static shrunk s;
    assert_false(shrink(&s, ignore, "batch/empty"));
    assert_int_equal(s.end, JCK_RUN_MUTE);
    assert_non_null(strstr(s.error.message, "answered no call"));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_elements_that_do_nothing_are_left_out),
        cmocka_unit_test(members_are_left_out_and_values_made_simple),
        cmocka_unit_test(bytes_are_taken_away_from_what_is_not_json),
        cmocka_unit_test(repetitions_become_as_few_as_will_do),
        cmocka_unit_test(a_case_that_passes_is_left_as_it_is),
        cmocka_unit_test(nothing_is_shrunk_on_a_server_that_answers_nothing),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
