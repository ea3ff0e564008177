// The first opening of a target: whether it can be tested at all.
#include "harness/link/open.h"
#include "harness/run/discover.h"
#include "harness/run/recognise.h"
#include "harness/run/sight_resources.h"
#include "harness/run/worker.h"

#define VERDICT_BYTES ((size_t)1 << 20)

// Adds what the prelude captured to what the target declares: capabilities that it names in its
// answer to a handshake, a session. Values of false and null are not declared. False without
// memory.
static bool declare_captured(jck_link *link)
{
    jck_target *target = link->target;
    bool declared = true;
    for (size_t i = 0; i < target->prelude_count; i++) {
        for (size_t k = 0; k < target->prelude[i].capture_count && declared; k++) {
            jrpc_slice name = target->prelude[i].captures[k].name;
            jrpc_slice spelling;
            if (jck_variables_resolve(&link->captured, name, &spelling) &&
                !jrpc_slice_is(spelling, "false") && !jrpc_slice_is(spelling, "null")) {
                declared = jck_target_declare(target, name);
            }
        }
    }
    return declared;
}

// Whether the run has cases about the resources of RO-JRPC.
static bool asks_for_resources(const jck_run_options *options)
{
    for (size_t i = 0; i < jck_suite_case_count(options->suite); i++) {
        const jck_case *test_case = jck_suite_case(options->suite, i);
        for (size_t k = 0; k < test_case->need_count; k++) {
            if (jrpc_slice_is(test_case->needs[k], "user") &&
                jck_plan_selects(options->suite, &options->plan, test_case)) {
                return true;
            }
        }
    }
    return false;
}

// Whether the user has to say more before anything can be judged: credentials, or the framing.
static bool is_locked_out(const jck_link *link)
{
    int status = link->opening.http_status;
    return link->opening.framed || status == 401 || status == 403 || status == 407;
}

bool jck_worker_open(jck_worker *worker, bool *ret_silence)
{
    jrpc_error error = {0};
    jrpc_error refusal = {0}; // according to the profile
    jck_link_status status = jck_link_open(&worker->link, 'a', &error);
    if (status == JCK_LINK_MUTE && is_locked_out(&worker->link)) {
        status = JCK_LINK_UNOPENED;
        error = jck_is_refused(&worker->link, &refusal) ? refusal : error;
    }
    *ret_silence =
        status == JCK_LINK_MUTE || status == JCK_LINK_FLOODS || status == JCK_LINK_ECHOES;
    switch (status) {
    case JCK_LINK_OK:
        if (jck_is_refused(&worker->link, &error)) {
            jck_ledger_stop(worker->ledger, JCK_RUN_UNOPENED, &error);
            return false;
        }
        if (!declare_captured(&worker->link)) {
            (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory for a connection");
            jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, &error);
            return false;
        }
        if (worker->ledger->options->discover) {
            jck_discover(&worker->link, worker->ledger->options->explore == NULL);
            if (asks_for_resources(worker->ledger->options)) {
                jck_sight_resources(&worker->link);
            }
            jck_recognise(&worker->link);
        }
        return true;
    case JCK_LINK_UNOPENED:
        jck_recognise(&worker->link);
        *ret_silence = worker->link.opening.breaks_frames;
        jck_ledger_stop(worker->ledger, *ret_silence ? JCK_RUN_MUTE : JCK_RUN_UNOPENED, &error);
        return false;
    case JCK_LINK_MUTE:
    case JCK_LINK_FLOODS:
    case JCK_LINK_ECHOES:
        jck_recognise(&worker->link);
        jck_ledger_stop(worker->ledger, JCK_RUN_MUTE,
                        jck_is_refused(&worker->link, &refusal) ? &refusal : &error);
        return false;
    case JCK_LINK_INTERRUPTED:
        jck_ledger_stop(worker->ledger, JCK_RUN_INTERRUPTED, NULL);
        return false;
    case JCK_LINK_FAULT:
        jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, &error);
        return false;
    }
    return false;
}

// What was sent and heard while the connection was opened is the evidence: calls like that of the
// ground case, and whatever came instead of an answer.
static bool record_opening(const jck_worker *worker, jck_evidence *evidence)
{
    const jck_opening *opening = &worker->link.opening;
    bool recorded = true;
    for (size_t i = 0; i < opening->record.count && recorded; i++) {
        jck_message message = opening->record.messages[i];
        message.role = message.direction == JCK_SENT ? JCK_MESSAGE_OF_CASE : JCK_MESSAGE_NOISE;
        message.at_us = 0;
        recorded = jck_evidence_add(evidence, &message);
    }
    return recorded;
}

void jck_worker_report_silence(jck_worker *worker)
{
    const jck_ledger *ledger = worker->ledger;
    const jck_case *ground = worker->plan->ground_count > 0 ? worker->plan->grounds[0] : NULL;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), VERDICT_BYTES);
    jck_verdict verdict = {.outcome = JCK_OUTCOME_FAIL, .conformant = false};
    jck_evidence evidence;
    if (ground != NULL && jck_evidence_init(&evidence, &arena, ground->step_count) &&
        record_opening(worker, &evidence)) {
        jck_findings_init(&verdict.findings, &arena, ledger->options->suite, ground);
        bool breaks = worker->link.opening.breaks_frames;
        jck_add_finding(&verdict.findings, 0, breaks ? JCK_ROLE_FRAME_FORM : JCK_ROLE_RESPONSE_OWED,
                        "%s", ledger->result.error.message);
        if (worker->link.opening.words[0] == '{' &&
            worker->link.target->framing == JRPC_FRAMING_LINE &&
            !jck_target_traits(worker->link.target)->exchanges &&
            !jck_target_traits(worker->link.target)->upgrades &&
            worker->link.opening.status != JCK_LINK_ECHOES) {
            jck_add_finding(&verdict.findings, 0, JCK_ROLE_ONE_LINE,
                            "in line framing a message is one line that ends with a line feed; "
                            "this target's are not: %s",
                            worker->link.opening.words);
        }
        if (worker->link.opening.status == JCK_LINK_ECHOES || breaks ||
            (worker->link.opening.http_status != 0 && !worker->link.opening.unended)) {
            verdict.outcome = JCK_OUTCOME_FAIL;
        } else {
            verdict.outcome = JCK_OUTCOME_HANG;
            evidence.muteness = JCK_HUNG;
        }
        jck_ledger_report_verdict(worker->ledger, ground, &verdict, &evidence);
    }
    jrpc_arena_done(&arena);
}

// If the user gave no number of workers, a further one is waited for no longer than this, or than
// the target needs to start.
#define LET_IN_MS 1000
#define LET_IN_MEANS 20

bool jck_worker_is_let_in(jck_worker *worker)
{
    jrpc_error ignored = {0};
    const jck_timing *full = &worker->ledger->options->timing;
    int64_t usual_ms = LET_IN_MEANS * jck_ledger_mean_us(worker->ledger) / 1000;
    int64_t starts_ms = worker->ledger->apart ? full->start_ms : 0;
    usual_ms = usual_ms > LET_IN_MS ? usual_ms : LET_IN_MS;
    worker->link.timing.start_ms = usual_ms > starts_ms ? usual_ms : starts_ms;
    bool let_in = jck_link_open(&worker->link, 'a', &ignored) == JCK_LINK_OK;
    worker->link.timing = *full;
    return let_in;
}
