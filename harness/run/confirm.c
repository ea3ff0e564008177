#include "harness/run/confirm.h"

#include "harness/run/pending.h"
#include "harness/run/search.h"

#include <stdio.h>

// A target that starts faster than this is started anew for an attempt alone.
#define QUICK_START_US 1000000

bool jck_confirm_is_due(const jck_execution *execution)
{
    return execution->judged && !execution->attempt->evidence.isolated &&
           jck_attempt_accuses(execution->attempt) &&
           (execution->attempt->hasty || jck_attempt_was_overtaken(execution->attempt) ||
            !jck_attempt_is_attributed(execution->attempt));
}

// Makes the link quiet: a new connection where that is cheap, else one that has been listened to.
static void isolate(jck_worker *worker)
{
    if (worker->link.opening.took_us <= QUICK_START_US ||
        jck_target_traits(worker->link.target)->can_reconnect) {
        jck_link_drop(&worker->link);
    } else {
        (void)jck_session_listen(&worker->session, worker->link.timing.quiet_ms);
    }
}

// Runs a case alone, and listens for `window_ms` more. NULL with *ret_end if it has no verdict.
static jck_attempt *try_alone(jck_worker *worker, const jck_case *test_case,
                              const jck_calibration *calibration, int64_t window_ms,
                              jck_tried *ret_end)
{
    jck_attempt *attempt = NULL;
    isolate(worker);
    *ret_end = jck_worker_try(worker, test_case, JCK_WATCH_QUIET, calibration, &attempt);
    if (attempt != NULL && window_ms > 0) {
        jck_worker_linger(worker, test_case, attempt, calibration, window_ms);
    }
    return attempt;
}

// Names the one case that has the finding.
static void point_at(jck_execution *execution, jck_way way, const jck_case *other)
{
    const jck_case **cases = jrpc_arena_array(&execution->attempt->arena, 1, sizeof *cases);
    execution->company.way = way;
    if (cases != NULL) {
        cases[0] = other;
        execution->company.cases = cases;
        execution->company.case_count = 1;
    }
}

// What brings a failure about is looked for among so many cases before it first, then anywhere.
#define NEAR 16

// A doubt about one execution while it is being resolved.
typedef struct jck_doubt {
    jck_worker *worker;
    jck_execution *execution;
    const jck_calibration *calibration;
    const jck_attempt *seen;                 // in company
    const jck_case *before[JCK_HISTORY_MAX]; // what that company was
    size_t before_count;
    jck_tried end; // STOP: of the run
} jck_doubt;

// Runs an execution that was held back alone and puts that in its place if it now shows `wanted`.
static bool owns(jck_doubt *doubt, jck_execution *held, int64_t window_ms,
                 bool (*wanted)(const jck_doubt *doubt, const jck_attempt *before,
                                const jck_attempt *attempt))
{
    if (!held->judged || held->attempt->evidence.isolated || doubt->end == JCK_TRIED_STOP) {
        return false;
    }
    jck_tried end = JCK_TRIED;
    jck_attempt *attempt =
        try_alone(doubt->worker, held->test_case, doubt->calibration, window_ms, &end);
    doubt->end = end == JCK_TRIED_STOP ? JCK_TRIED_STOP : doubt->end;
    if (attempt == NULL) {
        return false;
    }
    if (!wanted(doubt, held->attempt, attempt)) {
        jck_attempt_free(attempt);
        return false;
    }
    jck_execution_decide(held, attempt, JCK_WAY_ALONE);
    return true;
}

// Whether it hears, alone, what it missed before and another case got.
static bool hears_it(const jck_doubt *doubt, const jck_attempt *before, const jck_attempt *attempt)
{
    const jck_message *foreign = jck_attempt_foreign(doubt->seen);
    return foreign != NULL &&
           jck_attempt_heard(attempt, foreign->bytes) > jck_attempt_heard(before, foreign->bytes);
}

static bool crashes(const jck_doubt *doubt, const jck_attempt *before, const jck_attempt *attempt)
{
    (void)doubt;
    (void)before;
    return jck_attempt_crashed(attempt);
}

// Whether a case run just before owns what was seen: its answer comes a little late, or it ends the
// target a little after its answer.
static bool is_of_recent(jck_doubt *doubt)
{
    bool crash = jck_attempt_crashed(doubt->seen);
    if (!crash && jck_attempt_foreign(doubt->seen) == NULL) {
        return false;
    }
    size_t held = 0;
    for (const jck_execution *at = doubt->worker->held; at != NULL; at = at->next) {
        held++;
    }
    size_t first = held > JCK_RECENT_MAX ? held - JCK_RECENT_MAX : 0;
    size_t index = 0;
    for (jck_execution *at = doubt->worker->held; at != NULL; at = at->next) {
        int64_t window_ms = crash ? doubt->worker->link.timing.quiet_ms : 0;
        if (index++ >= first && owns(doubt, at, window_ms, crash ? crashes : hears_it)) {
            point_at(doubt->execution, JCK_WAY_NEIGHBOUR, at->test_case);
            return true;
        }
    }
    return false;
}

