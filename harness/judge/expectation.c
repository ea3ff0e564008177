// Judges the expectation of a step that sends.
#include "harness/judge/expectation.h"

#include "harness/judge/batch.h"
#include "harness/judge/blame.h"
#include "harness/judge/circumstances.h"
#include "harness/judge/http.h"
#include "harness/judge/other.h"
#include "harness/judge/repeats.h"
#include "harness/judge/response.h"
#include "harness/judge/surplus.h"
#include "harness/judge/transport.h"
#include "harness/judge/wanted.h"
#include "reference/json/equal.h"

// The reply to judge: the one with the id that was sent, else the first.
static jrpc_json chosen_reply(const jck_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        jrpc_json id = jrpc_json_get(answers->replies[i], "id");
        if (answers->owed.id_sent && jrpc_json_equal(id, answers->owed.id)) {
            return answers->replies[i];
        }
    }
    return answers->replies[0];
}

// Whether null was sent instead of 0, false or "": the target has lost it to a truth test.
static bool is_lost_by_truth_test(jrpc_json pattern, jrpc_json response)
{
    static const char *const falsy[] = {"0", "false", "\"\""};
    jrpc_slice wanted = jrpc_json_spelling(jrpc_json_get(pattern, "result"));
    bool found = false;
    for (size_t i = 0; i < sizeof falsy / sizeof *falsy && !found; i++) {
        found = jrpc_slice_is(wanted, falsy[i]);
    }
    return found && jrpc_json_is(jrpc_json_get(response, "result"), JRPC_JSON_NULL);
}

static void judge_response(jck_trial *trial, jrpc_json pattern, const jck_answers *answers,
                           jrpc_slice otherwise)
{
    if (answers->count == 0) {
        jck_add_silence(trial, answers, otherwise);
        return;
    }
    jck_add_surplus(trial, answers);
    if (jck_add_array(trial, answers)) {
        return;
    }
    jrpc_json response = chosen_reply(answers);
    jrpc_json id_owed = jck_id_owed(answers);
    if (jrpc_json_is(response, JRPC_JSON_OBJECT) &&
        jrpc_json_exists(jrpc_json_get(pattern, "result")) &&
        !jrpc_json_exists(jrpc_json_get(response, "result")) &&
        !jrpc_json_exists(jrpc_json_get(response, "error"))) {
        return; // J2-5c, which the envelope reports; the result itself is not guessed
    }
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    if (jck_response_matches(trial, pattern, response, id_owed, answers->owed.absent,
                             &difference) ||
        jck_blocked_by_params_shape(trial, answers) || jck_observed_as_batch(trial, answers)) {
        return;
    }
    if (difference == JCK_DIFFERENCE_ID) {
        jck_add_wrong_id(trial, answers, pattern, id_owed, response);
        return;
    }
    size_t before = trial->findings->count;
    jrpc_slice rule = is_lost_by_truth_test(pattern, response)
                          ? jck_trial_rule(trial, JCK_ROLE_SUCCESS_RESULT)
                          : jck_blamed_rule(trial, answers, difference, otherwise);
    jck_add_finding_of(
        trial->findings, answers->step, rule, "expected %s%s",
        jck_describe_response(trial, pattern),
        jck_describe_contrast(trial, response, jck_describe_reason(trial, pattern, response),
                              jck_describe_response_difference(trial, pattern, answers, response)));
    jck_name_response_difference(trial, before, pattern, answers, response);
}

// Whether a server answered as if the message were a valid request.
static bool is_served(const jck_trial *trial, jrpc_json response)
{
    if (jrpc_json_exists(jrpc_json_get(response, "result")) &&
        !jrpc_json_is(jrpc_json_get(response, "error"), JRPC_JSON_OBJECT)) {
        return true;
    }
    int64_t code = jck_code_of(response);
    return code == JRPC_METHOD_NOT_FOUND ||
           (trial->calibration->absent_code_differs && code == trial->calibration->absent_code &&
            code != JRPC_INVALID_REQUEST);
}

