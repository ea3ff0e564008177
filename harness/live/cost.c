#include "harness/live/cost.h"

#include <string.h>

// Shorter times are noise: a page fault, another process.
#define TIME_LEAST_US 60000
#define TIME_BEFORE_LEAST_US 5000
// When the length doubles, a linear server takes twice as long, n log n slightly longer than that,
// and quadratic time four times as long. In tenths.
#define RATIO_LEAST 30
#define RATIO_BEFORE_LEAST 26

// The first block may still fill memory that is kept permanently.
#define BLOCKS_IGNORED 1u
// Each block loses at least BLOCK_LEAST bytes, and all together at least TOTAL_LEAST; more, if a
// garbage collector may merely be late.
#define BLOCK_LEAST ((uint64_t)32 << 10)
#define TOTAL_LEAST ((uint64_t)1 << 20)
#define TOTAL_LEAST_COLLECTED ((uint64_t)512 << 20)
// A leak per message costs about the same in each block: the largest loss is at most this many
// times the smallest.
#define UNEVEN_MOST 3u

bool jck_cost_grows(const jck_cost_point *points, size_t count, int64_t base_us)
{
    if (count < 3) {
        return false;
    }
    int64_t last = points[count - 1].us - base_us;
    int64_t before = points[count - 2].us - base_us;
    int64_t first = points[count - 3].us - base_us;
    first = first > 100 ? first : 100;
    return last >= TIME_LEAST_US && before >= TIME_BEFORE_LEAST_US &&
           last * 10 >= before * RATIO_LEAST && before * 10 >= first * RATIO_BEFORE_LEAST;
}

const char *jck_cost_time_text(const jck_cost_point *points, size_t count, jrpc_arena *arena)
{
    const jck_cost_point *last = &points[count - 1];
    return jrpc_arena_printf(arena,
                             "the time grows faster than the message: %zu bytes took %.1f ms, %zu "
                             "bytes %.1f ms, %zu bytes %.1f ms",
                             last[-2].len, (double)last[-2].us / 1000, last[-1].len,
                             (double)last[-1].us / 1000, last->len, (double)last->us / 1000);
}

bool jck_cost_collects(jrpc_slice program)
{
    static const char *const names[] = {"java", "node",     "dotnet",    "bun",  "deno",
                                        "ruby", "beam.smp", "mono-sgen", "dart", "MainThread"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (jrpc_slice_is(program, names[i])) {
            return true;
        }
    }
    return false;
}

static uint64_t lost(const jck_cost_memory *memory, size_t block)
{
    uint64_t before = memory->resident[block];
    uint64_t after = memory->resident[block + 1];
    return after > before ? after - before : 0;
}

bool jck_cost_may_leak(const jck_cost_memory *memory)
{
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (size_t i = BLOCKS_IGNORED; i + 1 < memory->count; i++) {
        uint64_t now = lost(memory, i);
        least = now < least ? now : least;
        most = now > most ? now : most;
    }
    return least >= BLOCK_LEAST && most <= least * UNEVEN_MOST;
}

const char *jck_cost_memory_text(const jck_cost_memory *memory, jrpc_arena *arena)
{
    if (memory->count != JCK_COST_BLOCKS + 1 || !jck_cost_may_leak(memory)) {
        return NULL;
    }
    uint64_t messages = (JCK_COST_BLOCKS - BLOCKS_IGNORED) * JCK_COST_BLOCK;
    uint64_t total = memory->resident[JCK_COST_BLOCKS] - memory->resident[BLOCKS_IGNORED];
    if (total < (memory->collects ? TOTAL_LEAST_COLLECTED : TOTAL_LEAST)) {
        return NULL;
    }
    return jrpc_arena_printf(arena,
                             "the memory of the process grows with each such message: by %.1f MiB "
                             "in %llu of them, %llu bytes each, in every block of %llu",
                             (double)total / (1 << 20), (unsigned long long)messages,
                             (unsigned long long)(total / messages),
                             (unsigned long long)JCK_COST_BLOCK);
}
