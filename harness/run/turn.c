#include "harness/run/turn.h"

static bool counts_effects(const jck_case *test_case)
{
    for (size_t i = 0; test_case != NULL && i < test_case->need_count; i++) {
        if (jrpc_slice_is(test_case->needs[i], "count")) {
            return true;
        }
    }
    return false;
}

// Whether other workers could disturb the case (NULL: none), or a held one that may be run again:
// effects are counted per process.
static jck_turn turn_of(const jck_worker *worker, const jck_case *test_case)
{
    bool counts = counts_effects(test_case);
    for (const jck_execution *at = worker->held; at != NULL; at = at->next) {
        counts = counts || (counts_effects(at->test_case) && !at->pending);
    }
    // If effects cannot be counted, such cases are skipped, so nothing has to wait for them.
    bool alone = counts && worker->ledger->jobs > 1 && !worker->ledger->apart &&
                 jck_target_mapping(worker->link.target, JRPC_SLICE("count")) != NULL &&
                 jck_target_traits(worker->link.target)->can_reconnect;
    return alone ? JCK_TURN_ALONE : JCK_TURN_BESIDE;
}

// Waits until the worker may run a case.
static void enter(jck_worker *worker)
{
    jck_spent *spent = &worker->link.spent;
    jck_spent_kind before = jck_spent_begin(spent, worker->link.clock, JCK_SPENT_OTHERS);
    jck_ledger_enter(worker->ledger, worker->turn);
    (void)jck_spent_begin(spent, worker->link.clock, before);
}

void jck_turn_begin(jck_worker *worker, const jck_case *test_case)
{
    worker->turn = turn_of(worker, test_case);
    enter(worker);
}

void jck_turn_be_alone(jck_worker *worker)
{
    bool disturbed = jck_worker_shares_process(worker) || jck_ledger_is_strained(worker->ledger);
    if (disturbed && worker->turn != JCK_TURN_ALONE) {
        jck_ledger_leave(worker->ledger);
        worker->turn = JCK_TURN_ALONE;
        enter(worker);
    }
}

void jck_turn_end(jck_worker *worker)
{
    jck_ledger_leave(worker->ledger);
}
