// Whether one Response is the expected one, and which rule a difference breaks.
#include "harness/judge/response.h"

#include "harness/judge/circumstances.h"
#include "harness/judge/trial.h"

#include "reference/json/double.h"
#include "reference/json/equal.h"

#include <math.h>

// If a target's answer to unknown methods is known to differ, that answer counts as -32601 wherever
// J2-5.1f itself is not tested. Another code does so whatever was sent: a pattern that requires
// -32601 is about a method that does not exist, even within a text that is not a Request.
static bool is_calibrated_absence(jck_trial *trial, jrpc_json pattern, jrpc_json response,
                                  bool absent_called)
{
    // A result for an unknown method counts as any error that a pattern asks for.
    bool any_error = absent_called && trial->calibration->absent_gives_result &&
                     jck_code_of(pattern) == 0 &&
                     jrpc_json_is(jrpc_json_get(pattern, "error"), JRPC_JSON_OBJECT);
    if ((!any_error && jck_code_of(pattern) != JRPC_METHOD_NOT_FOUND) ||
        jck_trial_names(trial, JCK_ROLE_METHOD_NOT_FOUND)) {
        return false;
    }
    const jck_calibration *known = trial->calibration;
    if (known->absent_gives_result) {
        return absent_called && jrpc_json_exists(jrpc_json_get(response, "result"));
    }
    int64_t code = 0;
    return known->absent_code_differs &&
           jrpc_json_int64(jrpc_json_get(jrpc_json_get(response, "error"), "code"), &code) &&
           code == known->absent_code;
}

// Whether a Response that cannot be read may contain an error: not if the Object has no id and no
// content.
static bool may_hold_an_error(jrpc_json response)
{
    return jck_error_is_unreadable(response) &&
           (jrpc_json_exists(jrpc_json_get(response, "error")) ||
            jrpc_json_exists(jrpc_json_get(response, "id")));
}

static bool members_match(jck_trial *trial, jrpc_json pattern, jrpc_json response)
{
    static const char *const beside[] = {"id", "as", "rule", "$rule", "$times"};
    bool of_1_0 = jck_trial_dialect(trial) == JCK_DIALECT_1_0; // any error is in order
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
        bool skipped = false;
        for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
            skipped = skipped || jrpc_json_string_is(it.key, jrpc_slice_str(beside[i]));
        }
        if (skipped) {
            continue;
        }
        jrpc_slice name = {NULL, 0};
        if (!jrpc_json_string(it.key, trial->arena, &name)) {
            trial->findings->failed = true;
            return false;
        }
        jrpc_json value = jrpc_json_member(response, name);
        bool matches = jrpc_slice_is(name, "error")
                           ? jck_match_subset(&trial->matching, it.value, value) ||
                                 (!of_1_0 && may_hold_an_error(response))
                           : jck_match(&trial->matching, it.value, value);
        if (!matches) {
            return false;
        }
    }
    return true;
}

// Whether a Response has an error without a readable code: `error` is not an Object, the code is
// not an integer, or neither `error` nor `result` is there. The envelope has reported that (J2-5k,
// J2-5.1a, J2-5h); the intended code is not guessed.
bool jck_error_is_unreadable(jrpc_json response)
{
    if (!jrpc_json_is(response, JRPC_JSON_OBJECT)) {
        return false;
    }
    jrpc_json error = jrpc_json_get(response, "error");
    if (!jrpc_json_exists(error)) {
        return !jrpc_json_exists(jrpc_json_get(response, "result"));
    }
    return !jrpc_json_is(error, JRPC_JSON_NULL) &&
           !jrpc_json_is_integer(jrpc_json_get(error, "code"));
}

static bool id_matches(jck_trial *trial, jrpc_json pattern, jrpc_json response, jrpc_json id_owed)
{
    jrpc_json id = jrpc_json_get(response, "id");
    if (!jrpc_json_exists(id)) {
        return true; // J2-5f, reported by the envelope; the intended id is not guessed
    }
    jrpc_json stated = jrpc_json_get(pattern, "id");
    if (jrpc_json_exists(stated)) {
        return jck_match(&trial->matching, stated, id);
    }
    return !jrpc_json_exists(id_owed) || jrpc_json_equal(id_owed, id);
}

