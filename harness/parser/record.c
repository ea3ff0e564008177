#include "harness/parser/record.h"

static bool add_message(jck_evidence *evidence, jck_direction direction, char connection, int step,
                        jrpc_slice bytes)
{
    const jck_message message = {
        .direction = direction,
        .connection = connection,
        .step = step,
        .at_us = evidence->duration_us,
        .bytes = bytes,
        .true_len = bytes.len,
    };
    return jck_evidence_add(evidence, &message);
}

// The text, and the answer to it with the time it took.
static bool add_exchange(jck_evidence *evidence, char connection, int step,
                         const jck_parser_exchange *exchange)
{
    const jck_reply *reply = &exchange->reply;
    if (!add_message(evidence, JCK_SENT, connection, step, exchange->text)) {
        return false;
    }
    evidence->duration_us += reply->took_us;
    return reply->frame.len == 0 ||
           add_message(evidence, JCK_RECEIVED, connection, step, reply->frame);
}

bool jck_parser_record(jrpc_arena *arena, const jck_parser_exchange *exchanges, size_t count,
                       size_t steps, jck_evidence *ret_evidence)
{
    bool done = jck_evidence_init(ret_evidence, arena, steps);
    for (size_t i = 0; i < count && done; i++) {
        const jck_reply *reply = &exchanges[i].reply;
        done = add_exchange(ret_evidence, 'a', (int)i, &exchanges[i]);
        ret_evidence->settled[i] = reply->kind == JCK_REPLY_HUNG      ? JCK_MUTE
                                   : reply->kind == JCK_REPLY_CRASHED ? JCK_GONE
                                                                      : JCK_SETTLED;
        ret_evidence->end = reply->ending;
        ret_evidence->process_gone = reply->kind == JCK_REPLY_CRASHED;
        ret_evidence->muteness = reply->kind == JCK_REPLY_HUNG ? JCK_HUNG : JCK_NOT_MUTE;
        done = done && jrpc_arena_copy(arena, reply->stderr_tail, &ret_evidence->stderr_tail);
    }
    return done;
}

bool jck_parser_record_other(jck_evidence *evidence, char connection,
                             const jck_parser_exchange *exchange)
{
    return add_exchange(evidence, connection, 0, exchange);
}
