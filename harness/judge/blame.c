// Which rule a wrong answer breaks if it is not simply the case's own.
#include "harness/judge/blame.h"

#include "harness/judge/circumstances.h"
#include "harness/judge/http.h"
#include "harness/judge/repeats.h"
#include "harness/judge/surplus.h"
#include "harness/judge/transport.h"
#include "reference/json/equal.h"

// The rule that requires the error code for what was sent; empty if no code is required, or no rule
// says so.
static jrpc_slice rule_of_owed_code(const jck_trial *trial, const jck_answers *answers)
{
    jck_role role = jck_owed_code_role(answers->owed.code);
    const jck_rule *rule = jck_suite_role(trial->findings->suite, trial->test_case, role);
    return rule == NULL ? (jrpc_slice){NULL, 0} : rule->id;
}

// Whether a rule is only about what a Response looks like, not when there is one or which code it
// has: the envelope checks such rules on every Response, and no other difference breaks them.
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

// Whether an error with another code is wrong by itself, and not the answer of another call.
static bool is_wrong_by_itself(jck_trial *trial, const jck_answers *answers)
{
    return answers->count > 0 &&
           !jck_is_owed_to_another(trial, jck_id_owed(answers), jck_code_of(answers->replies[0]));
}

// Whether a call is refused because of its params in a case about other calls: then the target does
// not accept these params.
static bool is_refused_for_params(const jck_answers *answers, const jck_rule *rule)
{
    return answers->count == 1 && answers->owed.code == 0 && jck_is_call_owed(answers) &&
           jrpc_json_exists(answers->owed.message.params) &&
           jck_rule_is_about(rule, JCK_TOPIC_COMPANY) &&
           jck_code_of(answers->replies[0]) == JRPC_INVALID_PARAMS;
}

// Whether a call of an unknown method is rejected because of its params: then the text was read and
// answered, and only the code is wrong.
static bool is_only_of_params(const jck_answers *answers, jck_difference difference)
{
    return difference == JCK_DIFFERENCE_CODE && answers->count == 1 &&
           answers->owed.code == JRPC_METHOD_NOT_FOUND &&
           jck_code_of(answers->replies[0]) == JRPC_INVALID_PARAMS;
}

// Whether a message is a call, except that its params are null: some servers take that for none.
static bool is_call_but_for_params(const jck_answers *answers)
{
    const jrpc_message *message = &answers->owed.message;
    return answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.input == JRPC_INPUT_SINGLE &&
           answers->owed.id_sent && jrpc_json_is(message->method, JRPC_JSON_STRING) &&
           jrpc_json_is(message->params, JRPC_JSON_NULL) &&
           jrpc_json_string_is(message->version, JRPC_SLICE("2.0"));
}

// The rule of the case that says how its text must be read, if the text is JSON and was refused as
// if it were not: whatever else the case is about, it was not read. Empty if there is none.
static jrpc_slice rule_of_refused_text(const jck_trial *trial, const jck_answers *answers)
{
    bool refused = answers->count == 1 && jck_is_refused_as_text(answers, answers->replies[0]);
    for (size_t i = 0; refused && i < trial->test_case->rule_count; i++) {
        if (jck_trial_has_topic(trial, trial->test_case->rules[i], JCK_TOPIC_TEXT)) {
            return trial->test_case->rules[i];
        }
    }
    return (jrpc_slice){NULL, 0};
}

// The rule about params by position, or by name, if the case is the one that shows whether they are
// accepted, and a call without params is answered as usual.
static jck_role role_of_shape(const jck_trial *trial, const jck_answers *answers)
{
    static const jck_role roles[] = {JCK_ROLE_PARAMS_BY_POSITION, JCK_ROLE_PARAMS_BY_NAME};
    const jck_calibration *known = trial->calibration;
    bool usual = known->absent_answers && !known->absent_code_differs &&
                 !known->absent_gives_result && answers->count == 1 &&
                 jrpc_json_is(jrpc_json_get(answers->replies[0], "error"), JRPC_JSON_OBJECT);
    for (size_t i = 0; usual && i < sizeof roles / sizeof *roles; i++) {
        if (jck_case_is_ground_of(trial->findings->suite, trial->test_case, roles[i])) {
            return roles[i];
        }
    }
    return JCK_ROLE_NONE;
}

// Whether a rule is about calls whatever they do, so that a wrong result alone does not break it.
static bool is_about_any_call(const jck_rule *rule)
{
    static const jck_role roles[] = {
        JCK_ROLE_SAME_ID,         JCK_ROLE_ID_TYPES,      JCK_ROLE_ID_IN_DOUBLES,
        JCK_ROLE_STATELESS,       JCK_ROLE_ID_USED_AGAIN, JCK_ROLE_PRINTED_EXCHANGES,
        JCK_ROLE_ORDER_AND_SPACE,
    };
    bool is = jck_rule_is_about(rule, JCK_TOPIC_COMPANY) || jck_rule_is_about(rule, JCK_TOPIC_FORM);
    for (size_t i = 0; i < sizeof roles / sizeof *roles && !is; i++) {
        is = jck_rule_has_role(rule, roles[i]);
    }
    return is;
}

