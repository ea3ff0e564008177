// Judges a step that waits for messages: patterns, each with a number of times, in any or in exact
// order.
#include "harness/judge/receive.h"

#include "harness/judge/blame.h"
#include "harness/judge/http.h"
#include "harness/judge/other.h"
#include "harness/judge/response.h"
#include "harness/judge/surplus.h"
#include "harness/judge/transport.h"
#include "harness/judge/trial.h"
#include "harness/judge/wanted.h"
#include "reference/json/equal.h"

typedef struct times {
    int64_t least;
    int64_t most; // INT64_MAX: no bound
} times;

static times times_of(jrpc_json pattern)
{
    times wanted = {1, 1};
    jrpc_json given = jrpc_json_get(pattern, "$times");
    if (jrpc_json_is(given, JRPC_JSON_NUMBER)) {
        (void)jrpc_json_int64(given, &wanted.least);
        wanted.most = wanted.least;
    } else if (jrpc_json_is(given, JRPC_JSON_ARRAY)) {
        (void)jrpc_json_int64(jrpc_json_element(given, 0), &wanted.least);
        if (!jrpc_json_int64(jrpc_json_element(given, 1), &wanted.most)) {
            wanted.most = INT64_MAX;
        }
    }
    return wanted;
}

// A message that the step must account for.
typedef struct heard {
    jrpc_json value;
    bool reply; // and not a message that the server sent unasked
    bool used;
    size_t by; // the pattern that it matched, if it is used
} heard;

// How a message matches a pattern, the most certain way first.
typedef enum manner {
    FOR_CERTAIN, // … and no other call can have lost its id: it has one, or is an error of nobody
    WORD_FOR_WORD,
    IN_PLACE_OF_IT, // the calibrated substitute for -32601, or without an id, so it could be any
    MISSHAPEN,      // with its id and an `error` that is not an Object, which the envelope reports
    OF_NOBODY,      // without an id, where a Response with id null is allowed
    MANNER_COUNT
} manner;

static bool meets(jck_trial *trial, manner how, jrpc_json pattern, const heard *message)
{
    jrpc_json error = jrpc_json_get(pattern, "error");
    // An optional message could be taken from another pattern that waits for it.
    bool counted =
        jrpc_json_exists(jrpc_json_get(pattern, "$times")) &&
        (times_of(pattern).least == 0 || !jrpc_json_exists(jrpc_json_get(pattern, "id")));
    bool failed = message->reply && jrpc_json_exists(error);
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    bool lost =
        message->reply && jck_is_of_nobody(message->value) && !jck_is_owed_null(message->value);
    switch (how) {
    case FOR_CERTAIN:
        return !lost && jck_match_message(&trial->matching, pattern, message->value);
    case WORD_FOR_WORD:
        return jck_match_message(&trial->matching, pattern, message->value);
    case IN_PLACE_OF_IT:
        return failed && !counted &&
               jck_response_matches(trial, pattern, message->value, JRPC_JSON_ABSENT, true,
                                    &difference);
    case MISSHAPEN: {
        jrpc_json got = jrpc_json_get(message->value, "error");
        return failed && jrpc_json_exists(got) && !jrpc_json_is(got, JRPC_JSON_OBJECT) &&
               jck_match_subset(&trial->matching, jrpc_json_get(pattern, "id"),
                                jrpc_json_get(message->value, "id"));
    }
    case OF_NOBODY: // that the id is missing (J2-5f) is reported by the envelope
        return failed && jrpc_json_is(jrpc_json_get(pattern, "id"), JRPC_JSON_NULL) &&
               !jrpc_json_exists(jrpc_json_get(message->value, "id")) &&
               jck_match_subset(&trial->matching, error, jrpc_json_get(message->value, "error"));
    case MANNER_COUNT:
        break;
    }
    return false;
}

// When a value arrived: the index of the message that it was read from.
static size_t place_of(const jck_trial *trial, jrpc_json value)
{
    const jck_evidence *evidence = trial->evidence;
    size_t at = 0;
    while (at < evidence->count && evidence->messages[at].bytes.ptr != value.document->text.ptr) {
        at++;
    }
    return at;
}

