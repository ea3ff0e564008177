#include "harness/session/attribution.h"

#include "harness/judge/owed.h"
#include "reference/rpc/message.h"

// Whether a message can only be the answer to something whose id could not be read.
static bool is_of_nobody(jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return jrpc_json_is(jrpc_json_get(value, "id"), JRPC_JSON_NULL) &&
               jrpc_json_exists(jrpc_json_get(value, "error"));
    }
    bool all = jrpc_json_count(value) > 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); all && jrpc_json_step(&it);) {
        all = !jrpc_json_is(it.value, JRPC_JSON_ARRAY) && is_of_nobody(it.value);
    }
    return all;
}

// Whether what was sent can be answered with an error that lacks its id.
static bool may_be_refused(const jck_exec *exec, const jck_message *sent)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_owed owed = jck_owed_for(sent->bytes, jck_variables_absent(exec->variables), &document);
    bool single = owed.input == JRPC_INPUT_SINGLE;
    bool in_order = single && owed.message.kind != JRPC_MESSAGE_INVALID;
    if (owed.input == JRPC_INPUT_BATCH) {
        in_order = true;
        for (jrpc_json_iterator it = jrpc_json_iterate(owed.batch); jrpc_json_step(&it);) {
            in_order = in_order && jrpc_message_classify(it.value).kind != JRPC_MESSAGE_INVALID;
        }
    }
    jrpc_json_document_done(&document);
    return !in_order;
}

static bool is_of(const jck_message *message, jck_direction direction, char connection, int step)
{
    return message->direction == direction && message->role == JCK_MESSAGE_OF_CASE &&
           message->connection == connection && message->step == step;
}

static bool sent_refusable(const jck_exec *exec, char connection, int step)
{
    const jck_evidence *evidence = exec->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        if (is_of(&evidence->messages[i], JCK_SENT, connection, step)) {
            return may_be_refused(exec, &evidence->messages[i]);
        }
    }
    return false;
}

static bool was_answered(const jck_exec *exec, char connection, int step)
{
    const jck_evidence *evidence = exec->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        if (is_of(&evidence->messages[i], JCK_RECEIVED, connection, step) &&
            !evidence->messages[i].originated) {
            return true;
        }
    }
    return false;
}

int jck_exec_step_refused(const jck_exec *exec, char connection, jrpc_json value)
{
    const jck_step *steps = exec->test_case->steps;
    if (exec->step == 0 || steps[exec->step].kind != JCK_STEP_SEND || !is_of_nobody(value) ||
        sent_refusable(exec, connection, exec->step)) {
        return exec->step;
    }
    for (int step = 0; step < exec->step; step++) {
        // What an expectation leaves to a later step is judged there.
        bool judged =
            steps[step].kind == JCK_STEP_SEND && steps[step].expect.kind != JCK_EXPECT_UNSTATED;
        if (judged && sent_refusable(exec, connection, step) &&
            !was_answered(exec, connection, step)) {
            return step;
        }
    }
    return exec->step;
}
