#include "harness/judge/surplus.h"

#include "harness/judge/response.h"
#include "harness/judge/sent.h"

#include "reference/json/equal.h"

static bool has_several_connections(const jck_evidence *evidence)
{
    for (size_t i = 1; i < evidence->count; i++) {
        if (evidence->messages[i].connection != evidence->messages[0].connection) {
            return true;
        }
    }
    return false;
}

bool jck_is_of_another_connection(jck_trial *trial, char connection, jrpc_json response)
{
    jrpc_json id = jrpc_json_get(response, "id");
    bool ours = jrpc_json_is(id, JRPC_JSON_STRING) &&
                jrpc_slice_starts_with(jrpc_json_spelling(id), JRPC_SLICE("\"jck-"));
    return ours && has_several_connections(trial->evidence) && !jck_was_sent(trial, connection, id);
}

void jck_add_foreign(jck_trial *trial, int step, jrpc_json response)
{
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, step, JCK_ROLE_OWN_CONNECTION,
                    "a Response came to a call of another connection: %s",
                    jck_shown(trial, response));
    jck_name_difference(trial->findings, before, "a Response on another connection");
}

// Whether a fence of the step was never answered, although a later one was.
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
            answered += message->fence == JCK_FENCE_ANSWER || message->fence == JCK_FENCE_LATE;
        }
    }
    return answered > 0 && sent > answered;
}

// Takes the Responses to calls of other connections out, and reports them.
static void fold_foreign(jck_trial *trial, jck_answers *answers)
{
    size_t kept = 0;
    jrpc_json foreign = JRPC_JSON_ABSENT;
    for (size_t i = 0; i < answers->count; i++) {
        if (jck_is_of_another_connection(trial, answers->connection, answers->replies[i])) {
            foreign = answers->replies[i];
        } else {
            answers->replies[kept++] = answers->replies[i];
        }
    }
    answers->count = kept;
    if (jrpc_json_exists(foreign)) {
        jck_add_foreign(trial, answers->step, foreign);
    }
}

// Takes out what came in the place of a fence's answer, and reports it.
static void fold_spoilt(jck_trial *trial, jck_answers *answers)
{
    if (answers->count < 2 || answers->owed.kind == JCK_OWED_BATCH ||
        !has_lost_fence(trial, answers)) {
        return;
    }
    size_t before = trial->findings->count;
    jrpc_json second = jrpc_json_get(answers->replies[1], "id");
    if (jck_code_of(answers->replies[1]) == JRPC_METHOD_NOT_FOUND &&
        jrpc_json_is(second, JRPC_JSON_NULL)) {
        jck_add_finding(trial->findings, answers->step, JCK_ROLE_SAME_ID,
                        "expected the id of the valid call that was sent next; got id null");
        jck_name_difference(trial->findings, before, "null in the place of an id");
        answers->count = 1;
        return;
    }
    jck_add_finding(trial->findings, answers->step,
                    jck_sent_valid_alone(trial) ? JCK_ROLE_SURVIVES_VALID
                                                : JCK_ROLE_SURVIVES_MALFORMED,
                    "the valid call that was sent next did not get its answer; %zu messages came "
                    "in all; the second: %s",
                    answers->count, jck_shown(trial, answers->replies[1]));
    jck_name_difference(trial->findings, before, "the next call is spoilt");
    answers->count = 1;
}

// A stream that the target declares gives its result in parts, each with the id of the call: they
// are one answer, and the last part stands for all.
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

// The same Response, word for word, more than once: that is reported once, and the Response judged.
static void fold_repeats(jck_trial *trial, jck_answers *answers)
{
    if (answers->count < 2 || answers->owed.kind == JCK_OWED_NOTHING) {
        return;
    }
    for (size_t i = 1; i < answers->count; i++) {
        if (!jrpc_json_equal(answers->replies[0], answers->replies[i])) {
            return;
        }
    }
    size_t before = trial->findings->count;
    jck_add_surplus(trial, answers);
    jck_name_difference(trial->findings, before, "a call answered twice");
    answers->count = 1;
}

void jck_fold_surplus(jck_trial *trial, jck_answers *answers)
{
    fold_stream(answers);
    fold_foreign(trial, answers);
    fold_spoilt(trial, answers);
    fold_repeats(trial, answers);
}

void jck_add_surplus(jck_trial *trial, const jck_answers *answers)
{
    if (answers->count < 2) {
        return;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step, JCK_ROLE_RESPONSE_OWED,
                    "expected one Response; %zu messages came; the second: %s", answers->count,
                    jck_shown(trial, answers->replies[1]));
    jck_name_difference(trial->findings, before,
                        answers->owed.kind == JCK_OWED_BATCH ? "Responses without an Array"
                                                             : "more than one message");
}