// Whether one of these patterns of Responses, or the only one, asks for a result.
static bool is_result_of(const jck_trial *trial, jrpc_json patterns, jrpc_json result)
{
    jrpc_json wanted = jrpc_json_get(patterns, "result");
    bool is = jrpc_json_exists(wanted) && jck_match(&trial->matching, wanted, result);
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); !is && jrpc_json_step(&it);) {
        wanted = jrpc_json_get(it.value, "result");
        is = jrpc_json_exists(wanted) && jck_match(&trial->matching, wanted, result);
    }
    return is;
}

// Whether a step of the case asks for this result: then it may belong to another call.
static bool is_result_of_a_step(const jck_trial *trial, jrpc_json result)
{
    bool is = false;
    for (size_t i = 0; i < trial->test_case->step_count && !is; i++) {
        const jck_step *step = &trial->test_case->steps[i];
        is = is_result_of(trial, step->expect.pattern, result) ||
             is_result_of(trial, step->patterns, result);
    }
    return is;
}

// The rule about params by position, or by name, if a method that computes with them gives a wrong
// result that nothing else of the case explains: it is the first call, or the result of an earlier
// one was wrong too. NONE otherwise.
static jck_role role_of_misread_params(jck_trial *trial, const jck_answers *answers,
                                       const jck_rule *rule)
{
    jrpc_json params = answers->owed.message.params;
    jrpc_json reply = answers->count == 1 ? answers->replies[0] : JRPC_JSON_ABSENT;
    jrpc_json result = jrpc_json_get(reply, "result");
    bool array = jrpc_json_is(params, JRPC_JSON_ARRAY);
    if (!jrpc_json_exists(result) || (!array && !jrpc_json_is(params, JRPC_JSON_OBJECT)) ||
        !jck_is_call_owed(answers) || !jck_case_mentions(trial->test_case, "subtract") ||
        !is_about_any_call(rule) || is_result_of_a_step(trial, result)) {
        return JCK_ROLE_NONE;
    }
    jck_role role = array ? JCK_ROLE_PARAMS_BY_POSITION : JCK_ROLE_PARAMS_BY_NAME;
    jrpc_slice broken = jck_trial_rule(trial, role);
    jck_sent_walk first = jck_walk_sent_of_case(trial);
    bool alone = jck_sent_step(&first) &&
                 jrpc_json_equal(jrpc_json_get(first.value, "id"), answers->owed.id);
    for (size_t i = 0; i < trial->findings->count && !alone; i++) {
        alone = jrpc_slice_equal(trial->findings->items[i].rule, broken);
    }
    return alone ? role : JCK_ROLE_NONE;
}

jck_role jck_role_of_wrong_result(const jck_trial *trial, jrpc_slice rule, jrpc_json call,
                                  jrpc_json result)
{
    const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
    jrpc_json params = jrpc_json_get(call, "params");
    bool of_any = jck_case_mentions(trial->test_case, "subtract") && is_about_any_call(known) &&
                  !jck_rule_has_role(known, JCK_ROLE_PRINTED_EXCHANGES) &&
                  !is_result_of_a_step(trial, result);
    return !of_any                                  ? JCK_ROLE_NONE
           : jrpc_json_is(params, JRPC_JSON_ARRAY)  ? JCK_ROLE_PARAMS_BY_POSITION
           : jrpc_json_is(params, JRPC_JSON_OBJECT) ? JCK_ROLE_PARAMS_BY_NAME
                                                    : JCK_ROLE_NONE;
}

