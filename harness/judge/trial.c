#include "harness/judge/trial.h"

#include "reference/json/read.h"

#define EXCERPT 160

jrpc_json_document *jck_trial_document(jck_trial *trial)
{
    jck_read *read = jrpc_arena_alloc(trial->arena, sizeof *read);
    if (read == NULL) {
        trial->findings->failed = true;
        return NULL;
    }
    jrpc_json_document_init(&read->document, trial->arena->allocator);
    read->next = trial->reads;
    trial->reads = read;
    return &read->document;
}

jrpc_json jck_trial_read(jck_trial *trial, jrpc_slice text, jrpc_error *error)
{
    jrpc_json_document *document = jck_trial_document(trial);
    if (document == NULL) {
        return JRPC_JSON_ABSENT;
    }
    jrpc_error own = {0};
    jrpc_error *filled = error == NULL ? &own : error;
    if (!jrpc_json_read(document, text, JCK_MESSAGE_DEPTH, filled)) {
        trial->findings->failed = trial->findings->failed || filled->code == JRPC_ERROR_MEMORY;
        return JRPC_JSON_ABSENT;
    }
    return jrpc_json_root(document);
}

const char *jck_shown(jck_trial *trial, jrpc_json value)
{
    return jck_excerpt(trial->arena, jrpc_json_spelling(value), EXCERPT);
}

jrpc_slice jck_trial_rule(const jck_trial *trial, jck_role role)
{
    return jck_findings_rule(trial->findings, role);
}

jck_dialect jck_trial_dialect(const jck_trial *trial)
{
    const jck_specification *by = trial->findings->judged_by;
    return by == NULL ? JCK_DIALECT_2_0 : by->dialect;
}

bool jck_trial_names(const jck_trial *trial, jck_role role)
{
    return jck_case_names_role(trial->test_case, role);
}

bool jck_trial_is_for(const jck_trial *trial, jck_role role)
{
    return jck_case_is_for(trial->findings->suite, trial->test_case, role);
}

bool jck_trial_is_about(const jck_trial *trial, jck_topic topic)
{
    return jck_case_is_about(trial->findings->suite, trial->test_case, topic);
}

bool jck_trial_has_role(const jck_trial *trial, jrpc_slice rule, jck_role role)
{
    return jck_rule_has_role(jck_suite_find_rule(trial->findings->suite, rule), role);
}

bool jck_trial_has_topic(const jck_trial *trial, jrpc_slice rule, jck_topic topic)
{
    return jck_rule_is_about(jck_suite_find_rule(trial->findings->suite, rule), topic);
}

bool jck_trial_is_broken(const jck_trial *trial, jck_role role)
{
    const jck_specification *by = trial->findings->judged_by;
    const jck_rule *rule = by == NULL ? NULL : by->roles[role];
    return rule != NULL && jck_is_broken(trial->calibration, rule->id);
}

bool jck_is_broken(const jck_calibration *calibration, jrpc_slice rule)
{
    for (size_t i = 0; i < calibration->broken_count; i++) {
        if (jrpc_slice_equal(calibration->broken[i], rule)) {
            return true;
        }
    }
    return false;
}
