// Clients that leave early: in the middle of a message, or without reading their answers. Whoever
// stays must still be served.
#include "harness/live/live_private.h"
#include "reference/base/hash.h"

// A client leaves after this many rounds.
#define ROUNDS_BETWEEN 16u
#define VISITORS_MOST 8u
#define CALLS 4u
#define ARENA_BYTES ((size_t)1 << 20)
#define FRAMED_BYTES ((size_t)64 << 10)
#define MESSAGE_MOST ((size_t)16 << 10)

// Makes a message of a client that does not wait for its answer. False if it cannot be sent.
static bool make_unread(jck_fuzzer *fuzzer, bool last, jrpc_arena *arena, jck_shot *ret)
{
    const jrpc_traits *traits = jck_target_traits(fuzzer->context.target);
    jrpc_random *random = &fuzzer->splits;
    *ret = (jck_shot){.connection = 'b'};
    // A plain call: what other messages do is seen without anybody leaving.
    jrpc_buffer_clear(&fuzzer->message);
    bool made = jck_grammar_call(&fuzzer->grammar, random, &fuzzer->message);
    jrpc_slice bytes = jrpc_buffer_slice(&fuzzer->message);
    if (!made || bytes.len > MESSAGE_MOST || !jck_round_carries(fuzzer->round, bytes)) {
        return false;
    }
    ret->parting = last ? JCK_PARTING_LEAVES : JCK_PARTING_UNREAD;
    if (!last || !traits->byte_stream || !traits->carries_raw ||
        jrpc_random_below(random, 3) == 0) {
        return jrpc_arena_copy(arena, bytes, &ret->bytes);
    }
    jrpc_buffer framed;
    jrpc_buffer_init(&framed, jrpc_allocator_heap(), FRAMED_BYTES);
    ret->raw = jrpc_framing_encode(fuzzer->context.target->framing, bytes, &framed);
    size_t len = framed.len > 1 ? 1 + (size_t)jrpc_random_below(random, framed.len - 1) : 0;
    bool cut =
        ret->raw && len > 0 && jrpc_arena_copy(arena, jrpc_slice_of(framed.ptr, len), &ret->bytes);
    jrpc_buffer_done(&framed);
    return cut;
}

// A plain call of a client that stays.
static bool make_call(jck_fuzzer *fuzzer, char connection, size_t number, jrpc_arena *arena,
                      jck_shot *ret)
{
    *ret = (jck_shot){.connection = connection};
    const char *text = jrpc_arena_printf(
        arena, "{\"jsonrpc\":\"2.0\",\"method\":%.*s,\"params\":[],\"id\":\"stays-%zu\"}",
        (int)fuzzer->context.absent.len, fuzzer->context.absent.ptr, number);
    ret->bytes = text == NULL ? (jrpc_slice){NULL, 0} : jrpc_slice_str(text);
    return text != NULL;
}

// What the client sends that leaves, then calls over the connection beside it and over a new one.
static size_t make_all(jck_fuzzer *fuzzer, jrpc_arena *arena, jck_shot *shots)
{
    size_t visits = 1 + (size_t)jrpc_random_below(&fuzzer->splits, VISITORS_MOST);
    size_t count = 0;
    for (size_t i = 0; i < visits; i++) {
        count += make_unread(fuzzer, i + 1 == visits, arena, &shots[count]) ? 1 : 0;
    }
    if (count == 0 || shots[count - 1].parting == JCK_PARTING_UNREAD) {
        return 0; // nobody left
    }
    for (size_t i = 0; i < CALLS; i++) {
        if (!make_call(fuzzer, i % 2 == 0 ? 'a' : 'c', i, arena, &shots[count])) {
            return 0;
        }
        count++;
    }
    return count;
}

static bool visit(jck_fuzzer *fuzzer, uint64_t key, jrpc_arena *arena)
{
    jck_shot shots[VISITORS_MOST + CALLS];
    size_t count = make_all(fuzzer, arena, shots);
    const jck_composition composition = {
        .id = JRPC_SLICE("fuzz/visit"),
        .title = JRPC_SLICE("a client that leaves early"),
        .shots = shots,
        .shot_count = count,
    };
    jck_found found;
    bool confirmed = false;
    if (count == 0) {
        return true;
    }
    jck_live_count(fuzzer->live, fuzzer->worker, count);
    switch (jck_replay_run(&fuzzer->replay, &composition, JCK_WATCH_FENCES, true, &found)) {
    case JCK_REPLAYED_FINE:
        return true;
    case JCK_REPLAYED_STOP:
        return false;
    case JCK_REPLAYED_FINDS:
        break;
    }
    if (jck_kinds_is_reported(&fuzzer->live->kinds, found.difference)) {
        jck_kinds_settle(&fuzzer->live->kinds, key, true);
        return true;
    }
    bool goes_on = jck_fuzzer_confirm(fuzzer, shots, count, false, &found, &confirmed);
    jck_kinds_settle(&fuzzer->live->kinds, key, confirmed);
    jck_link_drop(&fuzzer->worker->link);
    return goes_on;
}

bool jck_fuzzer_visit(jck_fuzzer *fuzzer)
{
    // One finding about clients that leave is enough: each visit would cost a crash.
    const uint64_t key = jrpc_hash_bytes(JRPC_SLICE("visits"));
    bool possible =
        !fuzzer->single && !fuzzer->in_turn && fuzzer->worker->link.learned.use != JCK_USE_ONE;
    if (!possible || ++fuzzer->unvisited < ROUNDS_BETWEEN) {
        return true;
    }
    fuzzer->unvisited = 0;
    if (!jck_kinds_is_open(&fuzzer->live->kinds, key) ||
        jck_live_is_over(fuzzer->live, fuzzer->worker)) {
        return true;
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    bool goes_on = visit(fuzzer, key, &arena);
    jrpc_arena_done(&arena);
    return goes_on;
}
