#include "fuzz/session/stale.h"

#include "harness/judge/trial.h"
#include "reference/json/read.h"

enum { DEPTH = 4096 };

// The last one on the same connection, in an earlier step; NULL: there is none.
static const jck_message *find_before(const exchange *e, const jck_message *message)
{
    const jck_message *found = NULL;
    for (size_t i = 0; i < e->evidence.count; i++) {
        const jck_message *one = &e->evidence.messages[i];
        if (one->direction == JCK_RECEIVED && one->role == JCK_MESSAGE_OF_CASE &&
            one->connection == message->connection && one->step < message->step) {
            found = one;
        }
    }
    return found;
}

static bool has_id_of_ours(jrpc_slice text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool ours = jrpc_json_read(&document, text, DEPTH, NULL) &&
                jck_is_id_of_ours(jrpc_json_get(jrpc_json_root(&document), "id"));
    jrpc_json_document_done(&document);
    return ours;
}

bool stale_put(const exchange *e, const jck_message *message, jrpc_buffer *text)
{
    const jck_message *before = find_before(e, message);
    jrpc_slice said = jrpc_buffer_slice(text);
    if (before == NULL || e->test_case->steps[message->step].expect.kind != JCK_EXPECT_RESPONSE ||
        jrpc_slice_equal(before->bytes, said) || !has_id_of_ours(before->bytes) ||
        !has_id_of_ours(said)) {
        return false;
    }
    jrpc_buffer_clear(text);
    return jrpc_buffer_append(text, before->bytes);
}
