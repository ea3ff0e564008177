#include "harness/run/worker.h"

#include "reference/base/limits.h"

#include <stdio.h>

// A target that starts faster than this is started anew for an isolated run.
#define QUICK_START_US 1000000

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

static void tell(jck_worker *worker, jck_execution *execution)
{
    const jck_told told = {
        .kind = execution->kind,
        .test_case = execution->test_case,
        .outcome = execution->outcome,
        .reason = &execution->reason,
        .verdict = execution->judged ? &execution->verdict : NULL,
        .evidence = execution->judged ? &execution->evidence : NULL,
    };
    jck_ledger_tell(worker->ledger, &told);
}

static void tell_held(jck_worker *worker, size_t keep)
{
    if (worker->held_count <= keep) {
        return;
    }
    size_t due = worker->held_count - keep;
    for (size_t i = 0; i < due; i++) {
        tell(worker, &worker->held[i]);
        jck_execution_clear(&worker->held[i]);
    }
    for (size_t i = due; i < worker->held_count; i++) {
        worker->held[i - due] = worker->held[i];
        // The findings point at the arena they live in, and that has moved.
        worker->held[i - due].evidence.arena = &worker->held[i - due].arena;
        worker->held[i - due].verdict.findings.arena = &worker->held[i - due].arena;
        worker->held[i - due].variables.arena = &worker->held[i - due].arena;
        worker->held[i] = (jck_execution){0};
    }
    worker->held_count -= due;
}

// Whether nothing in the record can have come from, or be missing because of, another execution:
// every answer carries an id of this one, and the connection is in order. That an answer is missing
// needs no second look either: if it only came late, it shows in what is run next.
static bool is_attributed(const jck_execution *execution)
{
    char mark[48];
    int len = snprintf(mark, sizeof mark, "jck-%08x-%u-", execution->variables.nonce,
                       execution->variables.serial);
    for (size_t i = 0; i < execution->evidence.count; i++) {
        const jck_message *message = &execution->evidence.messages[i];
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
            !jrpc_slice_contains(message->bytes, jrpc_slice_of(mark, (size_t)len))) {
            return false;
        }
    }
    return execution->evidence.muteness == JCK_NOT_MUTE &&
           execution->evidence.end.kind == JRPC_END_OPEN;
}

// A verdict against the target that could be owed to a neighbouring case is not passed before the
// case was run alone.
static bool wants_confirmation(const jck_execution *execution)
{
    return !execution->evidence.isolated && execution->verdict.outcome >= JCK_OUTCOME_WARN &&
           execution->verdict.outcome != JCK_OUTCOME_ERROR && !is_attributed(execution);
}

// Makes the link quiet: a new connection where that is cheap, else one that has been listened to.
static void isolate(jck_worker *worker)
{
    if (worker->link.opening_us <= QUICK_START_US ||
        jck_target_traits(worker->link.target)->can_reconnect) {
        jck_link_drop(&worker->link);
    } else {
        (void)jck_session_listen(&worker->session, worker->link.timing.quiet_ms);
    }
}

// Keeps the other workers from their cases until this one is through with its own: a process that
// ends ends for all of them.
static void be_alone(jck_worker *worker)
{
    if (jck_worker_shares_process(worker) && !worker->alone) {
        jck_ledger_leave(worker->ledger);
        jck_ledger_enter(worker->ledger, true);
        worker->alone = true;
    }
}

// Runs an execution again, alone, and puts the new one in its place.
static bool confirm(jck_worker *worker, jck_execution *execution, jck_watch watch,
                    const jck_calibration *calibration)
{
    const jck_case *test_case = execution->test_case;
    const char *kind = execution->kind;
    if (execution->verdict.outcome >= JCK_OUTCOME_STUCK || execution->evidence.process_gone) {
        be_alone(worker);
    }
    jck_execution_clear(execution);
    execution->kind = kind;
    isolate(worker);
    if (!jck_execution_prepare(worker, execution, test_case)) {
        jrpc_error error = {0};
        jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory for a case");
        jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, &error);
        return false;
    }
    return jck_worker_attempt(worker, execution, watch, calibration);
}

