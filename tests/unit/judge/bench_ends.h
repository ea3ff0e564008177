// How an exchange ends that a row of the bench describes.
#ifndef TESTS_UNIT_JUDGE_BENCH_ENDS_H
#define TESTS_UNIT_JUDGE_BENCH_ENDS_H

#include "harness/evidence/evidence.h"

typedef enum bench_end {
    END_OPEN,      // the connection stands, and a fence was answered after every step
    END_TRANSPORT, // HTTP: the transport proves that nothing more comes
    END_CLOSED,    // the connection was closed
    END_ORDERLY,   // the process left with status 0
    END_EXITED,    // … with status 3
    END_SIGNALED,  // … by signal 11
    END_STUCK,
    END_HUNG,
    END_UNSENT,          // stuck while it was sent to
    END_NOT_RUN,         // the last step was not reached
    END_STATUS_1,        // the process left with status 1, when it was told to
    END_WS_CLOSE,        // the WebSocket was closed with 1000
    END_TOO_BIG,         // … with 1009
    END_MUTE_FROM_FIRST, // stuck in the first step
    END_QUIET,           // nothing more came for a while
    END_NOT_UTF8,        // the WebSocket was closed with 1007
} bench_end;

static inline void bench_end_with(jck_evidence *evidence, bench_end end)
{
    static const struct {
        jck_settled last;
        jrpc_end_kind kind;
        int value;
        bool gone, orderly;
        jck_muteness muteness;
    } ends[] = {
        [END_OPEN] = {.last = JCK_FENCED},
        [END_TRANSPORT] = {.last = JCK_TRANSPORT_END},
        [END_CLOSED] = {.last = JCK_GONE, .kind = JRPC_END_CLOSED},
        [END_ORDERLY] = {JCK_GONE, JRPC_END_EXITED, 0, true, true, JCK_NOT_MUTE},
        [END_EXITED] = {JCK_GONE, JRPC_END_EXITED, 3, true, false, JCK_NOT_MUTE},
        [END_SIGNALED] = {JCK_GONE, JRPC_END_SIGNALED, 11, true, false, JCK_NOT_MUTE},
        [END_STUCK] = {.last = JCK_MUTE, .muteness = JCK_STUCK},
        [END_HUNG] = {.last = JCK_MUTE, .muteness = JCK_HUNG},
        [END_UNSENT] = {.last = JCK_UNSENT, .muteness = JCK_STUCK},
        [END_NOT_RUN] = {.last = JCK_NOT_RUN},
        [END_STATUS_1] = {JCK_GONE, JRPC_END_EXITED, 1, true, true, JCK_NOT_MUTE},
        [END_WS_CLOSE] = {JCK_GONE, JRPC_END_WS_CLOSE, 1000, false, false, JCK_NOT_MUTE},
        [END_TOO_BIG] = {JCK_GONE, JRPC_END_WS_CLOSE, 1009, false, false, JCK_NOT_MUTE},
        [END_MUTE_FROM_FIRST] = {.last = JCK_MUTE, .muteness = JCK_STUCK},
        [END_QUIET] = {.last = JCK_SETTLED},
        [END_NOT_UTF8] = {JCK_GONE, JRPC_END_WS_CLOSE, 1007, false, false, JCK_NOT_MUTE},
    };
    for (size_t i = 0; i < evidence->step_count; i++) {
        bool last = i + 1 == evidence->step_count || end == END_MUTE_FROM_FIRST;
        evidence->settled[i] = last ? ends[end].last : JCK_FENCED;
    }
    evidence->end = (jrpc_peer_ending){ends[end].kind, ends[end].value};
    evidence->process_gone = ends[end].gone;
    evidence->orderly = ends[end].orderly;
    evidence->muteness = ends[end].muteness;
}

#endif
