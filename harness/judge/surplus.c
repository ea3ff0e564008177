#include "harness/judge/surplus.h"

#include "harness/judge/answers.h"
#include "harness/judge/circumstances.h"
#include "harness/judge/envelope.h"
#include "harness/judge/response.h"
#include "harness/judge/transport.h"
#include "harness/judge/trial.h"
#include "reference/json/equal.h"

// Longer than any answer that is searched for among earlier ones.
#define EARLIER_BYTES ((size_t)4 << 10)

// Whether a fence of the step was never answered, although a later one was. An answer that came
// before the first of them belongs to an earlier case.
static bool has_lost_fence(const jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    size_t sent = 0;
    size_t answered = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->step == answers->step && message->role == JCK_MESSAGE_OF_FENCE &&
            message->connection == answers->connection) {
            sent += message->direction == JCK_SENT;
            answered += sent > 0 &&
                        (message->fence == JCK_FENCE_ANSWER || message->fence == JCK_FENCE_LATE);
        }
    }
    return answered > 0 && sent > answered;
}

bool jck_add_fence_without_id(jck_trial *trial, const jck_answers *answers, jrpc_json response)
{
    if (jck_code_of(response) != JRPC_METHOD_NOT_FOUND ||
        !jrpc_json_is(jrpc_json_get(response, "id"), JRPC_JSON_NULL) ||
        !has_lost_fence(trial, answers)) {
        return false;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step, JCK_ROLE_SAME_ID,
                    "expected the id of the valid call that was sent next; got id null");
    jck_name_difference(trial->findings, before, "null in place of an id");
    return true;
}

// Adds the finding that the next call got this Response instead of its own.
static void add_spoilt(jck_trial *trial, const jck_answers *answers, jrpc_json response)
{
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step,
                    jck_sent_valid_alone(trial) ? JCK_ROLE_SURVIVES_VALID
                                                : JCK_ROLE_SURVIVES_MALFORMED,
                    "the valid call that was sent next did not get its answer; %zu messages came "
                    "in all; one of them: %s",
                    answers->count, jck_shown(trial, response));
    jck_name_difference(trial->findings, before, "the next call is disturbed");
}

bool jck_add_spoilt_fence(jck_trial *trial, const jck_answers *answers, jrpc_json response)
{
    bool spoilt = jck_is_parse_error(response) && !jck_sent_valid_alone(trial) &&
                  jrpc_json_is(jrpc_json_get(response, "id"), JRPC_JSON_NULL) &&
                  has_lost_fence(trial, answers);
    if (spoilt) {
        add_spoilt(trial, answers, response);
    }
    return spoilt;
}

// Whether the first reply answers a whole batch: then later replies do not belong to it.
static bool is_of_whole_batch(jrpc_json reply)
{
    return jrpc_json_is(reply, JRPC_JSON_ARRAY) ||
           jrpc_json_is(jrpc_json_get(reply, "id"), JRPC_JSON_NULL);
}

// Removes what was received instead of a fence's answer, and reports it.
static void fold_spoilt(jck_trial *trial, jck_answers *answers)
{
    if (answers->count < 2 || !has_lost_fence(trial, answers) ||
        (answers->owed.kind == JCK_OWED_BATCH && !is_of_whole_batch(answers->replies[0]))) {
        return;
    }
    if (jck_add_fence_without_id(trial, answers, answers->replies[1])) {
        answers->count = 1;
        return;
    }
    add_spoilt(trial, answers, answers->replies[1]);
    answers->count = 1;
}

// A stream that the target declares gives its result in parts, each with the id of the call: they
// are one answer, represented by the last part.
static void fold_stream(jck_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        jrpc_json id = jrpc_json_get(answers->replies[i], "id");
        if (!answers->streamed || !jrpc_json_exists(id) ||
            !jrpc_json_equal(id, jck_id_owed(answers))) {
            return;
        }
    }
    if (answers->count > 1) {
        answers->replies[0] = answers->replies[answers->count - 1];
        answers->count = 1;
    }
}

// Identical Responses, byte for byte: the repetition is reported once, and the Response judged.
static void fold_repeats(jck_trial *trial, jck_answers *answers)
{
    if (answers->count < 2 || answers->owed.kind == JCK_OWED_NOTHING ||
        answers->owed.kind == JCK_OWED_BATCH) {
        return; // the elements of a batch may have equal answers
    }
    for (size_t i = 1; i < answers->count; i++) {
        if (!jrpc_json_equal(answers->replies[0], answers->replies[i])) {
            return;
        }
    }
    size_t before = trial->findings->count;
    jck_add_surplus(trial, answers);
    jck_name_difference(trial->findings, before, JCK_DIFFERENCE_TWICE);
    answers->count = 1;
}