bool jck_response_matches(jck_trial *trial, jrpc_json pattern, jrpc_json response,
                          jrpc_json id_owed, bool absent_called, jck_difference *ret_difference)
{
    if (!jrpc_json_is(response, JRPC_JSON_OBJECT)) {
        *ret_difference = JCK_DIFFERENCE_SHAPE;
        return false;
    }
    if (!members_match(trial, pattern, response) &&
        !is_calibrated_absence(trial, pattern, response, absent_called)) {
        jrpc_json code = jrpc_json_get(jrpc_json_get(response, "error"), "code");
        bool both_errors =
            jrpc_json_exists(code) && jrpc_json_exists(jrpc_json_get(pattern, "error"));
        *ret_difference = both_errors ? JCK_DIFFERENCE_CODE : JCK_DIFFERENCE_SHAPE;
        return false;
    }
    if (!id_matches(trial, pattern, response, id_owed)) {
        *ret_difference = JCK_DIFFERENCE_ID;
        return false;
    }
    return true;
}

const char *jck_describe_other_id(jck_trial *trial, const jck_expect *expect, jrpc_json id_owed,
                                  jrpc_json response)
{
    jrpc_json id = jrpc_json_get(response, "id");
    jrpc_json wanted = JRPC_JSON_ABSENT;
    for (size_t i = 0; jrpc_json_exists(id) && i < expect->alternative_count; i++) {
        const jck_expect *alternative = &expect->alternatives[i];
        if (alternative->taken_as != JCK_TAKEN_AS_PASS ||
            alternative->kind != JCK_EXPECT_RESPONSE) {
            continue;
        }
        if (id_matches(trial, alternative->pattern, response, id_owed)) {
            return "";
        }
        jrpc_json stated = jck_stated_id(trial, alternative->pattern);
        stated = jrpc_json_exists(stated) ? stated : id_owed;
        wanted = jrpc_json_exists(wanted) ? wanted : stated;
    }
    const char *text = jrpc_json_exists(wanted)
                           ? jrpc_arena_printf(trial->arena, ", whose id is %s instead of %s",
                                               jck_shown(trial, id), jck_shown(trial, wanted))
                           : "";
    return text == NULL ? "" : text;
}

bool jck_is_parse_error(jrpc_json response)
{
    return jck_code_of(response) == JRPC_PARSE_ERROR;
}

bool jck_is_refused_as_text(const jck_answers *answers, jrpc_json response)
{
    return jck_is_parse_error(response) && answers->owed.kind != JCK_OWED_UNKNOWN &&
           answers->owed.input != JRPC_INPUT_PARSE_ERROR;
}

bool jck_name_refused_text(jck_trial *trial, size_t first, const jck_answers *answers,
                           jrpc_json response)
{
    if (first >= trial->findings->count || !jck_is_refused_as_text(answers, response) ||
        !jck_trial_has_topic(trial, trial->findings->items[first].rule, JCK_TOPIC_TEXT)) {
        return false;
    }
    jrpc_slice rule = trial->findings->items[first].rule;
    jck_name_difference(trial->findings, first, "%.*s: a text that is JSON was refused",
                        (int)rule.len, rule.ptr);
    return true;
}

bool jck_is_owed_null(jrpc_json response)
{
    return jck_is_parse_error(response) || jck_code_of(response) == JRPC_INVALID_REQUEST;
}

// Whether a Response says that a message was not read as a Request, and yet has the id of a call of
// ours: such calls are valid, so that it is not the answer to that call.
static bool is_stale(const jck_trial *trial, jrpc_json response)
{
    int64_t code = jck_code_of(response);
    bool refuses_calls = trial->calibration->absent_code_differs &&
                         trial->calibration->absent_code == JRPC_INVALID_REQUEST;
    return (code == JRPC_PARSE_ERROR || (code == JRPC_INVALID_REQUEST && !refuses_calls)) &&
           jck_is_id_of_ours(jrpc_json_get(response, "id"));
}

bool jck_is_stale(const jck_trial *trial, jrpc_json reply)
{
    bool stale = is_stale(trial, reply);
    bool array = jrpc_json_is(reply, JRPC_JSON_ARRAY);
    for (jrpc_json_iterator it = jrpc_json_iterate(array ? reply : JRPC_JSON_ABSENT);
         !stale && jrpc_json_step(&it);) {
        stale = is_stale(trial, it.value);
    }
    return stale;
}

