#include "harness/judge/sent.h"

#include "reference/json/equal.h"

jck_sent_walk jck_walk_sent_of_case(jck_trial *trial)
{
    return (jck_sent_walk){.trial = trial, .of_case = true};
}

jck_sent_walk jck_walk_sent_on(jck_trial *trial, char connection)
{
    return (jck_sent_walk){.trial = trial, .connection = connection};
}

static bool is_walked(const jck_sent_walk *walk, const jck_message *message)
{
    return message->direction == JCK_SENT &&
           (!walk->of_case || message->role == JCK_MESSAGE_OF_CASE) &&
           (walk->connection == '\0' || message->connection == walk->connection);
}

static bool next_message(jck_sent_walk *walk)
{
    const jck_evidence *evidence = walk->trial->evidence;
    while (walk->next < evidence->count) {
        walk->message = &evidence->messages[walk->next++];
        if (is_walked(walk, walk->message)) {
            return true;
        }
    }
    return false;
}

bool jck_sent_step(jck_sent_walk *walk)
{
    while (!jrpc_json_step(&walk->elements)) {
        if (!next_message(walk)) {
            return false;
        }
        walk->value = jck_trial_read(walk->trial, walk->message->bytes, NULL);
        if (!jrpc_json_is(walk->value, JRPC_JSON_ARRAY)) {
            return true;
        }
        walk->elements = jrpc_json_iterate(walk->value);
    }
    walk->value = walk->elements.value;
    return true;
}

// An id of at most so many bytes, quotes included, is too short to be known as the beginning of
// another one.
#define SHORT_ID ((size_t)6)

// Whether an id that came is only the beginning of the String that was sent as one.
static bool is_cut(jrpc_json sent, jrpc_json came)
{
    jrpc_slice whole = jrpc_json_spelling(sent);
    jrpc_slice part = jrpc_json_spelling(came);
    return jrpc_json_is(sent, JRPC_JSON_STRING) && jrpc_json_is(came, JRPC_JSON_STRING) &&
           part.len > SHORT_ID && part.len < whole.len &&
           jrpc_slice_starts_with(whole, jrpc_slice_of(part.ptr, part.len - 1));
}

bool jck_was_sent_longer(jck_trial *trial, char connection, jrpc_json id)
{
    jck_sent_walk walk = jck_walk_sent_on(trial, connection);
    while (jck_sent_step(&walk)) {
        if (is_cut(jrpc_json_get(walk.value, "id"), id)) {
            return true;
        }
    }
    return false;
}

bool jck_was_sent(jck_trial *trial, char connection, jrpc_json id)
{
    jck_sent_walk walk = jck_walk_sent_on(trial, connection);
    while (jck_sent_step(&walk)) {
        if (jrpc_json_equal(jrpc_json_get(walk.value, "id"), id)) {
            return true;
        }
    }
    return false;
}
