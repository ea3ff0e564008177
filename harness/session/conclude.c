// The end of an execution: how the target ended, why it went mute, its last output.
#include "harness/session/conclude.h"

#include "harness/link/open.h"
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

static bool any_is(const jck_link *link, jck_connection_state state)
{
    bool any = false;
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX && !any; i++) {
        any = link->connections[i].state == state;
    }
    return any;
}

// Whether a step has closed a connection.
static bool closed_our_side(const jck_exec *exec)
{
    for (size_t i = 0; i < exec->test_case->step_count; i++) {
        const jck_step *step = &exec->test_case->steps[i];
        if (step->kind == JCK_STEP_CLOSE && exec->evidence->settled[i] != JCK_NOT_RUN) {
            return true;
        }
    }
    return false;
}

// Whether the process behind closed connections is gone, as it soon will be if it crashed; *ret_end
// says how.
static bool process_followed(jck_exec *exec, jck_host_end *ret_end)
{
    jck_link *link = exec->session->link;
    unsigned outlived = link->learned.outlived;
    int64_t follow_ms = JCK_FOLLOW_MS >> outlived;
    follow_ms = follow_ms < JCK_FOLLOW_LEAST_MS ? JCK_FOLLOW_LEAST_MS : follow_ms;
    bool gone = jck_host_follows(link->host, exec->evidence->generation, follow_ms, ret_end);
    link->learned.outlived = gone ? 0 : outlived < 8 ? outlived + 1 : 8;
    return gone;
}

// How it ended. False if another worker ended the process.
static bool conclude_end(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    jck_connection *first = jck_link_connection(link, 'a');
    jck_evidence *evidence = exec->evidence;
    jck_host_end end;
    if (first->state != JCK_CONNECTION_CLOSED) {
        evidence->end =
            jrpc_peer_end(first->peer, jrpc_deadline_in_ms(link->clock, link->timing.grace_ms));
    }
    evidence->process_gone =
        evidence->end.kind == JRPC_END_EXITED || evidence->end.kind == JRPC_END_SIGNALED;
    bool undisturbed = true;
    if (!evidence->process_gone && jck_host_is_used(link->host) && process_followed(exec, &end)) {
        undisturbed = !end.by_us;
        evidence->process_gone = undisturbed;
        evidence->end = undisturbed ? end.ending : evidence->end;
        jck_host_note_seen(link->host, evidence->generation);
    }
    if (evidence->process_gone) {
        // A process with a single connection may exit with it, with any status. But a signal is a
        // crash, and so is the end of a server of many connections.
        bool left_with_us = closed_our_side(exec) && !jck_host_is_used(link->host) &&
                            evidence->end.kind == JRPC_END_EXITED;
        evidence->orderly = is_orderly(link->target, evidence->end) || left_with_us;
    }
    return undisturbed;
}

// If a connection is mute, records what comes on the other connections of the case: its answers may
// go there.
static void listen_elsewhere(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        const jck_connection *other = &link->connections[i];
        int64_t deadline_us = jrpc_deadline_in_ms(link->clock, link->timing.quiet_ms);
        jck_heard_kind kind = JCK_HEARD_MESSAGE;
        while (kind != JCK_HEARD_TIMEOUT && kind != JCK_HEARD_SILENCE &&
               exec->status == JCK_SESSION_OK && jck_connection_is_open(other)) {
            kind = jck_exec_hear(exec, (char)('a' + i), deadline_us);
        }
    }
}

// Whether each mute connection is in the middle of a message that was still growing.
static bool still_writes(const jck_link *link)
{
    bool all = true;
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        const jck_connection *connection = &link->connections[i];
        all = all && (connection->state != JCK_CONNECTION_MUTE || connection->unfinished);
    }
    return all;
}

// Why the connection is mute. False if another worker ended the process.
static bool conclude_muteness(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    jck_host_end end;
    if (still_writes(link)) {
        exec->evidence->muteness = JCK_UNFINISHED;
        return true;
    }
    bool disturbed = jck_host_is_gone(link->host, exec->evidence->generation, 0, &end) && end.by_us;
    exec->evidence->muteness = jck_link_answers_elsewhere(link) ? JCK_STUCK : JCK_HUNG;
    exec->evidence->tried_anew = jck_target_traits(link->target)->can_reconnect;
    return !disturbed;
}

