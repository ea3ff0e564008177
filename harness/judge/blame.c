// Whose sentence a wrong answer breaks, where that is not simply the case's own.
#include "harness/judge/blame.h"

#include "reference/json/equal.h"

// The rule that owes the error code of what was sent; empty if no code is owed, or no rule says so.
static jrpc_slice rule_of_owed_code(const jck_trial *trial, const jck_answers *answers)
{
    jck_role role = jck_owed_code_role(answers->owed.code);
    const jck_rule *rule = jck_suite_role(trial->findings->suite, trial->test_case, role);
    return rule == NULL ? (jrpc_slice){NULL, 0} : rule->id;
}

// Whether a rule says what a Response looks like, not when one comes nor which code it has: the
// envelope checks such rules on every Response, and no other difference breaks them.
static bool is_of_form_alone(const jck_rule *rule)
{
    return rule != NULL && !jck_rule_is_about(rule, JCK_TOPIC_CODE) &&
           !jck_rule_has_role(rule, JCK_ROLE_RESPONSE_OWED) &&
           (rule->judge.len > 0 || jck_rule_is_about(rule, JCK_TOPIC_FORM));
}

// The rule of a difference in a case whose own rule is about the form of a Response.
static jrpc_slice rule_beside_form(const jck_trial *trial, const jck_answers *answers,
                                   jck_difference difference, jrpc_slice own)
{
    jrpc_slice of_code = rule_of_owed_code(trial, answers);
    switch (difference) {
    case JCK_DIFFERENCE_SILENT:
        return jck_is_call_owed(answers) || of_code.len == 0
                   ? jck_trial_rule(trial, JCK_ROLE_RESPONSE_OWED)
                   : of_code;
    case JCK_DIFFERENCE_CODE:
    case JCK_DIFFERENCE_SHAPE:
        return of_code.len > 0 ? of_code : own;
    case JCK_DIFFERENCE_ID:
        break;
    }
    return own;
}

bool jck_is_owed_to_another(jck_trial *trial, jrpc_json id, int64_t code)
{
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; code != 0 && i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction == JCK_SENT && sent->role == JCK_MESSAGE_OF_CASE) {
            jck_owed owed = jck_trial_owed(trial, sent->bytes);
            if (owed.code == code && !(owed.id_sent && jrpc_json_equal(owed.id, id))) {
                return true;
            }
        }
    }
    return false;
}

// Whether an error of another code is wrong by itself, and not the answer of another call.
static bool is_wrong_by_itself(jck_trial *trial, const jck_answers *answers)
{
    return answers->count > 0 &&
           !jck_is_owed_to_another(trial, jck_id_owed(answers), jck_code_of(answers->replies[0]));
}

jrpc_slice jck_blamed_rule(jck_trial *trial, const jck_answers *answers, jck_difference difference,
                           jrpc_slice otherwise)
{
    jrpc_slice rule = otherwise.len > 0 ? otherwise : trial->test_case->rules[0];
    if (difference == JCK_DIFFERENCE_SILENT || difference == JCK_DIFFERENCE_CODE) {
        jrpc_slice of_code = rule_of_owed_code(trial, answers);
        if (of_code.len > 0 && jck_case_names(trial->test_case, of_code)) {
            rule = of_code;
        }
    }
    const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
    if (is_of_form_alone(known)) {
        return rule_beside_form(trial, answers, difference, rule);
    }
    if (difference == JCK_DIFFERENCE_CODE && jck_rule_is_about(known, JCK_TOPIC_COMPANY) &&
        is_wrong_by_itself(trial, answers)) {
        jrpc_slice of_code = rule_of_owed_code(trial, answers);
        rule = of_code.len > 0 ? of_code : rule;
    }
    bool weak = known != NULL && jck_case_level(trial->test_case, known) != JCK_LEVEL_MUST;
    bool of_content =
        jck_rule_is_about(known, JCK_TOPIC_CODE) || jck_rule_has_role(known, JCK_ROLE_SAME_ID);
    if (difference == JCK_DIFFERENCE_SILENT && jck_is_call_owed(answers) && (weak || of_content)) {
        return jck_trial_rule(trial, JCK_ROLE_RESPONSE_OWED); // whatever else: a call gets one
    }
    return rule;
}

