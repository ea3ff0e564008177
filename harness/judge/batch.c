// Judges an Array of Responses: pairs its elements with the patterns, in any order.
#include "harness/judge/batch.h"

#include "harness/judge/blame.h"
#include "harness/judge/response.h"
#include "harness/judge/wanted.h"

#include "reference/json/equal.h"

// Pairs pattern `p` with element `e` of a batch.
typedef struct pairing {
    jrpc_json *patterns;
    jrpc_json *elements;
    bool *pattern_used;
    bool *element_used;
    size_t patterns_count;
    size_t elements_count;
} pairing;

typedef enum pass {
    PASS_OWN_ID,  // members and id agree, and the id is not null, which several elements may have
    PASS_CODE,    // members and id agree, and the pattern has a certain code: others may fit too
    PASS_WITH_ID, // members and id agree
    PASS_WHOLE,   // … or the element has no id, so it could belong to any
    PASS_NO_ID,   // members agree, the id does not: ids are swapped
    PASS_ONLY_ID, // the id agrees, members do not
    PASS_SERVED   // the id is that of an invalid element, which requires an error
} pass;

// Whether the decisive rule covers everything about an element: the printed exchanges, a nested
// Array, the independence of elements, and what an extension requires beyond the specification.
static bool is_of_its_own(const jck_trial *trial, jrpc_slice rule)
{
    const jck_specification *by = trial->findings->judged_by;
    const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
    bool of_extension = by != NULL && known != NULL && !by->fills[JCK_ROLE_BATCH_EACH_CALL] &&
                        jrpc_slice_equal(known->specification, by->name);
    return of_extension || jck_rule_has_role(known, JCK_ROLE_PRINTED_EXCHANGES) ||
           jck_rule_has_role(known, JCK_ROLE_BATCH_NESTED) ||
           jck_rule_has_role(known, JCK_ROLE_BATCH_INDEPENDENT);
}

// Whether the decisive rule is about such calls themselves (unknown methods whose names begin with
// rpc.), not about batches, sizes or the form of Responses.
static bool says_more_than_code(const jck_trial *trial, jrpc_slice rule, jck_role role)
{
    const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
    const jck_rule *of_code = jck_suite_role(trial->findings->suite, trial->test_case, role);
    return known != NULL && of_code != NULL && known->judge.len == 0 &&
           !jck_rule_is_about(known, JCK_TOPIC_BATCH) &&
           !jck_rule_is_about(known, JCK_TOPIC_NOTIFICATION) &&
           !jck_rule_is_about(known, JCK_TOPIC_FORM) &&
           jrpc_slice_equal(known->specification, of_code->specification);
}

// The rule that the content of one Response of a batch breaks: that of the right error code.
static jrpc_slice rule_for_element(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                                   jck_difference difference)
{
    jrpc_slice own = jck_blamed_rule(trial, answers, difference, (jrpc_slice){NULL, 0});
    int64_t code = jck_code_of(pattern);
    if (is_of_its_own(trial, own) || code == 0 ||
        (difference != JCK_DIFFERENCE_CODE && difference != JCK_DIFFERENCE_SHAPE)) {
        return own;
    }
    if (code == JRPC_INVALID_REQUEST) {
        return jck_trial_rule(trial, JCK_ROLE_BATCH_INVALID_ELEMENTS);
    }
    jck_role role = jck_owed_code_role((int)code);
    return role == JCK_ROLE_NONE || says_more_than_code(trial, own, role)
               ? own
               : jck_trial_rule(trial, role);
}

// The element of the batch with this id; ABSENT if there is none.
static jrpc_json call_with(const jck_answers *answers, jrpc_json id)
{
    jrpc_json call = JRPC_JSON_ABSENT;
    jrpc_json_iterator it = jrpc_json_iterate(answers->owed.batch);
    while (!jrpc_json_exists(call) && jrpc_json_step(&it)) {
        call = jrpc_json_equal(jrpc_json_get(it.value, "id"), id) ? it.value : JRPC_JSON_ABSENT;
    }
    return call;
}