static bool accuses(const jck_doubt *doubt, const jck_attempt *before, const jck_attempt *attempt)
{
    (void)doubt;
    (void)before;
    return jck_attempt_accuses(attempt);
}

// How long after the first message of an attempt the foreign one came; `most_us` if it did not.
static int64_t lateness_of(const jck_attempt *attempt, int64_t most_us)
{
    const jck_message *foreign = jck_attempt_foreign(attempt);
    int64_t late_us =
        foreign == NULL ? most_us : foreign->at_us - attempt->evidence.messages[0].at_us;
    return late_us < most_us ? late_us : most_us;
}

static jck_execution *held_of(const jck_worker *worker, const jck_case *test_case)
{
    jck_execution *found = NULL;
    for (jck_execution *at = worker->held; at != NULL; at = at->next) {
        found = at->test_case == test_case ? at : found;
    }
    return found;
}

// Whether one of the cases that owed silence, and seemed to keep it, is answered late.
static bool is_late(jck_doubt *doubt, int64_t left_us)
{
    const jck_case *silent[JCK_SILENT_MAX];
    size_t count = 0;
    if (jck_attempt_foreign(doubt->seen) == NULL || !jck_ledger_asks_late(doubt->worker->ledger)) {
        return false;
    }
    // Those of one step last: the search keeps what stands last, and they show it best.
    for (int single = 0; single <= 1; single++) {
        for (const jck_execution *at = doubt->worker->held; at != NULL; at = at->next) {
            if (count < JCK_SILENT_MAX && at->judged && jck_case_owes_silence(at->test_case) &&
                !jck_attempt_accuses(at->attempt) &&
                (at->test_case->step_count == 1) == (single == 1)) {
                silent[count++] = at->test_case;
            }
        }
    }
    jck_search search;
    jck_search_init(&search, doubt->worker, doubt->execution->test_case, doubt->seen,
                    doubt->calibration, left_us);
    bool found = jck_search_late(&search, silent, count, &count) && count > 0;
    int64_t late_us = search.late_us;
    jck_search_done(&search);
    if (!found) {
        return false;
    }
    jck_execution *owner = held_of(doubt->worker, silent[0]);
    int64_t window_ms = (late_us + late_us / 2) / 1000;
    if (owner == NULL || !owns(doubt, owner, window_ms, accuses)) {
        return false;
    }
    jck_ledger_note_late(doubt->worker->ledger, lateness_of(owner->attempt, late_us),
                         owner->test_case);
    point_at(doubt->execution, JCK_WAY_NEIGHBOUR, owner->test_case);
    return true;
}

// Puts what the search found in the place of what was seen alone; `cases` is the company it needs.
static void found_again(jck_doubt *doubt, jck_search *search, const jck_case *const *cases,
                        size_t count)
{
    jck_execution *execution = doubt->execution;
    jck_execution_decide(execution, search->best, JCK_WAY_AGAIN);
    search->best = NULL;
    const jck_case **kept = jrpc_arena_array(&execution->attempt->arena, count + 1, sizeof *kept);
    for (size_t i = 0; kept != NULL && i < count; i++) {
        kept[i] = cases[i];
    }
    execution->company.cases = kept;
    execution->company.case_count = kept == NULL ? 0 : count;
    execution->company.messages = search->sent.messages;
    execution->company.message_count = search->sent.count;
    jck_ledger_note_kind(doubt->worker->ledger, doubt->seen, execution->test_case);
}

// Whether it fails again in the company of the last `count` cases, or fewer.
static bool comes_again(jck_doubt *doubt, jck_search *search, size_t count)
{
    const jck_case **cases = doubt->before + (doubt->before_count - count);
    size_t left = 0;
    bool found = jck_search_again(search, cases, count, &left);
    if (found) {
        found_again(doubt, search, cases, left);
    }
    return found;
}

