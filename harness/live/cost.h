// Whether messages cost a target too much: time that grows faster than the message, or memory that
// is never released. Pure: figures in, a sentence out.
#ifndef JCK_LIVE_COST_H
#define JCK_LIVE_COST_H

#include "reference/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JCK_COST_SIZES 24u
#define JCK_COST_BLOCKS 12u
// Messages of a block.
#define JCK_COST_BLOCK ((uint64_t)1024)

// How long one message of a given length took.
typedef struct jck_cost_point {
    size_t len;
    int64_t us;
} jck_cost_point;

// Whether the time of the last three messages, each about twice as long as the one before, grew at
// least with the square of the length. `base_us` is what a short message takes.
bool jck_cost_grows(const jck_cost_point *points, size_t count, int64_t base_us);
// The sentence for it, in the arena; NULL if there is no room.
const char *jck_cost_time_text(const jck_cost_point *points, size_t count, jrpc_arena *arena);

// The resident memory of a process before each block of messages and after the last.
typedef struct jck_cost_memory {
    uint64_t resident[JCK_COST_BLOCKS + 1];
    size_t count;
    bool collects; // it has a garbage collector that runs from time to time: growth alone proves
                   // nothing
} jck_cost_memory;

// Whether the program's name is that of a runtime whose garbage collector runs only from time to
// time.
bool jck_cost_collects(jrpc_slice program);
// Whether, after the blocks measured so far, memory may still be lost with each message.
bool jck_cost_may_leak(const jck_cost_memory *memory);
// The sentence, in the arena, if every block has shown that memory is lost; otherwise NULL.
const char *jck_cost_memory_text(const jck_cost_memory *memory, jrpc_arena *arena);

#endif