// Reports an element that has the id of its call, but differs from what is expected. If a method
// gives a wrong result, that has nothing to do with the batch.
static void add_other_element(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                              jrpc_json element, jck_difference difference)
{
    jrpc_json call = call_with(answers, jrpc_json_get(element, "id"));
    jrpc_json result = jrpc_json_get(element, "result");
    bool of_method = jrpc_json_exists(jrpc_json_get(pattern, "result")) && jrpc_json_exists(result);
    jrpc_slice rule = rule_for_element(trial, answers, pattern, difference);
    jck_role of_params =
        of_method ? jck_role_of_wrong_result(trial, rule, call, result) : JCK_ROLE_NONE;
    size_t before = trial->findings->count;
    jck_add_finding_of(trial->findings, answers->step,
                       of_params == JCK_ROLE_NONE ? rule : jck_trial_rule(trial, of_params),
                       "expected %s in the batch; got %s", jck_describe_response(trial, pattern),
                       jck_shown(trial, element));
    jck_name_response_difference(trial, before, pattern, answers, element);
    if (of_method && jrpc_json_exists(call)) {
        jck_name_other_result(trial, before, call);
    }
}

// Whether an element of the batch that is not a valid Request has this id.
static bool is_of_invalid(const jck_answers *answers, jrpc_json id)
{
    jrpc_json_iterator it = jrpc_json_iterate(answers->owed.batch);
    while (jrpc_json_exists(id) && jrpc_json_step(&it)) {
        if (jrpc_json_equal(jrpc_json_get(it.value, "id"), id) &&
            jrpc_message_classify(it.value).reply_code == JRPC_INVALID_REQUEST) {
            return true;
        }
    }
    return false;
}

// Whether an element has a result where an error is owed, in a batch with notifications: the result
// is that of a notification, since unknown methods, called alone, have none.
static bool is_result_of_another(const jck_trial *trial, const jck_answers *answers,
                                 jrpc_json pattern, jrpc_json element)
{
    jrpc_json id = jrpc_json_get(element, "id");
    return answers->owed.notifications > 0 && jrpc_json_exists(jrpc_json_get(pattern, "error")) &&
           jrpc_json_exists(id) && jrpc_json_exists(jrpc_json_get(element, "result")) &&
           !jrpc_json_is(jrpc_json_get(element, "error"), JRPC_JSON_OBJECT) &&
           !trial->calibration->absent_gives_result;
}

static bool pairs_in(jck_trial *trial, const jck_answers *answers, pass which, jrpc_json pattern,
                     jrpc_json element)
{
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    size_t before;
    bool whole = jck_response_matches(trial, pattern, element, JRPC_JSON_ABSENT,
                                      answers->owed.absent, &difference);
    jrpc_json id = jrpc_json_get(element, "id");
    switch (which) {
    case PASS_OWN_ID:
        return whole && jrpc_json_exists(id) && !jrpc_json_is(id, JRPC_JSON_NULL);
    case PASS_CODE:
        return whole && jrpc_json_exists(id) && jck_code_of(pattern) != 0;
    case PASS_WITH_ID:
        return whole && jrpc_json_exists(id);
    case PASS_WHOLE:
        return whole;
    case PASS_NO_ID:
        if (!whole && difference == JCK_DIFFERENCE_ID) {
            jck_add_wrong_id(trial, answers, pattern, JRPC_JSON_ABSENT, element);
            return true;
        }
        return false;
    case PASS_ONLY_ID:
        if (!jck_match(&trial->matching, jrpc_json_get(pattern, "id"), id)) {
            return false;
        }
        before = trial->findings->count;
        if (is_result_of_another(trial, answers, pattern, element)) {
            jck_add_finding(trial->findings, answers->step, JCK_ROLE_SAME_ID,
                            "expected %s in the batch; got the result of another element: %s",
                            jck_describe_response(trial, pattern), jck_shown(trial, element));
            jck_name_difference(trial->findings, before, JCK_DIFFERENCE_OTHER_ID);
            return true;
        }
        add_other_element(trial, answers, pattern, element, difference);
        return true;
    case PASS_SERVED:
        if (jck_code_of(pattern) != JRPC_INVALID_REQUEST || !is_of_invalid(answers, id)) {
            return false;
        }
        jck_add_finding_of(trial->findings, answers->step,
                           rule_for_element(trial, answers, pattern, JCK_DIFFERENCE_CODE),
                           "expected %s in the batch, as an element is not a valid Request; got %s",
                           jck_describe_response(trial, pattern), jck_shown(trial, element));
        return true;
    }
    return false;
}

static void pair_up(jck_trial *trial, const jck_answers *answers, pass which, pairing *pairs)
{
    for (size_t p = 0; p < pairs->patterns_count; p++) {
        for (size_t e = 0; e < pairs->elements_count && !pairs->pattern_used[p]; e++) {
            if (!pairs->element_used[e] &&
                pairs_in(trial, answers, which, pairs->patterns[p], pairs->elements[e])) {
                pairs->pattern_used[p] = true;
                pairs->element_used[e] = true;
            }
        }
    }
}