// Replies and messages that the server sent unasked, in order of arrival.
static void merge(const jck_trial *trial, const jck_answers *answers, heard *messages)
{
    size_t reply = 0;
    size_t own = 0;
    for (size_t m = 0; m < answers->count + answers->originated_count; m++) {
        bool is_reply = own == answers->originated_count ||
                        (reply < answers->count && place_of(trial, answers->replies[reply]) <
                                                       place_of(trial, answers->originated[own]));
        messages[m] = (heard){
            .value = is_reply ? answers->replies[reply++] : answers->originated[own++],
            .reply = is_reply,
        };
    }
}

// Whether a message matches any of the patterns, however often they may match.
static bool is_named(jck_trial *trial, const jck_step *step, jrpc_json message)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it);) {
        if (jck_match_message(&trial->matching, it.value, message)) {
            return true;
        }
    }
    return false;
}

// Whether it is a Response without an id, or, after a malformed message, an error of nobody without
// a code: that is the violation, since it could belong to anything, and the envelope reports it.
static bool is_anonymous(jck_trial *trial, const heard *message)
{
    bool named = jrpc_json_exists(jrpc_json_get(message->value, "id"));
    bool coded = !jck_error_is_unreadable(message->value) || jck_sent_valid_alone(trial) ||
                 !jck_is_of_nobody(message->value);
    return message->reply && jrpc_json_is(message->value, JRPC_JSON_OBJECT) && (!named || !coded);
}

// Whether one of the first `count` replies with the id of another reply was used as the answer. If
// it came earlier, the other is the second answer to one call.
static bool is_answered(const heard *messages, size_t count, jrpc_json reply)
{
    jrpc_json id = jrpc_json_get(reply, "id");
    bool named = jrpc_json_exists(id) && !jrpc_json_is(id, JRPC_JSON_NULL);
    bool answered = false;
    for (size_t m = 0; m < count && named && !answered; m++) {
        answered = messages[m].used && messages[m].reply &&
                   jrpc_json_equal(jrpc_json_get(messages[m].value, "id"), id);
    }
    return answered;
}

// Replies that no pattern took, and messages of the server's own if the step counts just those.
static void find_unasked(jck_trial *trial, const jck_step *step, const jck_answers *answers,
                         const heard *messages)
{
    const size_t total = answers->count + answers->originated_count;
    for (size_t m = 0; m < total; m++) {
        const jrpc_json value = messages[m].value;
        const bool reply = messages[m].reply;
        if (messages[m].used || is_anonymous(trial, &messages[m]) ||
            (!reply && !is_named(trial, step, value)) ||
            (reply &&
             (jck_add_fence_without_id(trial, answers, value) ||
              jck_add_spoilt_fence(trial, answers, value) ||
              jck_add_if_foreign(trial, answers, value, is_answered(messages, total, value))))) {
            continue;
        }
        bool stale = reply && jck_is_stale(trial, value) && !jck_sent_valid_alone(trial);
        bool second = reply && !stale && is_answered(messages, m, value);
        size_t before = trial->findings->count;
        jck_add_finding_of(trial->findings, answers->step,
                           second  ? jck_rule_of_second(trial)
                           : reply ? jck_rule_of_unasked(trial, answers->step, value)
                                   : trial->test_case->rules[0],
                           "expected nothing more; got %s", jck_shown(trial, value));
        if (second) {
            jck_name_difference(trial->findings, before, JCK_DIFFERENCE_TWICE);
        } else if (stale) {
            jck_name_difference(trial->findings, before, JCK_DIFFERENCE_OTHER_ID);
        } else if (reply && jck_is_of_nobody(value) && jck_has_sent_notification(trial)) {
            jck_name_answer_to_notification(trial, before, value);
        }
    }
}

