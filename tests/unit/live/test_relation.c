// Calls in two forms: which are made, and when a difference counts.
#include "harness/live/relation.h"

#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CALL "{\"jsonrpc\":\"2.0\",\"method\":\"price\",\"params\":{\"a\":\"x\",\"b\":1},\"id\":5}"
#define BEFORE "[]"
#define ABSENT "\"nobody\""

static jrpc_arena arena;
static jck_shot shots[JCK_RELATION_SHOTS];

static size_t make(jck_relation relation)
{
    jrpc_random random;
    jrpc_random_init(&random, 3);
    return jck_relation_make(JRPC_SLICE(CALL), JCK_RELATION_RESULT, relation, JRPC_SLICE(BEFORE),
                             JRPC_SLICE(ABSENT), &random, &arena, shots);
}

static int setup(void **state)
{
    (void)state;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), (size_t)1 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    jrpc_arena_done(&arena);
    return 0;
}

// The params of a message, or of the second element of an Array.
static jrpc_json params_of(jrpc_slice text, jrpc_json_document *document)
{
    assert_true(jrpc_json_read(document, text, 16, NULL));
    const jrpc_json root = jrpc_json_root(document);
    const bool array = jrpc_json_is(root, JRPC_JSON_ARRAY);
    return jrpc_json_get(array ? jrpc_json_element(root, 1) : root, "params");
}

static void test_half_of_the_calls_have_the_other_form_and_the_same_params(void **state)
{
    (void)state;
    static const jck_relation relations[] = {JCK_RELATION_ORDER, JCK_RELATION_ESCAPES,
                                             JCK_RELATION_BATCH};
    jrpc_json_document first;
    jrpc_json_document other;
    jrpc_json_document_init(&first, jrpc_allocator_heap());
    jrpc_json_document_init(&other, jrpc_allocator_heap());
    const jrpc_json params = params_of(JRPC_SLICE(CALL), &first);
    for (size_t r = 0; r < sizeof relations / sizeof *relations; r++) {
        size_t changed = 0;
        assert_int_equal(make(relations[r]), 8);
        assert_int_equal(shots[0].relation, JCK_RELATION_RESULT);
        for (size_t i = 1; i < 8; i++) {
            assert_true(jrpc_json_equal(params, params_of(shots[i].bytes, &other)));
            changed += shots[i].relation == relations[r] ? 1 : 0;
            for (size_t k = 0; k < i; k++) { // no id comes twice
                assert_false(jrpc_slice_equal(shots[i].bytes, shots[k].bytes));
            }
        }
        assert_int_equal(changed, 4);
    }
    jrpc_json_document_done(&first);
    jrpc_json_document_done(&other);
}

static void test_a_message_that_must_have_no_effect_comes_before_half_of_them(void **state)
{
    (void)state;
    size_t before = 0;
    const size_t count = make(JCK_RELATION_AFTER);
    assert_int_equal(count, 12);
    for (size_t i = 0; i < count; i++) {
        if (shots[i].relation == JCK_RELATION_AFTER) {
            assert_true(jrpc_slice_is(shots[i - 1].bytes, BEFORE));
            before++;
        }
    }
    assert_int_equal(before, 4);
}

static void test_what_cannot_be_spelled_otherwise_is_not_compared(void **state)
{
    (void)state;
    jrpc_random random;
    jrpc_random_init(&random, 3);
    assert_int_equal(jck_relation_make(JRPC_SLICE("not JSON"), JCK_RELATION_RESULT,
                                       JCK_RELATION_ORDER, JRPC_SLICE(BEFORE), JRPC_SLICE(ABSENT),
                                       &random, &arena, shots),
                     0);
}

// Findings for some of the shots, by step. Whether they show that the form matters.
static bool is_shown(const jck_level *levels, size_t count)
{
    jck_finding items[JCK_RELATION_SHOTS] = {{.step = 0}};
    jck_findings findings = {.items = items};
    const jck_composition composition = {.shots = shots, .shot_count = count};
    for (size_t i = 0; i < count; i++) {
        if (levels[i] != JCK_LEVEL_OBSERVE) {
            items[findings.count++] = (jck_finding){.step = (int)i, .level = levels[i]};
        }
    }
    const jck_finding *worst;
    return jck_relation_is_shown(&composition, &findings, &worst);
}

static void test_a_form_matters_if_it_does_each_time_and_nothing_else_differs(void **state)
{
    (void)state;
    jck_level levels[8];
    assert_int_equal(make(JCK_RELATION_ORDER), 8);
    for (size_t i = 0; i < 8; i++) {
        const bool changed = shots[i].relation == JCK_RELATION_ORDER;
        levels[i] = changed ? JCK_LEVEL_SHOULD : JCK_LEVEL_OBSERVE;
    }
    assert_true(is_shown(levels, 8));
    levels[4] = JCK_LEVEL_SHOULD; // the same call got another answer
    assert_false(is_shown(levels, 8));
    levels[4] = JCK_LEVEL_OBSERVE;
    levels[2] = JCK_LEVEL_OBSERVE; // once it did not matter
    assert_false(is_shown(levels, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_half_of_the_calls_have_the_other_form_and_the_same_params, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_message_that_must_have_no_effect_comes_before_half_of_them, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_spelled_otherwise_is_not_compared,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_form_matters_if_it_does_each_time_and_nothing_else_differs, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
