// Memory that runs out while the rows of a table are judged: the verdict is an error of the
// harness, or the right one.
#ifndef TESTS_UNIT_JUDGE_BENCH_STARVE_H
#define TESTS_UNIT_JUDGE_BENCH_STARVE_H

#include "tests/unit/judge/bench.h"

// Judges row `index` with `arena`. True if the verdict is an error of the harness; any other
// verdict must be the row's.
static inline bool bench_starves(const bench *b, size_t index, jrpc_arena *arena)
{
    execution run;
    jck_verdict verdict;
    jrpc_arena spelling;
    jrpc_arena_init(&spelling, jrpc_allocator_heap(), BENCH_BYTES);
    bench_execute(b, index, &run, arena, &verdict);
    const char *spelled = bench_spell(&verdict, &spelling);
    bool error = strncmp(spelled, "error*", 6) == 0;
    if (!error && strcmp(spelled, b->rows[index].verdict) != 0) {
        fail_msg("%s: %s", b->rows[index].name, spelled);
    }
    bench_forget(&run);
    jrpc_arena_done(&spelling);
    return error;
}

// Every allocation of the judge fails, with all that follow.
static inline void bench_starve_blocks(const bench *b, size_t index)
{
    bool finished = false;
    size_t errors = 0;
    for (size_t successes = 0; !finished; successes++) {
        jrpc_failing_allocator failing;
        jrpc_arena arena;
        jrpc_failing_allocator_init(&failing, successes);
        jrpc_arena_init(&arena, &failing.allocator, BENCH_BYTES);
        errors += bench_starves(b, index, &arena);
        finished = failing.count <= successes;
        assert_true(successes < 1000);
        jrpc_arena_done(&arena);
    }
    assert_true(errors > 0);
}

typedef void bench_starve(const bench *b, size_t index);

// Starves each row of a table in the ways given, up to NULL.
static inline void bench_starve_rows(const row *rows, size_t count, bench_starve *const *ways)
{
    bench b;
    bench_load(&b, rows, count);
    for (size_t i = 0; i < b.count; i++) {
        for (bench_starve *const *way = ways; *way != NULL; way++) {
            (*way)(&b, i);
        }
    }
    bench_done(&b);
}
#define BENCH_STARVE(table, ...)                                                                   \
    bench_starve_rows(table, sizeof(table) / sizeof(table)[0],                                     \
                      (bench_starve *const[]){__VA_ARGS__, NULL})

// An arena of every small size, until there is room for all: allocations fail one by one.
static inline void bench_starve_room(const bench *b, size_t index)
{
    enum { ENOUGH = 20 }; // rounds without an error show that there is
    size_t in_a_row = 0;
    for (size_t room = 0; in_a_row < ENOUGH; room += 16) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), room);
        in_a_row = bench_starves(b, index, &arena) ? 0 : in_a_row + 1;
        jrpc_arena_done(&arena);
    }
}

#endif
