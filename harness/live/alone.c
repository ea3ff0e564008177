// Messages that are sent alone: nothing follows until the answer has come. A server that leaves its
// answer in a buffer until the next message comes is found out. In a round each message is followed
// by others, so this does not show there.
#include "harness/live/live_private.h"
#include "reference/base/hash.h"

#include <string.h>

// One message is sent alone after this many rounds.
#define ROUNDS_BETWEEN 5u
#define MESSAGE_MOST ((size_t)32 << 10)
#define ARENA_BYTES ((size_t)256 << 10)
// Messages are made to fill buffers of this size, or of a power of two times as much.
#define BUFFER_LEAST ((size_t)512)
#define BUFFER_SIZES 6u

// What is sent alone, in turn.
typedef enum turn {
    TURN_BATCH,
    TURN_REFUSED, // what is no call
    TURN_CALL,
    TURN_FILLING, // any message, so long that it fills a buffer
    TURNS,
} turn;

// Whether the message was answered correctly in the round, so that an answer is due for certain.
static bool is_answered(const jck_fuzzer *fuzzer, const jck_sent *sent)
{
    const bool owed = sent->due.kind == JCK_DUE_ONE || sent->due.kind == JCK_DUE_BATCH;
    return owed && sent->answered && sent->symptom == JCK_SYMPTOM_NONE &&
           jck_travel_is_usual(&sent->travel) && sent->bytes.len <= MESSAGE_MOST &&
           jck_round_carries(fuzzer->round, sent->bytes);
}

static bool is_for(turn now, const jck_due *due)
{
    const bool batch = due->kind == JCK_DUE_BATCH;
    const bool call = jck_due_is_call(due);
    return now == TURN_FILLING || (now == TURN_BATCH && batch) || (now == TURN_CALL && call) ||
           (now == TURN_REFUSED && !batch && !call);
}

// One of the answered messages of the round; NULL: there is none for this turn.
static const jck_sent *pick(jck_fuzzer *fuzzer, turn now)
{
    const jck_round *round = fuzzer->round;
    const size_t first = (size_t)jrpc_random_below(&fuzzer->splits, round->count);
    for (size_t i = 0; i < round->count; i++) {
        const jck_sent *sent = &round->sent[(first + i) % round->count];
        if (is_answered(fuzzer, sent) && is_for(now, &sent->due)) {
            return sent;
        }
    }
    return NULL;
}

// Copies a message; if it is to fill a buffer, with white space after its first bracket.
static bool copy(jck_fuzzer *fuzzer, jrpc_slice bytes, turn now, jrpc_arena *arena, jrpc_slice *ret)
{
    // A line feed follows a line.
    const size_t end = fuzzer->context.target->framing == JRPC_FRAMING_LINE ? 1 : 0;
    const size_t unit = BUFFER_LEAST << jrpc_random_below(&fuzzer->splits, BUFFER_SIZES);
    const size_t len = ((bytes.len + end) / unit + 1) * unit - end;
    if (now != TURN_FILLING || (bytes.ptr[0] != '{' && bytes.ptr[0] != '[')) {
        return jrpc_arena_copy(arena, bytes, ret);
    }
    char *text = jrpc_arena_alloc(arena, len);
    if (text == NULL) {
        return false;
    }
    text[0] = bytes.ptr[0];
    memset(text + 1, ' ', len - bytes.len);
    memcpy(text + 1 + (len - bytes.len), bytes.ptr + 1, bytes.len - 1);
    *ret = jrpc_slice_of(text, len);
    return true;
}

bool jck_fuzzer_send_alone(jck_fuzzer *fuzzer)
{
    // With each message in an exchange of its own, all are sent alone.
    if (jck_target_traits(fuzzer->context.target)->exchanges || fuzzer->round->count == 0 ||
        ++fuzzer->unaccompanied < ROUNDS_BETWEEN ||
        jck_live_is_over(fuzzer->live, fuzzer->worker)) {
        return true;
    }
    const turn now = (turn)(fuzzer->alone++ % TURNS);
    const jck_sent *sent = pick(fuzzer, now);
    const uint64_t key = jrpc_hash_number(jrpc_hash_bytes(JRPC_SLICE("alone")), now);
    if (sent == NULL || !jck_kinds_is_open(&fuzzer->live->kinds, key)) {
        return true;
    }
    fuzzer->unaccompanied = 0;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_shot shot = {.connection = 'a', .parting = JCK_PARTING_ALONE};
    jck_hunted result = JCK_HUNTED_NOTHING;
    if (copy(fuzzer, sent->bytes, now, &arena, &shot.bytes)) {
        jck_live_count(fuzzer->live, fuzzer->worker, 1);
        result = jck_fuzzer_try(fuzzer, &shot, 1, false, false);
        if (result == JCK_HUNTED_FINDING) {
            jck_kinds_settle(&fuzzer->live->kinds, key, true);
        }
    }
    jrpc_arena_done(&arena);
    return result != JCK_HUNTED_STOP;
}
