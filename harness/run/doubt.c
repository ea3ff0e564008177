#include "harness/run/doubt.h"

#include "harness/run/held.h"
#include "harness/run/search.h"
#include "harness/run/turn.h"

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

// The cause of a failure is first searched for among this many cases before it, then among all.
#define NEAR 16

// Runs the case of a held execution again, alone. If the new attempt shows what is `wanted`, it
// decides that execution.
static bool owns(jck_doubt *doubt, jck_execution *held, int64_t window_ms,
                 bool (*wanted)(const jck_doubt *doubt, const jck_attempt *before,
                                const jck_attempt *attempt))
{
    if (!held->judged || held->attempt->evidence.isolated || doubt->end == JCK_TRIED_STOP) {
        return false;
    }
    jck_attempt *attempt = NULL;
    jck_tried end = jck_worker_try_alone(doubt->worker, held->test_case, &attempt);
    doubt->end = end == JCK_TRIED_STOP ? JCK_TRIED_STOP : doubt->end;
    if (attempt == NULL) {
        return false;
    }
    if (window_ms > 0) {
        jck_worker_linger(doubt->worker, held->test_case, attempt, window_ms);
    }
    if (!wanted(doubt, held->attempt, attempt)) {
        jck_attempt_free(attempt);
        return false;
    }
    jck_execution_decide(held, attempt, JCK_WAY_ALONE);
    return true;
}

// Whether the case, run alone, gets the message that went to another case before.
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

// Whether what was seen belongs to a case just before: its answer comes a little late, or it ends
// the target shortly after its answer.
static bool is_of_recent(jck_doubt *doubt)
{
    bool crash = jck_attempt_crashed(doubt->seen);
    if (!crash && jck_attempt_foreign(doubt->seen) == NULL) {
        return false;
    }
    size_t held = jck_held_count(doubt->worker);
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
    return jck_attempt_has_finding(attempt);
}

// How long after the first message of an attempt the foreign one came; `most_us` if it did not.
static int64_t lateness_of(const jck_attempt *attempt, int64_t most_us)
{
    const jck_message *foreign = jck_attempt_foreign(attempt);
    int64_t late_us =
        foreign == NULL ? most_us : foreign->at_us - attempt->evidence.messages[0].at_us;
    return late_us < most_us ? late_us : most_us;
}

// Whether one of the cases that were owed no answer, and seemed to get none, is answered late.
static bool is_late(jck_doubt *doubt, int64_t left_us)
{
    const jck_case *silent[JCK_SILENT_MAX];
    size_t count = 0;
    if (jck_attempt_foreign(doubt->seen) == NULL || !jck_ledger_asks_late(doubt->worker->ledger)) {
        return false;
    }
    // Cases with one step come last: the search prefers what comes last, and they show the failure
    // best.
    for (int single = 0; single <= 1; single++) {
        for (const jck_execution *at = doubt->worker->held; at != NULL; at = at->next) {
            if (count < JCK_SILENT_MAX && at->judged && jck_case_owes_silence(at->test_case) &&
                !jck_attempt_has_finding(at->attempt) &&
                (at->test_case->step_count == 1) == (single == 1)) {
                silent[count++] = at->test_case;
            }
        }
    }
    jck_search search;
    jck_search_init(&search, doubt->worker, doubt->execution->test_case, doubt->seen, left_us);
    bool found = jck_search_late(&search, silent, count, &count) && count > 0;
    int64_t late_us = search.late_us;
    jck_search_done(&search);
    if (!found) {
        return false;
    }
    jck_execution *owner = jck_held_of(doubt->worker, silent[0]);
    int64_t window_ms = (late_us + late_us / 2) / 1000;
    if (owner == NULL || !owns(doubt, owner, window_ms, accuses)) {
        return false;
    }
    jck_ledger_note_late(doubt->worker->ledger, lateness_of(owner->attempt, late_us),
                         owner->test_case);
    point_at(doubt->execution, JCK_WAY_NEIGHBOUR, owner->test_case);
    return true;
}

// Judges a failure again, knowing what was sent before it.
static void judge_in_company(jck_doubt *doubt, jck_attempt *attempt, const jck_evidence *sent)
{
    size_t own = 0;
    for (size_t i = 0; i < attempt->evidence.count; i++) {
        own += attempt->evidence.messages[i].direction == JCK_SENT;
    }
    jck_evidence *earlier = jrpc_arena_array(&attempt->arena, 1, sizeof *earlier);
    if (earlier != NULL && sent->count > own) {
        *earlier = *sent;
        earlier->count -= own;
        attempt->evidence.earlier = earlier;
        jck_worker_judge(doubt->worker, doubt->execution->test_case, attempt);
    }
}

// Replaces what was seen alone with what the search found; `cases` is the company that it needs.
static void found_again(jck_doubt *doubt, jck_search *search, const jck_case *const *cases,
                        size_t count, bool by_number)
{
    jck_execution *execution = doubt->execution;
    judge_in_company(doubt, search->best, &search->sent);
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
    jck_ledger_note_kind(doubt->worker->ledger, doubt->seen, execution->test_case, by_number);
}

// Whether it fails again in the company of the last `count` cases, or fewer.
static bool comes_again(jck_doubt *doubt, jck_search *search, size_t count)
{
    const jck_case **cases = doubt->before + (doubt->before_count - count);
    size_t left = 0;
    bool found = jck_search_again(search, cases, count, &left);
    if (found) {
        found_again(doubt, search, cases, left, false);
    } else if (search->slow && left > 0) {
        point_at(doubt->execution, JCK_WAY_NEIGHBOUR, cases[left - 1]);
    } else if (search->slow) {
        doubt->execution->company.way = JCK_WAY_ALONE; // it was only not waited for
    }
    return found || search->slow;
}

static bool ends_target(const jck_doubt *doubt)
{
    return doubt->seen->evidence.process_gone || doubt->seen->evidence.muteness > JCK_UNFINISHED;
}

// Whether it fails when it is sent over and over: a target that counts.
static bool comes_by_number(jck_doubt *doubt, jck_search *search)
{
    size_t left = 0;
    bool found = jck_search_repeating(search, &left);
    if (found) {
        const jck_case *same[JCK_REPETITIONS_MAX];
        for (size_t i = 0; i < left; i++) {
            same[i] = doubt->execution->test_case;
        }
        found_again(doubt, search, same, left, left > 1);
    }
    return found;
}

// A crash that could not be repeated is still a crash: it is reported where it was seen.
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

void jck_doubt_resolve(jck_doubt *doubt)
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
        jck_turn_be_alone(worker);
        jck_search search;
        jck_search_init(&search, worker, execution->test_case, doubt->seen, left_us);
        size_t near = doubt->before_count < NEAR ? doubt->before_count : NEAR;
        bool found = comes_again(doubt, &search, 0) || is_of_recent(doubt) ||
                     (ends_target(doubt) && comes_by_number(doubt, &search)) ||
                     comes_again(doubt, &search, near) || is_late(doubt, left_us) ||
                     (!ends_target(doubt) && comes_by_number(doubt, &search)) ||
                     comes_again(doubt, &search, doubt->before_count);
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

void jck_doubt_begin(jck_doubt *doubt, jck_worker *worker, jck_execution *execution)
{
    const jck_history *history = &worker->history;
    *doubt = (jck_doubt){.worker = worker, .execution = execution, .seen = execution->attempt};
    doubt->before_count = history->count > 0 ? history->count - 1 : 0; // the last is this case
    memcpy(doubt->before, history->cases, doubt->before_count * sizeof *doubt->before);
}