void jck_add_stale_id(jck_trial *trial, int step, jrpc_json response)
{
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, step, JCK_ROLE_UNKNOWN_ID_NULL,
                    "expected id null in %s; got the id of another call: %s",
                    jck_is_parse_error(response)
                        ? "a parse error"
                        : "the answer to a message that is not a valid Request",
                    jck_shown(trial, response));
    jck_name_difference(trial->findings, before, JCK_DIFFERENCE_OTHER_ID);
}

// What came instead of an id that was lost; with the words after it, the name of the difference.
#define LOST_ID "null"

bool jck_has_lost_id(const jck_trial *trial, int step)
{
    for (size_t i = 0; i < trial->findings->count; i++) {
        const jck_finding *finding = &trial->findings->items[i];
        if (finding->step == step &&
            jrpc_slice_is(finding->difference, LOST_ID " in place of an id")) {
            return true;
        }
    }
    return false;
}

void jck_name_wrong_id(jck_trial *trial, size_t first, jrpc_json wanted, jrpc_json id)
{
    bool from_text = jrpc_json_is(wanted, JRPC_JSON_STRING) && jrpc_json_is(id, JRPC_JSON_NUMBER);
    bool to_text = jrpc_json_is(wanted, JRPC_JSON_NUMBER) && jrpc_json_is(id, JRPC_JSON_STRING);
    bool lost = jrpc_json_is(id, JRPC_JSON_NULL) &&
                (jrpc_json_is(wanted, JRPC_JSON_STRING) || jrpc_json_is(wanted, JRPC_JSON_NUMBER));
    bool both_numbers = jrpc_json_is(wanted, JRPC_JSON_NUMBER) &&
                        jrpc_json_is(id, JRPC_JSON_NUMBER) && !jrpc_json_equal(wanted, id);
    if (both_numbers) {
        jck_name_difference(trial->findings, first, "another Number in place of an id");
    } else if (from_text || to_text || lost) {
        jck_name_difference(trial->findings, first, "%s in place of an id",
                            from_text ? "a Number for a String"
                            : to_text ? "a String for a Number"
                                      : LOST_ID);
    }
}

bool jck_add_cut_id(jck_trial *trial, const jck_answers *answers, jrpc_json response)
{
    jrpc_json id = jrpc_json_get(response, "id");
    if (!jck_was_sent_longer(trial, answers->connection, id)) {
        return false;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step, JCK_ROLE_SAME_ID,
                    "expected the id that was sent; got the beginning of it: %s",
                    jck_shown(trial, id));
    jck_name_difference(trial->findings, before, "an id that was cut");
    return true;
}

bool jck_name_refused_call(jck_trial *trial, size_t first, const jck_answers *answers,
                           jrpc_json response)
{
    const jck_owed *owed = &answers->owed;
    bool call = owed->kind == JCK_OWED_RESPONSE && owed->input == JRPC_INPUT_SINGLE &&
                owed->message.kind == JRPC_MESSAGE_CALL;
    if (!call || jck_code_of(response) != JRPC_INVALID_REQUEST) {
        return false;
    }
    jrpc_json id = owed->id;
    jck_name_difference(trial->findings, first, "a valid call whose id is %s refused with -32600",
                        jrpc_json_is(id, JRPC_JSON_STRING) ? "a String"
                        : jrpc_json_is_integer(id)         ? "an integer"
                        : jrpc_json_is(id, JRPC_JSON_NULL) ? "null"
                                                           : "a fraction");
    return true;
}

// Longer ids are not compared as doubles.
#define DOUBLE_ID_BYTES ((size_t)63)

// Whether a Number came back as a different number that is the same double, other than zero.
static bool is_rounded(jrpc_json wanted, jrpc_json id)
{
    jrpc_slice a = jrpc_json_spelling(wanted);
    jrpc_slice b = jrpc_json_spelling(id);
    if (!jrpc_json_is(wanted, JRPC_JSON_NUMBER) || !jrpc_json_is(id, JRPC_JSON_NUMBER) ||
        a.len > DOUBLE_ID_BYTES || b.len > DOUBLE_ID_BYTES || jrpc_json_equal(wanted, id)) {
        return false;
    }
    double sent = jrpc_json_double(a);
    double came = jrpc_json_double(b);
    return sent != 0 && isfinite(sent) && !(sent < came) && !(sent > came);
}

