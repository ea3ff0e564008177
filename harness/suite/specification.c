#include "harness/suite/specification.h"

#include "harness/suite/load.h"

static const jck_specification *find(const jck_suite *suite, jrpc_slice name)
{
    for (size_t i = 0; i < suite->specification_count; i++) {
        if (jrpc_slice_equal(suite->specifications[i].name, name)) {
            return &suite->specifications[i];
        }
    }
    return NULL;
}

// Records the roles that a rule of `of` plays.
static void fill(jck_reader *reader, jck_specification *of, const jck_rule *rule)
{
    for (size_t i = 0; i < JCK_ROLE_COUNT; i++) {
        if (!jck_rule_has_role(rule, (jck_role)i)) {
            continue;
        }
        if (of->roles[i] == NULL) {
            of->roles[i] = rule;
            of->fills[i] = true;
            continue;
        }
        jrpc_error error = {0};
        (void)jrpc_error_set(
            &error, JRPC_ERROR_INVALID, "the rule %.*s has the role \"%s\", which %.*s already has",
            JCK_WORD(rule->id), jck_role_name((jck_role)i), JCK_WORD(of->roles[i]->id));
        (void)jrpc_error_locate(&error, rule->file, (jrpc_slice){NULL, 0}, 0);
        error.line = rule->line;
        error.column = 0;
        (void)jck_reader_report(reader, &error);
    }
}

// Inherits the rules of the specifications that `of` builds on, in the order it names them, for the
// roles that it does not fill itself.
static void inherit(jck_reader *reader, const jck_suite *suite, jck_specification *of)
{
    for (size_t i = 0; i < of->builds_on_count; i++) {
        const jck_specification *base = find(suite, of->builds_on[i]);
        if (base == NULL) {
            jrpc_error error = {0};
            (void)jrpc_error_set(&error, JRPC_ERROR_INVALID,
                                 "%.*s builds on \"%.*s\", which the catalogue does not have",
                                 JCK_WORD(of->name), JCK_WORD(of->builds_on[i]));
            (void)jrpc_error_locate(&error, of->file, (jrpc_slice){NULL, 0}, 0);
            (void)jck_reader_report(reader, &error);
            continue;
        }
        for (size_t k = 0; k < JCK_ROLE_COUNT; k++) {
            of->roles[k] = of->roles[k] == NULL && base->fills[k] ? base->roles[k] : of->roles[k];
        }
    }
}

void jck_load_roles(jck_reader *reader, jck_suite *suite)
{
    for (size_t i = 0; i < suite->specification_count; i++) {
        jck_specification *of = &suite->specifications[i];
        for (size_t k = 0; k < suite->rule_count; k++) {
            if (jrpc_slice_equal(suite->rules[k].specification, of->name)) {
                fill(reader, of, &suite->rules[k]);
            }
        }
    }
    for (size_t i = 0; i < suite->specification_count; i++) {
        inherit(reader, suite, &suite->specifications[i]);
    }
}

const jck_specification *jck_suite_specification_of(const jck_suite *suite,
                                                    const jck_case *test_case)
{
    const jck_specification *of = find(suite, test_case->suite);
    const jck_rule *first = of == NULL ? jck_suite_find_rule(suite, test_case->rules[0]) : NULL;
    return first == NULL ? of : find(suite, first->specification);
}

const jck_rule *jck_suite_role(const jck_suite *suite, const jck_case *test_case, jck_role role)
{
    const jck_specification *of = jck_suite_specification_of(suite, test_case);
    return of == NULL || role == JCK_ROLE_NONE ? NULL : of->roles[role];
}

bool jck_case_is_ground_of(const jck_suite *suite, const jck_case *test_case, jck_role role)
{
    for (size_t i = 0; i < suite->rule_count; i++) {
        const jck_rule *rule = &suite->rules[i];
        if (jck_rule_has_role(rule, role) && jrpc_slice_equal(rule->ground, test_case->id)) {
            return true;
        }
    }
    return false;
}

bool jck_case_is_for(const jck_suite *suite, const jck_case *test_case, jck_role role)
{
    return jck_rule_has_role(jck_suite_find_rule(suite, test_case->rules[0]), role);
}

bool jck_case_is_about(const jck_suite *suite, const jck_case *test_case, jck_topic topic)
{
    return jck_rule_is_about(jck_suite_find_rule(suite, test_case->rules[0]), topic);
}