// The role of the rule that `[]` breaks as an answer, whatever the case is after: no Response and
// no Array of Responses is empty. NONE if it is for the case to say.
static jck_role role_of_empty_array(const jck_answers *answers)
{
    switch (answers->owed.kind) {
    case JCK_OWED_RESPONSE:
        return answers->owed.input == JRPC_INPUT_EMPTY_BATCH ? JCK_ROLE_BATCH_EMPTY : JCK_ROLE_NONE;
    case JCK_OWED_BATCH: {
        jrpc_json first = jrpc_json_element(answers->owed.batch, 0);
        return jrpc_json_is(first, JRPC_JSON_ARRAY) ? JCK_ROLE_BATCH_NESTED
               : jrpc_message_classify(first).kind == JRPC_MESSAGE_CALL
                   ? JCK_ROLE_BATCH_EACH_CALL
                   : JCK_ROLE_BATCH_INVALID_ELEMENTS;
    }
    case JCK_OWED_NOTHING:
        return answers->owed.input == JRPC_INPUT_BATCH ? JCK_ROLE_BATCH_OF_NOTIFICATIONS
                                                       : JCK_ROLE_NONE;
    case JCK_OWED_UNKNOWN:
        break;
    }
    return JCK_ROLE_NONE;
}

// Reports a parse error that stands in an Array, whatever the case is after: text that is not JSON
// is no batch.
static bool add_parse_error_in_array(jck_trial *trial, const jck_answers *answers)
{
    bool of_text = answers->owed.input == JRPC_INPUT_PARSE_ERROR ||
                   answers->owed.kind == JCK_OWED_UNKNOWN; // too deep to be looked into
    if (!of_text || answers->count != 1 || !jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY) ||
        jrpc_json_count(answers->replies[0]) != 1 ||
        jck_code_of(jrpc_json_element(answers->replies[0], 0)) != JRPC_PARSE_ERROR) {
        return false;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step, JCK_ROLE_BATCH_PARSE_ERROR,
                    "expected one Response; got it in an Array: %s",
                    jck_shown(trial, answers->replies[0]));
    jck_name_difference(trial->findings, before, "a parse error in an Array");
    return true;
}

bool jck_add_array(jck_trial *trial, const jck_answers *answers)
{
    if (add_parse_error_in_array(trial, answers)) {
        return true;
    }
    jck_role role = role_of_empty_array(answers);
    if (answers->count != 1 || !jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY) ||
        role == JCK_ROLE_NONE) {
        return false;
    }
    bool empty = jrpc_json_count(answers->replies[0]) == 0;
    if (!empty && answers->owed.input != JRPC_INPUT_EMPTY_BATCH) {
        return false;
    }
    jck_add_finding(trial->findings, answers->step, role, "expected %s; got an %s",
                    answers->owed.kind == JCK_OWED_RESPONSE ? "one Response"
                    : answers->owed.kind == JCK_OWED_BATCH  ? "an Array of Responses"
                                                            : "no Response",
                    empty ? "empty Array" : "Array");
    return true;
}

bool jck_blocked_by_batches(jck_trial *trial, const jck_answers *answers)
{
    if (answers->owed.input != JRPC_INPUT_PARSE_ERROR || answers->count != 1 ||
        !jrpc_slice_starts_with(answers->sent, JRPC_SLICE("[")) ||
        jck_code_of(answers->replies[0]) != JRPC_INVALID_REQUEST ||
        !jck_trial_is_broken(trial, JCK_ROLE_BATCH_ARRAY) ||
        jck_trial_is_broken(trial, JCK_ROLE_PARSE_ERROR)) {
        return false;
    }
    trial->blocked_by = jck_trial_rule(trial, JCK_ROLE_BATCH_ARRAY);
    return true;
}

bool jck_blocked_by_params_shape(jck_trial *trial, const jck_answers *answers)
{
    if (!jck_is_call_owed(answers) || answers->count > 1 ||
        jck_trial_names(trial, JCK_ROLE_INVALID_PARAMS)) {
        return false;
    }
    bool array = jrpc_json_is(answers->owed.message.params, JRPC_JSON_ARRAY);
    bool object = jrpc_json_is(answers->owed.message.params, JRPC_JSON_OBJECT);
    if (!array && !object) {
        return false;
    }
    const jck_refusal *known = array ? &trial->calibration->positional : &trial->calibration->named;
    jck_role role = array ? JCK_ROLE_PARAMS_BY_POSITION : JCK_ROLE_PARAMS_BY_NAME;
    // A case that needs a method (of silence: anything) is run because the target is said to take
    // such params there. That it does not shows in a refusal alone that no method gives of its own.
    bool for_another = answers->count == 0 ? trial->test_case->need_count > 0
                                           : jck_case_needs_method(trial->test_case);
    if (for_another && known->code != JRPC_INVALID_REQUEST) {
        return false;
    }
    bool refused = answers->count == 0
                       ? known->silent
                       : known->code != 0 && jck_code_of(answers->replies[0]) == known->code;
    if (!refused || jck_trial_names(trial, role)) {
        return false;
    }
    trial->blocked_by = jck_trial_rule(trial, role);
    return true;
}
