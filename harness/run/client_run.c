#include "harness/run/client_run.h"

#include "harness/drive/lacks.h"
#include "harness/drive/run_case.h"
#include "harness/judge/client.h"

#include <pthread.h>

// The most workers in addition to the first if the user gave no number.
#define WAITERS_MAX 3

void jck_client_run_init(jck_client_run *run, jck_ledger *ledger, const jck_plan *plan)
{
    *run = (jck_client_run){.ledger = ledger, .plan = plan};
    jck_client_init(&run->client, &ledger->options->client);
}

void jck_client_run_done(jck_client_run *run)
{
    jck_client_done(&run->client);
}

// Deals with a status. False: the run is stopped.
static bool goes_on(jck_client_run *run, jck_client_status status, const jrpc_error *error)
{
    switch (status) {
    case JCK_CLIENT_OK:
        return true;
    case JCK_CLIENT_UNOPENED:
        jck_ledger_stop(run->ledger, JCK_RUN_UNOPENED, error);
        return false;
    case JCK_CLIENT_INTERRUPTED:
        jck_ledger_stop(run->ledger, JCK_RUN_INTERRUPTED, NULL);
        return false;
    case JCK_CLIENT_FAULT:
        jck_ledger_stop(run->ledger, JCK_RUN_FAULT, error);
        return false;
    }
    return false;
}

static int64_t timeout_of(const jck_client_run *run, const jck_case *test_case)
{
    const jck_client_options *options = &run->client.options;
    bool brief = test_case != NULL && jck_client_times_out(test_case);
    return brief ? options->brief_ms : options->call_ms;
}

bool jck_client_run_open(jck_client_run *run)
{
    jrpc_error error = {0};
    const jrpc_clock *clock = run->ledger->options->clock;
    int64_t began_us = jrpc_clock_now_us(clock);
    jck_client_status status = jck_client_open(&run->client, timeout_of(run, NULL), &error);
    run->opening_us = jrpc_clock_now_us(clock) - began_us;
    if (!goes_on(run, status, &error)) {
        return false;
    }
    jck_target *target = run->ledger->options->target;
    const jck_client_driver *driver = &run->client.driver;
    if (target->implementation.name.len == 0 && driver->name.len > 0) {
        (void)jrpc_arena_copy(&target->arena, driver->name, &target->implementation.name);
        (void)jrpc_arena_copy(&target->arena, driver->version, &target->implementation.version);
    }
    return true;
}

// Makes sure that a driver runs for the case. A driver that ran before and does not start now gets
// a second chance.
static bool open_for(jck_client_run *run, const jck_case *test_case)
{
    jrpc_error error = {0};
    jck_client_status status = JCK_CLIENT_FAULT;
    for (int chance = 0; chance < 2; chance++) {
        jrpc_error_clear(&error);
        status = jck_client_open(&run->client, timeout_of(run, test_case), &error);
        if (status != JCK_CLIENT_UNOPENED) {
            break;
        }
    }
    return goes_on(run, status, &error);
}

// Runs and judges a case once. NULL if the run has been stopped.
static jck_attempt *try_case(jck_client_run *run, const jck_case *test_case, bool alone)
{
    jrpc_error error = {0};
    bool used = run->client.driver.peer != NULL && run->start == run->client.starts;
    if (alone || (used && jck_client_is_fresh(test_case))) {
        jck_client_stop(&run->client);
    }
    if (!open_for(run, test_case)) {
        return NULL;
    }
    jck_attempt *attempt = jck_ledger_attempt(run->ledger, test_case);
    if (attempt == NULL) {
        return NULL;
    }
    run->on_driver = run->start == run->client.starts ? run->on_driver + 1 : 1;
    run->start = run->client.starts;
    attempt->evidence.isolated = run->on_driver == 1;
    attempt->evidence.of_messages = !jck_target_traits(run->ledger->options->target)->byte_stream;
    jck_client_status status = jck_client_run_case(&run->client, test_case, &attempt->variables,
                                                   &attempt->evidence, &error);
    if (!goes_on(run, status, &error)) {
        jck_attempt_free(attempt);
        return NULL;
    }
    jck_judge(run->ledger->options->suite, test_case, &attempt->variables, &attempt->evidence,
              &run->ledger->calibration, &attempt->arena, &attempt->verdict);
    run->client.one_at_a_time = run->client.one_at_a_time ||
                                jck_has_observed(&attempt->verdict.findings, JCK_OBSERVED_CALLS,
                                                 JCK_OBSERVED_ONE_AT_A_TIME);
    return attempt;
}

