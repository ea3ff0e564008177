#include "harness/run/pending.h"

#include "harness/run/confirm.h"
#include "harness/run/held.h"
#include "harness/session/collect.h"

static size_t bytes_sent(const jck_evidence *evidence)
{
    size_t bytes = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        bytes += message->direction == JCK_SENT ? message->bytes.len : 0;
    }
    return bytes;
}

// From when the full time of a look counts: since the last message of the case was sent. What a
// case waits for without sending anything may come at any time, so there it counts from now.
static int64_t counts_from(const jck_execution *execution, int64_t now_us)
{
    const jck_evidence *evidence = &execution->attempt->evidence;
    int64_t at_us = 0;
    if (jck_case_receives(execution->test_case)) {
        return now_us;
    }
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        bool of_case = message->direction == JCK_SENT && message->role == JCK_MESSAGE_OF_CASE;
        at_us = of_case ? message->at_us : at_us;
    }
    return evidence->began_us + at_us;
}

static int64_t later(int64_t one_us, int64_t other_us)
{
    return one_us > other_us ? one_us : other_us;
}

// Until when a full look would wait, from what is known about the target now.
static int64_t until(const jck_worker *worker, const jck_attempt *attempt)
{
    return jck_answers_in_order(&worker->link.learned) ? attempt->until_us : attempt->long_until_us;
}

static bool is_of_one_connection(const jck_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        if (evidence->messages[i].connection != 'a') {
            return false;
        }
    }
    return true;
}

// Whether a late answer is waited for with the full time: always in a RECEIVE step; if a fence has
// overtaken it, until cases of that kind were waited for often enough.
static bool needs_full_time(const jck_worker *worker, const jck_execution *execution)
{
    const jck_attempt *attempt = execution->attempt;
    if (jck_case_receives(execution->test_case)) {
        return true;
    }
    return (attempt->evidence.isolated || jck_attempt_was_overtaken(attempt)) &&
           !jck_ledger_has_waited(worker->ledger, execution->test_case, attempt);
}

// A wait for so many bytes in so few messages takes no longer than that for one answer.
#define PLAIN_BYTES 512

// Since the wait began, the target may have turned out to be so fast that the full time is shorter.
static void hasten(jck_worker *worker, jck_execution *execution)
{
    jck_attempt *attempt = execution->attempt;
    const jck_timing full = jck_worker_full_timing(worker, execution->test_case);
    int64_t by_us = (attempt->full_ms - full.reply_ms) * 1000;
    if (by_us <= 0 || bytes_sent(&attempt->evidence) > PLAIN_BYTES) {
        return;
    }
    attempt->full_ms = full.reply_ms;
    attempt->until_us -= attempt->waits_in_full ? by_us : 0;
    attempt->long_until_us -= attempt->waits_in_full ? by_us : 0;
    jck_link_hasten(&worker->link, attempt->listening, by_us);
}

bool jck_pending_begin(jck_worker *worker, jck_execution *execution)
{
    jck_link *link = &worker->link;
    jck_attempt *attempt = execution->attempt;
    jck_connection *open = jck_link_connection(link, 'a');
    if (!attempt->hasty || !jck_attempt_is_attributed(attempt) ||
        worker->ledger->options->fail_fast || jck_link_exchanges(link) ||
        !jck_connection_is_in_order(open) || !is_of_one_connection(&attempt->evidence)) {
        return false;
    }
    attempt->listening = open->number;
    int64_t quiet_ms = worker->ledger->options->timing.quiet_ms;
    int64_t now_us = jrpc_clock_now_us(link->clock);
    int64_t quiet_us = now_us + quiet_ms * 1000;
    int64_t full_us = later(counts_from(execution, now_us) + attempt->full_ms * 1000, quiet_us);
    size_t bytes = bytes_sent(&attempt->evidence);
    attempt->waits_in_full = needs_full_time(worker, execution);
    attempt->until_us = attempt->waits_in_full ? full_us : quiet_us;
    attempt->long_until_us = jck_reading_is_long(bytes)
                                 ? full_us + jck_overtaken_us(&link->learned, bytes)
                                 : attempt->until_us;
    if (open->keep_us < attempt->long_until_us) {
        open->keep_us = attempt->long_until_us;
        open->idle_us = jck_link_is_prompt(link) ? attempt->until_us : 0;
    }
    execution->pending = true;
    return true;
}

// What the end of a connection means if something might still have come on it: if the process is
// gone, nothing, because a later case on any connection to it may have ended it.
static jck_kept_state judge_end(const jck_worker *worker, const jck_attempt *attempt)
{
    const jck_link *link = &worker->link;
    jck_host_end end;
    bool gone = jck_target_traits(link->target)->is_child ||
                jck_host_is_gone(link->host, attempt->evidence.generation,
                                 jrpc_deadline_in_ms(link->clock, JCK_FOLLOW_MS), &end);
    return gone ? JCK_KEPT_LOST : JCK_KEPT_SPOKE;
}

