// Whose sentence a wrong answer breaks, where that is not simply the case's own.
#include "harness/judge/trial.h"

static bool is_code_rule(jrpc_slice rule)
{
    return jrpc_slice_starts_with(rule, JRPC_SLICE("J2-5.1")) && !jrpc_slice_is(rule, "J2-5.1a") &&
           !jrpc_slice_is(rule, "J2-5.1b") && !jrpc_slice_is(rule, "J2-5.1c");
}

jrpc_slice jck_blamed_rule(const jck_trial *trial, const jck_answers *answers,
                           jck_difference difference, jrpc_slice otherwise)
{
    jrpc_slice rule = otherwise.len > 0 ? otherwise : trial->test_case->rules[0];
    if (difference == JCK_DIFFERENCE_SILENT || difference == JCK_DIFFERENCE_CODE) {
        jrpc_slice of_code = jck_owed_code_rule(answers->owed.code);
        if (of_code.len > 0 && jck_case_names(trial->test_case, of_code)) {
            rule = of_code;
        }
    }
    const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
    if (difference == JCK_DIFFERENCE_CODE && known != NULL && known->judge.len > 0 &&
        !is_code_rule(rule)) {
        // A case about the form of a Response is not about its code.
        jrpc_slice of_code = jck_owed_code_rule(answers->owed.code);
        return of_code.len > 0 ? of_code : rule;
    }
    bool call = answers->owed.kind == JCK_OWED_RESPONSE &&
                answers->owed.input == JRPC_INPUT_SINGLE &&
                answers->owed.message.kind == JRPC_MESSAGE_CALL;
    bool weak = known != NULL && jck_case_level(trial->test_case, known) != JCK_LEVEL_MUST;
    bool of_content = is_code_rule(rule) || jrpc_slice_is(rule, "J2-4e") ||
                      jrpc_slice_is(rule, "J2-5c"); // a success, which silence is not
    if (difference == JCK_DIFFERENCE_SILENT && call && (weak || of_content)) {
        return JRPC_SLICE("J2-5a"); // whatever else: a call gets exactly one Response
    }
    return rule;
}

// The rule that `[]` breaks as an answer, whatever the case is after: no Response and no Array of
// Responses is empty. Empty if it is for the case to say.
static jrpc_slice rule_of_empty_array(const jck_answers *answers)
{
    switch (answers->owed.kind) {
    case JCK_OWED_RESPONSE:
        return answers->owed.input == JRPC_INPUT_EMPTY_BATCH ? JRPC_SLICE("J2-6d")
                                                             : (jrpc_slice){NULL, 0};
    case JCK_OWED_BATCH: {
        jrpc_json first = jrpc_json_element(answers->owed.batch, 0);
        return jrpc_json_is(first, JRPC_JSON_ARRAY)                     ? JRPC_SLICE("J2-6i")
               : jrpc_message_classify(first).kind == JRPC_MESSAGE_CALL ? JRPC_SLICE("J2-6b")
                                                                        : JRPC_SLICE("J2-6g");
    }
    case JCK_OWED_NOTHING:
        return answers->owed.input == JRPC_INPUT_BATCH ? JRPC_SLICE("J2-6f")
                                                       : (jrpc_slice){NULL, 0};
    case JCK_OWED_UNKNOWN:
        break;
    }
    return (jrpc_slice){NULL, 0};
}

bool jck_find_empty_array(jck_trial *trial, const jck_answers *answers)
{
    jrpc_slice rule = rule_of_empty_array(answers);
    if (answers->count != 1 || !jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY) ||
        rule.len == 0) {
        return false;
    }
    bool empty = jrpc_json_count(answers->replies[0]) == 0;
    if (!empty && answers->owed.input != JRPC_INPUT_EMPTY_BATCH) {
        return false;
    }
    jck_find(trial->findings, answers->step, rule, "the target answered with an %s",
             empty ? "empty Array" : "Array where a single Response is owed");
    return true;
}

bool jck_stands_on_batches(jck_trial *trial, const jck_answers *answers)
{
    static const jrpc_slice of_batches = JRPC_SLICE_INIT("J2-6a");
    if (answers->owed.input != JRPC_INPUT_PARSE_ERROR || answers->count != 1 ||
        !jrpc_slice_starts_with(answers->sent, JRPC_SLICE("[")) ||
        jck_code_of(answers->replies[0]) != JRPC_INVALID_REQUEST ||
        !jck_is_broken(trial->calibration, of_batches) ||
        jck_is_broken(trial->calibration, JRPC_SLICE("J2-5.1d"))) {
        return false;
    }
    trial->blocked_by = of_batches;
    return true;
}

bool jck_stands_on_shape(jck_trial *trial, const jck_answers *answers)
{
    if (!jck_is_call_owed(answers) || answers->count > 1 ||
        jck_case_names(trial->test_case, JRPC_SLICE("J2-5.1g"))) {
        return false;
    }
    bool array = jrpc_json_is(answers->owed.message.params, JRPC_JSON_ARRAY);
    bool object = jrpc_json_is(answers->owed.message.params, JRPC_JSON_OBJECT);
    if (!array && !object) {
        return false;
    }
    const jck_refusal *known = array ? &trial->calibration->positional : &trial->calibration->named;
    jrpc_slice rule = array ? JRPC_SLICE("J2-4.2a") : JRPC_SLICE("J2-4.2b");
    // A case that needs a method is run because the target is said to take such params there. That
    // it does not shows in a refusal alone that no method gives of its own.
    if (trial->test_case->need_count > 0 && known->code != JRPC_INVALID_REQUEST) {
        return false;
    }
    bool refused = answers->count == 0
                       ? known->silent
                       : known->code != 0 && jck_code_of(answers->replies[0]) == known->code;
    if (!refused || jck_case_names(trial->test_case, rule)) {
        return false;
    }
    trial->blocked_by = rule;
    return true;
}
