#include "harness/run/worker.h"

#include "harness/link/prelude.h"
#include "harness/run/confirm.h"
#include "harness/run/held.h"
#include "harness/run/once.h"
#include "harness/run/pending.h"
#include "harness/run/provisional.h"
#include "harness/run/reserve.h"
#include "harness/run/turn.h"

static void init(jck_worker *worker, jck_target *target, jck_host *host)
{
    const jck_run_options *options = worker->ledger->options;
    worker->calibration = &worker->ledger->calibration;
    jck_link_init(&worker->link, target, &options->timing, options->clock, options->interrupt_fd,
                  options->nonce, host);
    jck_session_init(&worker->session, &worker->link);
}

void jck_worker_init(jck_worker *worker, jck_ledger *ledger, const jck_plan *plan)
{
    *worker = (jck_worker){.ledger = ledger, .plan = plan};
    init(worker, ledger->options->target, &ledger->host);
}

static bool init_beside(jck_worker *worker, jck_ledger *ledger, const jck_plan *plan,
                        const char *after)
{
    const jck_run_options *options = ledger->options;
    jrpc_error ignored = {0};
    *worker = (jck_worker){.ledger = ledger, .plan = plan};
    bool beside = jck_target_beside(&worker->beside, options->target, after, &ignored);
    bool hosted = jck_host_init(&worker->host, &worker->beside, options->clock,
                                options->timing.grace_ms, options->interrupt_fd);
    init(worker, &worker->beside, &worker->host);
    return beside && hosted;
}

bool jck_worker_init_further(jck_worker *worker, jck_worker *first, const jck_worker *before,
                             bool beside)
{
    bool made = true;
    if (beside) {
        made = init_beside(worker, first->ledger, first->plan,
                           before == NULL ? NULL : before->link.target->own_port);
    } else {
        jck_worker_init(worker, first->ledger, first->plan);
    }
    worker->further = true;
    // Its first cases may be some that make the target mute: that it answers was seen before.
    worker->liveliness.ever_completed = first->liveliness.ever_completed;
    return made && jck_link_learn_from(&worker->link, &first->link);
}

void jck_worker_done(jck_worker *worker)
{
    jck_session_done(&worker->session);
    jck_link_farewell(&worker->link);
    jck_link_done(&worker->link);
    if (worker->link.host == &worker->host) {
        jck_host_done(&worker->host);
        jck_target_done(&worker->beside);
    }
}

static const jck_reason single_reason = {
    .code = JCK_REASON_SECOND_CONNECTION,
    .text = "the target serves fewer connections at once than the case opens",
};

static const jck_reason cut_off_reason = {
    .code = JCK_REASON_NOT_CARRIED,
    .text = "the target closes each connection after a number of messages, and the case has more",
};

static const jck_reason limited_reason = {
    .code = JCK_REASON_NOT_CARRIED,
    .text =
        "the target refuses messages that come too fast, and refused some of this case each time",
};

// Why a case is not run that would only do to the target what others did.
static jck_reason reason_of_fate(jck_fate fate, jrpc_slice rule)
{
    static const jck_reason crash = {
        .code = JCK_REASON_REPEATS_CRASH,
        .text = "it would only crash the target again, as every case with such a message did",
    };
    static const jck_reason end = {
        .code = JCK_REASON_REPEATS_END,
        .text = "it would only end the target's process again, as every such message did",
    };
    static const jck_reason mute = {
        .code = JCK_REASON_REPEATS_MUTE,
        .text = "the target would only fall silent again, as after every such message",
    };
    jck_reason reason = fate == JCK_FATE_KILLED ? crash : fate == JCK_FATE_ENDED ? end : mute;
    reason.rule = rule;
    return reason;
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
    jck_ledger_share_many(worker->ledger, &worker->link.learned.many);
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
    const jck_rule *broken = NULL;
    jck_fate fate =
        ground ? JCK_FATE_SURVIVED : jck_ledger_expects(worker->ledger, test_case, &broken);
    if (fate != JCK_FATE_SURVIVED) {
        execution->outcome = JCK_OUTCOME_BLOCKED;
        *reason = reason_of_fate(fate, broken == NULL ? test_case->rules[0] : broken->id);
        return false;
    }
    return true;
}

