// Whose sentence a missing Response breaks, and one that should be missing.
#include "harness/judge/silence.h"

#include "harness/judge/blame.h"
#include "harness/judge/http.h"

// Longer than what servers hold in one buffer at first: that a message of such a length is not
// answered is the same difference whatever it says.
#define LONG_BYTES ((size_t)32 << 10)
// Longer than the name of any real method.
#define LONG_NAME_BYTES 60

// The HTTP status of what came in place of an answer, 0 if there is none.
static int status_of(const jck_trial *trial, const jck_answers *answers)
{
    int status = 0;
    for (size_t i = 0; i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->step == answers->step) {
            status = message->http_status != 0 ? message->http_status : status;
        }
    }
    return status;
}

// The words, and what the transport says of what came in place of an answer: why it is not a
// message, or the status that came without one.
static const char *in_detail(const jck_trial *trial, const jck_answers *answers, const char *words)
{
    const char *why = NULL;
    int status = status_of(trial, answers);
    for (size_t i = 0; i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->step == answers->step) {
            why = message->why != NULL ? message->why : why;
        }
    }
    const char *detailed = NULL;
    if (why != NULL) {
        detailed = jrpc_arena_printf(trial->arena, "%s: %s", words, why);
    } else if (status != 0 && (status < 200 || status > 299)) {
        const char *meaning = status == 401 || status == 403 ? ", credentials are missing or wrong"
                              : status >= 300 && status <= 399 ? ", a redirect, is not followed"
                                                               : "";
        detailed =
            jrpc_arena_printf(trial->arena, "%s: it has status %d%s", words, status, meaning);
    }
    return detailed == NULL ? words : detailed;
}

const char *jck_describe_missing_answer(const jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    if (answers->echoed) {
        return "the target sent our own message back: this target echoes its input";
    }
    switch (evidence->settled[answers->step]) {
    case JCK_GONE:
        if (evidence->process_gone) {
            return evidence->orderly ? "the target ended instead of answering"
                                     : "the target crashed instead of answering";
        }
        return in_detail(trial, answers,
                         evidence->end.kind == JRPC_END_WS_CLOSE
                             ? "the connection was closed instead of an answer"
                             : "the target closed the connection instead of answering");
    case JCK_MUTE:
    case JCK_UNSENT:
        return "no answer came, and the connection no longer answers";
    case JCK_FLOODED:
        return "no answer came; the target writes without end";
    case JCK_NOT_RUN:
    case JCK_SETTLED:
    case JCK_FENCED:
        return "no Response came, though a later call was answered";
    case JCK_TRANSPORT_END:
        return in_detail(trial, answers, "the HTTP answer carries no Response");
    }
    return "";
}

// The rule that asks for the Response at all, where the case is after something else and cannot see
// it without one: because a ground case has shown that the target does not answer such messages, or
// because the case's own rule is about the form of a Response. NONE if the case's rule is it.
static jck_role role_asking_for(const jck_trial *trial, const jck_answers *answers)
{
    bool batch = answers->owed.kind == JCK_OWED_BATCH;
    if (batch && jck_trial_is_broken(trial, JCK_ROLE_BATCH_ARRAY)) {
        return JCK_ROLE_BATCH_ARRAY;
    }
    if (batch && jck_trial_is_about(trial, JCK_TOPIC_NOTIFICATION)) {
        return JCK_ROLE_BATCH_EACH_CALL; // the calls beside the notification were to be answered
    }
    // The case is about what a Response looks like, or how JSON is read, whoever answers.
    bool of_form =
        jck_trial_is_about(trial, JCK_TOPIC_FORM) || jck_trial_is_about(trial, JCK_TOPIC_TEXT);
    if (answers->owed.input == JRPC_INPUT_EMPTY_BATCH && of_form) {
        return JCK_ROLE_BATCH_EMPTY;
    }
    bool parse_error =
        answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.input == JRPC_INPUT_PARSE_ERROR;
    if (parse_error && jck_trial_is_broken(trial, JCK_ROLE_PARSE_ERROR)) {
        return JCK_ROLE_PARSE_ERROR;
    }
    bool bare_call = jck_is_call_owed(answers) && !jrpc_json_exists(answers->owed.message.params);
    if (bare_call && trial->evidence->params_wanted) {
        return JCK_ROLE_PARAMS_OMITTED;
    }
    bool unknown_method = jck_is_call_owed(answers) && trial->test_case->need_count == 0;
    if (unknown_method && !trial->calibration->absent_answers) {
        return JCK_ROLE_METHOD_NOT_FOUND; // without a mapped method every method is an unknown one
    }
    const jck_rule *first = jck_suite_find_rule(trial->findings->suite, trial->test_case->rules[0]);
    if (first == NULL || first->judge.len == 0) {
        return JCK_ROLE_NONE;
    }
    if (batch) {
        return JCK_ROLE_BATCH_ARRAY;
    }
    jck_role of_code = jck_owed_code_role(answers->owed.code);
    return of_code != JCK_ROLE_NONE && !jck_is_call_owed(answers) ? of_code
                                                                  : JCK_ROLE_RESPONSE_OWED;
}