// Pairs each correct Response with its pattern.
static void pair_whole(jck_trial *trial, const jck_answers *answers, pairing *pairs)
{
    pair_up(trial, answers, PASS_OWN_ID, pairs);
    pair_up(trial, answers, PASS_CODE, pairs);
    pair_up(trial, answers, PASS_WITH_ID, pairs);
    pair_up(trial, answers, PASS_WHOLE, pairs);
}

static bool spread(jck_trial *trial, jrpc_json array, jrpc_json **ret_values, bool **ret_used,
                   size_t *ret_count)
{
    *ret_count = jrpc_json_count(array);
    *ret_values = jrpc_arena_array(trial->arena, *ret_count + 1, sizeof **ret_values);
    *ret_used = jrpc_arena_array(trial->arena, *ret_count + 1, sizeof **ret_used);
    if (*ret_values == NULL || *ret_used == NULL) {
        trial->findings->failed = true;
        return false;
    }
    size_t at = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        (*ret_values)[at++] = it.value;
    }
    return true;
}

// The rule for an extra Response without an id: in a batch with notifications one of them was
// answered. Any other is a second one for an element.
static jrpc_slice rule_for_surplus(const jck_trial *trial, const jck_answers *answers,
                                   jrpc_slice rule, jrpc_json element)
{
    jrpc_json id = jrpc_json_get(element, "id");
    bool of_notification = !jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL) ||
                           jck_trial_has_topic(trial, rule, JCK_TOPIC_NOTIFICATION);
    if (is_of_its_own(trial, rule)) {
        return rule;
    }
    return jck_trial_rule(trial, of_notification && answers->owed.notifications > 0
                                     ? JCK_ROLE_NOTIFICATION_SILENT_IN_BATCH
                                     : JCK_ROLE_BATCH_EACH_CALL);
}

// The rule for a missing Response: each call has one, and so has each invalid element. Rules about
// a batch with such an element, or about a call with id null, cover it themselves.
static jrpc_slice rule_for_missing(jck_trial *trial, jrpc_slice rule, jrpc_json pattern)
{
    jrpc_json id = jck_pattern_value(&trial->matching, jrpc_json_get(pattern, "id"));
    bool invalid = jck_code_of(pattern) == JRPC_INVALID_REQUEST;
    bool of_null_id = !invalid && jrpc_json_is(id, JRPC_JSON_NULL);
    if (is_of_its_own(trial, rule) || of_null_id) {
        return rule;
    }
    if (invalid) {
        return jck_trial_rule(trial, JCK_ROLE_BATCH_INVALID_ELEMENTS);
    }
    return jck_trial_rule(trial, jck_trial_names(trial, JCK_ROLE_BATCH_INDEPENDENT)
                                     ? JCK_ROLE_BATCH_INDEPENDENT
                                     : JCK_ROLE_BATCH_EACH_CALL);
}

// Pairs Responses with the patterns, and reports what is left over.
static void judge_elements(jck_trial *trial, pairing *pairs, const jck_answers *answers,
                           jrpc_slice rule)
{
    size_t first = trial->findings->count;
    pair_whole(trial, answers, pairs);
    pair_up(trial, answers, PASS_NO_ID, pairs);
    pair_up(trial, answers, PASS_ONLY_ID, pairs);
    pair_up(trial, answers, PASS_SERVED, pairs);
    for (size_t p = 0; p < pairs->patterns_count; p++) {
        if (!pairs->pattern_used[p]) {
            size_t before = trial->findings->count;
            jck_add_finding_of(trial->findings, answers->step,
                               rule_for_missing(trial, rule, pairs->patterns[p]),
                               "the batch answer lacks a Response: %s",
                               jck_describe_response(trial, pairs->patterns[p]));
            jck_name_difference(trial->findings, before, "a batch answer that lacks an element");
        }
    }
    for (size_t e = 0; e < pairs->elements_count; e++) {
        if (!pairs->element_used[e]) {
            size_t before = trial->findings->count;
            jck_add_finding_of(trial->findings, answers->step,
                               rule_for_surplus(trial, answers, rule, pairs->elements[e]),
                               "the batch answer has one Response too many: %s",
                               jck_shown(trial, pairs->elements[e]));
            jrpc_json id = jrpc_json_get(pairs->elements[e], "id");
            if (answers->owed.notifications > 0 &&
                (!jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL))) {
                jck_name_answer_to_notification(trial, before, pairs->elements[e]);
            } else {
                jck_name_difference(trial->findings, before,
                                    "a batch answer with a Response too many");
            }
        }
    }
    if (jck_has_difference(
            trial->findings, first,
            JCK_DIFFERENCE_OTHER_ID)) { // then the rest of the batch is what is left of that
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_OTHER_ID);
    }
}

