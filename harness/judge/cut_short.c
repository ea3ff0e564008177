#include "harness/judge/cut_short.h"

#include "harness/judge/finding.h"

// Longer than this the rest of a message is not looked for: a wrong count lacks a few bytes.
#define REST_BYTES ((size_t)1 << 16)

// The bytes outside of any frame that came next on the connection after a message, or NULL.
static const jck_message *noise_after(const jck_trial *trial, const jck_message *message)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_message *end = evidence->messages + evidence->count;
    for (const jck_message *next = message + 1; next < end; next++) {
        if (next->direction == JCK_RECEIVED && next->connection == message->connection) {
            return next->role == JCK_MESSAGE_NOISE && next->http_status == 0 ? next : NULL;
        }
    }
    return NULL;
}

bool jck_is_cut_by_its_length(jck_trial *trial, const jck_message *message, size_t *ret_len)
{
    const jck_message *rest = message->role == JCK_MESSAGE_NOISE || message->bytes.len == 0
                                  ? NULL
                                  : noise_after(trial, message);
    if (rest == NULL || rest->bytes.len > REST_BYTES || rest->true_len > rest->bytes.len ||
        message->true_len > message->bytes.len) {
        return false;
    }
    size_t len = message->bytes.len + rest->bytes.len;
    char *joined = jrpc_arena_array(trial->arena, len, 1);
    if (joined == NULL) {
        trial->findings->failed = true;
        return false;
    }
    memcpy(joined, message->bytes.ptr, message->bytes.len);
    memcpy(joined + message->bytes.len, rest->bytes.ptr, rest->bytes.len);
    *ret_len = len;
    return jrpc_json_exists(jck_trial_read(trial, jrpc_slice_of(joined, len), NULL));
}

bool jck_add_cut_by_length(jck_trial *trial, const jck_message *message, int step)
{
    size_t len = 0;
    if (!jck_is_cut_by_its_length(trial, message, &len)) {
        return false;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, step, JCK_ROLE_FRAME_HEAD,
                    "the Content-Length of a message is %zu, but the message has %zu bytes: %s",
                    message->bytes.len, len, jck_excerpt(trial->arena, message->bytes, 120));
    jck_name_difference(trial->findings, before, "a Content-Length that is less than the bytes");
    return true;
}
