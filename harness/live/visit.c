// Clients that leave early: in the middle of a message, or without reading their answers. Whoever
// stays must still be served.
#include "harness/live/live_private.h"
#include "reference/base/hash.h"

// A client leaves after this many rounds.
#define ROUNDS_BETWEEN 24u
#define VISITORS_MOST 8u
#define CALLS 4u
#define ARENA_BYTES ((size_t)1 << 20)
#define FRAMED_BYTES ((size_t)64 << 10)
#define MESSAGE_MOST ((size_t)16 << 10)

// How the clients of one visit leave.
typedef enum leaving {
    LEAVING_LAST,  // one client stops sending after its last message
    LEAVING_RESET, // one client after the other resets its connection after a message
    LEAVINGS,
} leaving;

// Makes a message of a client that does not wait for its answer. False if it cannot be sent.
static bool make_unread(jck_fuzzer *fuzzer, jck_parting parting, jrpc_arena *arena, jck_shot *ret)
{
    const jrpc_traits *traits = jck_target_traits(fuzzer->context.target);
    jrpc_random *random = &fuzzer->splits;
    *ret = (jck_shot){.connection = 'b', .parting = parting};
    // A plain call: what other messages do is seen without anybody leaving.
    jrpc_buffer_clear(&fuzzer->message);
    bool made = jck_grammar_call(&fuzzer->grammar, random, &fuzzer->message);
    jrpc_slice bytes = jrpc_buffer_slice(&fuzzer->message);
    if (!made || bytes.len > MESSAGE_MOST || !jck_round_carries(fuzzer->round, bytes)) {
        return false;
    }
    if (parting == JCK_PARTING_UNREAD || !traits->byte_stream || !traits->carries_raw ||
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
    const leaving how = (leaving)jrpc_random_below(&fuzzer->splits, LEAVINGS);
    size_t visits = 1 + (size_t)jrpc_random_below(&fuzzer->splits, VISITORS_MOST);
    size_t count = 0;
    bool left = false;
    for (size_t i = 0; i < visits; i++) {
        const jck_parting parting = how != LEAVING_LAST ? JCK_PARTING_RESETS
                                    : i + 1 == visits   ? JCK_PARTING_LEAVES
                                                        : JCK_PARTING_UNREAD;
        if (make_unread(fuzzer, parting, arena, &shots[count])) {
            left = left || parting != JCK_PARTING_UNREAD;
            count++;
        }
    }
    if (!left) {
        return 0;
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
    if (count == 0) {
        return true;
    }
    jck_live_count(fuzzer->live, fuzzer->worker, count);
    const jck_hunted result = jck_fuzzer_try(fuzzer, shots, count, true, false);
    if (result == JCK_HUNTED_FINDING) {
        jck_kinds_settle(&fuzzer->live->kinds, key, true);
    }
    jck_link_drop(&fuzzer->worker->link);
    return result != JCK_HUNTED_STOP;
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
