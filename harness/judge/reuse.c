#include "harness/judge/reuse.h"

#include "reference/json/equal.h"

// Whether a message, or an element of a batch, has the id.
static bool has_id(jck_trial *trial, const jck_message *message, jrpc_json id)
{
    jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
    jrpc_json_iterator elements = jrpc_json_iterate(value);
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return jrpc_json_equal(jrpc_json_get(value, "id"), id);
    }
    while (jrpc_json_step(&elements)) {
        if (jrpc_json_equal(jrpc_json_get(elements.value, "id"), id)) {
            return true;
        }
    }
    return false;
}

// Whether any of the messages was sent on the connection with the id, before `step`, and something
// came after it, also before `step`: it was not in flight any more.
static bool is_used_in(jck_trial *trial, const jck_evidence *evidence, char connection, int step,
                       jrpc_json id)
{
    bool used = false;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->connection != connection || message->step >= step) {
            continue;
        }
        if (message->direction == JCK_RECEIVED && used) {
            return true;
        }
        used = used || (message->direction == JCK_SENT && has_id(trial, message, id));
    }
    return false;
}

// The same for the messages of earlier cases, which are not in flight any more.
static bool was_used_earlier(jck_trial *trial, char connection, jrpc_json id)
{
    const jck_evidence *earlier = trial->evidence->earlier;
    for (size_t i = 0; earlier != NULL && i < earlier->count; i++) {
        const jck_message *message = &earlier->messages[i];
        if (message->connection == connection && has_id(trial, message, id)) {
            return true;
        }
    }
    return false;
}

bool jck_uses_id_again(jck_trial *trial, const jck_answers *answers)
{
    jrpc_json id = answers->owed.id;
    return answers->owed.id_sent && !jrpc_json_is(id, JRPC_JSON_NULL) &&
           (is_used_in(trial, trial->evidence, answers->connection, answers->step, id) ||
            was_used_earlier(trial, answers->connection, id));
}