static bool is_rejected(jck_trial *trial, const jck_answers *answers)
{
    if (answers->count != 1 || jck_code_of(answers->replies[0]) != JRPC_INVALID_REQUEST) {
        return false;
    }
    jrpc_json id = jrpc_json_get(answers->replies[0], "id");
    bool null = jrpc_json_is(id, JRPC_JSON_NULL);
    bool own = answers->owed.id_sent && jrpc_json_equal(id, answers->owed.id);
    if (answers->owed.id_sent && (null || own)) {
        jck_observe(trial->findings, JRPC_SLICE("invalid-request-id"),
                    null ? JRPC_SLICE("null") : JRPC_SLICE("echoed"));
    }
    return null || own || !jrpc_json_exists(id); // without an id: J2-5f, reported by the envelope
}

static void judge_rejected(jck_trial *trial, jrpc_slice rule, const jck_answers *answers)
{
    if (answers->count == 0) {
        jck_add_silence(trial, answers, jck_trial_rule(trial, JCK_ROLE_RESPONSE_OWED));
        return;
    }
    jck_add_surplus(trial, answers);
    jrpc_json response = chosen_reply(answers);
    if (is_rejected(trial, answers) || jck_error_is_unreadable(response)) {
        return;
    }
    if (jck_code_of(response) == JRPC_INVALID_REQUEST) {
        if (jck_add_cut_id(trial, answers, response)) {
            return;
        }
        size_t before = trial->findings->count;
        jrpc_json id = jrpc_json_get(response, "id");
        jck_add_finding(trial->findings, answers->step, JCK_ROLE_UNKNOWN_ID_NULL,
                        "expected the id that was sent, or null; got %s", jck_shown(trial, id));
        if (jck_is_id_of_ours(id)) {
            jck_name_difference(trial->findings, before, JCK_DIFFERENCE_OTHER_ID);
        } else {
            jck_name_wrong_id(trial, before, jck_id_owed(answers), id);
        }
    } else if (is_served(trial, response)) {
        const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
        jck_level level =
            known == NULL ? JCK_LEVEL_SHOULD : jck_case_level(trial->test_case, known);
        size_t before = trial->findings->count;
        jck_add_finding_of_at(trial->findings, answers->step, rule,
                              level < JCK_LEVEL_SHOULD || (known != NULL && known->profiled)
                                  ? level
                                  : JCK_LEVEL_SHOULD,
                              "expected error -32600, as the message is not a valid Request; it "
                              "was served as if it were: %s",
                              jck_shown(trial, response));
        (void)jck_name_taken_for_call(trial, before, answers, response);
    } else {
        size_t before = trial->findings->count;
        jck_add_finding(trial->findings, answers->step, JCK_ROLE_INVALID_REQUEST,
                        "expected error -32600, as the message is not a valid Request; got %s",
                        jck_shown(trial, response));
        jck_name_response_difference(trial, before, JRPC_JSON_ABSENT, answers, response);
    }
}

static bool alternative_matches(jck_trial *trial, const jck_expect *alternative,
                                const jck_answers *answers, bool with_id)
{
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    if (jrpc_json_exists(alternative->http_status) &&
        !jck_has_http_status(trial, answers->step, alternative->http_status)) {
        return false;
    }
    switch (alternative->kind) {
    case JCK_EXPECT_UNSTATED:
    case JCK_EXPECT_ANYTHING:
        return true;
    case JCK_EXPECT_NOTHING:
        return answers->count == 0 && !answers->unreadable &&
               trial->evidence->settled[answers->step] != JCK_GONE &&
               trial->evidence->settled[answers->step] != JCK_MUTE &&
               trial->evidence->settled[answers->step] != JCK_FLOODED &&
               trial->evidence->settled[answers->step] != JCK_UNSENT;
    case JCK_EXPECT_CLOSED:
        // The target may close the connection here, but the process must not end.
        return jck_is_closed(trial, alternative, answers) &&
               (alternative->taken_as != JCK_TAKEN_AS_WARN || !trial->evidence->process_gone);
    case JCK_EXPECT_RESPONSE:
        return answers->count == 1 &&
               (jck_response_matches(trial, alternative->pattern, answers->replies[0],
                                     jck_id_owed(answers), answers->owed.absent, &difference) ||
                (!with_id && difference == JCK_DIFFERENCE_ID &&
                 jck_id_is_plainly_wrong(alternative->pattern, answers->replies[0],
                                         answers->owed.id_sent)));
    case JCK_EXPECT_BATCH:
        return jck_batch_matches(trial, alternative->pattern, answers);
    case JCK_EXPECT_REJECTED:
        return is_rejected(trial, answers);
    case JCK_EXPECT_OWED:
        return false;       // alternatives do not nest, and name their form
    case JCK_EXPECT_PARSER: // judged in harness/parser
    case JCK_EXPECT_ANY_OF: // alternatives do not nest
        return false;
    }
    return false;
}

