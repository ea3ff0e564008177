#include "harness/cli/plan_show.h"

#include "harness/cli/words.h"
#include "harness/report/safe.h"
#include "harness/session/session.h"
#include "reference/base/plural.h"

#define PLAN_BYTES ((size_t)64 << 20)

// Why a case will not run, as far as that is known before anything is started.
static jck_reason reason_against(jck_session *session, const jck_target *target,
                                 const jck_case *test_case, jrpc_arena *arena)
{
    jck_reason reason = {.code = JCK_REASON_NONE};
    jck_variables variables;
    for (size_t i = 0; i < test_case->need_count; i++) {
        if (!jck_target_offers(target, test_case->needs[i], arena, &reason)) {
            return reason;
        }
    }
    jck_variables_init(&variables, arena, target, 1, 1);
    (void)jck_session_can_carry(session, test_case, &variables, arena, &reason);
    return reason;
}

static void show(const jck_case *test_case, const jck_reason *reason)
{
    bool runs = reason->code == JCK_REASON_NONE;
    (void)fputs(runs ? "run   " : "skip  ", stdout);
    (void)jck_print_safe(stdout, test_case->id);
    (void)fputs(runs ? "  " : ": ", stdout);
    (void)jck_print_safe(stdout, runs ? test_case->title : jrpc_slice_str(reason->text));
    (void)putchar('\n');
}

jck_exit jck_plan_show(const jck_assignment *assignment)
{
    const jck_suite *suite = assignment->suite;
    const jck_timing timing = jck_execute_timing(assignment->target);
    jrpc_arena arena;
    jck_link link;
    jck_session session;
    size_t runs = 0;
    size_t skips = 0;
    bool discoverable = false;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), PLAN_BYTES);
    jck_link_init(&link, assignment->target, &timing, jrpc_clock_monotonic(), -1, assignment->nonce,
                  NULL);
    jck_session_init(&session, &link);
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        const jck_case *test_case = jck_suite_case(suite, i);
        if (!assignment->selected[i]) {
            continue;
        }
        jck_reason reason = reason_against(&session, assignment->target, test_case, &arena);
        runs += reason.code == JCK_REASON_NONE ? 1 : 0;
        skips += reason.code == JCK_REASON_NONE ? 0 : 1;
        discoverable = discoverable || reason.code == JCK_REASON_NO_METHOD;
        show(test_case, &reason);
        jrpc_arena_clear(&arena);
    }
    jck_session_done(&session);
    jck_link_done(&link);
    jrpc_arena_done(&arena);
    (void)printf("\n%zu case%s would run, %zu would be skipped\n", runs, jrpc_plural(runs), skips);
    if (discoverable && !assignment->options->no_discover) {
        (void)puts("(subtract, sum, get_data and echo are looked for when the run begins)");
    }
    return runs > 0 ? JCK_EXIT_CONFORMANT : JCK_EXIT_USAGE;
}