// Connections are listened to in turn, this long each, as other workers may end the wait.
#define SLICE_MS 50

// The connection in use is listened to here, others in the background.
static jck_kept_state listen_for(jck_worker *worker, jck_execution *execution, bool waits)
{
    jck_link *link = &worker->link;
    const jck_attempt *attempt = execution->attempt;
    const jck_connection *open = jck_link_connection(link, 'a');
    if (attempt->listening == 0) {
        return JCK_KEPT_SPOKE;
    }
    hasten(worker, execution);
    if (jck_connection_is_in_order(open) && open->number == attempt->listening) {
        bool idle = jck_link_has_nothing_to_do(link);
        int64_t until_us = idle ? attempt->until_us : until(worker, attempt);
        int64_t left_us = until_us - jrpc_clock_now_us(link->clock);
        if (left_us <= 0) {
            return JCK_KEPT_QUIET;
        }
        if (!waits) {
            return JCK_KEPT_LISTENS;
        }
        int64_t left_ms = left_us / 1000 + 1;
        bool all = left_ms <= SLICE_MS;
        if (!jck_session_listen(&worker->session, all ? left_ms : SLICE_MS)) {
            return all ? JCK_KEPT_QUIET : JCK_KEPT_LISTENS;
        }
        jck_held_doubt(worker, attempt->listening); // whose message it is cannot be told
        return JCK_KEPT_SPOKE;
    }
    // From one that went mute nothing came at all, whether in order or not.
    bool mute = attempt->until_us == 0;
    int64_t until_us = mute ? INT64_MAX : until(worker, attempt);
    int64_t slice_us = waits ? jrpc_deadline_in_ms(link->clock, SLICE_MS) : 0;
    jck_kept_state state = jck_link_look_aside(link, attempt->listening, until_us, slice_us);
    return state == JCK_KEPT_ENDED ? judge_end(worker, attempt) : state;
}

// Deals with what was heard in the background.
static bool conclude(jck_worker *worker, jck_execution *execution, jck_kept_state state)
{
    bool lost = state == JCK_KEPT_LOST;
    execution->pending = false;
    if (state == JCK_KEPT_QUIET) {
        jck_ledger_note_waited(worker->ledger, execution->test_case, execution->attempt);
    }
    // A target that went mute in a first look is only known to be so after the full time.
    bool mute = execution->attempt->evidence.muteness != JCK_NOT_MUTE;
    bool alike =
        lost && jck_ledger_trusts(worker->ledger, execution->test_case, execution->attempt) &&
        (!mute || jck_ledger_was_waited(worker->ledger, execution->test_case, execution->attempt));
    if (state == JCK_KEPT_QUIET || alike) {
        return true;
    }
    worker->doubts_silence = execution->provisional;
    bool full = execution->again || execution->provisional;
    execution->again = true;
    bool goes_on =
        full ? jck_confirm_in_full(worker, execution) : jck_confirm_again(worker, execution);
    if (goes_on && !full && jck_confirm_has_to_listen(execution) &&
        !jck_pending_begin(worker, execution)) {
        goes_on = jck_confirm_in_full(worker, execution);
    }
    worker->doubts_silence = false;
    return goes_on;
}

// Looks once at each verdict that waits. Those that could not be listened to are left for the end,
// when others of their kind may be confirmed. False if the run has to stop. *ret_left: some are
// still listened to; *ret_lost: some are left for the end.
static bool look_at_all(jck_worker *worker, bool waits, bool at_the_end, bool *ret_left,
                        bool *ret_lost)
{
    bool goes_on = true;
    *ret_left = false;
    *ret_lost = false;
    for (jck_execution *at = worker->held; at != NULL && goes_on; at = at->next) {
        if (at->pending && waits &&
            jck_ledger_has_waited(worker->ledger, at->test_case, at->attempt)) {
            at->pending = false;
        }
        if (!at->pending) {
            continue;
        }
        jck_kept_state state = listen_for(worker, at, waits);
        bool lost = state == JCK_KEPT_LOST && !at_the_end;
        if (state != JCK_KEPT_LISTENS && !lost) {
            goes_on = conclude(worker, at, state);
        }
        *ret_left = *ret_left || (at->pending && !lost);
        *ret_lost = *ret_lost || lost;
    }
    return goes_on;
}

bool jck_pending_settle(jck_worker *worker, bool waits)
{
    bool left = false;
    bool lost = false;
    bool goes_on = look_at_all(worker, waits, false, &left, &lost);
    while (goes_on && waits && (left || lost) && !jck_ledger_has_to_end(worker->ledger)) {
        goes_on = look_at_all(worker, true, !left, &left, &lost);
    }
    return goes_on && waits ? look_at_all(worker, true, true, &left, &lost) : goes_on;
}