// If the target was seen to answer late, listens longer after a case that is owed no answer and
// seems to have got none.
static void await_lateness(jck_worker *worker, jck_execution *execution)
{
    int64_t window_ms =
        jck_execution_kept_silence(execution) ? jck_ledger_lateness(worker->ledger) : 0;
    if (window_ms > 0) {
        jck_worker_linger(worker, execution->test_case, execution->attempt, window_ms);
        jck_execution_conclude(execution);
    }
}

// A target whose answers are one request late looks mute when the last answer is waited for.
static bool lags(const jck_worker *worker, const jck_execution *execution)
{
    return execution->judged && !worker->liveliness.ever_completed &&
           jck_attempt_lags(execution->attempt);
}

// Replaces the findings of the case: it fails because a call was not answered.
static void report_unanswered(const jck_worker *worker, jck_execution *execution, const char *text)
{
    jck_verdict *verdict = &execution->attempt->verdict;
    jck_findings_init(&verdict->findings, &execution->attempt->arena,
                      worker->ledger->options->suite, execution->test_case);
    jck_add_finding(&verdict->findings, 0, JCK_ROLE_RESPONSE_OWED, "%s", text);
    verdict->outcome = execution->outcome = JCK_OUTCOME_FAIL;
    verdict->conformant = false;
}

// Whether the target was seen to close a connection instead of answering the next call on it, and
// this case, the first after that without a finding of its own, reports it.
static bool reports_swallowing(const jck_worker *worker, jck_execution *execution)
{
    size_t after = worker->link.learned.swallowed_after;
    bool clean = execution->judged && !jck_attempt_has_finding(execution->attempt);
    if (after == 0 || !clean || !jck_ledger_reports_swallowing(worker->ledger)) {
        return false;
    }
    const char *text = jrpc_arena_printf(
        &execution->attempt->arena,
        "after %zu messages on a connection, the target reads the next call and closes the "
        "connection instead of answering",
        after);
    report_unanswered(worker, execution, text == NULL ? "a call is not answered" : text);
    return true;
}

static bool confirm(jck_worker *worker, jck_execution *execution)
{
    jck_spent *spent = &worker->link.spent;
    jck_spent_on before = jck_spent_turn_to(spent, worker->link.clock, JCK_SPENT_ON_CONFIRMING);
    bool goes_on = jck_confirm(worker, execution);
    if (goes_on && jck_confirm_has_to_listen(execution) && !jck_pending_begin(worker, execution)) {
        goes_on = jck_confirm_in_full(worker, execution);
    }
    (void)jck_spent_turn_to(spent, worker->link.clock, before);
    return goes_on;
}

// Runs one case to its final verdict. False if the run has to stop.
static bool run_to_verdict(jck_worker *worker, jck_execution *execution, bool ground)
{
    if (!can_run(worker, execution, ground)) {
        return true;
    }
    jck_attempt *attempt = NULL;
    switch (jck_worker_try(worker, execution->test_case, JCK_WATCH_FENCES, &attempt)) {
    case JCK_TRIED:
        break;
    case JCK_TRIED_NO_ROOM:
        execution->outcome = JCK_OUTCOME_SKIP;
        execution->reason = single_reason;
        return true;
    case JCK_TRIED_CUT_OFF:
        execution->outcome = JCK_OUTCOME_SKIP;
        execution->reason = cut_off_reason;
        return true;
    case JCK_TRIED_LIMITED:
        execution->outcome = JCK_OUTCOME_SKIP;
        execution->reason = limited_reason;
        return true;
    case JCK_TRIED_STOP:
        return false;
    }
    jck_attempt_free(execution->attempt); // it was only needed to see whether the case can be run
    execution->attempt = NULL;
    jck_execution_decide(execution, attempt, JCK_WAY_COMPANY);
    await_lateness(worker, execution);
    jck_confirm_strays(worker, attempt, 0);
    if (lags(worker, execution)) {
        // A slow server looks the same unless every answer has the full time.
        bool goes_on = jck_confirm_in_full(worker, execution);
        if (lags(worker, execution)) {
            report_unanswered(
                worker, execution,
                "the answer comes only when the next message is sent: one request late");
        }
        return goes_on;
    }
    if ((!ground && reports_swallowing(worker, execution)) || !jck_confirm_is_due(execution)) {
        return true;
    }
    const jck_attempt *stands = execution->attempt;
    bool believed = !jck_attempt_was_overtaken(stands) ||
                    jck_ledger_trusts(worker->ledger, execution->test_case, stands);
    bool whole = !jck_attempt_is_doubtful(stands) &&
                 !jck_attempt_may_hear_earlier(stands, execution->test_case);
    return (believed && (whole || (!ground && jck_pending_begin(worker, execution)))) ||
           confirm(worker, execution);
}

