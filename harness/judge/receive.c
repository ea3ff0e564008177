// Judges a step that waits for messages: patterns with a number of times, in any or in exact order.
#include "harness/judge/trial.h"

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

// The calibrated stand-in for -32601 applies here too.
static bool reply_matches(jck_trial *trial, jrpc_json pattern, jrpc_json reply)
{
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    return jck_match_message(&trial->matching, pattern, reply) ||
           (jrpc_json_exists(jrpc_json_get(pattern, "error")) &&
            !jrpc_json_exists(jrpc_json_get(pattern, "$times")) &&
            jck_response_matches(trial, pattern, reply, JRPC_JSON_ABSENT, true, &difference));
}

// One message that the step has to account for.
typedef struct heard {
    jrpc_json value;
    bool reply; // and not a message of the server's own
    bool used;
} heard;

// When a value came: the index of the message that it was read from.
static size_t place_of(const jck_trial *trial, jrpc_json value)
{
    const jck_evidence *evidence = trial->evidence;
    size_t at = 0;
    while (at < evidence->count && evidence->messages[at].bytes.ptr != value.document->text.ptr) {
        at++;
    }
    return at;
}

// Replies and messages of the server's own as they came, one behind the other.
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

static void judge_order(jck_trial *trial, const jck_answers *answers, const size_t *first,
                        size_t count)
{
    size_t latest = 0;
    for (size_t i = 0; i < count; i++) {
        if (first[i] == SIZE_MAX) {
            continue;
        }
        if (first[i] < latest) {
            jck_find(trial->findings, answers->step, trial->test_case->rules[0],
                     "the messages came in another order than the one asked for");
            return;
        }
        latest = first[i];
    }
}

// Whether a message matches any of the patterns, however often they may be met.
static bool is_named(jck_trial *trial, const jck_step *step, jrpc_json message)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it);) {
        if (jck_match_message(&trial->matching, it.value, message)) {
            return true;
        }
    }
    return false;
}

// Replies that no pattern took. What the server says on its own is its own affair, unless the step
// counts just that.
static void find_unasked(jck_trial *trial, const jck_step *step, const jck_answers *answers,
                         const heard *messages)
{
    for (size_t m = 0; m < answers->count + answers->originated_count; m++) {
        if (!messages[m].used && (messages[m].reply || is_named(trial, step, messages[m].value))) {
            jck_find(trial->findings, answers->step, trial->test_case->rules[0],
                     "a message came that nothing asked for: %s",
                     jck_shown(trial, messages[m].value));
        }
    }
}

// What a message that did not come is held against: the rule that its pattern names, else the
// case's.
static jrpc_slice rule_for_missing(jck_trial *trial, jrpc_json pattern)
{
    jrpc_slice rule = {NULL, 0};
    if (trial->evidence->params_wanted) {
        return JRPC_SLICE("J2-4.2e");
    }
    bool named = jrpc_json_string(jrpc_json_get(pattern, "$rule"), trial->arena, &rule);
    return named ? rule : trial->test_case->rules[0];
}

void jck_judge_receive(jck_trial *trial, const jck_step *step, const jck_answers *answers)
{
    size_t total = answers->count + answers->originated_count;
    size_t pattern_count = jrpc_json_count(step->patterns);
    heard *messages = jrpc_arena_array(trial->arena, total + 1, sizeof *messages);
    size_t *first = jrpc_arena_array(trial->arena, pattern_count + 1, sizeof *first);
    if (messages == NULL || first == NULL) {
        trial->findings->failed = true;
        return;
    }
    merge(trial, answers, messages);
    size_t index = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it); index++) {
        times wanted = times_of(it.value);
        int64_t seen = 0;
        first[index] = SIZE_MAX;
        for (size_t m = 0; m < total && seen < wanted.most; m++) {
            heard *message = &messages[m];
            bool matches = message->reply
                               ? reply_matches(trial, it.value, message->value)
                               : jck_match_message(&trial->matching, it.value, message->value);
            if (!message->used && matches) {
                message->used = true;
                seen++;
                first[index] = first[index] == SIZE_MAX ? m : first[index];
            }
        }
        if (seen < wanted.least && !answers->unreadable) {
            jck_find(trial->findings, answers->step, rule_for_missing(trial, it.value),
                     "%lld of %lld messages came that match %s", (long long)seen,
                     (long long)wanted.least, jck_shown(trial, it.value));
        }
    }
    find_unasked(trial, step, answers, messages);
    if (step->exact_order) {
        judge_order(trial, answers, first, pattern_count);
    }
}
