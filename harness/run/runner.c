#include "harness/run/runner.h"

#include "harness/run/announce.h"
#include "harness/run/client_run.h"
#include "harness/run/crew.h"
#include "harness/run/provisional.h"

#define RUN_BYTES ((size_t)256 << 20)
// With several workers, cases with this many steps are scheduled first.
#define LONG_STEPS 6

// Runs the plan on the target.
static void run_server_once(const jck_run_options *options, jck_ledger *ledger,
                            const jck_plan *plan, jrpc_arena *arena)
{
    jck_worker first;
    jck_worker_init(&first, ledger, plan);
    size_t mapped = options->target->mapping_count;
    bool silence = false;
    bool opened = jck_worker_open(&first, &silence);
    if (!ledger->patient) {
        jck_announce_start(ledger, plan, mapped);
    }
    int64_t opened_us = jrpc_clock_now_us(options->clock);
    if (opened && jck_worker_run_grounds(&first)) {
        jck_crew_run(ledger, plan, &first, jrpc_clock_now_us(options->clock) - opened_us, arena);
        // Only the time limit ends exploring.
        if (options->explore != NULL && ledger->result.end == JCK_RUN_TIME_UP) {
            ledger->result.end = JCK_RUN_FINISHED;
        }
    } else if (silence) {
        jck_worker_report_silence(&first);
    }
    jck_crew_settle_account(ledger, &first);
    jck_worker_done(&first);
    jck_provisional_flush(ledger);
}

// Begins again, with a new ledger and full patience, if what the ground cases taught turned out to
// be wrong.
static bool run_server(const jck_run_options *options, jck_ledger *ledger, const jck_plan *plan,
                       jrpc_arena *arena)
{
    run_server_once(options, ledger, plan, arena);
    if (!ledger->is_void) {
        return true;
    }
    int64_t deadline_us = ledger->deadline_us;
    uint32_t serial = ledger->serial; // a target that remembers ids gets new ones
    jck_ledger_done(ledger);
    if (!jck_ledger_init(ledger, options, arena)) {
        return false;
    }
    ledger->deadline_us = deadline_us;
    ledger->serial = serial;
    ledger->patient = true;
    run_server_once(options, ledger, plan, arena);
    return true;
}

static void run_client(const jck_run_options *options, jck_ledger *ledger, const jck_plan *plan,
                       jrpc_arena *arena)
{
    jck_client_run run;
    jck_client_run_init(&run, ledger, plan);
    bool opened = jck_client_run_open(&run);
    jck_announce_start(ledger, plan, options->target->mapping_count);
    if (opened) {
        jck_client_run_cases(&run, arena);
    }
    jck_client_run_done(&run);
}

void jck_run(const jck_run_options *options, jck_run_result *ret_result)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), RUN_BYTES);
    int64_t began_us = jrpc_clock_now_us(options->clock);
    jck_ledger ledger;
    jck_plan plan = {0};
    jck_plan_options ordered = options->plan;
    ordered.side = options->side;
    ordered.undriven = options->client.undriven;
    ordered.bare_last = options->side == JCK_SIDE_SERVER && options->target != NULL &&
                        jck_target_traits(options->target)->is_child;
    ordered.long_steps = options->jobs > 1 ? LONG_STEPS : 0;
    if (!jck_ledger_init(&ledger, options, &arena) ||
        !jck_plan_make(options->suite, &ordered, &arena, &plan)) {
        *ret_result = (jck_run_result){.end = JCK_RUN_FAULT};
        jrpc_error_set(&ret_result->error, JRPC_ERROR_MEMORY, "out of memory for the plan");
        jrpc_arena_done(&arena);
        return;
    }
    if (options->side == JCK_SIDE_CLIENT) {
        run_client(options, &ledger, &plan, &arena);
    } else if (!run_server(options, &ledger, &plan, &arena)) {
        jck_ledger_starve(&ledger);
    }
    jck_announce_finish(&ledger, began_us);
    *ret_result = ledger.result;
    jck_ledger_done(&ledger);
    jrpc_arena_done(&arena);
}