static void take(jck_trial *trial, const jck_expect *expect, const jck_expect *alternative,
                 const jck_answers *answers)
{
    jrpc_slice rule = alternative->rule.len > 0 && alternative->kind != JCK_EXPECT_REJECTED
                          ? alternative->rule
                          : trial->test_case->rules[0];
    switch (alternative->taken_as) {
    case JCK_TAKEN_AS_PASS:
        break;
    case JCK_TAKEN_AS_WARN: {
        if (answers->count > 0 && (jck_blocked_by_params_shape(trial, answers) ||
                                   jck_observed_as_batch(trial, answers))) {
            break;
        }
        size_t before = trial->findings->count;
        if (answers->count == 0 &&
            (answers->unreadable || jck_is_answered_again(trial, answers->step) ||
             jck_is_lost_with_target(trial, answers))) {
            break; // reported already
        }
        jck_add_finding_of_at(
            trial->findings, answers->step, rule, JCK_LEVEL_SHOULD,
            answers->count == 0 ? "accepted, but the specification asks for %s; %s"
                                : "accepted, but the specification asks for %s; got %s%s",
            jck_describe_expectation(trial, expect),
            answers->count == 0 ? jck_describe_missing_answer(trial, answers)
                                : jck_shown(trial, answers->replies[0]),
            answers->count == 0
                ? ""
                : jck_describe_other_id(trial, expect, jck_id_owed(answers), answers->replies[0]));
        if (answers->count == 0) {
            jck_name_silence(trial, before, answers);
        } else if (answers->owed.kind == JCK_OWED_NOTHING ||
                   jck_trial_has_topic(trial, rule, JCK_TOPIC_SILENCE)) {
            jck_name_answer_to_notification(trial, before, answers->replies[0]);
        } else {
            jck_name_accepted(trial, before, answers, alternative);
            jck_name_batch(trial, before, answers, expect);
        }
        break;
    }
    case JCK_TAKEN_AS_OBSERVE:
    case JCK_TAKEN_AS_ENOUGH:
        jck_observe(trial->findings, rule, alternative->observation);
        trial->enough = alternative->taken_as == JCK_TAKEN_AS_ENOUGH;
        break;
    }
}

// Takes the first alternative that matches, or, with `but_id`, that matches except for the id: only
// the id is wrong then. False if there is none.
static bool take_first(jck_trial *trial, const jck_expect *expect, const jck_answers *answers,
                       bool but_id)
{
    for (size_t i = 0; i < expect->alternative_count; i++) {
        const jck_expect *alternative = &expect->alternatives[i];
        if (!alternative_matches(trial, alternative, answers, !but_id)) {
            continue;
        }
        if (but_id && alternative->kind == JCK_EXPECT_RESPONSE) {
            jck_add_wrong_id(trial, answers, alternative->pattern, jck_id_owed(answers),
                             answers->replies[0]);
        } else {
            take(trial, expect, alternative, answers);
        }
        return true;
    }
    return false;
}

// Whether a Response is one of the alternatives, except for its id.
static bool differs_in_id_alone(jck_trial *trial, const jck_expect *expect,
                                const jck_answers *answers, jrpc_json response)
{
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    bool found = false;
    for (size_t i = 0; i < expect->alternative_count && !found; i++) {
        found = expect->alternatives[i].kind == JCK_EXPECT_RESPONSE &&
                !jck_response_matches(trial, expect->alternatives[i].pattern, response,
                                      jck_id_owed(answers), answers->owed.absent, &difference) &&
                difference == JCK_DIFFERENCE_ID;
    }
    return found;
}