jrpc_json jck_stated_id(const jck_trial *trial, jrpc_json pattern)
{
    jrpc_json id = jck_pattern_value(&trial->matching, jrpc_json_get(pattern, "id"));
    jrpc_json several = jrpc_json_get(id, "$in");
    return jrpc_json_exists(several)
               ? jck_pattern_value(&trial->matching, jrpc_json_element(several, 0))
               : id;
}

void jck_add_wrong_id(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                      jrpc_json id_owed, jrpc_json response)
{
    jrpc_json id = jrpc_json_get(response, "id");
    if (!jrpc_json_exists(id)) {
        return; // J2-5f, reported by the envelope
    }
    jrpc_json stated = jck_stated_id(trial, pattern);
    jrpc_json wanted = jrpc_json_exists(stated) ? stated : id_owed;
    // An element with id null has an id; that of an invalid one may be unknown.
    bool element =
        answers->owed.kind == JCK_OWED_BATCH && jck_code_of(response) != JRPC_INVALID_REQUEST;
    bool unknown_id = jrpc_json_is(wanted, JRPC_JSON_NULL) && !element &&
                      (!answers->owed.id_sent || jck_is_stale(trial, response)) &&
                      !jck_was_sent_longer(trial, answers->connection, id);
    bool rounded = is_rounded(wanted, id);
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step,
                    unknown_id ? JCK_ROLE_UNKNOWN_ID_NULL
                    : rounded  ? JCK_ROLE_ID_IN_DOUBLES
                               : JCK_ROLE_SAME_ID,
                    "expected id %s; got id %s", jck_shown(trial, wanted), jck_shown(trial, id));
    jck_name_wrong_id(trial, before, wanted, id);
    (void)jck_name_refused_call(trial, before, answers, response);
    if (!jrpc_json_is(id, JRPC_JSON_NULL) && !jrpc_json_equal(wanted, id) &&
        (jck_is_id_of_ours(id) || jck_was_sent(trial, answers->connection, id))) {
        jck_name_difference(trial->findings, before, JCK_DIFFERENCE_OTHER_ID);
    }
}

bool jck_id_is_plainly_wrong(jrpc_json pattern, jrpc_json response, bool id_sent)
{
    jrpc_json stated = jrpc_json_get(pattern, "id");
    int64_t code = jck_code_of(id_sent ? pattern : response);
    bool null_owed = jrpc_json_is(stated, JRPC_JSON_NULL) &&
                     (code == JRPC_PARSE_ERROR || code == JRPC_INVALID_REQUEST);
    return !jrpc_json_exists(stated) || null_owed ||
           jrpc_json_is(jrpc_json_get(response, "id"), JRPC_JSON_NULL);
}

void jck_name_answer_to_notification(jck_trial *trial, size_t first, jrpc_json answer)
{
    jrpc_json one = jrpc_json_is(answer, JRPC_JSON_ARRAY) ? jrpc_json_element(answer, 0) : answer;
    jck_name_difference(trial->findings, first, "a notification answered with code %lld",
                        (long long)jck_code_of(one));
}

jrpc_slice jck_rule_of_silence(const jck_trial *trial, const jck_answers *answers)
{
    jrpc_slice rule = trial->test_case->rules[0];
    bool effect = jck_trial_is_for(trial, JCK_ROLE_NOTIFICATION_EFFECT); // an answer is not an
                                                                         // effect
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
    if (answers->owed.message.kind == JRPC_MESSAGE_RESPONSE) {
        // A Response is not a notification, so the only rule for its answer is to be a Response.
        jrpc_json reply = answers->count > 0 ? answers->replies[0] : JRPC_JSON_ABSENT;
        bool responds = jrpc_json_exists(jrpc_json_get(reply, "result")) ||
                        jrpc_json_exists(jrpc_json_get(reply, "error"));
        return responds ? rule : jck_trial_rule(trial, JCK_ROLE_RESULT_OR_ERROR);
    }
    // An error shows that the notification failed, if the case says that it may.
    bool errs = jck_trial_names(trial, JCK_ROLE_FAILING_NOTIFICATION_SILENT) &&
                answers->count > 0 && jck_code_of(answers->replies[0]) != 0;
    bool fails = of_failing || errs ||
                 jrpc_slice_equal(jrpc_json_spelling(answers->owed.message.method),
                                  jck_variables_absent(trial->variables));
    return jck_trial_rule(trial, fails ? JCK_ROLE_FAILING_NOTIFICATION_SILENT
                                       : JCK_ROLE_NOTIFICATION_SILENT);
}