// Whether the case can be run; if not, execution->reason and the outcome (skip or blocked) say why.
static bool can_run(jck_worker *worker, jck_execution *execution, bool ground)
{
    const jck_case *test_case = execution->test_case;
    jck_reason *reason = &execution->reason;
    execution->outcome = JCK_OUTCOME_SKIP;
    for (size_t i = 0; i < test_case->need_count; i++) {
        if (!jck_target_offers(worker->link.target, test_case->needs[i], &execution->arena,
                               reason)) {
            return false;
        }
    }
    if (!jck_session_can_carry(&worker->session, test_case, &execution->variables,
                               &execution->arena, reason)) {
        return false;
    }
    jrpc_slice rule = {NULL, 0};
    if (!ground && jck_ledger_blocks(worker->ledger, test_case, &rule)) {
        execution->outcome = JCK_OUTCOME_BLOCKED;
        *reason = jck_reason_broken(&execution->arena, rule);
        return false;
    }
    return true;
}

// Something came late: whoever was run shortly before expected silence, perhaps wrongly so.
static bool reconsider_held(jck_worker *worker, jck_watch watch)
{
    for (size_t i = 0; i < worker->held_count; i++) {
        jck_execution *held = &worker->held[i];
        if (held->judged && !held->evidence.isolated &&
            !confirm(worker, held, watch, &worker->ledger->calibration)) {
            return false;
        }
    }
    return true;
}

// The target was gone when a case came that does it no harm alone: one of those before it ended the
// target, after its answer.
static bool reconsider_late_end(jck_worker *worker)
{
    return reconsider_held(worker, JCK_WATCH_LINGER);
}

// A crash that no case alone brings about is still a crash: it is told where it was seen.
static void tell_stray_crash(jck_execution *execution, jrpc_peer_ending ending)
{
    jck_add_finding_at(
        &execution->verdict.findings, 0, JCK_ROLE_SURVIVES_MALFORMED, JCK_LEVEL_MUST,
        "the target ended with %s %d while this case ran, and does not when it runs alone, nor "
        "behind the cases just before: something sent earlier ended it late",
        ending.kind == JRPC_END_SIGNALED ? "signal" : "status", ending.value);
    execution->verdict.outcome = execution->outcome = JCK_OUTCOME_CRASH;
    execution->verdict.conformant = false;
    execution->evidence.end = ending;
}

static bool crashed(const jck_execution *execution)
{
    return execution->judged && execution->evidence.process_gone && !execution->evidence.orderly;
}

static bool any_held_crashed(const jck_worker *worker)
{
    for (size_t i = 0; i < worker->held_count; i++) {
        if (crashed(&worker->held[i])) {
            return true;
        }
    }
    return false;
}

// Runs one case to its final verdict. False if the run has to stop; then nothing is told of it.
static bool run_to_verdict(jck_worker *worker, jck_execution *execution, bool ground)
{
    const jck_calibration *calibration =
        ground && worker->ledger->serial <= 1 ? NULL : &worker->ledger->calibration;
    if (!can_run(worker, execution, ground)) {
        return true;
    }
    if (!jck_worker_attempt(worker, execution, JCK_WATCH_FENCES, calibration)) {
        return false;
    }
    if (!execution->judged) {
        return true;
    }
    bool came_late = execution->evidence.strays > 0;
    if (wants_confirmation(execution)) {
        jck_outcome before = execution->outcome;
        bool crash = crashed(execution);
        bool shared = crash && jck_worker_shares_process(worker);
        uint32_t generation = execution->evidence.generation;
        jrpc_peer_ending ending = execution->evidence.end;
        if (shared) {
            jck_ledger_suspect(worker->ledger, generation);
        }
        if (!confirm(worker, execution, JCK_WATCH_QUIET, calibration)) {
            return false;
        }
        bool guilty = crashed(execution);
        bool unexplained = !shared || jck_ledger_resolve(worker->ledger, generation, guilty);
        if (crash && !guilty && unexplained) {
            bool went_on = reconsider_late_end(worker);
            if (went_on && !any_held_crashed(worker)) {
                tell_stray_crash(execution, ending);
            }
            return went_on;
        }
        came_late = came_late || execution->outcome < before;
    }
    return !came_late || reconsider_held(worker, JCK_WATCH_QUIET);
}

// So many cases in a row behind which the target answered nothing any more end a run: the first
// number where no case ever came to its end, the other one later on.
enum { BARREN_FROM_THE_START = 3, BARREN_IN_A_ROW = 20 };

