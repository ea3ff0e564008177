// An answer that differs from the one its call requires, while several are in flight.
#include "harness/judge/other.h"

#include "harness/judge/batch.h"
#include "harness/judge/blame.h"
#include "harness/judge/envelope.h"
#include "harness/judge/wanted.h"

#include "harness/judge/repeats.h"
#include "harness/judge/response.h"
#include "reference/json/equal.h"

// Whether the text that was sent is the call with this id; then it is noted.
static bool take_call(jck_trial *trial, jrpc_slice sent, jrpc_json id, jck_answers *of_call)
{
    jck_owed owed = jck_trial_owed(trial, sent);
    if (owed.id_sent && jrpc_json_equal(owed.id, id)) {
        of_call->sent = sent;
        of_call->owed = owed;
        return true;
    }
    return false;
}

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
            // Several messages in one write are lines.
            bool found = take_call(trial, sent->bytes, id, &of_call) ||
                         !jrpc_slice_contains(sent->bytes, JRPC_SLICE("\n"));
            jrpc_slice line;
            for (jrpc_slice rest = sent->bytes; !found && jrpc_slice_take_line(&rest, &line);) {
                found = take_call(trial, line, id, &of_call);
            }
        }
    }
    return of_call;
}

void jck_add_other_answer(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                          jrpc_json reply, jrpc_slice otherwise)
{
    jrpc_json id = jck_stated_id(trial, pattern);
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

void jck_add_other_batch(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                         jrpc_json reply)
{
    static const jrpc_slice nobody = {NULL, 0};
    const jck_evidence *evidence = trial->evidence;
    jck_answers of_batch = {.step = answers->step,
                            .connection = answers->connection,
                            .owed = {.kind = JCK_OWED_UNKNOWN},
                            .replies = &reply,
                            .count = 1};
    for (size_t i = 0; i < evidence->count && of_batch.owed.kind != JCK_OWED_BATCH; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction == JCK_SENT && sent->role == JCK_MESSAGE_OF_CASE &&
            sent->connection == answers->connection) {
            of_batch.sent = sent->bytes;
            of_batch.owed = jck_trial_owed(trial, sent->bytes);
        }
    }
    jck_judge_batch(trial, jrpc_json_get(pattern, "$batch"), &of_batch, nobody);
}

bool jck_describes_answer(jrpc_json pattern)
{
    return jrpc_json_exists(jrpc_json_get(pattern, "id")) &&
           (jrpc_json_exists(jrpc_json_get(pattern, "error")) ||
            jrpc_json_exists(jrpc_json_get(pattern, "result")));
}

// Whether the case sent a call with this id outside of a batch, perhaps with others in one write.
static bool was_sent_alone(const jck_trial *trial, char connection, jrpc_json id)
{
    jrpc_slice spelling = jrpc_json_spelling(id);
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; i < evidence->count && spelling.len > 0; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction == JCK_SENT && sent->role == JCK_MESSAGE_OF_CASE &&
            sent->connection == connection &&
            jrpc_slice_starts_with(sent->bytes, JRPC_SLICE("{")) &&
            jrpc_slice_contains(sent->bytes, spelling)) {
            return true;
        }
    }
    return false;
}

void jck_take_out_of_arrays(jck_trial *trial, const jck_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        jrpc_json reply = answers->replies[i];
        jrpc_json element = jrpc_json_is(reply, JRPC_JSON_ARRAY) && jrpc_json_count(reply) == 1
                                ? jrpc_json_element(reply, 0)
                                : JRPC_JSON_ABSENT;
        jrpc_json id = jrpc_json_get(element, "id");
        if (jrpc_json_exists(id) && jck_answer_kind_of(element) == JCK_ANSWER_RESPONSE &&
            was_sent_alone(trial, answers->connection, id)) {
            jck_add_wrapped(trial, answers, JCK_ROLE_RESPONSE_OWED, reply);
            answers->replies[i] = element;
        }
    }
}

static bool is_in_an_array(const jck_answers *answers)
{
    return answers->count == 1 && jrpc_json_is(answers->replies[0], JRPC_JSON_ARRAY);
}