// The rule that a missing message breaks: the one that its pattern names, else the case's.
static jrpc_slice rule_for_missing(jck_trial *trial, char connection, jrpc_json pattern)
{
    jrpc_slice rule = {NULL, 0};
    jrpc_json id = jck_stated_id(trial, pattern);
    if (trial->evidence->params_wanted && jck_was_sent_bare(trial, id)) {
        return jck_findings_rule(trial->findings, JCK_ROLE_PARAMS_OMITTED);
    }
    if (jrpc_json_string(jrpc_json_get(pattern, "$rule"), trial->arena, &rule)) {
        return rule;
    }
    // A missing answer to a call breaks no rule about silence. Where a page came instead, it breaks
    // no rule about which call an answer belongs to.
    bool silence = jck_got_page(trial, connection) ||
                   jck_trial_is_about(trial, JCK_TOPIC_SILENCE) ||
                   jck_trial_is_about(trial, JCK_TOPIC_NOTIFICATION);
    return !jck_describes_answer(pattern) || !silence
               ? trial->test_case->rules[0]
               : jck_trial_rule(trial, jck_is_parse_error(pattern) ? JCK_ROLE_PARSE_ERROR
                                                                   : JCK_ROLE_RESPONSE_OWED);
}

// Whether a message is the reply that a pattern describes, except for its id.
static bool is_but_for_id(jck_trial *trial, jrpc_json pattern, const heard *message)
{
    jrpc_json given = jrpc_json_get(message->value, "id");
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    bool of_nobody = jrpc_json_is(given, JRPC_JSON_NULL) && jck_is_owed_null(message->value);
    return !message->used && message->reply && jrpc_json_exists(given) && !of_nobody &&
           !jck_response_matches(trial, pattern, message->value, JRPC_JSON_ABSENT, true,
                                 &difference) &&
           difference == JCK_DIFFERENCE_ID;
}

// Whether the call with this id was answered more than once.
static bool comes_again(const heard *messages, size_t total, jrpc_json id)
{
    size_t with_id = 0;
    for (size_t m = 0; m < total; m++) {
        with_id += messages[m].reply && jrpc_json_equal(jrpc_json_get(messages[m].value, "id"), id);
    }
    return with_id > 1;
}

// A reply that no pattern took but that is meant for the call of this pattern: it has the call's
// id, or matches except for its id, and no other call has that id, or that call has another answer.
// NULL if there is none, so the answer is missing.
static heard *find_other(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                         heard *messages)
{
    jrpc_json id = jck_stated_id(trial, pattern);
    size_t total = answers->count + answers->originated_count;
    if (!jrpc_json_is(id, JRPC_JSON_STRING) && !jrpc_json_is(id, JRPC_JSON_NUMBER)) {
        return NULL;
    }
    for (size_t m = 0; m < total; m++) {
        jrpc_json given = jrpc_json_get(messages[m].value, "id");
        if (!messages[m].used && messages[m].reply && jrpc_json_equal(given, id)) {
            return &messages[m];
        }
    }
    for (size_t m = 0; m < total; m++) {
        jrpc_json given = jrpc_json_get(messages[m].value, "id");
        if (is_but_for_id(trial, pattern, &messages[m]) &&
            (!jck_was_sent(trial, answers->connection, given) ||
             comes_again(messages, total, given))) {
            return &messages[m];
        }
    }
    return NULL;
}

// An Array that no pattern took, where the pattern describes one; else NULL.
static heard *find_array(const jck_answers *answers, jrpc_json pattern, heard *messages)
{
    bool wanted = jrpc_json_exists(jrpc_json_get(pattern, "$batch"));
    for (size_t m = 0; wanted && m < answers->count + answers->originated_count; m++) {
        if (!messages[m].used && jrpc_json_is(messages[m].value, JRPC_JSON_ARRAY)) {
            return &messages[m];
        }
    }
    return NULL;
}

// A reply that no pattern took and that was sent instead of the missing answer: it repeats the
// answer to another call, or is a parse error where the call is to show what malformed text does to
// others. NULL if there is none.
static heard *find_instead(jck_trial *trial, const jck_answers *answers, jrpc_slice rule,
                           heard *messages)
{
    bool shows = jck_trial_has_role(trial, rule, JCK_ROLE_SURVIVES_MALFORMED);
    for (size_t m = 0; m < answers->count; m++) {
        if (!messages[m].used && messages[m].reply &&
            (is_answered(messages, m, messages[m].value) ||
             (shows && jck_is_parse_error(messages[m].value)))) {
            return &messages[m];
        }
    }
    return NULL;
}

