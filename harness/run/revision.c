#include "harness/run/revision.h"

#include "harness/link/open.h"
#include "harness/link/prelude.h"
#include "reference/json/read.h"

#include <stdio.h>

static bool is_named_by(jrpc_json spoken, jrpc_slice revision, bool beside_others)
{
    if (beside_others && jrpc_json_count(spoken) < 2) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(spoken);
         jrpc_json_is(spoken, JRPC_JSON_ARRAY) && jrpc_json_step(&it);) {
        if (jrpc_json_string_is(it.value, revision)) {
            return true;
        }
    }
    return jrpc_json_string_is(spoken, revision);
}

// Compares what the prelude captured with what was asked for.
static jck_revision_answer compare(jck_link *link, const jck_revision_trial *trial, char *spoken,
                                   size_t size)
{
    jrpc_slice spelling;
    jrpc_json_document document;
    jck_revision_answer answer = JCK_REVISION_REFUSED;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jck_variables_resolve(&link->captured, JRPC_SLICE("revision"), &spelling) &&
        jrpc_json_read(&document, spelling, JCK_MESSAGE_DEPTH, NULL)) {
        (void)snprintf(spoken, size, "%.*s", (int)spelling.len, spelling.ptr);
        answer = is_named_by(jrpc_json_root(&document), trial->revision, trial->beside_others)
                     ? JCK_REVISION_SPOKEN
                     : JCK_REVISION_OTHER;
    }
    jrpc_json_document_done(&document);
    return answer;
}

jck_revision_answer jck_revision_try(const jck_revision_trial *trial, char *spoken, size_t size,
                                     jrpc_error *error)
{
    jck_link link;
    spoken[0] = '\0';
    jck_link_init(&link, trial->target, trial->timing, trial->clock, trial->interrupt_fd,
                  trial->nonce, trial->host);
    jck_link_status status = jck_link_open(&link, 'a', error);
    jck_revision_answer answer = status == JCK_LINK_INTERRUPTED ? JCK_REVISION_INTERRUPTED
                                 : !link.opening.connected      ? JCK_REVISION_UNOPENED
                                                           : compare(&link, trial, spoken, size);
    jck_link_farewell(&link);
    jck_link_done(&link);
    return answer;
}