// Whether each element of a batch is a call with id null: then `[]` shows that such calls are taken
// for notifications.
static bool has_only_null_ids(jrpc_json batch)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); jrpc_json_step(&it);) {
        if (jrpc_message_classify(it.value).kind != JRPC_MESSAGE_CALL ||
            !jrpc_json_is(jrpc_json_get(it.value, "id"), JRPC_JSON_NULL)) {
            return false;
        }
    }
    return true;
}

// The role of the rule that the answer `[]` breaks, whatever the case tests: neither a Response nor
// an Array of Responses can be empty. NONE if the case decides.
static jck_role role_of_empty_array(const jck_answers *answers)
{
    switch (answers->owed.kind) {
    case JCK_OWED_RESPONSE:
        return answers->owed.input == JRPC_INPUT_EMPTY_BATCH ? JCK_ROLE_BATCH_EMPTY : JCK_ROLE_NONE;
    case JCK_OWED_BATCH: {
        jrpc_json first = jrpc_json_element(answers->owed.batch, 0);
        if (has_only_null_ids(answers->owed.batch)) {
            return JCK_ROLE_NONE;
        }
        return jrpc_json_is(first, JRPC_JSON_ARRAY) ? JCK_ROLE_BATCH_NESTED
               : jrpc_message_classify(first).kind == JRPC_MESSAGE_CALL
                   ? JCK_ROLE_BATCH_EACH_CALL
                   : JCK_ROLE_BATCH_INVALID_ELEMENTS;
    }
    case JCK_OWED_NOTHING:
        return answers->owed.input == JRPC_INPUT_BATCH ? JCK_ROLE_BATCH_OF_NOTIFICATIONS
                                                       : JCK_ROLE_NONE;
    case JCK_OWED_UNKNOWN:
        break;
    }
    return JCK_ROLE_NONE;
}

void jck_add_wrapped(jck_trial *trial, const jck_answers *answers, jck_role role, jrpc_json array)
{
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, answers->step, role,
                    "expected one Response; got it in an Array: %s", jck_shown(trial, array));
    jck_name_difference(trial->findings, before,
                        role == JCK_ROLE_BATCH_PARSE_ERROR ? "a parse error in an Array"
                                                           : "a Response in an Array");
}

// Reports one Response inside an Array, whatever the case tests: neither a single message nor text
// that is not JSON is a batch.
static bool find_wrapped(jck_trial *trial, const jck_answers *answers)
{
    bool of_text = answers->owed.input == JRPC_INPUT_PARSE_ERROR ||
                   answers->owed.kind == JCK_OWED_UNKNOWN; // nested too deep
    bool of_one =
        answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.input == JRPC_INPUT_SINGLE;
    if (!is_in_an_array(answers) || jrpc_json_count(answers->replies[0]) != 1) {
        return false;
    }
    jrpc_json element = jrpc_json_element(answers->replies[0], 0);
    bool of_error = of_text && jck_is_parse_error(element);
    bool of_object = jrpc_slice_starts_with(answers->sent, JRPC_SLICE("{")) &&
                     jck_code_of(element) == JRPC_INVALID_REQUEST;
    if (!of_error && !of_object && (!of_one || !jrpc_json_is(element, JRPC_JSON_OBJECT))) {
        return false;
    }
    jck_add_wrapped(trial, answers, of_error ? JCK_ROLE_BATCH_PARSE_ERROR : JCK_ROLE_RESPONSE_OWED,
                    answers->replies[0]);
    return true;
}

bool jck_add_array(jck_trial *trial, const jck_answers *answers)
{
    if (find_wrapped(trial, answers)) {
        return true;
    }
    jck_role role = role_of_empty_array(answers);
    if (!is_in_an_array(answers) || role == JCK_ROLE_NONE) {
        return false;
    }
    bool empty = jrpc_json_count(answers->replies[0]) == 0;
    if (!empty && answers->owed.input != JRPC_INPUT_EMPTY_BATCH) {
        return false;
    }
    const char *wanted = answers->owed.kind == JCK_OWED_RESPONSE ? "one Response"
                         : answers->owed.kind == JCK_OWED_BATCH  ? "an Array of Responses"
                                                                 : "no Response";
    jck_add_finding(trial->findings, answers->step, role, "expected %s; got an %s", wanted,
                    empty ? "empty Array" : "Array");
    return true;
}
