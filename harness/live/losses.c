// Answers that are sometimes missing, whatever the request: every fiftieth, for example; and
// targets that end or fall silent after a number of messages. No single message and no small part
// of a round shows this.
#include "harness/live/live_private.h"

#include <inttypes.h>

// The most and the fewest calls of a round: a slower target would take too long.
#define CALLS_MOST (JCK_ROUND_MOST / 2)
#define CALLS_LEAST 16u

static bool add_call(jck_fuzzer *fuzzer, size_t number)
{
    jrpc_slice absent = fuzzer->context.absent;
    jrpc_buffer_clear(&fuzzer->message);
    (void)jrpc_buffer_printf(&fuzzer->message,
                             "{\"jsonrpc\":\"2.0\",\"method\":%.*s,\"params\":[],\"id\":%zu}",
                             (int)absent.len, absent.ptr, number);
    return jck_round_add(fuzzer->round, 'a', jrpc_buffer_slice(&fuzzer->message), NULL);
}

// The number, from 1, of the first message of the round without an answer; 0: all have one.
static size_t first_missing(const jck_round *round)
{
    for (size_t i = 0; i < round->count; i++) {
        if (round->sent[i].symptom == JCK_SYMPTOM_MISSING || !round->sent[i].answered) {
            return i + 1;
        }
    }
    return 0;
}

size_t jck_fuzzer_find_loss(jck_fuzzer *fuzzer, jck_shot *ret_call, jrpc_arena *arena,
                            bool *ret_goes_on)
{
    jck_round *round = fuzzer->round;
    size_t count = 0;
    bool lost = false;
    size_t calls = fuzzer->pace < CALLS_MOST ? fuzzer->pace : CALLS_MOST;
    if (calls < CALLS_LEAST) {
        return 0;
    }
    jck_link_drop(&fuzzer->worker->link);
    while (!lost && count + calls <= JCK_LOSS_MOST) {
        jrpc_error error = {0};
        jck_round_clear(round);
        for (size_t k = 0; k < calls && add_call(fuzzer, count + k + 1); k++) {
        }
        jck_fuzzer_hurry(fuzzer);
        jck_round_outcome outcome = jck_round_run(round, NULL, &error);
        jck_live_count(fuzzer->live, fuzzer->worker, round->count);
        *ret_goes_on = !jck_live_stop_for(fuzzer->worker, outcome, &error);
        if (!*ret_goes_on) {
            return 0;
        }
        if (count == 0 && round->count > 0) {
            *ret_call = (jck_shot){.connection = 'a'};
            (void)jrpc_arena_copy(arena, round->sent[0].bytes, &ret_call->bytes);
        }
        size_t first = first_missing(round);
        lost = first > 0;
        count += lost ? first : round->count;
    }
    return lost && !arena->failed ? count : 0;
}
