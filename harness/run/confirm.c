#include "harness/run/confirm.h"

#include "harness/run/doubt.h"
#include "harness/run/held.h"
#include "harness/run/turn.h"

#include <limits.h>

bool jck_confirm_is_due(const jck_execution *execution)
{
    const jck_attempt *attempt = execution->attempt;
    if (!execution->judged || attempt->evidence.isolated) {
        return false;
    }
    bool doubtful = jck_attempt_is_doubtful(attempt) || jck_attempt_was_overtaken(attempt);
    return (jck_attempt_has_finding(attempt) && doubtful) ||
           jck_attempt_may_hear_earlier(attempt, execution->test_case);
}

bool jck_confirm_has_to_listen(const jck_execution *execution)
{
    const jck_attempt *attempt = execution->attempt;
    return execution->judged && attempt->evidence.isolated && attempt->hasty &&
           attempt->listening == 0 && jck_attempt_was_overtaken(attempt);
}

// Runs an execution alone, with the full time for every answer or, `aside`, with less for now.
static bool run_again(jck_worker *worker, jck_execution *execution, bool aside)
{
    const jck_attempt *seen = execution->attempt;
    jck_attempt *alone = NULL;
    jck_turn_be_alone(worker);
    jck_tried end = aside ? jck_worker_try_aside(worker, execution->test_case, &alone)
                          : jck_worker_try_alone(worker, execution->test_case, &alone);
    if (alone != NULL) {
        jck_confirm_strays(worker, alone, 0);
        bool same = alone->verdict.outcome >= seen->verdict.outcome;
        bool foreign = jck_attempt_foreign(seen) != NULL;
        jck_ledger_note_confirmed(worker->ledger, execution->test_case, seen, same);
        if (!same) {
            jck_ledger_note_misjudged(worker->ledger);
        }
        jck_execution_decide(execution, alone, !same && foreign ? JCK_WAY_ONCE : JCK_WAY_ALONE);
    }
    return end != JCK_TRIED_STOP;
}

bool jck_confirm_in_full(jck_worker *worker, jck_execution *execution)
{
    return run_again(worker, execution, false);
}

bool jck_confirm_again(jck_worker *worker, jck_execution *execution)
{
    jck_link_forget(&worker->link, execution->attempt->listening);
    bool goes_on = run_again(worker, execution, true);
    const jck_attempt *alone = execution->attempt;
    bool receives = jck_case_receives(execution->test_case);
    execution->pending = goes_on && alone->hasty && alone->listening > 0 && !receives;
    bool doubtful = alone->hasty && !execution->pending && !jck_confirm_has_to_listen(execution);
    return goes_on && doubtful ? jck_confirm_in_full(worker, execution) : goes_on;
}

// Makes a verdict final because others of its kind were confirmed.
static bool believe(jck_execution *execution)
{
    execution->company.way = JCK_WAY_ALIKE;
    execution->pending = execution->attempt->listening > 0;
    return true;
}

// After so many waits in vain, the wait is shorter if the target has nothing to do. Before that, it
// may be one that answers by a timer.
#define LINGERED_ENOUGH 2

// Whether the answer that a first look missed comes a little later.
static bool comes_after_all(jck_worker *worker, jck_execution *execution)
{
    jck_ledger *ledger = worker->ledger;
    const jck_timing first = jck_ledger_timing(ledger);
    int64_t window_ms = atomic_load(&ledger->lingered) >= LINGERED_ENOUGH
                            ? jck_worker_window_ms(worker)
                            : jck_pace_aside(&first, &worker->link.timing).quiet_ms;
    size_t known = execution->attempt->evidence.count;
    jck_worker_linger(worker, execution->test_case, execution->attempt, window_ms);
    jck_execution_conclude(execution);
    jck_confirm_strays(worker, execution->attempt, known);
    if (jck_attempt_has_finding(execution->attempt)) {
        (void)atomic_fetch_add(&ledger->lingered, 1);
        return false;
    }
    atomic_store(&ledger->lingered, INT_MIN);
    jck_ledger_note_misjudged(ledger);
    return true;
}