bool jck_is_refused_whole(const jck_answers *answers)
{
    return answers->count == 1 && jck_code_of(answers->replies[0]) != 0 &&
           jrpc_json_is(jrpc_json_get(answers->replies[0], "id"), JRPC_JSON_NULL);
}

// The rule for a wrong form of the answer. A case about batches tests the form itself; in all
// others a wrong form breaks the rule about the Array (about the batch of one for a single
// Response), and the Responses are judged as received.
static jrpc_slice rule_for_form(const jck_trial *trial, jrpc_slice rule, size_t expected,
                                const jck_answers *answers)
{
    // If the case is about reading text and batches are served otherwise, a text that is refused as
    // a whole was not read correctly.
    if (jck_is_refused_whole(answers) && jck_trial_has_topic(trial, rule, JCK_TOPIC_TEXT) &&
        !jck_trial_is_broken(trial, JCK_ROLE_BATCH_ARRAY)) {
        return rule;
    }
    if (expected == 1 && answers->count == 1 && jrpc_json_count(answers->owed.batch) == 1 &&
        !jck_trial_has_role(trial, rule, JCK_ROLE_PRINTED_EXCHANGES)) {
        return jck_trial_rule(trial, JCK_ROLE_BATCH_OF_ONE);
    }
    if (jck_trial_has_topic(trial, rule, JCK_TOPIC_BATCH)) {
        return rule;
    }
    return jck_trial_rule(trial, JCK_ROLE_BATCH_ARRAY);
}

// Responses received without an Array, in one message or in several.
static bool gather_bare(jck_trial *trial, const jck_answers *answers, pairing *pairs)
{
    pairs->elements = jrpc_arena_array(trial->arena, answers->count, sizeof *pairs->elements);
    pairs->element_used = jrpc_arena_array(trial->arena, answers->count, sizeof(bool));
    if (pairs->elements == NULL || pairs->element_used == NULL) {
        trial->findings->failed = true;
        return false;
    }
    memcpy(pairs->elements, answers->replies, answers->count * sizeof *pairs->elements);
    pairs->elements_count = answers->count;
    return true;
}

void jck_judge_batch(jck_trial *trial, jrpc_json patterns, const jck_answers *answers,
                     jrpc_slice otherwise)
{
    if (answers->count == 0) {
        jck_add_silence(trial, answers, otherwise);
        return;
    }
    jrpc_slice rule = jck_blamed_rule(trial, answers, JCK_DIFFERENCE_SHAPE, otherwise);
    jrpc_slice form = rule_for_form(trial, rule, jrpc_json_count(patterns), answers);
    pairing pairs = {0};
    if (!spread(trial, patterns, &pairs.patterns, &pairs.pattern_used, &pairs.patterns_count)) {
        return;
    }
    bool one = answers->count == 1;
    if (one && jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY)) {
        if (spread(trial, answers->replies[0], &pairs.elements, &pairs.element_used,
                   &pairs.elements_count)) {
            judge_elements(trial, &pairs, answers, rule);
        }
        return;
    }
    size_t before = trial->findings->count;
    jck_add_finding_of(trial->findings, answers->step, form,
                       "expected one Array; got %zu message%s without an Array: %s", answers->count,
                       one ? "" : "s", jck_shown(trial, answers->replies[0]));
    bool refused_whole = jck_is_refused_whole(answers);
    if (refused_whole && jck_name_refused_text(trial, before, answers, answers->replies[0])) {
        return;
    }
    if (refused_whole) {
        jck_name_difference(trial->findings, before, "one message without an Array, code %lld",
                            (long long)jck_code_of(answers->replies[0]));
    } else {
        jck_name_difference(trial->findings, before, "Responses without an Array");
    }
    // One error without an id is for all elements: none of them has a wrong id.
    if (!refused_whole && !jrpc_slice_equal(form, rule) && gather_bare(trial, answers, &pairs)) {
        judge_elements(trial, &pairs, answers, rule);
    }
}

// Whether every pattern is paired with an element: a dry run without findings.
static bool all_pair_up(jck_trial *trial, jrpc_json patterns, const jck_answers *answers,
                        pairing *pairs)
{
    if (!spread(trial, patterns, &pairs->patterns, &pairs->pattern_used, &pairs->patterns_count)) {
        return false;
    }
    pair_whole(trial, answers, pairs);
    for (size_t p = 0; p < pairs->patterns_count; p++) {
        if (!pairs->pattern_used[p]) {
            return false;
        }
    }
    return true;
}