bool jck_is_of_nobody(jrpc_json reply)
{
    bool array = jrpc_json_is(reply, JRPC_JSON_ARRAY);
    bool of_nobody = array || jrpc_json_is(jrpc_json_get(reply, "id"), JRPC_JSON_NULL);
    for (jrpc_json_iterator it = jrpc_json_iterate(array ? reply : JRPC_JSON_ABSENT);
         of_nobody && jrpc_json_step(&it);) {
        of_nobody = jrpc_json_is(jrpc_json_get(it.value, "id"), JRPC_JSON_NULL);
    }
    return of_nobody;
}

jrpc_slice jck_rule_of_unasked(jck_trial *trial, int step, jrpc_json reply)
{
    bool array = jrpc_json_is(reply, JRPC_JSON_ARRAY);
    jrpc_slice torn = jck_torn_rule(trial, step);
    if (jck_is_stale(trial, reply)) {
        return jck_trial_rule(trial, JCK_ROLE_UNKNOWN_ID_NULL);
    }
    if (jck_is_parse_error(reply) && torn.len > 0) {
        return torn;
    }
    if (!jck_is_of_nobody(reply) || jck_trial_is_about(trial, JCK_TOPIC_SILENCE) ||
        !jck_has_sent_notification(trial)) {
        return trial->test_case->rules[0];
    }
    return jck_trial_rule(trial, array                     ? JCK_ROLE_BATCH_OF_NOTIFICATIONS
                                 : jck_code_of(reply) != 0 ? JCK_ROLE_FAILING_NOTIFICATION_SILENT
                                                           : JCK_ROLE_NOTIFICATION_SILENT);
}

jrpc_slice jck_rule_of_second(const jck_trial *trial)
{
    bool beside = jck_trial_is_about(trial, JCK_TOPIC_SILENCE) ||
                  jck_trial_is_about(trial, JCK_TOPIC_NOTIFICATION) ||
                  jck_trial_is_about(trial, JCK_TOPIC_BATCH) ||
                  jck_trial_is_about(trial, JCK_TOPIC_COMPANY);
    return beside ? jck_trial_rule(trial, JCK_ROLE_RESPONSE_OWED) : trial->test_case->rules[0];
}

// A longer message may be refused unread, and so may a batch with more elements: a server may set
// limits, and choose the error for them.
#define LIMIT_BYTES ((size_t)4 << 10)
#define LIMIT_ELEMENTS 8
// The same for deeper nesting (RFC 8259, section 9: "An implementation may set limits on the
// maximum depth of nesting.").
#define LIMIT_DEPTH 16

// Whether a text has brackets nested so deep.
static bool is_deep(jrpc_slice text)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.len && depth <= LIMIT_DEPTH; i++) {
        char c = text.ptr[i];
        if (in_string && c == '\\') {
            i++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '[' || c == '{')) {
            depth++;
        } else if (!in_string && (c == ']' || c == '}')) {
            depth -= depth > 0;
        }
    }
    return depth > LIMIT_DEPTH;
}

bool jck_is_refused_for_limit(jck_trial *trial, const jck_answers *answers)
{
    size_t elements =
        answers->owed.input == JRPC_INPUT_BATCH ? jrpc_json_count(answers->owed.batch) : 0;
    if (answers->count != 1 || (answers->sent.len < LIMIT_BYTES && elements <= LIMIT_ELEMENTS &&
                                !is_deep(answers->sent))) {
        return false;
    }
    jrpc_json id = jrpc_json_get(answers->replies[0], "id");
    int64_t code = jck_code_of(answers->replies[0]);
    bool own = answers->owed.id_sent && jrpc_json_equal(id, answers->owed.id);
    // A missing id is a finding of its own.
    bool none = !jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL);
    bool of_batch = elements > LIMIT_ELEMENTS && code == JRPC_INVALID_REQUEST && none;
    bool defined_by_server = code != 0 && jrpc_code_is_chosen(code);
    if ((!defined_by_server && !of_batch) || (!none && !own)) {
        return false;
    }
    jck_observe(trial->findings, JRPC_SLICE("long-message"), JRPC_SLICE("refused"));
    return true;
}