// A second look, on a fresh driver, at what fails after other cases. False: the run is stopped.
static bool confirm(jck_client_run *run, jck_execution *execution)
{
    const jck_attempt *seen = execution->attempt;
    if (!jck_attempt_has_finding(seen) || seen->evidence.isolated ||
        jck_ledger_trusts(run->ledger, execution->test_case, seen)) {
        return true;
    }
    jck_attempt *again = try_case(run, execution->test_case, true);
    if (again == NULL) {
        return false;
    }
    bool same = jck_attempt_repeats(again, seen);
    jck_ledger_note_confirmed(run->ledger, execution->test_case, seen, same);
    jck_execution_decide(execution, again, JCK_WAY_ALONE);
    if (!same) {
        execution->company.way = JCK_WAY_ONCE;
    }
    return true;
}

static bool is_left_in_order(const jck_attempt *attempt)
{
    return attempt->evidence.muteness == JCK_NOT_MUTE && !attempt->evidence.process_gone;
}

// Whether a fresh driver still completes the case that all others depend on: one kind of message
// may end it in any number of cases without affecting the rest.
static bool still_calls(jck_client_run *run)
{
    jck_attempt *attempt =
        run->plan->ground_count == 0 ? NULL : try_case(run, run->plan->grounds[0], true);
    bool calls = attempt != NULL && is_left_in_order(attempt);
    jck_attempt_free(attempt);
    return calls;
}

// Whether going on makes sense. If any case was ever completed, a plain call decides.
static bool is_worth_going_on(jck_client_run *run, const jck_execution *execution)
{
    jck_liveliness *lively = &run->liveliness;
    if (!execution->judged || jck_liveliness_note(lively, is_left_in_order(execution->attempt))) {
        return true;
    }
    if (lively->ever_completed && still_calls(run)) {
        lively->consecutive_mute = 0;
        return true;
    }
    jrpc_error error = {0};
    (void)jrpc_error_set(
        &error, JRPC_ERROR_TIMEOUT,
        "the driver is unusable: in %u cases in a row it exited or stopped answering",
        lively->consecutive_mute);
    jck_ledger_stop(run->ledger, JCK_RUN_MUTE, &error);
    return false;
}

// Whether the case is skipped or blocked, and why. False if the run has been stopped.
static bool look_at_reasons(jck_client_run *run, jck_execution *execution, bool ground,
                            bool *ret_can)
{
    const jck_case *test_case = execution->test_case;
    jrpc_slice rule = {NULL, 0};
    execution->attempt = jck_ledger_attempt(run->ledger, test_case);
    if (execution->attempt == NULL || !open_for(run, test_case)) {
        return false;
    }
    jrpc_arena *arena = &execution->attempt->arena;
    *ret_can = false;
    if (jck_client_lacks(&run->client, test_case, arena, &execution->reason)) {
        execution->outcome = JCK_OUTCOME_SKIP;
    } else if (!ground && jck_ledger_blocks(run->ledger, test_case, &rule)) {
        execution->outcome = JCK_OUTCOME_BLOCKED;
        execution->reason = jck_reason_broken(arena, rule);
    } else {
        *ret_can = true;
    }
    return true;
}

