// Whose sentence a missing Response breaks, and one that should be missing.
#include "harness/judge/trial.h"

// The words, and what the transport says of what came in place of an answer: why it is no message,
// or the status that came without one.
static const char *in_detail(const jck_trial *trial, const jck_answers *answers, const char *words)
{
    const char *why = NULL;
    int status = 0;
    for (size_t i = 0; i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->step == answers->step) {
            why = message->why != NULL ? message->why : why;
            status = message->http_status != 0 ? message->http_status : status;
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

const char *jck_instead(const jck_trial *trial, const jck_answers *answers)
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
        return "no answer came, and the connection answers nothing any more";
    case JCK_FLOODED:
        return "no answer came, among all that the target writes without end";
    case JCK_NOT_RUN:
    case JCK_SETTLED:
    case JCK_FENCED:
        return "no Response came, though a later call was answered";
    case JCK_TRANSPORT_END:
        return in_detail(trial, answers, "the HTTP answer carries no Response");
    }
    return "";
}

bool jck_is_call_owed(const jck_answers *answers)
{
    return answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.input == JRPC_INPUT_SINGLE &&
           answers->owed.message.kind == JRPC_MESSAGE_CALL;
}

// Whether the case is about what a Response looks like, or how JSON is read, whoever answers.
static bool is_about_form(const jck_trial *trial)
{
    jrpc_slice rule = trial->test_case->rules[0];
    return jrpc_slice_starts_with(rule, JRPC_SLICE("J2-5")) ||
           jrpc_slice_starts_with(rule, JRPC_SLICE("JS-"));
}

// The rule that asks for the Response at all, where the case is after something else and cannot see
// it without one: because a ground case has shown that the target does not answer such messages, or
// because the case's own rule is about the form of a Response. Empty if the case's rule is it.
static jrpc_slice rule_asking_for(const jck_trial *trial, const jck_answers *answers)
{
    static const jrpc_slice of_batches = JRPC_SLICE_INIT("J2-6a");
    static const jrpc_slice of_parse_errors = JRPC_SLICE_INIT("J2-5.1d");
    if (answers->owed.kind == JCK_OWED_BATCH && jck_is_broken(trial->calibration, of_batches)) {
        return of_batches;
    }
    if (answers->owed.kind == JCK_OWED_BATCH &&
        jrpc_slice_starts_with(trial->test_case->rules[0], JRPC_SLICE("J2-4.1"))) {
        return JRPC_SLICE("J2-6b"); // the calls beside the notification were to be answered
    }
    if (answers->owed.input == JRPC_INPUT_EMPTY_BATCH && is_about_form(trial)) {
        return JRPC_SLICE("J2-6d");
    }
    bool parse_error =
        answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.input == JRPC_INPUT_PARSE_ERROR;
    if (parse_error && jck_is_broken(trial->calibration, of_parse_errors)) {
        return of_parse_errors;
    }
    bool bare_call = jck_is_call_owed(answers) && !jrpc_json_exists(answers->owed.message.params);
    if (bare_call && trial->evidence->params_wanted) {
        return JRPC_SLICE("J2-4.2e");
    }
    bool unknown_method = jck_is_call_owed(answers) && trial->test_case->need_count == 0;
    if (unknown_method && !trial->calibration->absent_answers) {
        return JRPC_SLICE("J2-5.1f"); // without a mapped method every method is an unknown one
    }
    const jck_rule *first = jck_suite_find_rule(trial->findings->suite, trial->test_case->rules[0]);
    if (first == NULL || first->judge.len == 0) {
        return (jrpc_slice){NULL, 0};
    }
    if (answers->owed.kind == JCK_OWED_BATCH) {
        return of_batches;
    }
    jrpc_slice of_code = jck_owed_code_rule(answers->owed.code);
    return of_code.len > 0 && !jck_is_call_owed(answers) ? of_code : JRPC_SLICE("J2-5a");
}

void jck_find_silence(jck_trial *trial, const jck_answers *answers, jrpc_slice otherwise)
{
    if (answers->unreadable) {
        return; // an answer came; that it is no JSON has been told
    }
    if (jck_refused_for_size(trial, answers)) {
        jck_find(trial->findings, answers->step, JRPC_SLICE("HT-c"),
                 "refused for its size by HTTP status 413, without a Response");
        return;
    }
    if (!answers->echoed && jck_stands_on_shape(trial, answers)) {
        return;
    }
    jrpc_slice rule = rule_asking_for(trial, answers);
    if (jck_is_broken(trial->calibration, rule)) {
        trial->blocked_by = rule;
    }
    if (answers->echoed) {
        rule = JRPC_SLICE("J2-5a");
    } else if (rule.len == 0) {
        rule = jck_blamed_rule(trial, answers, JCK_DIFFERENCE_SILENT, otherwise);
    }
    jck_find(trial->findings, answers->step, rule, "%s", jck_instead(trial, answers));
}

jrpc_slice jck_rule_of_silence(const jck_trial *trial, const jck_answers *answers)
{
    static const char *const of_silence[] = {"J2-4.1", "J2-6f", "J2-7", "J2-3",
                                             "KX-",    "RO-",   "J1-"};
    jrpc_slice rule = trial->test_case->rules[0];
    bool effect = jrpc_slice_is(rule, "J2-4.1d"); // of it an answer says nothing
    if (answers->owed.kind == JCK_OWED_NOTHING && answers->owed.input == JRPC_INPUT_BATCH) {
        return effect ? JRPC_SLICE("J2-6f") : rule;
    }
    if (answers->owed.kind != JCK_OWED_NOTHING || answers->owed.input != JRPC_INPUT_SINGLE) {
        return rule;
    }
    for (size_t i = 0; i < sizeof of_silence / sizeof of_silence[0]; i++) {
        if (!effect && jrpc_slice_starts_with(rule, jrpc_slice_str(of_silence[i]))) {
            return rule;
        }
    }
    bool fails = jrpc_slice_equal(jrpc_json_spelling(answers->owed.message.method),
                                  jck_variables_absent(trial->variables));
    return fails ? JRPC_SLICE("J2-4.1c") : JRPC_SLICE("J2-4.1a");
}