// Reports a pattern that did not match as often as required.
static void judge_missing(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                          heard *messages, int64_t seen)
{
    times wanted = times_of(pattern);
    heard *array = wanted.least == 1 ? find_array(answers, pattern, messages) : NULL;
    if (array != NULL) {
        array->used = true;
        jck_add_other_batch(trial, answers, pattern, array->value);
        return;
    }
    heard *other = wanted.least == 1 ? find_other(trial, answers, pattern, messages) : NULL;
    if (other != NULL) {
        other->used = true;
        jck_add_other_answer(trial, answers, pattern, other->value,
                             rule_for_missing(trial, answers->connection, pattern));
        return;
    }
    if (jck_describes_answer(pattern) &&
        (jck_is_answered_again(trial, -1) || jck_has_lost_id(trial, answers->step))) {
        return;
    }
    size_t before = trial->findings->count;
    const jrpc_slice rule = rule_for_missing(trial, answers->connection, pattern);
    const char *message = jck_describe_message(trial, pattern);
    heard *instead = wanted.least == 1 && jck_describes_answer(pattern)
                         ? find_instead(trial, answers, rule, messages)
                         : NULL;
    if (instead != NULL) {
        bool again = !jck_is_parse_error(instead->value);
        instead->used = true;
        jck_add_finding_of(trial->findings, answers->step, rule, "expected %s; got %s%s", message,
                           again ? "the answer to another call once more: " : "",
                           jck_shown(trial, instead->value));
        jck_name_difference(trial->findings, before,
                            again ? JCK_DIFFERENCE_OTHER_ID : "the next call is disturbed");
        return;
    }
    if (wanted.least == 1) {
        jck_add_finding_of(trial->findings, answers->step, rule, "expected %s; none came", message);
    } else {
        jck_add_finding_of(trial->findings, answers->step, rule,
                           "expected %lld messages, each %s; %lld came", (long long)wanted.least,
                           message, (long long)seen);
    }
    if (jck_describes_answer(pattern)) {
        jck_name_difference(trial->findings, before, JCK_DIFFERENCE_LOST);
        jck_name_silence(trial, before, answers);
    }
}

// One pattern, and what has matched it so far.
typedef struct wish {
    times wanted;
    int64_t seen;
    size_t first; // the first message that matched it, SIZE_MAX if none did
    size_t last;  // … and last
} wish;

// Assigns the messages that no pattern has taken yet to the patterns that still want one.
static void hand_out(jck_trial *trial, const jck_step *step, heard *messages, size_t total,
                     wish *wishes, manner how)
{
    wish *of = wishes;
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it); of++) {
        for (size_t m = 0; m < total && of->seen < of->wanted.most; m++) {
            heard *message = &messages[m];
            if (!message->used && meets(trial, how, it.value, message)) {
                message->used = true;
                message->by = (size_t)(of - wishes);
                of->seen++;
                of->first = m < of->first ? m : of->first;
                of->last = m > of->last ? m : of->last;
            }
        }
    }
}

// What came too early is held against the rule that its pattern names, else the case's.
static void judge_order(jck_trial *trial, const jck_step *step, const jck_answers *answers,
                        const wish *wishes)
{
    size_t latest = 0;
    const wish *of = wishes;
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it); of++) {
        if (of->first == SIZE_MAX) {
            continue;
        }
        if (of->first < latest) { // something that comes later in the step was received before it
            jrpc_slice rule = trial->test_case->rules[0];
            (void)jrpc_json_string(jrpc_json_get(it.value, "$rule"), trial->arena, &rule);
            jck_add_finding_of(trial->findings, answers->step, rule,
                               "the messages came in the wrong order");
            return;
        }
        latest = of->last;
    }
}

// Whether the Numbers at a pointer increase from each message that matched a pattern to the next.
static void judge_rising(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                         const heard *messages, size_t pattern_index)
{
    jrpc_slice pointer;
    jrpc_json last = JRPC_JSON_ABSENT;
    if (!jrpc_json_string(jrpc_json_get(pattern, "$rising"), trial->arena, &pointer)) {
        return;
    }
    for (size_t m = 0; m < answers->count + answers->originated_count; m++) {
        jrpc_json now = jrpc_json_pointer(messages[m].value, pointer);
        if (!messages[m].used || messages[m].by != pattern_index ||
            !jrpc_json_is(now, JRPC_JSON_NUMBER)) {
            continue;
        }
        if (jrpc_json_exists(last) &&
            jrpc_json_number_compare(jrpc_json_spelling(last), jrpc_json_spelling(now)) >= 0) {
            jck_add_finding_of(trial->findings, answers->step,
                               rule_for_missing(trial, answers->connection, pattern),
                               "%.*s must be greater than in the message before; it is %s after %s",
                               (int)pointer.len, pointer.ptr, jck_shown(trial, now),
                               jck_shown(trial, last));
            return;
        }
        last = now;
    }
}