// Whether the same Response to a call of ours came on the connection before this step was sent.
static bool came_before(jck_trial *trial, const jck_answers *answers, jrpc_json response)
{
    const jck_evidence *evidence = trial->evidence;
    jrpc_json id = jrpc_json_get(response, "id");
    bool of_another = jck_is_id_of_ours(id) && !jrpc_json_equal(id, jck_id_owed(answers));
    for (size_t i = 0; of_another && i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
            message->connection == answers->connection && message->step < answers->step &&
            message->bytes.len < EARLIER_BYTES &&
            jrpc_json_equal(jck_trial_read(trial, message->bytes, NULL), response)) {
            return true;
        }
    }
    return false;
}

// Whether the transport says which message was answered, as HTTP does.
static bool is_of_an_exchange(const jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    bool exchanged = false;
    for (size_t i = 0; i < evidence->count && !exchanged; i++) {
        const jck_message *message = &evidence->messages[i];
        exchanged = message->direction == JCK_RECEIVED && message->step == answers->step &&
                    message->connection == answers->connection && message->http_status != 0;
    }
    return exchanged;
}

// Whether a reply answers this step's message, and only its id is that of another call.
static bool has_other_id_alone(const jck_trial *trial, const jck_answers *answers, jrpc_json reply)
{
    bool alone = answers->count == 1 && is_of_an_exchange(trial, answers);
    bool owed = answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.code != 0 &&
                answers->owed.code == jck_code_of(reply);
    return alone || (owed && jck_is_stale(trial, reply));
}

// Removes the repeated answers of an earlier step, and reports them.
static void fold_earlier(jck_trial *trial, jck_answers *answers)
{
    size_t kept = 0;
    size_t before = trial->findings->count;
    for (size_t i = 0; i < answers->count; i++) {
        if (answers->owed.kind != JCK_OWED_BATCH &&
            !has_other_id_alone(trial, answers, answers->replies[i]) &&
            came_before(trial, answers, answers->replies[i])) {
            jck_add_finding(trial->findings, answers->step, JCK_ROLE_RESPONSE_OWED,
                            "a call that was already answered is answered again: %s",
                            jck_shown(trial, answers->replies[i]));
        } else {
            answers->replies[kept++] = answers->replies[i];
        }
    }
    jck_name_difference(trial->findings, before, JCK_DIFFERENCE_TWICE);
    answers->displaced = answers->displaced || (kept == 0 && answers->count > 0);
    answers->count = kept;
}

bool jck_is_answered_again(const jck_trial *trial, int step)
{
    for (size_t i = 0; i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->fence == JCK_FENCE_AGAIN && !trial->taken[i] &&
            (step < 0 || message->step == step)) {
            return true;
        }
    }
    return false;
}

void jck_fold_surplus(jck_trial *trial, jck_answers *answers)
{
    fold_stream(answers);
    fold_earlier(trial, answers);
    jck_fold_foreign(trial, answers);
    fold_spoilt(trial, answers);
    fold_repeats(trial, answers);
}

void jck_add_surplus(jck_trial *trial, const jck_answers *answers)
{
    // How many Responses raw bytes require is not known; what more break, the case says itself.
    const jck_expect *expect = &trial->test_case->steps[answers->step].expect;
    bool said = answers->owed.kind == JCK_OWED_UNKNOWN && expect->otherwise.len > 0;
    if (answers->count < 2 || said) {
        return;
    }
    size_t before = trial->findings->count;
    jrpc_slice torn = jck_torn_rule(trial, answers->step);
    bool whole = torn.len == 0 || jck_is_parse_error_owed(answers);
    jck_add_finding_of(trial->findings, answers->step,
                       whole ? jck_trial_rule(trial, JCK_ROLE_RESPONSE_OWED) : torn,
                       "expected one Response; %zu messages came; the second: %s", answers->count,
                       jck_shown(trial, answers->replies[1]));
    jck_name_difference(trial->findings, before,
                        answers->owed.kind == JCK_OWED_BATCH ? "Responses without an Array"
                                                             : "more than one message");
}

// A Response on a connection where only one call has been sent: the id must be that of the call.
static void judge_first_id(jck_trial *trial, const jck_message *message, jrpc_json response)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_message *sent = NULL;
    for (size_t i = 0; &evidence->messages[i] != message; i++) {
        const jck_message *before = &evidence->messages[i];
        bool asks = before->direction == JCK_SENT && before->role == JCK_MESSAGE_OF_OPENING &&
                    before->connection == message->connection;
        sent = asks ? before : sent;
    }
    jrpc_json given = jrpc_json_get(response, "id");
    jrpc_json owed = sent == NULL ? JRPC_JSON_ABSENT
                                  : jrpc_json_get(jck_trial_read(trial, sent->bytes, NULL), "id");
    if (!jrpc_json_exists(owed) || !jrpc_json_exists(given) || jrpc_json_equal(owed, given)) {
        return;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, message->step, JCK_ROLE_SAME_ID,
                    "expected id %s, that of the first call on the connection; got id %s",
                    jck_shown(trial, owed), jck_shown(trial, given));
    jck_name_wrong_id(trial, before, owed, given);
}

