// Clients that leave early: in the middle of a message, without reading their answers, or without a
// message. Whoever stays must still be served.
#include "harness/live/live_private.h"
#include "reference/base/hash.h"

// A client leaves after this many rounds. A visit takes as long as a dozen rounds or more, most of
// it waiting, so after some visits there are more rounds between two, or this much time: a slow
// target completes few rounds.
#define ROUNDS_BETWEEN 14u
#define VISITS_EARLY 20u
#define ROUNDS_LATER 16u // times as many
#define TIME_BETWEEN_US INT64_C(1000000)
#define VISITORS_MOST 8u
// In one visit of this many, the clients send nothing; SILENT_FIRST others come before the first.
#define VISITS_PER_SILENT 16u
#define SILENT_FIRST 2u
#define CALLS 4u
#define ARENA_BYTES ((size_t)1 << 20)
#define FRAMED_BYTES ((size_t)64 << 10)
#define MESSAGE_MOST ((size_t)16 << 10)

// How the clients of one visit leave.
typedef enum leaving {
    LEAVING_LAST,   // one client stops sending after its last message
    LEAVING_RESET,  // one client after the other resets its connection after a message
    LEAVING_HALF,   // the same, all in the middle of a message
    LEAVING_SILENT, // one client after the other closes its connection without a message
    LEAVINGS,
} leaving;

// Makes a message of a client that does not wait for its answer. False if it cannot be sent.
static bool make_unread(jck_fuzzer *fuzzer, leaving how, jck_parting parting, jrpc_arena *arena,
                        jck_shot *ret)
{
    const jrpc_traits *traits = jck_target_traits(fuzzer->context.target);
    jrpc_random *random = &fuzzer->splits;
    *ret = (jck_shot){.connection = 'b', .parting = parting};
    if (parting == JCK_PARTING_SILENT) {
        return true;
    }
    // A plain call: what other messages do is seen without anybody leaving.
    jrpc_buffer_clear(&fuzzer->message);
    bool made = jck_grammar_call(&fuzzer->grammar, random, &fuzzer->message);
    jrpc_slice bytes = jrpc_buffer_slice(&fuzzer->message);
    if (!made || bytes.len > MESSAGE_MOST || !jck_round_carries(fuzzer->round, bytes)) {
        return false;
    }
    if (parting == JCK_PARTING_UNREAD || !traits->byte_stream || !traits->carries_raw ||
        (how != LEAVING_HALF && jrpc_random_below(random, 3) == 0)) {
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

static jck_parting parting_of(leaving how, bool last)
{
    switch (how) {
    case LEAVING_LAST:
        return last ? JCK_PARTING_LEAVES : JCK_PARTING_UNREAD;
    case LEAVING_SILENT:
        return JCK_PARTING_SILENT;
    case LEAVING_RESET:
    case LEAVING_HALF:
    case LEAVINGS:
        break;
    }
    return JCK_PARTING_RESETS;
}

// What the clients send that leave, then calls over the connection beside them and over a new one.
static size_t make_all(jck_fuzzer *fuzzer, leaving how, size_t visits, jrpc_arena *arena,
                       jck_shot *shots)
{
    size_t count = 0;
    bool left = false;
    for (size_t i = 0; i < visits; i++) {
        const jck_parting parting = parting_of(how, i + 1 == visits);
        if (make_unread(fuzzer, how, parting, arena, &shots[count])) {
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

static jck_hunted try_visits(jck_fuzzer *fuzzer, leaving how, size_t visits)
{
    jck_shot shots[VISITORS_MOST + CALLS];
    jck_hunted result = JCK_HUNTED_NOTHING;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    const size_t count = make_all(fuzzer, how, visits, &arena, shots);
    if (count > 0) {
        jck_live_count(fuzzer->live, fuzzer->worker, count);
        result = jck_fuzzer_try(fuzzer, shots, count, true, false);
        jck_link_drop(&fuzzer->worker->link);
    }
    jrpc_arena_done(&arena);
    return result;
}

static bool visit(jck_fuzzer *fuzzer, uint64_t key)
{
    // Where a prelude opens each connection, no client is silent. Silence takes long to prove.
    const bool silent = fuzzer->visits++ % VISITS_PER_SILENT == SILENT_FIRST &&
                        fuzzer->context.target->prelude_count == 0;
    const leaving how =
        silent ? LEAVING_SILENT : (leaving)jrpc_random_below(&fuzzer->splits, LEAVING_SILENT);
    const size_t visits = 1 + (size_t)jrpc_random_below(&fuzzer->splits, VISITORS_MOST);
    const size_t before = fuzzer->suspicions;
    jck_hunted result = try_visits(fuzzer, how, visits);
    // The target may count its clients, and earlier ones may have been needed too.
    if (result == JCK_HUNTED_NOTHING && fuzzer->suspicions > before) {
        result = try_visits(fuzzer, how, VISITORS_MOST);
    }
    if (result == JCK_HUNTED_FINDING) {
        jck_kinds_settle(&fuzzer->live->kinds, key, true);
    }
    return result != JCK_HUNTED_STOP;
}

// Whether it is time for a visit. A run with a fixed number of messages must send the same ones on
// every machine, so only rounds count there.
static bool is_due(jck_fuzzer *fuzzer)
{
    const int64_t now = jrpc_clock_now_us(fuzzer->worker->link.clock);
    const bool late =
        fuzzer->live->options.max_messages == 0 && now - fuzzer->visited_us >= TIME_BETWEEN_US;
    const unsigned times = fuzzer->visits < VISITS_EARLY || late ? 1 : ROUNDS_LATER;
    if (++fuzzer->unvisited < ROUNDS_BETWEEN * times) {
        return false;
    }
    fuzzer->unvisited = 0;
    fuzzer->visited_us = now;
    return true;
}

bool jck_fuzzer_visit(jck_fuzzer *fuzzer)
{
    // One finding about clients that leave is enough: each visit would cost a crash.
    const uint64_t key = jrpc_hash_bytes(JRPC_SLICE("visits"));
    bool possible =
        !fuzzer->single && !fuzzer->in_turn && fuzzer->worker->link.learned.use != JCK_USE_ONE;
    if (!possible || !is_due(fuzzer)) {
        return true;
    }
    if (!jck_kinds_is_open(&fuzzer->live->kinds, key) ||
        jck_live_is_over(fuzzer->live, fuzzer->worker)) {
        return true;
    }
    return visit(fuzzer, key);
}
