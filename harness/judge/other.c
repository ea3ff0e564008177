// An answer that differs from the one its call requires, while several are in flight.
#include "harness/judge/other.h"

#include "harness/judge/blame.h"
#include "harness/judge/wanted.h"

#include "reference/json/equal.h"

// What the specification requires for the call with this id, and the reply to it.
static jck_answers answers_of_call(jck_trial *trial, const jck_answers *step, jrpc_json id,
                                   jrpc_json *reply)
{
    const jck_evidence *evidence = trial->evidence;
    jck_answers of_call = {.step = step->step,
                           .connection = step->connection,
                           .owed = {.kind = JCK_OWED_UNKNOWN},
                           .replies = reply,
                           .count = 1};
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction == JCK_SENT && sent->role == JCK_MESSAGE_OF_CASE &&
            sent->connection == step->connection) {
            jck_owed owed = jck_trial_owed(trial, sent->bytes);
            if (owed.id_sent && jrpc_json_equal(owed.id, id)) {
                of_call.sent = sent->bytes;
                of_call.owed = owed;
            }
        }
    }
    return of_call;
}

void jck_add_other_answer(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                          jrpc_json reply, jrpc_slice otherwise)
{
    jrpc_json id = jck_pattern_value(&trial->matching, jrpc_json_get(pattern, "id"));
    jck_answers of_call = answers_of_call(trial, answers, id, &reply);
    jck_difference difference = JCK_DIFFERENCE_SHAPE;
    if (jck_response_matches(trial, pattern, reply, JRPC_JSON_ABSENT, of_call.owed.absent,
                             &difference) ||
        jck_blocked_by_params_shape(trial, &of_call)) {
        return;
    }
    if (difference == JCK_DIFFERENCE_ID) {
        jck_add_wrong_id(trial, &of_call, pattern, id, reply);
        return;
    }
    size_t before = trial->findings->count;
    jck_add_finding_of(
        trial->findings, answers->step, jck_blamed_rule(trial, &of_call, difference, otherwise),
        "expected %s; got %s: %s", jck_describe_response(trial, pattern), jck_shown(trial, reply),
        jck_describe_response_difference(trial, pattern, &of_call, reply));
    jck_name_response_difference(trial, before, pattern, &of_call, reply);
}