static bool is_answer_in_an_array(const jck_answers *answers)
{
    return answers->count == 1 && jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY);
}

size_t jck_batch_agreement(jck_trial *trial, jrpc_json patterns, const jck_answers *answers)
{
    pairing pairs = {0};
    size_t agreed = 0;
    jrpc_json array = answers->count == 0 ? JRPC_JSON_ABSENT : answers->replies[0];
    if (!spread(trial, patterns, &pairs.patterns, &pairs.pattern_used, &pairs.patterns_count) ||
        !spread(trial, array, &pairs.elements, &pairs.element_used, &pairs.elements_count)) {
        return 0;
    }
    pair_whole(trial, answers, &pairs);
    for (size_t p = 0; p < pairs.patterns_count; p++) {
        agreed += pairs.pattern_used[p];
    }
    return agreed;
}

bool jck_batch_matches(jck_trial *trial, jrpc_json patterns, const jck_answers *answers)
{
    return is_answer_in_an_array(answers) &&
           jrpc_json_count(answers->replies[0]) == jrpc_json_count(patterns) &&
           jck_batch_holds(trial, patterns, answers);
}

bool jck_batch_holds(jck_trial *trial, jrpc_json patterns, const jck_answers *answers)
{
    pairing pairs = {0};
    if (is_answer_in_an_array(answers)) {
        return spread(trial, answers->replies[0], &pairs.elements, &pairs.element_used,
                      &pairs.elements_count) &&
               all_pair_up(trial, patterns, answers, &pairs);
    }
    return answers->count == jrpc_json_count(patterns) && gather_bare(trial, answers, &pairs) &&
           all_pair_up(trial, patterns, answers, &pairs);
}

bool jck_batch_has(jck_trial *trial, jrpc_json patterns, const jck_answers *answers)
{
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    jrpc_json id =
        answers->count == 1 ? jrpc_json_get(answers->replies[0], "id") : JRPC_JSON_ABSENT;
    bool own = jrpc_json_exists(id) && !jrpc_json_is(id, JRPC_JSON_NULL);
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); own && jrpc_json_step(&it);) {
        if (jck_response_matches(trial, it.value, answers->replies[0], JRPC_JSON_ABSENT,
                                 answers->owed.absent, &difference)) {
            return true;
        }
    }
    return false;
}

void jck_judge_batch_order(jck_trial *trial, jrpc_json patterns, const jck_answers *answers)
{
    bool one = answers->count == 1 && jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY) &&
               jrpc_json_count(answers->replies[0]) == jrpc_json_count(patterns);
    jrpc_json_iterator elements = jrpc_json_iterate(one ? answers->replies[0] : JRPC_JSON_ABSENT);
    jrpc_json_iterator wanted = jrpc_json_iterate(patterns);
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    while (one && jrpc_json_step(&elements) && jrpc_json_step(&wanted)) {
        if (!jck_response_matches(trial, wanted.value, elements.value, JRPC_JSON_ABSENT,
                                  answers->owed.absent, &difference)) {
            jck_add_finding_of(
                trial->findings, answers->step, trial->test_case->rules[0],
                "the Responses are not in the order of the calls: %s where %s belongs",
                jck_shown(trial, elements.value), jck_shown(trial, wanted.value));
            return;
        }
    }
}

void jck_name_batch(jck_trial *trial, size_t first, const jck_answers *answers,
                    const jck_expect *expect)
{
    if (answers->owed.kind != JCK_OWED_BATCH || answers->count != 1) {
        return;
    }
    jrpc_json reply = answers->replies[0];
    size_t most = 0;
    for (size_t i = 0; i < expect->alternative_count; i++) {
        size_t count = expect->alternatives[i].kind == JCK_EXPECT_BATCH
                           ? jrpc_json_count(expect->alternatives[i].pattern)
                           : 0;
        most = count > most ? count : most;
    }
    if (jrpc_json_is(reply, JRPC_JSON_OBJECT) &&
        !jrpc_json_is(jrpc_json_get(reply, "id"), JRPC_JSON_NULL)) {
        jck_name_difference(trial->findings, first, "Responses without an Array");
    } else if (jrpc_json_is(reply, JRPC_JSON_ARRAY) && jrpc_json_count(reply) < most) {
        jck_name_difference(trial->findings, first, "a batch answer that lacks an element");
    }
}