// Whether the pattern waits for an answer that only shows what a malformed message does to others.
static bool is_of_survival(jck_trial *trial, jrpc_json pattern)
{
    jrpc_slice rule = rule_for_missing(trial, '\0', pattern);
    return jck_trial_has_role(trial, rule, JCK_ROLE_SURVIVES_MALFORMED) ||
           jck_trial_has_topic(trial, rule, JCK_TOPIC_COMPANY);
}

// Whether the target closed the connection because of a malformed message there: that is allowed,
// and what was sent there afterwards gets no answer. If it did not refuse the message either, only
// the rule that the message does no harm is kept.
static bool is_closed_to_malformed(jck_trial *trial, const jck_answers *answers, jrpc_json pattern)
{
    const jck_evidence *evidence = trial->evidence;
    bool left = evidence->settled[answers->step] == JCK_GONE &&
                (!evidence->process_gone || evidence->orderly);
    bool refused = false;
    for (size_t i = 0; i < answers->count; i++) {
        int64_t code = jck_code_of(answers->replies[i]);
        refused = refused || code == JRPC_PARSE_ERROR || code == JRPC_INVALID_REQUEST;
    }
    return left && (refused || is_of_survival(trial, pattern)) && !jck_sent_valid_alone(trial);
}

// A message that came only after a fence was sent: it did not come within the full time for an
// answer.
static void judge_prompting(jck_trial *trial, const jck_step *step, const jck_answers *answers,
                            const heard *messages)
{
    const jck_evidence *evidence = trial->evidence;
    size_t fence = 0;
    while (fence < evidence->count && (evidence->messages[fence].role != JCK_MESSAGE_OF_FENCE ||
                                       evidence->messages[fence].step != answers->step)) {
        fence++;
    }
    for (size_t m = 0; m < answers->count + answers->originated_count; m++) {
        if (!messages[m].used || place_of(trial, messages[m].value) < fence) {
            continue;
        }
        jrpc_json pattern = jrpc_json_element(step->patterns, (uint32_t)messages[m].by);
        jck_add_finding_of(trial->findings, answers->step,
                           rule_for_missing(trial, answers->connection, pattern),
                           "expected %s; it came only after the next call was sent",
                           jck_describe_message(trial, pattern));
        return;
    }
}

void jck_judge_receive(jck_trial *trial, const jck_step *step, const jck_answers *answers)
{
    size_t total = answers->count + answers->originated_count;
    size_t pattern_count = jrpc_json_count(step->patterns);
    heard *messages = jrpc_arena_array(trial->arena, total + 1, sizeof *messages);
    wish *wishes = jrpc_arena_array(trial->arena, pattern_count + 1, sizeof *wishes);
    if (messages == NULL || wishes == NULL) {
        trial->findings->failed = true;
        return;
    }
    jck_take_out_of_arrays(trial, answers);
    merge(trial, answers, messages);
    size_t index = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it);) {
        wishes[index++] = (wish){.wanted = times_of(it.value), .first = SIZE_MAX};
    }
    for (manner how = FOR_CERTAIN; how < MANNER_COUNT; how++) {
        hand_out(trial, step, messages, total, wishes, how);
    }
    index = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it); index++) {
        const wish *of = &wishes[index];
        bool explained = answers->unreadable || jck_is_lost_with_target(trial, answers) ||
                         is_closed_to_malformed(trial, answers, it.value);
        if (of->seen < of->wanted.least && !explained) {
            judge_missing(trial, answers, it.value, messages, of->seen);
        }
        judge_rising(trial, answers, it.value, messages, index);
    }
    find_unasked(trial, step, answers, messages);
    if (jrpc_slice_is(step->within, "unprompted")) {
        judge_prompting(trial, step, answers, messages);
    }
    if (step->exact_order) {
        judge_order(trial, step, answers, wishes);
    }
}
