// The edges of a target's code that were taken, if it was built with AFL++'s compilers, or with
// -fsanitize-coverage and their runtime. Such a program writes to a map that it finds through
// environment variables.
#ifndef JCK_LIVE_EDGES_H
#define JCK_LIVE_EDGES_H

#include "reference/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JCK_EDGES_ROOM ((size_t)1 << 20)

typedef struct jck_edges {
    uint8_t *map;  // shared with the target; NULL: there is none
    uint8_t *seen; // owned: a byte for each edge that was ever taken
    size_t count;  // of those
    int number;    // by which a process finds the map
} jck_edges;

// Initializes caller's storage. If memory cannot be shared there is no map, and no edges are seen.
void jck_edges_init(jck_edges *edges);
void jck_edges_done(jck_edges *edges); // accepts a zeroed one
// The environment variables that lead to the map ("NAME=value"), in the arena; NULL past the last,
// or without a map.
const char *jck_edges_variable(const jck_edges *edges, size_t index, jrpc_arena *arena);
// Forgets which edges were taken since the last call.
void jck_edges_clear(jck_edges *edges);
// Lists at most `room` of the edges taken since jck_edges_clear that were never kept before.
// Returns how many it lists.
size_t jck_edges_list(const jck_edges *edges, uint32_t *ret_list, size_t room);
// Keeps the edges of a list, which are then not listed again.
void jck_edges_keep(jck_edges *edges, const uint32_t *list, size_t count);

#endif
