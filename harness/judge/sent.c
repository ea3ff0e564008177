#include "harness/judge/sent.h"

#include "reference/json/equal.h"

// The bytes that are left of an id, quotes included, for it to be known as a part of that id.
#define LEAST_OF_ID ((size_t)6)

// Whether an id that came is a String, but not the whole of the String that was sent.
static bool is_cut(jrpc_json sent, jrpc_json came)
{
    jrpc_slice whole = jrpc_json_spelling(sent);
    jrpc_slice part = jrpc_json_spelling(came);
    return jrpc_json_is(sent, JRPC_JSON_STRING) && jrpc_json_is(came, JRPC_JSON_STRING) &&
           part.len > LEAST_OF_ID && part.len < whole.len &&
           jrpc_slice_starts_with(whole, jrpc_slice_of(part.ptr, part.len - 1));
}

bool jck_was_sent_longer(jck_trial *trial, char connection, jrpc_json id)
{
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction != JCK_SENT || sent->connection != connection) {
            continue;
        }
        jrpc_json value = jck_trial_read(trial, sent->bytes, NULL);
        bool cut = is_cut(jrpc_json_get(value, "id"), id);
        jrpc_json_iterator it =
            jrpc_json_iterate(jrpc_json_is(value, JRPC_JSON_ARRAY) ? value : JRPC_JSON_ABSENT);
        while (!cut && jrpc_json_step(&it)) {
            cut = is_cut(jrpc_json_get(it.value, "id"), id);
        }
        if (cut) {
            return true;
        }
    }
    return false;
}

bool jck_was_sent(jck_trial *trial, char connection, jrpc_json id)
{
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction != JCK_SENT || sent->connection != connection) {
            continue;
        }
        jrpc_json value = jck_trial_read(trial, sent->bytes, NULL);
        bool array = jrpc_json_is(value, JRPC_JSON_ARRAY);
        bool same = !array && jrpc_json_equal(jrpc_json_get(value, "id"), id);
        jrpc_json_iterator it = jrpc_json_iterate(array ? value : JRPC_JSON_ABSENT);
        while (!same && jrpc_json_step(&it)) {
            same = jrpc_json_equal(jrpc_json_get(it.value, "id"), id);
        }
        if (same) {
            return true;
        }
    }
    return false;
}