// Whether going on makes sense; if not, the run is stopped. Hazards are expected to do harm.
static bool is_worth_going_on(jck_worker *worker, const jck_execution *execution)
{
    if (!execution->judged || execution->test_case->hazard) {
        return true;
    }
    const jck_evidence *evidence = &execution->attempt->evidence;
    bool in_order = evidence->muteness <= JCK_UNFINISHED && evidence->flood_messages == 0;
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

// Whether the case failed and the target could not be reached since. The failure cannot be
// confirmed, but it shows what was sent last.
static bool is_last_seen(jck_worker *worker, const jck_execution *execution)
{
    return execution->judged && jck_attempt_has_finding(execution->attempt) &&
           jck_ledger_lost_target(worker->ledger);
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
    bool finished = run_to_verdict(worker, execution, ground);
    if (!finished && !is_last_seen(worker, execution)) {
        jck_execution_free(execution);
        return false;
    }
    if (ground && execution->judged) {
        jck_ledger_learn(worker->ledger, test_case, &execution->attempt->verdict,
                         &execution->attempt->evidence);
        if (execution->pending && worker->hurries) {
            jck_provisional_begin(worker->ledger, execution);
        }
    }
    jck_ledger_note_fate(worker->ledger, execution, false);
    bool goes_on = finished && is_worth_going_on(worker, execution);
    jck_held_add(worker, execution);
    goes_on = jck_pending_settle(worker, ground && !worker->hurries) && goes_on;
    jck_held_report(worker, ground || !goes_on ? 0 : JCK_RECENT_MAX);
    return goes_on;
}

// How long a case lets the rest of the run pass at least; if only a few other cases run, that must
// be long enough to show what it shows in a whole run.
#define REST_LEAST_MS 400
#define REST_OF_FEW_MS 2000
#define FEW_CASES 50
// How long it does so at most if the same worker has to run another such case.
#define REST_SHARED_MS 4000

// After a worker's last case no further case can show that an answer came late: what has come by
// now belongs to the last case or to earlier ones.
static void settle(jck_worker *worker)
{
    jck_execution *last = jck_held_last(worker);
    if (last != NULL && last->judged && last->company.way == JCK_WAY_COMPANY &&
        !jck_ledger_stopping(worker->ledger)) {
        size_t known = last->attempt->evidence.count;
        jck_worker_linger(worker, last->test_case, last->attempt,
                          jck_ledger_lateness(worker->ledger));
        jck_execution_conclude(last);
        jck_confirm_strays(worker, last->attempt, known);
        if (jck_confirm_is_due(last)) {
            (void)confirm(worker, last);
        }
    }
    (void)jck_pending_settle(worker, !jck_ledger_has_to_end(worker->ledger));
    jck_held_settle(worker, jck_ledger_has_to_end(worker->ledger));
    jck_held_report(worker, 0);
}

bool jck_worker_run_grounds(jck_worker *worker)
{
    const jck_run_options *options = worker->ledger->options;
    worker->turn = JCK_TURN_ALONE; // the others have not begun
    worker->hurries = jck_provisional_is_possible(worker->ledger, &worker->link);
    if (worker->hurries) {
        jck_provisional_begin_grounds(worker->ledger);
    }
    for (size_t i = 0; i < worker->plan->ground_count; i++) {
        const jck_case *ground = worker->plan->grounds[i];
        if (jck_ledger_look_at_time(worker->ledger)) {
            return false;
        }
        worker->calibration = i == 0 ? NULL : &worker->ledger->calibration;
        bool asked = jck_plan_asks_for(options->suite, &options->plan, ground);
        int64_t began_us = jrpc_clock_now_us(options->clock);
        if (!run_one(worker, ground, asked ? "case" : "ground", true)) {
            settle(worker);
            return false;
        }
        int64_t took_us = jrpc_clock_now_us(options->clock) - began_us;
        worker->longest_us = took_us > worker->longest_us ? took_us : worker->longest_us;
    }
    if (worker->hurries) {
        jck_provisional_end_grounds(worker->ledger);
        worker->hurries = false;
    }
    worker->calibration = &worker->ledger->calibration;
    worker->ledger->pace.early = true; // the others have not begun
    return true;
}

// Whether the worker only gets in the way: if cases end the process that all workers share, each
// end disturbs all workers; where all connections wait in one queue, answers only come later; and
// if the target limits the number of messages, one worker sends enough.
static bool is_in_the_way(const jck_worker *worker)
{
    bool harms = jck_worker_shares_process(worker) && worker->link.generation > 1;
    bool queues = !worker->ledger->apart && jck_ledger_is_crowded(worker->ledger);
    bool limited = worker->further && jck_ledger_is_limited(worker->ledger);
    return limited || (worker->optional && (harms || queues));
}

void jck_worker_run_cases(jck_worker *worker)
{
    for (bool goes_on = true; goes_on && !is_in_the_way(worker) && !jck_once_gives_way(worker);) {
        const jck_case *test_case = jck_ledger_take(worker->ledger, worker->plan, worker->optional);
        if (test_case == NULL) {
            break;
        }
        jck_turn_begin(worker, test_case);
        int64_t began_us = jrpc_clock_now_us(worker->link.clock);
        int64_t opening_us = jck_spent_all(&worker->link.spent, JCK_SPENT_OPENING);
        goes_on = run_one(worker, test_case, "case", false);
        jck_turn_end(worker);
        // Waiting for messages that come later is what some cases are about.
        if (!jck_case_receives(test_case)) {
            jck_reserve_note(worker->ledger, &worker->link, worker->plan,
                             jrpc_clock_now_us(worker->link.clock) - began_us,
                             jck_spent_all(&worker->link.spent, JCK_SPENT_OPENING) - opening_us);
        }
    }
    jck_ledger_leave_rest(worker->ledger, worker->plan);
    jck_turn_begin(worker, NULL);
    settle(worker);
    jck_turn_end(worker);
}

// It holds no turn: it would keep the others from running a case alone until they have ended.
void jck_worker_run_resting(jck_worker *worker)
{
    worker->turn = JCK_TURN_ALONE;
    worker->session.rest_is_over = &worker->ledger->rest_is_over;
    worker->session.learned_quiet_ms = &worker->ledger->quiet_ms;
    worker->session.rest_least_ms =
        worker->plan->case_count < FEW_CASES ? REST_OF_FEW_MS : REST_LEAST_MS;
    for (bool goes_on = true; goes_on && !jck_once_gives_way(worker);) {
        const jck_case *test_case = jck_ledger_take_resting(worker->ledger, worker->plan);
        if (test_case == NULL) {
            break;
        }
        bool shared = jck_ledger_has_resting(worker->ledger, worker->plan);
        worker->session.rest_most_ms = shared ? REST_SHARED_MS : 0;
        goes_on = run_one(worker, test_case, "case", false);
    }
    settle(worker);
}