// Whether it fails when it is sent over and over: a target that counts.
static bool comes_by_number(jck_doubt *doubt, jck_search *search)
{
    size_t left = 0;
    bool ends = doubt->seen->evidence.process_gone || doubt->seen->evidence.muteness > JCK_NOT_MUTE;
    bool found = ends && jck_search_repeating(search, &left);
    if (found) {
        const jck_case *same[JCK_REPETITIONS_MAX];
        for (size_t i = 0; i < left; i++) {
            same[i] = doubt->execution->test_case;
        }
        found_again(doubt, search, same, left);
    }
    return found;
}

// A crash that nothing brings about again is still a crash: it is reported where it was seen.
static void report_crash(jck_doubt *doubt)
{
    jck_attempt *attempt = doubt->execution->attempt;
    const jrpc_peer_ending ending = doubt->seen->evidence.end;
    jck_add_finding_at(
        &attempt->verdict.findings, 0, JCK_ROLE_SURVIVES_MALFORMED, JCK_LEVEL_MUST,
        "the target ended with %s %d while this case ran, but not when the case ran alone or after "
        "the cases just before it: something sent earlier ended it late",
        ending.kind == JRPC_END_SIGNALED ? "signal" : "status", ending.value);
    attempt->verdict.outcome = doubt->execution->outcome = JCK_OUTCOME_CRASH;
    attempt->verdict.conformant = false;
    attempt->evidence.end = ending;
}

// Looks for the cause of what was seen in company and not alone.
static void resolve(jck_doubt *doubt)
{
    jck_worker *worker = doubt->worker;
    jck_execution *execution = doubt->execution;
    const jck_case *known = jck_ledger_kind(worker->ledger, doubt->seen);
    if (known != NULL) {
        point_at(execution, JCK_WAY_REPEATED, known);
        return;
    }
    int64_t left_us = jck_ledger_doubt(worker->ledger, 0);
    int64_t began_us = jrpc_clock_now_us(worker->link.clock);
    execution->company.way = left_us > 0 ? JCK_WAY_ONCE : JCK_WAY_UNTRIED;
    if (left_us > 0) {
        jck_spent *spent = &worker->link.spent;
        jck_spent_on before = jck_spent_turn_to(spent, worker->link.clock, JCK_SPENT_ON_SEARCHING);
        jck_worker_be_alone(worker);
        jck_search search;
        jck_search_init(&search, worker, execution->test_case, doubt->seen, doubt->calibration,
                        left_us);
        size_t near = doubt->before_count < NEAR ? doubt->before_count : NEAR;
        bool found = comes_again(doubt, &search, 0) || is_of_recent(doubt) ||
                     comes_by_number(doubt, &search) || comes_again(doubt, &search, near) ||
                     is_late(doubt, left_us) || comes_again(doubt, &search, doubt->before_count);
        jck_search_done(&search);
        (void)jck_spent_turn_to(spent, worker->link.clock, before);
        (void)jck_ledger_doubt(worker->ledger, jrpc_clock_now_us(worker->link.clock) - began_us);
        if (found) {
            return;
        }
    }
    if (jck_attempt_crashed(doubt->seen)) {
        report_crash(doubt);
    }
}

bool jck_confirm_in_full(jck_worker *worker, jck_execution *execution,
                         const jck_calibration *calibration)
{
    jck_tried end = JCK_TRIED;
    const jck_attempt *seen = execution->attempt;
    jck_worker_be_alone(worker);
    jck_attempt *alone = try_alone(worker, execution->test_case, calibration, 0, &end);
    if (alone != NULL) {
        bool same = alone->verdict.outcome >= seen->verdict.outcome;
        jck_ledger_note_confirmed(worker->ledger, execution->test_case, seen, same);
        if (!same) {
            jck_ledger_note_misjudged(worker->ledger);
        }
        jck_execution_decide(execution, alone, JCK_WAY_ALONE);
    }
    return end != JCK_TRIED_STOP;
}

// Whether the answer that a first look missed comes in the rest of the time that it has.
static bool comes_after_all(jck_worker *worker, jck_execution *execution,
                            const jck_calibration *calibration)
{
    jck_worker_linger(worker, execution->test_case, execution->attempt, calibration,
                      worker->link.timing.quiet_ms);
    jck_execution_conclude(execution);
    if (jck_attempt_accuses(execution->attempt)) {
        return false;
    }
    jck_ledger_note_misjudged(worker->ledger);
    return true;
}

