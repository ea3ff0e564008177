// What still comes after the end of a case, on targets that are known to answer late.
#include "harness/session/collect.h"
#include "harness/session/conclude.h"

bool jck_session_linger(jck_session *session, const jck_case *test_case, jck_variables *variables,
                        jck_evidence *evidence, int64_t window_ms)
{
    jck_link *link = session->link;
    jrpc_error ignored = {0};
    const jck_connection *first = jck_link_connection(link, 'a');
    if (!jck_connection_is_open(first) || evidence->step_count == 0 || jck_link_exchanges(link)) {
        return false;
    }
    size_t count = evidence->count;
    int last = (int)evidence->step_count - 1;
    jck_exec exec = {
        .session = session,
        .test_case = test_case,
        .variables = variables,
        .evidence = evidence,
        .watch = evidence->isolated ? JCK_WATCH_QUIET : JCK_WATCH_FENCES,
        .step = last,
        .began_us = jrpc_clock_now_us(link->clock) - evidence->duration_us,
        .error = &ignored,
    };
    jck_collect_for(&exec, 'a', window_ms);
    bool ended = first->state == JCK_CONNECTION_ENDED;
    (void)jck_exec_conclude(&exec);
    return evidence->count > count || ended;
}