void jck_name_silence(jck_trial *trial, size_t first, const jck_answers *answers)
{
    jrpc_json params = answers->owed.message.params;
    bool structured =
        jrpc_json_is(params, JRPC_JSON_ARRAY) || jrpc_json_is(params, JRPC_JSON_OBJECT);
    int status = status_of(trial, answers);
    bool left = trial->evidence->settled[answers->step] == JCK_GONE &&
                (!trial->evidence->process_gone || trial->evidence->orderly);
    if (left) {
        jck_name_difference(trial->findings, first, "an end in the place of an answer");
    } else if (status != 0 && (status < 200 || status > 299)) {
        jck_name_difference(trial->findings, first, "no Response, but HTTP status %d", status);
    } else if (jck_is_call_owed(answers) &&
               jrpc_json_spelling(answers->owed.message.method).len > LONG_NAME_BYTES) {
        jck_name_difference(trial->findings, first, "silence to a call with a long method name");
    } else if (answers->owed.kind == JCK_OWED_BATCH) {
        jck_name_difference(trial->findings, first, "silence to a batch");
    } else if (answers->sent.len > LONG_BYTES) {
        jck_name_difference(trial->findings, first, "silence to a long message");
    } else if (jck_is_call_owed(answers) && structured && jrpc_json_count(params) == 0) {
        jck_name_difference(trial->findings, first, "silence to a call with empty params");
    }
}

void jck_name_answer_to_notification(jck_trial *trial, size_t first, jrpc_json answer)
{
    jrpc_json one = jrpc_json_is(answer, JRPC_JSON_ARRAY) ? jrpc_json_element(answer, 0) : answer;
    jck_name_difference(trial->findings, first, "a notification answered with code %lld",
                        (long long)jck_code_of(one));
}

bool jck_is_lost_with_target(const jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    switch (evidence->settled[answers->step]) {
    case JCK_GONE:
        return evidence->process_gone && !evidence->orderly;
    case JCK_MUTE:
    case JCK_UNSENT:
        return evidence->muteness != JCK_NOT_MUTE;
    case JCK_NOT_RUN:
    case JCK_SETTLED:
    case JCK_FENCED:
    case JCK_TRANSPORT_END:
    case JCK_FLOODED:
        break;
    }
    return false;
}

void jck_add_silence(jck_trial *trial, const jck_answers *answers, jrpc_slice otherwise)
{
    if (answers->unreadable) {
        return; // an answer came; that it is not JSON has been reported
    }
    if (jck_refused_for_size(trial, answers->step, answers->connection)) {
        jck_add_finding(trial->findings, answers->step, JCK_ROLE_HTTP_ERROR_BODY,
                        "refused for its size with HTTP status 413, without a Response");
        return;
    }
    if (!answers->echoed && jck_blocked_by_params_shape(trial, answers)) {
        return;
    }
    jck_role role = role_asking_for(trial, answers);
    if (role != JCK_ROLE_NONE && jck_trial_is_broken(trial, role)) {
        trial->blocked_by = jck_trial_rule(trial, role);
    }
    role = answers->echoed ? JCK_ROLE_RESPONSE_OWED : role;
    size_t before = trial->findings->count;
    const char *instead = jck_describe_missing_answer(trial, answers);
    jrpc_slice rule = role != JCK_ROLE_NONE
                          ? jck_trial_rule(trial, role)
                          : jck_blamed_rule(trial, answers, JCK_DIFFERENCE_SILENT, otherwise);
    if (jck_is_lost_with_target(trial, answers) && !answers->echoed) {
        return;
    }
    if (role != JCK_ROLE_NONE) {
        jck_add_finding(trial->findings, answers->step, role, "%s", instead);
    } else {
        jck_add_finding_of(trial->findings, answers->step, rule, "%s", instead);
    }
    jck_name_silence(trial, before, answers);
}

jrpc_slice jck_rule_of_silence(const jck_trial *trial, const jck_answers *answers)
{
    jrpc_slice rule = trial->test_case->rules[0];
    bool effect = jck_trial_is_for(trial, JCK_ROLE_NOTIFICATION_EFFECT); // an answer is no effect
    if (answers->owed.kind != JCK_OWED_NOTHING) {
        return rule;
    }
    if (answers->owed.input == JRPC_INPUT_BATCH) {
        return effect ? jck_trial_rule(trial, JCK_ROLE_BATCH_OF_NOTIFICATIONS) : rule;
    }
    bool of_valid = jck_trial_is_for(trial, JCK_ROLE_NOTIFICATION_SILENT);
    bool of_failing = jck_trial_is_for(trial, JCK_ROLE_FAILING_NOTIFICATION_SILENT);
    if (answers->owed.input != JRPC_INPUT_SINGLE ||
        (!effect && !of_valid && !of_failing && jck_trial_is_about(trial, JCK_TOPIC_SILENCE))) {
        return rule;
    }
    bool fails = of_failing || jrpc_slice_equal(jrpc_json_spelling(answers->owed.message.method),
                                                jck_variables_absent(trial->variables));
    return jck_trial_rule(trial, fails ? JCK_ROLE_FAILING_NOTIFICATION_SILENT
                                       : JCK_ROLE_NOTIFICATION_SILENT);
}