// Reports an error with id null, to a message that has an id, if an alternative rejects the message
// with -32600 and allows id null: then the code is wrong, not the id.
static bool find_wrong_rejection(jck_trial *trial, const jck_expect *expect,
                                 const jck_answers *answers)
{
    int64_t code = answers->count == 1 ? jck_code_of(answers->replies[0]) : 0;
    if (!answers->owed.id_sent || code == 0 ||
        (code != JRPC_PARSE_ERROR &&
         differs_in_id_alone(trial, expect, answers, answers->replies[0]))) {
        return false;
    }
    jrpc_json id = jrpc_json_get(answers->replies[0], "id");
    for (size_t i = 0; i < expect->alternative_count; i++) {
        const jck_expect *alternative = &expect->alternatives[i];
        if (alternative->kind == JCK_EXPECT_RESPONSE && jrpc_json_is(id, JRPC_JSON_NULL) &&
            jck_code_of(alternative->pattern) == JRPC_INVALID_REQUEST &&
            jck_match(&trial->matching, jrpc_json_get(alternative->pattern, "id"), id)) {
            size_t before = trial->findings->count;
            jck_add_finding(trial->findings, answers->step, JCK_ROLE_INVALID_REQUEST,
                            "expected error -32600; got %s", jck_shown(trial, answers->replies[0]));
            jck_name_response_difference(trial, before, JRPC_JSON_ABSENT, answers,
                                         answers->replies[0]);
            return true;
        }
    }
    return false;
}

// Whether an alternative is a right answer: it passes, or it is only recorded and none passes.
static bool is_right(const jck_expect *expect, const jck_expect *alternative)
{
    bool one_passes = false;
    for (size_t i = 0; i < expect->alternative_count; i++) {
        one_passes = one_passes || expect->alternatives[i].taken_as == JCK_TAKEN_AS_PASS;
    }
    return alternative->taken_as == JCK_TAKEN_AS_PASS ||
           (!one_passes && alternative->taken_as == JCK_TAKEN_AS_OBSERVE);
}

// Whether the answer to a batch is judged by one of the alternatives, as an Array of Responses:
// several messages, an Array with wrong elements if that alternative is a right one, right elements
// in a wrong form, one of them alone, and one error for the whole batch.
static bool is_judged_by(jck_trial *trial, const jck_expect *expect, const jck_expect *alternative,
                         const jck_answers *answers)
{
    bool array = jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY);
    bool batch = answers->owed.kind == JCK_OWED_BATCH;
    bool right = is_right(expect, alternative);
    bool refused =
        jck_is_refused_whole(answers) && jck_code_of(answers->replies[0]) == JRPC_INVALID_REQUEST;
    return alternative->kind == JCK_EXPECT_BATCH &&
           ((batch &&
             (answers->count > 1 || (right && array) ||
              (right && (jck_batch_has(trial, alternative->pattern, answers) || refused)))) ||
            jck_batch_holds(trial, alternative->pattern, answers));
}

static void judge_nothing(jck_trial *trial, const jck_answers *answers)
{
    if (answers->count > 0 || answers->unreadable) {
        size_t before = trial->findings->count;
        jck_add_finding_of(trial->findings, answers->step, jck_rule_of_silence(trial, answers),
                           "expected no Response; got %s",
                           answers->count > 0 ? jck_shown(trial, answers->replies[0])
                                              : "something that is not valid JSON");
        if (answers->count > 0) {
            jck_name_answer_to_notification(trial, before, answers->replies[0]);
        } else {
            jck_name_difference(trial->findings, before, JCK_DIFFERENCE_NOISE_FOR_SILENCE);
        }
    }
}