jrpc_slice jck_blamed_rule(jck_trial *trial, const jck_answers *answers, jck_difference difference,
                           jrpc_slice otherwise)
{
    jrpc_slice rule = rule_of_refused_text(trial, answers);
    if (rule.len > 0) {
        return rule;
    }
    rule = otherwise.len > 0 ? otherwise : trial->test_case->rules[0];
    if (difference == JCK_DIFFERENCE_SILENT || difference == JCK_DIFFERENCE_CODE) {
        jrpc_slice of_code = rule_of_owed_code(trial, answers);
        if (of_code.len > 0 && jck_case_names(trial->test_case, of_code)) {
            rule = of_code;
        }
    }
    const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
    jck_role misread = role_of_misread_params(trial, answers, known);
    if (difference == JCK_DIFFERENCE_SHAPE && misread != JCK_ROLE_NONE) {
        return jck_trial_rule(trial, misread);
    }
    if (is_of_form_alone(known)) {
        return rule_beside_form(trial, answers, difference, rule);
    }
    if (jck_rule_is_about(known, JCK_TOPIC_TEXT) ||
        jck_rule_has_role(known, JCK_ROLE_RESPONSE_OWED)) {
        jrpc_slice of_code = is_only_of_params(answers, difference)
                                 ? rule_of_owed_code(trial, answers)
                                 : (jrpc_slice){NULL, 0};
        rule = of_code.len > 0 ? of_code : rule;
    }
    if (difference == JCK_DIFFERENCE_CODE && jck_rule_is_about(known, JCK_TOPIC_COMPANY) &&
        is_wrong_by_itself(trial, answers)) {
        jrpc_slice of_code = rule_of_owed_code(trial, answers);
        rule = of_code.len > 0 ? of_code : rule;
    }
    if (is_refused_for_params(answers, known)) {
        bool array = jrpc_json_is(answers->owed.message.params, JRPC_JSON_ARRAY);
        return jck_trial_rule(trial, array ? JCK_ROLE_PARAMS_BY_POSITION : JCK_ROLE_PARAMS_BY_NAME);
    }
    jck_role of_shape = role_of_shape(trial, answers);
    if (of_shape != JCK_ROLE_NONE) {
        return jck_trial_rule(trial, of_shape);
    }
    bool weak = known != NULL && jck_case_level(trial->test_case, known) != JCK_LEVEL_MUST;
    bool of_content =
        jck_rule_is_about(known, JCK_TOPIC_CODE) || jck_rule_has_role(known, JCK_ROLE_SAME_ID);
    // A method that the target is said to have takes the params.
    bool of_params = jck_case_needs_method(trial->test_case) &&
                     (jck_rule_has_role(known, JCK_ROLE_PARAMS_BY_POSITION) ||
                      jck_rule_has_role(known, JCK_ROLE_PARAMS_BY_NAME));
    if (difference == JCK_DIFFERENCE_SILENT && jck_is_call_owed(answers) &&
        (weak || of_content || of_params)) {
        return jck_trial_rule(trial, JCK_ROLE_RESPONSE_OWED); // in any case: a call gets one
    }
    if (difference == JCK_DIFFERENCE_SILENT && weak && is_call_but_for_params(answers)) {
        return jck_trial_rule(trial, JCK_ROLE_RESPONSE_OWED); // whether it is served or refused
    }
    return rule;
}

// Longer than the initial buffer of servers: if such a long message is not answered, that is the
// same difference whatever it says.
#define LONG_BYTES ((size_t)32 << 10)
// Longer than the name of any real method.
#define LONG_NAME_BYTES 60

// The words, and what the transport says of what came in place of an answer: why it is not a
// message, or the status that came without one.
static const char *in_detail(const jck_trial *trial, const jck_answers *answers, const char *words)
{
    const char *why = NULL;
    int status = jck_http_status(trial, answers->step);
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
                             ? "the connection was closed, and no answer came"
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
    case JCK_REFUSED:
        return "the handshake was refused, though one with the usual headers is accepted";
    case JCK_TRANSPORT_END:
        return in_detail(trial, answers, JCK_TEXT_NO_RESPONSE);
    }
    return "";
}

