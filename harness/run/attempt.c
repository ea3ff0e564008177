// One case, run once: opened, executed, judged.
#include "harness/run/worker.h"

// Memory that one execution may use: its record, and what the judge makes of it.
#define EXECUTION_BYTES ((size_t)512 << 20)

void jck_execution_clear(jck_execution *execution)
{
    jrpc_arena_done(&execution->arena);
    *execution = (jck_execution){0};
}

bool jck_execution_prepare(jck_worker *worker, jck_execution *execution, const jck_case *test_case)
{
    const jck_run_options *options = worker->ledger->options;
    execution->test_case = test_case;
    jrpc_arena_init(&execution->arena, jrpc_allocator_heap(), EXECUTION_BYTES);
    jck_variables_init(&execution->variables, &execution->arena, options->target, options->nonce,
                       jck_ledger_serial(worker->ledger));
    return jck_evidence_init(&execution->evidence, &execution->arena, test_case->step_count);
}

// Draws the consequences of a session that did not come to its end. False if the run stops.
static bool session_went_on(jck_worker *worker, jck_session_status status, const jrpc_error *error)
{
    jck_ledger *ledger = worker->ledger;
    switch (status) {
    case JCK_SESSION_OK:
        return true;
    case JCK_SESSION_DISTURBED:
    case JCK_SESSION_SINGLE:
        return true;
    case JCK_SESSION_UNOPENED:
        jck_ledger_stop(ledger, JCK_RUN_UNOPENED, error);
        return false;
    case JCK_SESSION_MUTE:
        jck_ledger_stop(ledger, JCK_RUN_MUTE, error);
        return false;
    case JCK_SESSION_INTERRUPTED:
        jck_ledger_stop(ledger, JCK_RUN_INTERRUPTED, NULL);
        return false;
    case JCK_SESSION_FAULT:
        jck_ledger_stop(ledger, JCK_RUN_FAULT, error);
        return false;
    }
    return false;
}

// Runs the session. A target that was open before and cannot be opened now is given a second chance
// from the start: a port may not be free yet, a neighbour may just be taking it down.
static jck_session_status run_session(jck_worker *worker, jck_execution *execution, jck_watch watch,
                                      jrpc_error *error)
{
    uint64_t opened = worker->link.opened;
    jck_session_status status = JCK_SESSION_FAULT;
    for (int chance = 0; chance < 2; chance++) {
        jrpc_error_clear(error);
        status = jck_session_run(&worker->session, execution->test_case, &execution->variables,
                                 watch, &execution->evidence, error);
        bool unopened = status == JCK_SESSION_UNOPENED || status == JCK_SESSION_MUTE;
        if (!unopened || opened == 0 || execution->evidence.count > 0) {
            break;
        }
        jck_link_stop(&worker->link);
    }
    return status;
}

bool jck_worker_shares_process(const jck_worker *worker)
{
    return worker->ledger->options->jobs > 1 && jck_host_is_used(worker->link.host);
}

// Says that a target that answers the first worker does not answer this one beside it.
static void explain_crowd(const jck_worker *worker, jrpc_error *error)
{
    const jrpc_error said = *error;
    jrpc_error_clear(error);
    (void)jrpc_error_set(error, JRPC_ERROR_CLOSED,
                         "the target does not serve %u connections at once: run it with --jobs 1 "
                         "(beside other connections, %.200s)",
                         worker->ledger->options->jobs, said.message);
}

// So often a case may be run anew because another worker ended the process that they share.
#define DISTURBANCES_MAX 8

// Runs the session until no other worker ends the process meanwhile.
static jck_session_status run_undisturbed(jck_worker *worker, jck_execution *execution,
                                          jck_watch watch, jrpc_error *error)
{
    jck_session_status status = run_session(worker, execution, watch, error);
    for (int i = 0; i < DISTURBANCES_MAX && status == JCK_SESSION_DISTURBED; i++) {
        const jck_case *test_case = execution->test_case;
        const char *kind = execution->kind;
        jck_execution_clear(execution);
        execution->kind = kind;
        if (!jck_execution_prepare(worker, execution, test_case)) {
            (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a case");
            return JCK_SESSION_FAULT;
        }
        status = run_session(worker, execution, watch, error);
    }
    bool unopened = status == JCK_SESSION_UNOPENED || status == JCK_SESSION_MUTE;
    if (unopened && worker->link.opened == 0 && worker->ledger->options->jobs > 1 &&
        jck_target_traits(worker->link.target)->can_reconnect) {
        explain_crowd(worker, error);
    }
    return status;
}

static const jck_reason single_reason = {
    .code = JCK_REASON_SECOND_CONNECTION,
    .text = "the target serves no second connection beside the first",
};

// Executes and judges once. False if the run has to stop.
bool jck_worker_attempt(jck_worker *worker, jck_execution *execution, jck_watch watch,
                        const jck_calibration *calibration)
{
    const jck_run_options *options = worker->ledger->options;
    jrpc_error error = {0};
    worker->session.silent_on_parse_error = worker->ledger->silent_on_parse_error;
    worker->session.silent_on_batch = worker->ledger->silent_on_batch;
    worker->session.silent_on_positional = worker->ledger->calibration.positional.silent;
    worker->session.silent_on_named = worker->ledger->calibration.named.silent;
    jck_session_status status = run_undisturbed(worker, execution, watch, &error);
    if (status == JCK_SESSION_SINGLE) {
        // Not the target is gone: it serves one client at a time, as it may.
        jck_link_drop(&worker->link);
        execution->outcome = JCK_OUTCOME_SKIP;
        execution->reason = single_reason;
        execution->judged = false;
        return true;
    }
    if (!session_went_on(worker, status, &error)) {
        return false;
    }
    jck_judge(options->suite, execution->test_case, &execution->variables, &execution->evidence,
              calibration, &execution->arena, &execution->verdict);
    execution->outcome = execution->verdict.outcome;
    execution->reason = (jck_reason){.code = JCK_REASON_NONE};
    if (execution->outcome == JCK_OUTCOME_BLOCKED) {
        execution->reason = jck_reason_broken(&execution->arena, execution->verdict.blocked_by);
    } else if (execution->outcome == JCK_OUTCOME_ERROR) {
        execution->reason = (jck_reason){.code = JCK_REASON_OUT_OF_MEMORY,
                                         .text = "out of memory while the case was judged"};
    }
    execution->judged = true;
    return true;
}
