// Feedback from the target itself: which messages of a round took edges of its code that none took
// before, if it is instrumented, and after which one it wrote a new kind of line to its standard
// error.
#include "harness/live/lines.h"
#include "harness/live/live_private.h"

// Rounds that are run again to find the messages of one round.
#define ROUNDS_MOST 24u
// Fresh edges that are handled at a time.
#define FRESH_MOST 4096u
#define BYTES_MOST ((size_t)8 << 20)
// New kinds of lines whose message is looked for, and the rounds between two searches: some targets
// write a new kind of line for each message.
#define LINES_MOST 64u
#define ROUNDS_BETWEEN_LINES 10u

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

// Runs a round with some of the messages. Returns whether the run goes on.
static bool run_some(following *now, size_t first, size_t count)
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
    jck_round_outcome outcome = jck_round_run(round, NULL, &error);
    jck_live_count(fuzzer->live, fuzzer->worker, round->count);
    now->stopped = jck_live_stop_for(fuzzer->worker, outcome, &error);
    return !now->stopped;
}

// Whether these messages alone take fresh edges.
static bool takes_fresh(following *now, size_t first, size_t count)
{
    uint32_t one;
    jck_edges_clear(&now->fuzzer->live->edges);
    return run_some(now, first, count) && jck_edges_list(&now->fuzzer->live->edges, &one, 1) > 0;
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

// Reads what the target has written since the last call; it is valid until the next one.
static jrpc_slice read_lines(jck_fuzzer *fuzzer)
{
    jck_link *link = &fuzzer->worker->link;
    jrpc_buffer before = fuzzer->written_before;
    fuzzer->written_before = fuzzer->written;
    fuzzer->written = before;
    jrpc_buffer_clear(&fuzzer->written);
    jck_link_stderr_tail(link, link->generation, &fuzzer->written);
    return jck_lines_new(jrpc_buffer_slice(&fuzzer->written_before),
                         jrpc_buffer_slice(&fuzzer->written));
}

// The first kind of line in the text that was never seen, or 0. All of them are recorded.
static uint64_t find_new_line(jck_fuzzer *fuzzer, jrpc_slice text)
{
    uint64_t first = 0;
    for (jrpc_slice line; jck_lines_next(&text, &line);) {
        const uint64_t kind = jck_lines_kind(line);
        if (jck_kinds_is_new(&fuzzer->live->kinds, kind) && first == 0) {
            first = kind;
        }
    }
    return first;
}

// Keeps the message after which a line of this kind is written, if a single one is enough.
static void keep_writer(following *now, uint64_t kind)
{
    size_t first = 0;
    size_t count = now->count;
    while (count > 1 && !now->stopped) {
        const size_t half = count / 2;
        (void)read_lines(now->fuzzer);
        if (run_some(now, first, half) && jck_lines_has(read_lines(now->fuzzer), kind)) {
            count = half;
        } else {
            first += half;
            count -= half;
        }
    }
    (void)read_lines(now->fuzzer);
    if (count == 1 && !now->stopped && run_some(now, first, 1) &&
        jck_lines_has(read_lines(now->fuzzer), kind)) {
        jck_pool_add(&now->fuzzer->live->pool, now->shots[first].bytes);
    }
}

bool jck_fuzzer_follow_lines(jck_fuzzer *fuzzer, bool clean)
{
    following now = {.fuzzer = fuzzer};
    const jrpc_slice fresh = read_lines(fuzzer);
    if (fuzzer->unfollowed > 0) {
        fuzzer->unfollowed--;
        return true;
    }
    // A line is not recorded before it can be followed up: it may come again.
    const bool follows = clean && fuzzer->round->count > 0 && fuzzer->followed < LINES_MOST;
    const uint64_t kind = follows ? find_new_line(fuzzer, fresh) : 0;
    if (kind == 0) {
        return true;
    }
    fuzzer->unfollowed = ROUNDS_BETWEEN_LINES;
    fuzzer->followed++;
    if (copy(fuzzer->round, &now)) {
        keep_writer(&now, kind);
    }
    jrpc_arena_done(&now.arena);
    return !now.stopped;
}
