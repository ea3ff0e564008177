// The first opening of a target: whether it can be tested at all.
#include "harness/run/discover.h"
#include "harness/run/worker.h"

#define VERDICT_BYTES ((size_t)1 << 20)

bool jck_worker_open(jck_worker *worker, bool *ret_silence)
{
    jrpc_error error = {0};
    jck_link_status status = jck_link_open(&worker->link, 'a', &error);
    *ret_silence = status == JCK_LINK_MUTE || status == JCK_LINK_ECHOES;
    switch (status) {
    case JCK_LINK_OK:
        if (worker->ledger->options->discover) {
            jck_discover(&worker->link);
        }
        return true;
    case JCK_LINK_UNOPENED:
        jck_ledger_stop(worker->ledger, JCK_RUN_UNOPENED, &error);
        return false;
    case JCK_LINK_MUTE:
    case JCK_LINK_ECHOES:
        jck_ledger_stop(worker->ledger, JCK_RUN_MUTE, &error);
        return false;
    case JCK_LINK_INTERRUPTED:
        jck_ledger_stop(worker->ledger, JCK_RUN_INTERRUPTED, NULL);
        return false;
    case JCK_LINK_FAULT:
        jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, &error);
        return false;
    }
    return false;
}

// The fence that went unanswered is the evidence: a call like that of the ground case.
static bool record_fence(jck_worker *worker, jck_evidence *evidence)
{
    jrpc_buffer fence;
    jrpc_buffer_init(&fence, jrpc_allocator_heap(), 1024);
    bool written = jck_fence_write(&jck_link_connection(&worker->link, 'a')->fence,
                                   worker->link.nonce, 1, &fence);
    jrpc_slice sent = jrpc_buffer_slice(&fence);
    bool recorded = written && jck_evidence_add(evidence, &(jck_message){.direction = JCK_SENT,
                                                                         .connection = 'a',
                                                                         .bytes = sent,
                                                                         .true_len = sent.len});
    jrpc_slice words = jrpc_slice_str(worker->link.first_words);
    if (recorded && words.len > 0) {
        recorded = jck_evidence_add(evidence, &(jck_message){.direction = JCK_RECEIVED,
                                                             .role = JCK_MESSAGE_NOISE,
                                                             .connection = 'a',
                                                             .bytes = words,
                                                             .true_len = words.len});
    }
    jrpc_buffer_done(&fence);
    return recorded;
}

void jck_worker_tell_silence(jck_worker *worker)
{
    const jck_ledger *ledger = worker->ledger;
    const jck_case *ground = worker->plan->ground_count > 0 ? worker->plan->grounds[0] : NULL;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), VERDICT_BYTES);
    jck_verdict verdict = {.outcome = JCK_OUTCOME_FAIL, .conformant = false};
    jck_evidence evidence;
    if (ground != NULL && jck_evidence_init(&evidence, &arena, ground->step_count) &&
        record_fence(worker, &evidence)) {
        jck_findings_init(&verdict.findings, &arena, ledger->options->suite, ground);
        jck_add_finding(&verdict.findings, 0, JCK_ROLE_RESPONSE_OWED, "%s",
                        ledger->result.error.message);
        if (worker->link.first_words[0] == '{' &&
            worker->link.target->framing == JRPC_FRAMING_LINE && !worker->link.echoes) {
            jck_add_finding(
                &verdict.findings, 0, JCK_ROLE_ONE_LINE,
                "over lines a message is one line that ends with a line feed; this target's are "
                "not: %s",
                worker->link.first_words);
        }
        if (worker->link.echoes || worker->link.first_status != 0) {
            verdict.outcome = JCK_OUTCOME_FAIL;
        } else {
            verdict.outcome = JCK_OUTCOME_HANG;
            evidence.muteness = JCK_HUNG;
        }
        const jck_told told = {.kind = "case",
                               .test_case = ground,
                               .outcome = verdict.outcome,
                               .verdict = &verdict,
                               .evidence = &evidence};
        jck_ledger_tell(worker->ledger, &told);
    }
    jrpc_arena_done(&arena);
}