// Codes that close a WebSocket connection although nothing is wrong with what was sent over it
// (RFC 6455, section 7.4.1, and IANA's registry).
enum { NORMAL = 1000, GOING_AWAY = 1001, SERVICE_RESTART = 1012, TRY_AGAIN_LATER = 1013 };

// The end of a stream of bytes has no code: jck_link_recycles finds out why it was closed.
static bool may_be_in_good_order(const jck_link *link, jrpc_peer_ending ending)
{
    bool closed = ending.kind == JRPC_END_CLOSED || ending.kind == JRPC_END_RESET;
    return (closed && jck_target_traits(link->target)->byte_stream) ||
           (ending.kind == JRPC_END_WS_CLOSE &&
            (ending.value == NORMAL || ending.value == GOING_AWAY ||
             ending.value == SERVICE_RESTART || ending.value == TRY_AGAIN_LATER));
}

// Notes how many messages went over a connection that the target closed, perhaps in good order.
static void note_closed(jck_exec *exec)
{
    jck_session *session = exec->session;
    const jck_link *link = session->link;
    if (!jck_target_traits(link->target)->can_reconnect || link->learned.use == JCK_USE_ONE) {
        return;
    }
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX && !exec->evidence->process_gone; i++) {
        const jck_connection *ended = &link->connections[i];
        if (ended->state == JCK_CONNECTION_ENDED && ended->carried > session->closed_after &&
            may_be_in_good_order(link,
                                 jrpc_peer_end(ended->peer, jrpc_clock_now_us(link->clock)))) {
            session->closed_after = ended->carried;
        }
    }
}

// Connections were left, perhaps in the middle of an exchange: has the process ended with them? It
// may end so late that all later calls of the case were still answered.
static void conclude_drop(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    jck_evidence *evidence = exec->evidence;
    jck_host_end end;
    if (!jck_host_is_used(link->host) || !process_followed(exec, &end) || end.by_us) {
        return;
    }
    jck_host_note_seen(link->host, evidence->generation);
    evidence->left_with_connection = is_orderly(link->target, end.ending);
    evidence->process_gone = !evidence->left_with_connection;
    evidence->end = evidence->process_gone ? end.ending : evidence->end;
    jck_link_drop(link);
}

static void keep_stderr(const jck_exec *exec)
{
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jck_link_stderr_tail(exec->session->link, exec->evidence->generation, &tail);
    (void)jrpc_arena_copy(exec->evidence->arena, jrpc_buffer_slice(&tail),
                          &exec->evidence->stderr_tail);
    jrpc_buffer_done(&tail);
}

// Whether the next case may use the connection although this case wrote its own frames: the last of
// them was answered, and a fence is answered too. Only asked if a new connection means a new
// process.
static bool stays_open(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    return jck_target_traits(link->target)->is_child && !exec->test_case->bare &&
           exec->status == JCK_SESSION_OK && !any_is(link, JCK_CONNECTION_HALF) &&
           jck_exec_has_heard(exec) && jck_link_is_in_step(link, 'a');
}

jck_session_status jck_exec_conclude(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    bool ended = any_is(link, JCK_CONNECTION_ENDED);
    bool mute = any_is(link, JCK_CONNECTION_MUTE);
    bool failed = ended || mute || any_is(link, JCK_CONNECTION_FLOODING);
    bool undisturbed = !ended || conclude_end(exec);
    if (ended) {
        note_closed(exec);
    }
    if (mute) {
        listen_elsewhere(exec);
        undisturbed = conclude_muteness(exec) && undisturbed;
    }
    if (failed) {
        keep_stderr(exec);
    }
    bool used_up = any_is(link, JCK_CONNECTION_SPENT) || any_is(link, JCK_CONNECTION_HALF);
    if (used_up && !failed && stays_open(exec)) {
        used_up = false;
    }
    if (failed || used_up || exec->test_case->bare) {
        jck_link_drop(link);
    }
    if ((used_up || closed_our_side(exec)) && !failed) {
        conclude_drop(exec);
    }
    if (exec->evidence->muteness == JCK_HUNG && undisturbed) {
        jck_link_stop(link); // only a new process can answer again
    }
    exec->evidence->duration_us = jrpc_clock_now_us(link->clock) - exec->began_us;
    undisturbed = undisturbed && !link->refused; // not only the fence may have been refused
    return exec->status == JCK_SESSION_OK && !undisturbed ? JCK_SESSION_DISTURBED : exec->status;
}
