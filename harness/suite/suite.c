#include "harness/suite/suite.h"

#include "harness/suite/load.h"

#include <assert.h>

void jck_suite_free(jck_suite *suite)
{
    if (suite == NULL) {
        return;
    }
    const jrpc_allocator *allocator = suite->arena.allocator;
    jrpc_arena_done(&suite->arena);
    jrpc_deallocate(allocator, suite);
}

void jck_suite_describe(jck_suite *suite, jrpc_json description)
{
    suite->description = description;
}

jrpc_json jck_suite_description(const jck_suite *suite)
{
    return suite->description;
}

size_t jck_suite_case_count(const jck_suite *suite)
{
    return suite->case_count;
}

const jck_case *jck_suite_append(jck_suite *suite, const jck_case *test_case)
{
    if (suite->case_count == suite->case_capacity) {
        size_t capacity = suite->case_capacity == 0 ? 32 : suite->case_capacity * 2;
        jck_case *cases = jrpc_arena_array(&suite->arena, capacity, sizeof *cases);
        if (cases == NULL) {
            return NULL;
        }
        for (size_t i = 0; i < suite->case_count; i++) {
            cases[i] = suite->cases[i];
        }
        suite->cases = cases;
        suite->case_capacity = capacity;
    }
    suite->cases[suite->case_count] = *test_case;
    return &suite->cases[suite->case_count++];
}

size_t jck_suite_base_count(const jck_suite *suite)
{
    return suite->base_count;
}

const jck_case *jck_suite_case(const jck_suite *suite, size_t index)
{
    return &suite->cases[index];
}

static bool has_id(const jck_case *test_case, jrpc_slice id)
{
    bool has = jrpc_slice_equal(test_case->id, id);
    for (size_t j = 0; j < test_case->alias_count && !has; j++) {
        has = jrpc_slice_equal(test_case->aliases[j], id);
    }
    return has;
}

const jck_case *jck_suite_find_case(const jck_suite *suite, jrpc_slice id)
{
    size_t number;
    if (jck_index_find(&suite->case_index, id, &number)) {
        return &suite->cases[number];
    }
    for (size_t i = suite->cases_indexed; i < suite->case_count; i++) {
        if (has_id(&suite->cases[i], id)) {
            return &suite->cases[i];
        }
    }
    return NULL;
}

size_t jck_suite_rule_count(const jck_suite *suite)
{
    return suite->rule_count;
}

const jck_rule *jck_suite_rule(const jck_suite *suite, size_t index)
{
    return &suite->rules[index];
}

const jck_rule *jck_suite_find_rule(const jck_suite *suite, jrpc_slice id)
{
    size_t number;
    if (jck_index_find(&suite->rule_index, id, &number)) {
        return &suite->rules[number];
    }
    for (size_t i = suite->rules_indexed; i < suite->rule_count; i++) {
        if (jrpc_slice_equal(suite->rules[i].id, id)) {
            return &suite->rules[i];
        }
    }
    return NULL;
}

void jck_suite_mark_rules(const jck_suite *suite, const jck_case *test_case, bool *marks)
{
    assert(suite->rules != NULL || suite->rule_count == 0);
    for (size_t i = 0; suite->rules != NULL && i < test_case->rule_count; i++) {
        const jck_rule *rule = jck_suite_find_rule(suite, test_case->rules[i]);
        if (rule != NULL) {
            marks[rule - jck_suite_rule(suite, 0)] = true;
        }
    }
}