bool jck_confirm(jck_worker *worker, jck_execution *execution, const jck_calibration *calibration)
{
    jck_doubt doubt = {.worker = worker,
                       .execution = execution,
                       .calibration = calibration,
                       .seen = execution->attempt,
                       .end = JCK_TRIED};
    const jck_history *history = &worker->history;
    doubt.before_count = history->count > 0 ? history->count - 1 : 0; // the last is this case
    memcpy(doubt.before, history->cases, doubt.before_count * sizeof *doubt.before);
    uint64_t seen_on = jck_link_connection(&worker->link, 'a')->number;
    bool crash = jck_attempt_crashed(doubt.seen);
    bool shared = crash && jck_worker_shares_process(worker);
    uint32_t generation = doubt.seen->evidence.generation;
    // Whoever shares a process sees it end as the one does who ends it.
    if (!shared && jck_ledger_trusts(worker->ledger, execution->test_case, doubt.seen)) {
        execution->company.way = JCK_WAY_ALIKE;
        execution->pending = doubt.seen->listening > 0;
        return true;
    }
    bool overtaken = jck_attempt_was_overtaken(doubt.seen);
    if (overtaken && doubt.seen->hasty && comes_after_all(worker, execution, calibration)) {
        return true;
    }
    if (shared) {
        jck_ledger_suspect(worker->ledger, generation);
    }
    if (doubt.seen->verdict.outcome >= JCK_OUTCOME_STUCK || doubt.seen->evidence.process_gone) {
        jck_worker_be_alone(worker);
    }
    jck_attempt *alone = NULL;
    jck_link_forget(&worker->link, doubt.seen->listening);
    isolate(worker);
    doubt.end = jck_worker_try_aside(worker, execution->test_case, calibration, &alone);
    if (alone == NULL) {
        return doubt.end != JCK_TRIED_STOP; // what was seen in company stands
    }
    bool explained =
        shared && !jck_ledger_resolve(worker->ledger, generation, jck_attempt_crashed(alone));
    jck_execution_decide(execution, alone, JCK_WAY_ALONE);
    bool same = alone->verdict.outcome >= doubt.seen->verdict.outcome;
    jck_ledger_note_confirmed(worker->ledger, execution->test_case, doubt.seen, same);
    if (alone->hasty && alone->listening == 0) {
        return jck_confirm_in_full(worker, execution, calibration); // nobody listens to it
    }
    if (!same && doubt.seen->hasty && !overtaken) {
        jck_ledger_note_misjudged(worker->ledger); // it was only not waited for: no doubt is left
        return doubt.end != JCK_TRIED_STOP;
    }
    if (!same) {
        jck_pending_doubt(worker, seen_on);
        if (explained) {
            execution->company.way = JCK_WAY_NEIGHBOUR; // another worker's case ended the process
        } else {
            resolve(&doubt);
        }
    }
    execution->pending = execution->attempt->listening > 0;
    return doubt.end != JCK_TRIED_STOP;
}

// The execution that an id of ours in a message names, and its step; NULL if it is not held.
static jck_execution *owner_of(const jck_worker *worker, const jck_attempt *attempt,
                               jrpc_slice bytes, int *ret_step)
{
    for (jck_execution *at = worker->held; at != NULL; at = at->next) {
        if (!at->judged || at->attempt == attempt) {
            continue;
        }
        for (int step = 0; step < (int)at->test_case->step_count; step++) {
            char id[64];
            int len = snprintf(id, sizeof id, "\"jck-%08x-%u-%d\"", at->attempt->variables.nonce,
                               at->attempt->variables.serial, step);
            if (jrpc_slice_contains(bytes, jrpc_slice_of(id, (size_t)len))) {
                *ret_step = step;
                return at;
            }
        }
    }
    return NULL;
}

void jck_confirm_strays(jck_worker *worker, const jck_attempt *attempt,
                        const jck_calibration *calibration)
{
    for (size_t i = 0; i < attempt->evidence.count; i++) {
        const jck_message *message = &attempt->evidence.messages[i];
        int step = 0;
        if (message->direction != JCK_RECEIVED || message->role != JCK_MESSAGE_OF_SESSION) {
            continue;
        }
        jck_execution *owner = owner_of(worker, attempt, message->bytes, &step);
        if (owner == NULL) {
            continue;
        }
        jck_message late = *message;
        late.role = JCK_MESSAGE_OF_CASE;
        late.step = step;
        jck_attempt *theirs = owner->attempt;
        if (jck_evidence_add(&theirs->evidence, &late)) {
            jck_judge(worker->ledger->options->suite, owner->test_case, &theirs->variables,
                      &theirs->evidence, calibration, &theirs->arena, &theirs->verdict);
            jck_execution_conclude(owner);
            // It only came late; whatever else it is accused of is looked at again.
            if (owner->pending) {
                jck_ledger_note_misjudged(worker->ledger);
            }
            theirs->listening = 0;
            owner->pending = owner->pending && jck_attempt_accuses(theirs);
        }
    }
}