static void judge_first_words(jck_trial *trial, const jck_message *message)
{
    jrpc_error error = {0};
    bool noise = message->role == JCK_MESSAGE_NOISE || message->bytes.len == 0;
    jrpc_json value = noise ? JRPC_JSON_ABSENT : jck_trial_read(trial, message->bytes, &error);
    if (noise || error.code == JRPC_ERROR_LIMIT || message->true_len > message->bytes.len) {
        return;
    }
    if (!jrpc_json_exists(value) && jck_add_cut_by_length(trial, message, message->step)) {
        return;
    }
    if (!jrpc_json_exists(value)) {
        jck_add_finding(
            trial->findings, message->step,
            jck_claims_to_be_json(message->bytes) || trial->evidence->of_messages
                ? JCK_ROLE_STRICT_JSON
                : JCK_ROLE_MESSAGES_ONLY,
            "the first output on the connection is not valid JSON (%s, at byte %zu): %s",
            error.message, error.offset, jck_excerpt(trial->arena, message->bytes, 120));
        return;
    }
    bool response = jck_answer_kind_of(value) == JCK_ANSWER_RESPONSE;
    if (response && message->fence == JCK_FENCE_ANSWER &&
        jck_trial_dialect(trial) != JCK_DIALECT_1_0) {
        const jck_envelope envelope = {
            .findings = trial->findings, .dialect = JCK_DIALECT_2_0, .step = message->step};
        jck_envelope_check(&envelope, value);
    }
    if (response && message->fence == JCK_FENCE_NONE) {
        judge_first_id(trial, message, value);
    }
}

// Whether the message of the step has another answer, or was sent on another connection.
static bool is_beside_an_answer(const jck_trial *trial, const jck_message *message)
{
    const jck_evidence *evidence = trial->evidence;
    bool beside = trial->test_case->steps[message->step].connection != message->connection;
    for (size_t i = 0; i < evidence->count && !beside; i++) {
        const jck_message *other = &evidence->messages[i];
        beside = other->direction == JCK_RECEIVED && other->role == JCK_MESSAGE_OF_CASE &&
                 other->step == message->step && other->connection == message->connection;
    }
    return beside;
}

static void judge_fence(jck_trial *trial, const jck_message *message)
{
    const char *what = NULL;
    switch (message->fence) {
    case JCK_FENCE_AGAIN:
        what = "a call that was already answered is answered again";
        break;
    case JCK_FENCE_INVENTED:
        what = "a Response carries the id of a call that was never sent on this connection";
        break;
    case JCK_FENCE_NONE:
    case JCK_FENCE_ANSWER:
    case JCK_FENCE_LATE:
    case JCK_FENCE_ECHO:
        return;
    }
    jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
    if (jck_is_parse_error(value) ||
        (jck_is_stale(trial, value) && !is_beside_an_answer(trial, message))) {
        jck_add_stale_id(trial, message->step, value);
        return;
    }
    if (jck_is_fence_of_another_connection(trial, message)) {
        jck_add_foreign(trial, message->step, value);
        return;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, message->step, JCK_ROLE_RESPONSE_OWED, "%s: %s", what,
                    jck_excerpt(trial->arena, message->bytes, 120));
    jck_name_difference(trial->findings, before, "%s",
                        message->fence == JCK_FENCE_AGAIN ? JCK_DIFFERENCE_TWICE : what);
}

// If a target has been silent for this long …
#define WITHHELD_US 1000000
// … and answers a call this soon after the next message, that message caused the answer.
#define RELEASED_US 50000
// A longer message may not be sent until the target has read others: that it is sent then shows
// that the target works.
#define BLOCKING_BYTES 2048