static bool run_to_verdict(jck_client_run *run, jck_execution *execution, bool ground)
{
    bool can = false;
    if (!look_at_reasons(run, execution, ground, &can)) {
        return false;
    }
    if (!can) {
        return true;
    }
    jck_attempt *attempt = try_case(run, execution->test_case, false);
    if (attempt == NULL) {
        return false;
    }
    jck_attempt_free(execution->attempt); // it was only needed to see whether the case can be run
    execution->attempt = NULL;
    if (attempt->evidence.unread != NULL) {
        execution->attempt = attempt;
        execution->outcome = JCK_OUTCOME_SKIP;
        execution->reason =
            (jck_reason){.code = JCK_REASON_NOT_DRIVEN, .text = attempt->evidence.unread};
        return true;
    }
    jck_execution_decide(execution, attempt, JCK_WAY_COMPANY);
    return confirm(run, execution);
}

static bool run_one(jck_client_run *run, const jck_case *test_case, const char *kind, bool ground)
{
    jck_execution *execution = jck_execution_new(test_case, kind);
    if (execution == NULL) {
        jck_ledger_starve(run->ledger);
        return false;
    }
    bool done = run_to_verdict(run, execution, ground);
    if (done) {
        if (ground && execution->judged) {
            jck_ledger_learn(run->ledger, test_case, &execution->attempt->verdict,
                             &execution->attempt->evidence);
        }
        jck_ledger_report_execution(run->ledger, execution);
        done = is_worth_going_on(run, execution);
    }
    jck_execution_free(execution);
    return done;
}

static bool run_grounds(jck_client_run *run)
{
    const jck_run_options *options = run->ledger->options;
    bool on = true;
    for (size_t i = 0; i < run->plan->ground_count && on; i++) {
        const jck_case *ground = run->plan->grounds[i];
        bool asked = jck_plan_asks_for(options->suite, &options->plan, ground);
        on = !jck_ledger_look_at_time(run->ledger) &&
             run_one(run, ground, asked ? "case" : "ground", true);
    }
    return on;
}

static void run_share(jck_client_run *run)
{
    bool on = true;
    while (on) {
        const jck_case *test_case = jck_ledger_take(run->ledger, run->plan, false);
        on = test_case != NULL && run_one(run, test_case, "case", false);
    }
}

static void *run_worker(void *context)
{
    run_share(context);
    return NULL;
}

// A case in which a time-out runs out does nothing but wait, which workers can do at the same time.
static unsigned choose_jobs(const jck_client_run *run)
{
    const jck_run_options *options = run->ledger->options;
    bool one = options->plan.shuffle || options->fail_fast || options->client.undriven ||
               !run->client.driver.keeps_timeout ||
               2 * run->opening_us > 1000 * options->client.brief_ms;
    unsigned jobs = 1;
    for (size_t i = 0; i < run->plan->case_count && jobs <= WAITERS_MAX && !one; i++) {
        jobs += jck_client_times_out(run->plan->cases[i]);
    }
    return options->jobs > 0 ? options->jobs : jobs;
}

// Whether a further worker can be used. If the user gave no number, it starts its driver here: a
// program that can run only once at a time works through the plan alone.
static bool begin_worker(jck_client_run *run, const jck_client_run *first, pthread_t *thread)
{
    jrpc_error error = {0};
    jck_client_run_init(run, first->ledger, first->plan);
    run->client.one_at_a_time = first->client.one_at_a_time;
    run->liveliness = first->liveliness;
    bool wanted = run->ledger->options->jobs > 0 ||
                  jck_client_open(&run->client, timeout_of(run, NULL), &error) == JCK_CLIENT_OK;
    if (wanted && pthread_create(thread, NULL, run_worker, run) == 0) {
        return true;
    }
    jck_client_run_done(run);
    return false;
}

void jck_client_run_cases(jck_client_run *first, jrpc_arena *arena)
{
    if (!run_grounds(first)) {
        return;
    }
    jck_ledger *ledger = first->ledger;
    ledger->jobs = choose_jobs(first);
    jck_client_run *workers = jrpc_arena_array(arena, ledger->jobs, sizeof *workers);
    pthread_t *threads = jrpc_arena_array(arena, ledger->jobs, sizeof *threads);
    unsigned started = 0;
    while (workers != NULL && threads != NULL && started + 1 < ledger->jobs &&
           begin_worker(&workers[started], first, &threads[started])) {
        started++;
    }
    run_share(first);
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
        jck_client_run_done(&workers[i]);
    }
}