// The rule that requires a Response at all, if the case tests something else and cannot show it
// without one: because a ground case has shown that the target does not answer such messages, or
// because the case's own rule is about the form of a Response. NONE if it is the case's own rule.
static jck_role role_asking_for(const jck_trial *trial, const jck_answers *answers)
{
    bool batch = answers->owed.kind == JCK_OWED_BATCH;
    if (batch && jck_trial_is_broken(trial, JCK_ROLE_BATCH_ARRAY)) {
        return JCK_ROLE_BATCH_ARRAY;
    }
    if (batch && jck_trial_is_about(trial, JCK_TOPIC_NOTIFICATION)) {
        return JCK_ROLE_BATCH_EACH_CALL; // the calls beside the notification required answers
    }
    // The case is about what a Response looks like, or how JSON is read, for any method.
    bool of_form =
        jck_trial_is_about(trial, JCK_TOPIC_FORM) || jck_trial_is_about(trial, JCK_TOPIC_TEXT);
    if (answers->owed.input == JRPC_INPUT_EMPTY_BATCH && of_form) {
        return JCK_ROLE_BATCH_EMPTY;
    }
    if (jck_is_parse_error_owed(answers) && jck_trial_is_broken(trial, JCK_ROLE_PARSE_ERROR)) {
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

// Whether an error is one of the right answers.
static bool may_be_an_error(const jck_expect *expect)
{
    bool any = expect->kind == JCK_EXPECT_RESPONSE &&
               jrpc_json_exists(jrpc_json_get(expect->pattern, "error"));
    for (size_t i = 0; i < expect->alternative_count; i++) {
        const jck_expect *alternative = &expect->alternatives[i];
        any = any || (alternative->kind == JCK_EXPECT_RESPONSE &&
                      jrpc_json_exists(jrpc_json_get(alternative->pattern, "error")));
    }
    return any;
}

void jck_name_silence(jck_trial *trial, size_t first, const jck_answers *answers)
{
    if (jck_name_noise(trial, first, answers->step)) {
        return;
    }
    jrpc_json params = answers->owed.message.params;
    bool structured =
        jrpc_json_is(params, JRPC_JSON_ARRAY) || jrpc_json_is(params, JRPC_JSON_OBJECT);
    int status = jck_http_status(trial, answers->step);
    bool left = trial->evidence->settled[answers->step] == JCK_GONE &&
                (!trial->evidence->process_gone || trial->evidence->orderly);
    if (left) {
        jck_name_difference(trial->findings, first, "an end instead of an answer");
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
    } else if (status != 0) {
        jck_name_difference(trial->findings, first, "no Response, but HTTP status %d", status);
    } else if (jck_is_call_owed(answers) && jck_case_needs_method(trial->test_case) &&
               may_be_an_error(&trial->test_case->steps[answers->step].expect)) {
        jck_name_difference(trial->findings, first, "silence where a method may refuse its call");
    }
}

bool jck_is_lost_with_target(jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    switch (evidence->settled[answers->step]) {
    case JCK_GONE:
        // If an invalid message makes the target exit, the next one may be sent before that is
        // seen.
        return (evidence->process_gone &&
                (!evidence->orderly || jck_sent_invalid_before(trial, answers->step))) ||
               (trial->test_case->steps[answers->step].kind == JCK_STEP_RECEIVE &&
                (jck_is_closed_for_size(trial, answers) ||
                 jck_is_closed_after_refusal(trial, answers)));
    case JCK_MUTE:
    case JCK_UNSENT:
        return evidence->muteness != JCK_NOT_MUTE;
    case JCK_NOT_RUN:
    case JCK_SETTLED:
    case JCK_FENCED:
    case JCK_TRANSPORT_END:
    case JCK_REFUSED:
    case JCK_FLOODED:
        break;
    }
    return false;
}

void jck_add_silence(jck_trial *trial, const jck_answers *answers, jrpc_slice otherwise)
{
    if (trial->evidence->settled[answers->step] == JCK_REFUSED) {
        // Nothing was sent, so nothing but the handshake can be to blame.
        jck_add_finding_of(trial->findings, answers->step, trial->test_case->rules[0], "%s",
                           jck_describe_missing_answer(trial, answers));
        return;
    }
    if (answers->unreadable || jck_is_answered_again(trial, answers->step) ||
        jck_was_cut_by_length(trial)) {
        return; // there was an answer; that it is not JSON, or another's, is reported
    }
    if (jck_refused_for_size(trial, answers->step, answers->connection)) {
        // RFC 9110, section 15.5.14: the server did not read the message, so it has no Response.
        jck_observe_role(trial->findings, JCK_ROLE_HTTP_ERROR_BODY,
                         JRPC_SLICE("refused for its size with HTTP status 413"));
        return;
    }
    if (jck_is_closed_for_size(trial, answers)) {
        jck_observe_role(trial->findings, JCK_ROLE_BOUNDED_TIME,
                         JRPC_SLICE("refused for its size with WebSocket status code 1009"));
        return;
    }
    if (!answers->echoed && jck_blocked_by_params_shape(trial, answers)) {
        return;
    }
    jck_role role = role_asking_for(trial, answers);
    if (role != JCK_ROLE_NONE && jck_trial_is_broken(trial, role)) {
        trial->blocked_by = jck_trial_rule(trial, role);
    }
    // The target ignored a single message and continues as if it had not been sent.
    jck_settled settled = trial->evidence->settled[answers->step];
    bool dropped = answers->owed.input == JRPC_INPUT_SINGLE &&
                   (settled == JCK_FENCED || settled == JCK_TRANSPORT_END);
    if (dropped && answers->owed.id_sent && !jrpc_json_is(answers->owed.id, JRPC_JSON_NULL) &&
        jck_was_used_before(trial, answers->connection, answers->step, answers->owed.id)) {
        role = JCK_ROLE_ID_USED_AGAIN;
    }
    // A message that is answered when it is sent alone is not left unanswered because of its
    // content.
    bool in_company = role == JCK_ROLE_NONE && trial->evidence->earlier != NULL;
    role = answers->echoed || in_company ? JCK_ROLE_RESPONSE_OWED : role;
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