// Reports an answer that was sent only after the next message had arrived: it had stayed in a
// buffer.
static void judge_withheld(jck_trial *trial, size_t index)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_message *came = &evidence->messages[index];
    jrpc_json id = jrpc_json_get(jck_trial_read(trial, came->bytes, NULL), "id");
    const jck_message *call = NULL;
    const jck_message *last = NULL; // the last message that was sent before the answer arrived
    if (!jrpc_json_exists(id)) {
        return; // it is not an answer
    }
    for (size_t i = index; i > 0 && call == NULL; i--) {
        const jck_message *before = &evidence->messages[i - 1];
        if (before->connection != came->connection || before->at_us > came->at_us) {
            continue;
        }
        if (before->direction == JCK_RECEIVED || before->true_len > BLOCKING_BYTES) {
            return; // the target was not silent, or may not have been
        }
        bool first = last == NULL;
        last = first ? before : last;
        jrpc_json sent = jck_trial_read(trial, before->bytes, NULL);
        call = jrpc_json_equal(jrpc_json_get(sent, "id"), id) ? before : NULL;
        if (call == NULL && !first && before->role == JCK_MESSAGE_OF_FENCE) {
            return; // an earlier call has not caused the answer
        }
    }
    if (call != NULL && last->at_us - call->at_us >= WITHHELD_US &&
        came->at_us - last->at_us <= RELEASED_US) {
        size_t first = trial->findings->count;
        jck_add_finding(trial->findings, came->step, JCK_ROLE_RESPONSE_OWED,
                        "the answer came only when the next message was sent, after %lld ms: %s",
                        (long long)(last->at_us - call->at_us) / 1000,
                        jck_excerpt(trial->arena, came->bytes, 120));
        jck_name_difference(trial->findings, first, JCK_WITHHELD);
    }
}

static void observe_mark(jck_trial *trial)
{
    if (jck_case_names_role(trial->test_case, JCK_ROLE_EVENTS_MARK)) {
        jck_observe_role(trial->findings, JCK_ROLE_EVENTS_MARK,
                         trial->evidence->marked ? JRPC_SLICE("ended with [DONE]")
                                                 : JRPC_SLICE("ended without [DONE]"));
    }
}

void jck_judge_openings(jck_trial *trial)
{
    for (size_t i = 0; i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_OPENING) {
            judge_first_words(trial, message);
        }
    }
}

void jck_judge_asides(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    jck_observe_encryption(trial);
    observe_mark(trial);
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction != JCK_RECEIVED) {
            continue;
        }
        if (!trial->taken[i]) {
            judge_fence(trial, message);
        }
        jck_judge_elsewhere(trial, message, trial->taken[i]);
        if (message->role == JCK_MESSAGE_OF_CASE) {
            judge_withheld(trial, i);
        }
    }
}

// A String without its quotation marks.
static jrpc_slice text_of(jrpc_slice spelling)
{
    return spelling.len < 2 ? spelling : jrpc_slice_of(spelling.ptr + 1, spelling.len - 2);
}

// Whether an id stands in what was sent.
static bool is_spelled_in(jrpc_slice sent, jrpc_json id)
{
    return sent.len > EARLIER_BYTES || // perhaps not kept in full
           jrpc_slice_contains(sent, text_of(jrpc_json_spelling(id)));
}

bool jck_has_stale_id(jck_trial *trial, const jck_answers *answers)
{
    jrpc_json reply = answers->count == 1 ? answers->replies[0] : JRPC_JSON_ABSENT;
    jrpc_json id = jrpc_json_get(reply, "id");
    bool unread = jck_is_parse_error_owed(answers) || answers->owed.kind == JCK_OWED_UNKNOWN;
    bool stale = unread && jck_is_parse_error(reply) && jck_is_id_of_ours(id) &&
                 !is_spelled_in(answers->sent, id);
    if (stale) {
        jck_add_stale_id(trial, answers->step, reply);
    }
    return stale;
}

bool jck_add_misdirected(jck_trial *trial, const jck_answers *answers)
{
    if (answers->owed.kind != JCK_OWED_RESPONSE || answers->count != 1) {
        return false;
    }
    jrpc_json response = answers->replies[0];
    jrpc_json id = jrpc_json_get(response, "id");
    int64_t code = jck_code_of(response);
    bool own = answers->owed.id_sent && jrpc_json_equal(id, answers->owed.id);
    // The right error with a stale id: only the id is wrong, and if no id was sent it must be null.
    bool stale = code != 0 && code == answers->owed.code && code != JRPC_METHOD_NOT_FOUND;
    if (!jck_is_id_of_ours(id) || own || stale || is_spelled_in(answers->sent, id) ||
        jck_was_sent(trial, answers->connection, id) ||
        jck_was_sent_longer(trial, answers->connection, id)) {
        return false;
    }
    if (jck_is_parse_error(response)) {
        jck_add_stale_id(trial, answers->step, response);
        return true;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step, JCK_ROLE_SAME_ID,
                    "expected the answer to this message; got that of another call, whose id it "
                    "carries: %s",
                    jck_shown(trial, response));
    jck_name_difference(trial->findings, before, JCK_DIFFERENCE_OTHER_ID);
    return true;
}