bool jck_confirm(jck_worker *worker, jck_execution *execution)
{
    jck_doubt doubt;
    jck_doubt_begin(&doubt, worker, execution);
    uint64_t seen_on = jck_link_connection(&worker->link, 'a')->number;
    bool crash = jck_attempt_crashed(doubt.seen);
    bool shared = crash && jck_worker_shares_process(worker);
    uint32_t generation = doubt.seen->evidence.generation;
    // All workers that share a process see its end, not only the one that causes it.
    if (!shared && jck_ledger_trusts(worker->ledger, execution->test_case, doubt.seen)) {
        return believe(execution);
    }
    bool earlier = jck_attempt_is_attributed(doubt.seen) &&
                   jck_attempt_may_hear_earlier(doubt.seen, execution->test_case);
    bool overtaken = jck_attempt_was_overtaken(doubt.seen);
    if (overtaken && doubt.seen->hasty && comes_after_all(worker, execution)) {
        return true;
    }
    if (shared) {
        jck_ledger_suspect(worker->ledger, generation);
    }
    if (doubt.seen->verdict.outcome >= JCK_OUTCOME_STUCK || doubt.seen->evidence.process_gone ||
        jck_ledger_is_strained(worker->ledger)) {
        jck_turn_be_alone(worker);
    }
    if (!shared && jck_ledger_trusts(worker->ledger, execution->test_case, doubt.seen)) {
        return believe(execution); // others of its kind were confirmed while this one waited
    }
    jck_attempt *alone = NULL;
    jck_link_forget(&worker->link, doubt.seen->listening);
    doubt.end = jck_worker_try_aside(worker, execution->test_case, &alone);
    if (alone == NULL) {
        return doubt.end != JCK_TRIED_STOP; // what was seen in company is final
    }
    jck_confirm_strays(worker, alone, 0);
    if (jck_attempt_crashed(alone) && jck_worker_shares_process(worker)) {
        jck_ledger_explain(worker->ledger, generation);
        jck_ledger_explain(worker->ledger, alone->evidence.generation);
    }
    bool explained =
        shared && !jck_ledger_resolve(worker->ledger, generation, jck_attempt_crashed(alone));
    jck_execution_decide(execution, alone, JCK_WAY_ALONE);
    bool same = alone->verdict.outcome >= doubt.seen->verdict.outcome &&
                (!earlier || jck_attempt_first_finding(alone) != NULL);
    jck_ledger_note_confirmed(worker->ledger, execution->test_case, doubt.seen, same);
    // No connection is listened to for it, or a RECEIVE step would have waited long before the
    // fence.
    bool listens = alone->listening > 0 && !jck_case_receives(execution->test_case);
    if (alone->hasty && !listens && !jck_confirm_has_to_listen(execution)) {
        jck_link_forget(&worker->link, alone->listening);
        return jck_confirm_in_full(worker, execution);
    }
    bool slow = overtaken ? jck_attempt_outlasts_fence(alone) : doubt.seen->hasty;
    if (!same && slow) {
        jck_ledger_note_misjudged(
            worker->ledger); // it was only not waited for: there is no doubt left
        return doubt.end != JCK_TRIED_STOP;
    }
    if (!same && earlier) {
        return doubt.end != JCK_TRIED_STOP; // an earlier case may ask for messages at any time
    }
    if (!same) {
        jck_held_doubt(worker, seen_on);
        if (explained) {
            execution->company.way = JCK_WAY_NEIGHBOUR; // another worker's case ended the process
        } else {
            jck_doubt_resolve(&doubt);
        }
    }
    execution->pending = execution->attempt->listening > 0;
    return doubt.end != JCK_TRIED_STOP;
}

void jck_confirm_strays(jck_worker *worker, const jck_attempt *attempt, size_t from)
{
    for (size_t i = from; i < attempt->evidence.count; i++) {
        const jck_message *message = &attempt->evidence.messages[i];
        int step = 0;
        if (message->direction != JCK_RECEIVED || message->role != JCK_MESSAGE_OF_SESSION) {
            continue;
        }
        jck_execution *owner = jck_held_owner(worker, attempt, message->bytes, &step);
        if (owner == NULL && message->bytes.len > 0) { // it may be due to any that is pending there
            jck_held_doubt(worker, jck_link_connection(&worker->link, 'a')->number);
        }
        if (owner == NULL) {
            continue;
        }
        jck_message late = *message;
        late.role = JCK_MESSAGE_OF_CASE;
        late.step = step;
        jck_attempt *theirs = owner->attempt;
        if (jck_evidence_add(&theirs->evidence, &late)) {
            jck_worker_judge(worker, owner->test_case, theirs);
            jck_execution_conclude(owner);
            // It only came late; any other finding is looked at again.
            if (owner->pending) {
                jck_ledger_note_misjudged(worker->ledger);
            }
            theirs->listening = 0;
            // The message that it was given before may have been the answer to yet another case.
            bool doubtful = owner->pending || jck_attempt_foreign(theirs) != NULL;
            owner->pending = doubtful && jck_attempt_has_finding(theirs);
        }
    }
}
