#include "harness/run/worker.h"

#include "harness/link/prelude.h"
#include "harness/run/confirm.h"
#include "harness/run/pending.h"

void jck_worker_init(jck_worker *worker, jck_ledger *ledger, const jck_plan *plan)
{
    const jck_run_options *options = ledger->options;
    *worker = (jck_worker){.ledger = ledger, .plan = plan};
    jck_link_init(&worker->link, options->target, &options->timing, options->clock,
                  options->interrupt_fd, options->nonce, &ledger->host);
    jck_session_init(&worker->session, &worker->link);
}

void jck_worker_done(jck_worker *worker)
{
    jck_session_done(&worker->session);
    jck_link_farewell(&worker->link);
    jck_link_done(&worker->link);
}

// Whether an execution that is not recent any more is still held back: it owed silence and kept it,
// as far as can be seen so far.
static bool may_be_answered_late(const jck_execution *execution)
{
    return execution->judged && execution->company.way == JCK_WAY_COMPANY &&
           jck_case_owes_silence(execution->test_case) && !jck_attempt_accuses(execution->attempt);
}

static size_t held_count(const jck_worker *worker)
{
    size_t count = 0;
    for (const jck_execution *at = worker->held; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

// Reports what is held back but the last `recent`, and those that may still be answered.
static void report_held(jck_worker *worker, size_t recent)
{
    size_t count = held_count(worker);
    jck_execution **place = &worker->held;
    size_t silent = 0;
    for (size_t i = 0; i < count && *place != NULL; i++) {
        jck_execution *at = *place;
        bool waits = recent > 0 && may_be_answered_late(at) && silent < JCK_SILENT_MAX;
        silent += waits;
        if (waits || at->pending || i + recent >= count) {
            place = &at->next;
            continue;
        }
        *place = at->next;
        jck_ledger_report_execution(worker->ledger, at);
        jck_execution_free(at);
    }
}

static void hold(jck_worker *worker, jck_execution *execution)
{
    jck_execution **place = &worker->held;
    while (*place != NULL) {
        place = &(*place)->next;
    }
    *place = execution;
}

// Waits until the worker may be at a case in its turn.
static void enter(jck_worker *worker)
{
    jck_spent *spent = &worker->link.spent;
    jck_spent_kind before = jck_spent_begin(spent, worker->link.clock, JCK_SPENT_OTHERS);
    jck_ledger_enter(worker->ledger, worker->turn);
    (void)jck_spent_begin(spent, worker->link.clock, before);
}

void jck_worker_be_alone(jck_worker *worker)
{
    if (jck_worker_shares_process(worker) && worker->turn != JCK_TURN_ALONE) {
        jck_ledger_leave(worker->ledger);
        worker->turn = JCK_TURN_ALONE;
        enter(worker);
    }
}

// Whether the case can be run; if not, execution->reason and the outcome (skip or blocked) say why.
static bool can_run(jck_worker *worker, jck_execution *execution, bool ground)
{
    const jck_case *test_case = execution->test_case;
    jrpc_arena *arena = &execution->attempt->arena;
    jck_reason *reason = &execution->reason;
    execution->outcome = JCK_OUTCOME_SKIP;
    for (size_t i = 0; i < test_case->need_count; i++) {
        if (!jck_target_offers(worker->link.target, test_case->needs[i], arena, reason)) {
            return false;
        }
    }
    if (!jck_session_can_carry(&worker->session, test_case, &execution->attempt->variables, arena,
                               reason)) {
        return false;
    }
    jrpc_slice rule = {NULL, 0};
    if (!ground && jck_ledger_blocks(worker->ledger, test_case, &rule)) {
        execution->outcome = JCK_OUTCOME_BLOCKED;
        *reason = jck_reason_broken(arena, rule);
        return false;
    }
    if (!ground && jck_ledger_expects_death(worker->ledger, test_case)) {
        const jck_rule *survives =
            jck_suite_role(worker->ledger->options->suite, test_case, JCK_ROLE_SURVIVES_MALFORMED);
        execution->outcome = JCK_OUTCOME_BLOCKED;
        *reason = (jck_reason){
            .code = JCK_REASON_REPEATS_CRASH,
            .text = "it would only crash the target again, as every case with such a message did",
            .rule = survives == NULL ? test_case->rules[0] : survives->id,
        };
        return false;
    }
    return true;
}

// Listens on after a case that owed silence and seems to have kept it, where the target was seen to
// answer late.
static void await_lateness(jck_worker *worker, jck_execution *execution,
                           const jck_calibration *calibration)
{
    int64_t window_ms = may_be_answered_late(execution) ? jck_ledger_lateness(worker->ledger) : 0;
    if (window_ms > 0) {
        jck_worker_linger(worker, execution->test_case, execution->attempt, calibration, window_ms);
        jck_execution_conclude(execution);
    }
}

// A target whose answers are one request late looks mute to whoever waits for the last of them.
static bool lags(const jck_worker *worker, const jck_execution *execution)
{
    return execution->judged && !worker->liveliness.ever_completed &&
           jck_attempt_lags(execution->attempt);
}

static void report_lag(const jck_worker *worker, jck_execution *execution)
{
    if (lags(worker, execution)) {
        jck_verdict *verdict = &execution->attempt->verdict;
        jck_findings_init(&verdict->findings, &execution->attempt->arena,
                          worker->ledger->options->suite, execution->test_case);
        jck_add_finding(&verdict->findings, 0, JCK_ROLE_RESPONSE_OWED,
                        "the answer comes only when the next message is sent: one request late");
        verdict->outcome = execution->outcome = JCK_OUTCOME_FAIL;
        verdict->conformant = false;
    }
}

static bool confirm(jck_worker *worker, jck_execution *execution,
                    const jck_calibration *calibration)
{
    jck_spent *spent = &worker->link.spent;
    jck_spent_on before = jck_spent_turn_to(spent, worker->link.clock, JCK_SPENT_ON_CONFIRMING);
    bool goes_on = jck_confirm(worker, execution, calibration);
    (void)jck_spent_turn_to(spent, worker->link.clock, before);
    return goes_on;
}

// Runs one case to its final verdict. False if the run has to stop; then nothing is reported of it.
static bool run_to_verdict(jck_worker *worker, jck_execution *execution, bool ground)
{
    const jck_calibration *calibration =
        ground && worker->ledger->serial <= 1 ? NULL : &worker->ledger->calibration;
    if (!can_run(worker, execution, ground)) {
        return true;
    }
    jck_attempt *attempt = NULL;
    switch (jck_worker_try(worker, execution->test_case, JCK_WATCH_FENCES, calibration, &attempt)) {
    case JCK_TRIED:
        break;
    case JCK_TRIED_NO_ROOM:
        execution->outcome = JCK_OUTCOME_SKIP;
        execution->reason = jck_single_reason;
        return true;
    case JCK_TRIED_STOP:
        return false;
    }
    jck_attempt_free(execution->attempt); // it only served to see whether the case can be run
    execution->attempt = NULL;
    jck_execution_decide(execution, attempt, JCK_WAY_COMPANY);
    await_lateness(worker, execution, calibration);
    jck_confirm_strays(worker, attempt, calibration);
    report_lag(worker, execution);
    if (lags(worker, execution) || !jck_confirm_is_due(execution)) {
        return true;
    }
    const jck_attempt *stands = execution->attempt;
    bool believed = !jck_attempt_was_overtaken(stands) ||
                    jck_ledger_trusts(worker->ledger, execution->test_case, stands);
    bool whole = !stands->hasty && jck_attempt_is_attributed(stands);
    return (believed && (whole || (!ground && jck_pending_begin(worker, execution)))) ||
           confirm(worker, execution, calibration);
}

// Whether going on makes sense; if not, the run is stopped. Hazards are expected to hurt.
static bool is_worth_going_on(jck_worker *worker, const jck_execution *execution)
{
    if (!execution->judged || execution->test_case->hazard) {
        return true;
    }
    const jck_evidence *evidence = &execution->attempt->evidence;
    bool in_order = evidence->muteness == JCK_NOT_MUTE && evidence->flood_messages == 0;
    bool goes_on = jck_liveliness_note(&worker->liveliness, in_order);
    jrpc_error error = {0};
    if (lags(worker, execution)) {
        jrpc_error_set(&error, JRPC_ERROR_TIMEOUT,
                       "the target answers each message only when the next one comes: its answers "
                       "are one request late");
        jck_ledger_stop(worker->ledger, JCK_RUN_MUTE, &error);
        return false;
    }
    if (goes_on) {
        return true;
    }
    jrpc_error_set(&error, JRPC_ERROR_TIMEOUT,
                   "the target answers a first call and then nothing useful: in %u cases in a row "
                   "it stopped answering or wrote without end",
                   worker->liveliness.consecutive_mute);
    jck_ledger_stop(worker->ledger, JCK_RUN_MUTE, &error);
    return false;
}

static bool run_one(jck_worker *worker, const jck_case *test_case, const char *kind, bool ground)
{
    jck_execution *execution = jck_execution_new(test_case, kind);
    if (execution != NULL) {
        execution->attempt = jck_ledger_attempt(worker->ledger, test_case);
    }
    if (execution == NULL || execution->attempt == NULL) {
        jck_ledger_starve(worker->ledger);
        jck_execution_free(execution);
        return false;
    }
    if (!run_to_verdict(worker, execution, ground)) {
        jck_execution_free(execution);
        return false;
    }
    if (ground && execution->judged) {
        jck_ledger_learn(worker->ledger, test_case, &execution->attempt->verdict,
                         &execution->attempt->evidence);
    }
    jck_ledger_note_death(worker->ledger, execution);
    bool goes_on = is_worth_going_on(worker, execution);
    hold(worker, execution);
    goes_on = jck_pending_settle(worker, &worker->ledger->calibration, ground) && goes_on;
    report_held(worker, ground || !goes_on ? 0 : JCK_RECENT_MAX);
    return goes_on;
}

bool jck_worker_run_grounds(jck_worker *worker)
{
    const jck_run_options *options = worker->ledger->options;
    worker->turn = JCK_TURN_ALONE; // the others have not begun
    for (size_t i = 0; i < worker->plan->ground_count; i++) {
        const jck_case *ground = worker->plan->grounds[i];
        if (jck_ledger_look_at_time(worker->ledger)) {
            return false;
        }
        bool asked = jck_plan_asks_for(options->suite, &options->plan, ground);
        if (!run_one(worker, ground, asked ? "case" : "ground", true)) {
            return false;
        }
    }
    return true;
}

// Waits for what is pending. Where the run is to end at once, what has no verdict by now gets none.
static void settle_pending(jck_worker *worker)
{
    bool waits = !jck_ledger_has_to_end(worker->ledger);
    jck_execution **place = &worker->held;
    (void)jck_pending_settle(worker, &worker->ledger->calibration, waits);
    while (*place != NULL) {
        jck_execution *at = *place;
        bool open = at->pending && jck_ledger_has_to_end(worker->ledger);
        at->pending = false;
        if (open) {
            *place = at->next;
            jck_execution_free(at);
        } else {
            place = &at->next;
        }
    }
}

// At the end of a worker's cases nothing follows that could show what came late: what is there by
// now belongs to the last of them, or to those before it.
static void settle(jck_worker *worker)
{
    jck_execution *last = worker->held;
    while (last != NULL && last->next != NULL) {
        last = last->next;
    }
    if (last != NULL && last->judged && last->company.way == JCK_WAY_COMPANY &&
        !jck_ledger_stopping(worker->ledger)) {
        const jck_calibration *calibration = &worker->ledger->calibration;
        jck_worker_linger(worker, last->test_case, last->attempt, calibration,
                          jck_ledger_lateness(worker->ledger));
        jck_execution_conclude(last);
        jck_confirm_strays(worker, last->attempt, calibration);
        if (jck_confirm_is_due(last)) {
            (void)confirm(worker, last, calibration);
        }
    }
    settle_pending(worker);
    report_held(worker, 0);
}

static bool counts_effects(const jck_case *test_case)
{
    for (size_t i = 0; test_case != NULL && i < test_case->need_count; i++) {
        if (jrpc_slice_is(test_case->needs[i], "count")) {
            return true;
        }
    }
    return false;
}

// Whether other workers could spoil the case (NULL: none), or one that is held and may be run
// again: effects are counted by the process, and all but children on stdio are shared.
static jck_turn turn_of(const jck_worker *worker, const jck_case *test_case)
{
    bool counts = counts_effects(test_case);
    for (const jck_execution *at = worker->held; at != NULL; at = at->next) {
        counts = counts || (counts_effects(at->test_case) && !at->pending);
    }
    // Where nothing can be counted such cases are skipped, and nobody needs to wait for that.
    bool alone = counts && worker->ledger->jobs > 1 &&
                 jck_target_mapping(worker->link.target, JRPC_SLICE("count")) != NULL &&
                 jck_target_traits(worker->link.target)->can_reconnect;
    return alone ? JCK_TURN_ALONE : JCK_TURN_BESIDE;
}

void jck_worker_run_cases(jck_worker *worker)
{
    for (bool goes_on = true; goes_on;) {
        const jck_case *test_case = jck_ledger_take(worker->ledger, worker->plan);
        if (test_case == NULL) {
            break;
        }
        worker->turn = turn_of(worker, test_case);
        enter(worker);
        goes_on = run_one(worker, test_case, "case", false);
        jck_ledger_leave(worker->ledger);
    }
    worker->turn = turn_of(worker, NULL);
    enter(worker);
    settle(worker);
    jck_ledger_leave(worker->ledger);
}