static void judge_any_of(jck_trial *trial, const jck_expect *expect, const jck_answers *answers)
{
    if (answers->count == 1 && jck_trial_dialect(trial) != JCK_DIALECT_1_0 &&
        answers->owed.kind != JCK_OWED_NOTHING && jck_error_is_unreadable(answers->replies[0])) {
        return; // it is unknown which alternative applies; that has been reported
    }
    if (take_first(trial, expect, answers, false)) {
        return;
    }
    if (answers->count == 0 && answers->unreadable && jck_is_notification(answers)) {
        judge_nothing(trial, answers);
        return;
    }
    if (answers->count == 0) {
        jck_add_silence(trial, answers, expect->otherwise);
        return;
    }
    if (jck_add_array(trial, answers) || jck_blocked_by_params_shape(trial, answers) ||
        jck_blocked_by_batches(trial, answers) || jck_observed_as_batch(trial, answers) ||
        find_wrong_rejection(trial, expect, answers) || take_first(trial, expect, answers, true)) {
        return;
    }
    jrpc_json closest = JRPC_JSON_ABSENT;
    for (size_t i = 0, most = 0; i < expect->alternative_count; i++) {
        const jck_expect *by = &expect->alternatives[i];
        bool judges = is_judged_by(trial, expect, by, answers);
        size_t agreed = judges ? 1 + jck_batch_agreement(trial, by->pattern, answers) : 0;
        closest = agreed > most ? by->pattern : closest;
        most = agreed > most ? agreed : most;
    }
    if (jrpc_json_exists(closest)) {
        jck_judge_batch(trial, closest, answers, expect->otherwise);
        return;
    }
    jck_add_surplus(trial, answers);
    if (answers->count > 1 && answers->owed.kind == JCK_OWED_RESPONSE) {
        return;
    }
    jrpc_json response = chosen_reply(answers);
    if (jck_add_cut_id(trial, answers, response)) {
        return;
    }
    jck_difference difference =
        jck_code_of(response) != 0 ? JCK_DIFFERENCE_CODE : JCK_DIFFERENCE_SHAPE;
    if (differs_in_id_alone(trial, expect, answers, response)) {
        difference = JCK_DIFFERENCE_ID; // its code is right
    }
    // An answer without an id is one to the notification, whatever a case says about others.
    jrpc_json id = jrpc_json_get(response, "id");
    bool of_nobody = !jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL);
    bool broken_silence =
        answers->owed.kind == JCK_OWED_NOTHING && (expect->otherwise.len == 0 || of_nobody);
    size_t before = trial->findings->count;
    jck_add_finding_of(
        trial->findings, answers->step,
        broken_silence ? jck_rule_of_silence(trial, answers)
                       : jck_blamed_rule(trial, answers, difference, expect->otherwise),
        "expected %s%s", jck_describe_expectation(trial, expect),
        jck_describe_contrast(trial, response, jck_describe_reasons(trial, expect, response),
                              jck_describe_difference(trial, expect, answers, response)));
    if (answers->owed.kind == JCK_OWED_NOTHING) {
        jck_name_answer_to_notification(trial, before, response);
        return;
    }
    jck_name_response_difference(trial, before, jck_single_pattern(expect), answers, response);
    if (difference == JCK_DIFFERENCE_ID) {
        jck_name_wrong_id(trial, before, jck_id_owed(answers), id);
    }
}

// What a profile accepts takes precedence over everything else.
static bool is_accepted(jck_trial *trial, const jck_expect *expect, const jck_answers *answers)
{
    for (size_t i = 0; i < expect->accepted_count; i++) {
        if (alternative_matches(trial, &expect->accepted[i], answers, true)) {
            take(trial, expect, &expect->accepted[i], answers);
            return true;
        }
    }
    return false;
}

void jck_judge_expectation(jck_trial *trial, const jck_expect *expect, const jck_answers *given)
{
    static const jrpc_slice nobody = {NULL, 0};
    jck_answers folded = *given;
    const jck_answers *answers = &folded;
    if (jck_add_misread_length(trial, given)) {
        return;
    }
    jck_fold_surplus(trial, &folded);
    if (is_accepted(trial, expect, answers) || jck_is_refused_for_limit(trial, answers) ||
        answers->displaced || jck_add_misdirected(trial, answers) ||
        jck_has_stale_id(trial, answers)) {
        return;
    }
    if (answers->count == 0 && answers->owed.kind != JCK_OWED_NOTHING &&
        jck_is_refused_for_size(trial, answers)) {
        jck_add_silence(trial, answers, nobody);
        return;
    }
    switch (expect->kind) {
    case JCK_EXPECT_UNSTATED:
    case JCK_EXPECT_ANYTHING:
    case JCK_EXPECT_PARSER: // judged in harness/parser
        break;
    case JCK_EXPECT_NOTHING:
        judge_nothing(trial, answers);
        break;
    case JCK_EXPECT_CLOSED:
        jck_judge_closed(trial, expect, answers);
        break;
    case JCK_EXPECT_RESPONSE:
        judge_response(trial, expect->pattern, answers, nobody);
        break;
    case JCK_EXPECT_BATCH:
        jck_judge_batch(trial, expect->pattern, answers, nobody);
        if (expect->in_order) {
            jck_judge_batch_order(trial, expect->pattern, answers);
        }
        break;
    case JCK_EXPECT_REJECTED:
        judge_rejected(trial, expect->rule, answers);
        break;
    case JCK_EXPECT_OWED: {
        const jck_expect derived = jck_derive_expectation(trial, answers);
        jck_judge_expectation(trial, &derived, answers);
        break;
    }
    case JCK_EXPECT_ANY_OF:
        judge_any_of(trial, expect, answers);
        break;
    }
}
