// The end of an execution: how the target ended, what stands behind muteness, what it said last.
#include "harness/session/collect.h"

#include "reference/base/limits.h"

static bool is_orderly(const jck_target *target, jrpc_peer_ending ending)
{
    if (ending.kind != JRPC_END_EXITED) {
        return false;
    }
    bool orderly = ending.value == 0;
    for (size_t i = 0; i < target->orderly_status_count; i++) {
        orderly = orderly || target->orderly_statuses[i] == ending.value;
    }
    return orderly;
}

// How long after its connection a process that crashed may take to be gone: long at first, less for
// a target that was seen to close connections and to live.
#define FOLLOW_MS 150
#define FOLLOW_LEAST_MS 10

static void conclude_end(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    jck_connection *open = jck_link_connection(link, 'a');
    jck_evidence *evidence = exec->evidence;
    int64_t deadline = jrpc_deadline_in_ms(link->clock, link->timing.grace_ms);
    if (open->peer != NULL) {
        evidence->end = jrpc_peer_end(open->peer, deadline);
    }
    const jrpc_peer_ending ending = evidence->end;
    evidence->process_gone = ending.kind == JRPC_END_EXITED || ending.kind == JRPC_END_SIGNALED;
    if (!evidence->process_gone && jck_host_is_used(link->host)) {
        // The connection is gone; the process behind it may be about to follow.
        int64_t follow_ms = FOLLOW_MS >> link->survived;
        follow_ms = follow_ms < FOLLOW_LEAST_MS ? FOLLOW_LEAST_MS : follow_ms;
        int64_t soon = jrpc_deadline_in_ms(link->clock, follow_ms);
        jck_host_end end;
        bool gone = jck_host_is_gone(link->host, exec->evidence->generation, soon, &end);
        exec->disturbed = gone && end.by_us;
        evidence->process_gone = gone && !end.by_us;
        link->survived = gone ? 0 : link->survived < 8 ? link->survived + 1 : 8;
        evidence->end = evidence->process_gone ? end.ending : evidence->end;
    }
    if (evidence->process_gone) {
        // Where the process is the connection, it may leave with it, by whatever status; a signal
        // is a crash all the same, and so is the end of a server of many connections.
        bool left_with_us = exec->closed_write && !jck_host_is_used(link->host) &&
                            evidence->end.kind == JRPC_END_EXITED;
        evidence->orderly = is_orderly(link->target, evidence->end) || left_with_us;
    }
}

static void keep_stderr(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    jck_connection *open = jck_link_connection(link, 'a');
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    if (jck_host_is_used(link->host)) {
        jck_host_stderr_tail(link->host, exec->evidence->generation, &tail);
    } else if (open->peer != NULL) {
        jrpc_peer_stderr_tail(open->peer, &tail);
    }
    (void)jrpc_arena_copy(exec->evidence->arena, jrpc_buffer_slice(&tail),
                          &exec->evidence->stderr_tail);
    jrpc_buffer_done(&tail);
}

void jck_exec_conclude(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    if (exec->gone) {
        conclude_end(exec);
    }
    jck_host_end end;
    if (exec->mute && jck_host_is_gone(link->host, exec->evidence->generation, 0, &end)) {
        exec->disturbed = end.by_us;
    }
    if (exec->mute) {
        exec->evidence->muteness = jck_link_answers_elsewhere(link) ? JCK_STUCK : JCK_HUNG;
    }
    if (exec->gone || exec->mute || exec->flooded) {
        keep_stderr(exec);
    }
    if (exec->gone || exec->mute || exec->flooded || exec->unfenced) {
        jck_link_drop(link);
    }
    if (exec->evidence->muteness == JCK_HUNG && !exec->disturbed) {
        jck_link_stop(link); // only a new process can answer again
    }
    exec->evidence->duration_us = jrpc_clock_now_us(link->clock) - exec->began_us;
}