// Whether there is a sense in going on; if not, the run is stopped. Hazards are expected to hurt.
static bool is_worth_going_on(jck_worker *worker, const jck_execution *execution)
{
    if (!execution->judged || execution->test_case->hazard) {
        return true;
    }
    if (execution->evidence.muteness == JCK_NOT_MUTE && execution->evidence.flood_messages == 0) {
        worker->fruitful = true;
        worker->barren = 0;
        return true;
    }
    worker->barren++;
    if (worker->barren < (worker->fruitful ? BARREN_IN_A_ROW : BARREN_FROM_THE_START)) {
        return true;
    }
    jrpc_error error = {0};
    jrpc_error_set(
        &error, JRPC_ERROR_TIMEOUT,
        "the target answers a first call and then nothing of use: %u cases in a row ended "
        "with it mute, or writing without end",
        worker->barren);
    jck_ledger_stop(worker->ledger, JCK_RUN_MUTE, &error);
    return false;
}

static bool run_one(jck_worker *worker, const jck_case *test_case, const char *kind, bool ground)
{
    jck_execution *execution = &worker->held[worker->held_count];
    execution->kind = kind;
    if (!jck_execution_prepare(worker, execution, test_case)) {
        jrpc_error error = {0};
        jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory for a case");
        jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, &error);
        jck_execution_clear(execution);
        return false;
    }
    if (!run_to_verdict(worker, execution, ground)) {
        jck_execution_clear(execution);
        return false;
    }
    if (ground && execution->judged) {
        jck_ledger_learn(worker->ledger, test_case, &execution->verdict, &execution->evidence);
    }
    bool goes_on = is_worth_going_on(worker, execution);
    worker->held_count++;
    tell_held(worker, ground || !goes_on ? 0 : JCK_HELD_MAX - 1);
    return goes_on;
}

static bool is_selected(const jck_run_options *options, const jck_case *test_case)
{
    for (size_t i = 0; i < jck_suite_case_count(options->suite); i++) {
        if (jck_suite_case(options->suite, i) == test_case) {
            return options->plan.selected[i];
        }
    }
    return false;
}

bool jck_worker_run_grounds(jck_worker *worker)
{
    const jck_run_options *options = worker->ledger->options;
    worker->alone = true; // the others have not begun
    for (size_t i = 0; i < worker->plan->ground_count; i++) {
        const jck_case *ground = worker->plan->grounds[i];
        bool told = is_selected(options, ground) && options->plan.shard_index == 1;
        if (!run_one(worker, ground, told ? "case" : "ground", true)) {
            return false;
        }
    }
    return true;
}

// At the end of a worker's cases nothing follows that could show what came late: it is waited for
// on a connection where silence mattered.
static void settle(jck_worker *worker)
{
    bool silence_mattered = false;
    for (size_t i = 0; i < worker->held_count; i++) {
        const jck_execution *held = &worker->held[i];
        for (size_t s = 0; held->judged && s < held->test_case->step_count; s++) {
            silence_mattered =
                silence_mattered || held->test_case->steps[s].expect.kind == JCK_EXPECT_NOTHING;
        }
    }
    if (silence_mattered && !jck_ledger_stopping(worker->ledger)) {
        if (jck_session_listen(&worker->session, 0)) {
            (void)reconsider_held(worker, JCK_WATCH_QUIET);
        }
    }
    tell_held(worker, 0);
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
static bool wants_to_be_alone(const jck_worker *worker, const jck_case *test_case)
{
    bool counts = counts_effects(test_case);
    for (size_t i = 0; i < worker->held_count; i++) {
        counts = counts || counts_effects(worker->held[i].test_case);
    }
    // Where nothing can be counted such cases are skipped, and nobody needs to wait for that.
    return counts && worker->ledger->options->jobs > 1 &&
           jck_target_mapping(worker->link.target, JRPC_SLICE("count")) != NULL &&
           jck_target_traits(worker->link.target)->can_reconnect;
}

void jck_worker_run_cases(jck_worker *worker)
{
    for (bool goes_on = true; goes_on;) {
        const jck_case *test_case = jck_ledger_take(worker->ledger, worker->plan);
        if (test_case == NULL) {
            break;
        }
        worker->alone = wants_to_be_alone(worker, test_case);
        jck_ledger_enter(worker->ledger, worker->alone);
        goes_on = run_one(worker, test_case, "case", false);
        jck_ledger_leave(worker->ledger);
    }
    worker->alone = wants_to_be_alone(worker, NULL);
    jck_ledger_enter(worker->ledger, worker->alone);
    settle(worker);
    jck_ledger_leave(worker->ledger);
}
