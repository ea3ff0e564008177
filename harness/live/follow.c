// Feedback from an instrumented target: which messages of a round took edges that none took before.
#include "harness/live/live_private.h"

// Rounds that are run again to find the messages of one round.
#define ROUNDS_MOST 24u
// Fresh edges that are handled at a time.
#define FRESH_MOST 4096u
#define BYTES_MOST ((size_t)8 << 20)

// The messages of a round, copied: rounds are run with some of them.
typedef struct following {
    jck_fuzzer *fuzzer;
    jrpc_arena arena;
    jck_shot *shots;
    size_t count;
    unsigned rounds;
    bool stopped;
} following;

static bool copy(const jck_round *round, following *ret)
{
    ret->count = round->count;
    jrpc_arena_init(&ret->arena, jrpc_allocator_heap(), BYTES_MOST);
    ret->shots = jrpc_arena_array(&ret->arena, round->count + 1, sizeof *ret->shots);
    for (size_t i = 0; !ret->arena.failed && i < round->count; i++) {
        const jck_sent *sent = &round->sent[i];
        ret->shots[i] = (jck_shot){.connection = sent->connection, .travel = sent->travel};
        (void)jrpc_arena_copy(&ret->arena, sent->bytes, &ret->shots[i].bytes);
    }
    return !ret->arena.failed;
}

// Whether these messages alone take fresh edges.
static bool takes_fresh(following *now, size_t first, size_t count)
{
    jck_fuzzer *fuzzer = now->fuzzer;
    jck_round *round = fuzzer->round;
    jrpc_error error = {0};
    jck_round_clear(round);
    for (size_t i = first; i < first + count; i++) {
        const jck_shot *shot = &now->shots[i];
        (void)jck_round_add(round, shot->connection, shot->bytes, &shot->travel);
    }
    now->rounds++;
    jck_edges_clear(&fuzzer->live->edges);
    jck_round_outcome outcome = jck_round_run(round, NULL, &error);
    jck_live_count(fuzzer->live, fuzzer->worker, round->count);
    now->stopped = jck_live_stop_for(fuzzer->worker, outcome, &error);
    uint32_t one;
    return !now->stopped && jck_edges_list(&fuzzer->live->edges, &one, 1) > 0;
}

static void keep_fresh(jck_edges *edges)
{
    uint32_t fresh[FRESH_MOST];
    jck_edges_keep(edges, fresh, jck_edges_list(edges, fresh, FRESH_MOST));
}

// Halves the messages as long as a half takes fresh edges; a single message that does is kept. The
// recursion is as deep as a round can be halved.
static void narrow(following *now, size_t first, size_t count) // NOLINT(misc-no-recursion)
{
    if (count == 1) {
        keep_fresh(&now->fuzzer->live->edges);
        jck_pool_add(&now->fuzzer->live->pool, now->shots[first].bytes);
        return;
    }
    size_t half = count / 2;
    if (now->rounds < ROUNDS_MOST && takes_fresh(now, first, half)) {
        narrow(now, first, half);
    }
    if (now->rounds < ROUNDS_MOST && !now->stopped &&
        takes_fresh(now, first + half, count - half)) {
        narrow(now, first + half, count - half);
    }
}

bool jck_fuzzer_follow(jck_fuzzer *fuzzer, bool clean)
{
    jck_edges *edges = &fuzzer->live->edges;
    following now = {.fuzzer = fuzzer};
    uint32_t fresh[FRESH_MOST];
    // A target that shows its edges has taken some before the first message.
    if (fuzzer->looked && !fuzzer->edged) {
        return true;
    }
    fuzzer->looked = true;
    size_t count = jck_edges_list(edges, fresh, FRESH_MOST);
    fuzzer->edged = fuzzer->edged || count > 0 || edges->count > 0;
    bool telling = clean && fuzzer->worker->ledger->jobs == 1; // all workers share the map
    if (count > 0 && telling && fuzzer->round->count > 0) {
        if (copy(fuzzer->round, &now)) {
            narrow(&now, 0, now.count);
        }
        jrpc_arena_done(&now.arena);
    }
    jck_edges_keep(edges, fresh, count); // also those taken only sometimes
    jck_edges_clear(edges);
    return !now.stopped;
}
