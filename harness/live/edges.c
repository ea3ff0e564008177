#include "harness/live/edges.h"

#include "reference/base/os_linux.h"

#include <stdlib.h>
#include <string.h>

void jck_edges_init(jck_edges *edges)
{
    *edges = (jck_edges){.map = NULL};
    edges->map = jrpc_os_share_memory(JCK_EDGES_ROOM, &edges->number);
    edges->seen = edges->map == NULL ? NULL : calloc(JCK_EDGES_ROOM, 1);
    if (edges->seen == NULL) {
        jck_edges_done(edges);
    }
}

void jck_edges_done(jck_edges *edges)
{
    jrpc_os_unshare_memory(edges->map);
    free(edges->seen);
    edges->map = NULL;
    edges->seen = NULL;
}

const char *jck_edges_variable(const jck_edges *edges, size_t index, jrpc_arena *arena)
{
    if (edges->map == NULL || index > 1) {
        return NULL;
    }
    return index == 0 ? jrpc_arena_printf(arena, "__AFL_SHM_ID=%d", edges->number)
                      : jrpc_arena_printf(arena, "AFL_MAP_SIZE=%zu", JCK_EDGES_ROOM);
}

void jck_edges_clear(jck_edges *edges)
{
    if (edges->map != NULL) {
        memset(edges->map, 0, JCK_EDGES_ROOM);
    }
}

size_t jck_edges_list(const jck_edges *edges, uint32_t *ret_list, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; edges->map != NULL && i < JCK_EDGES_ROOM; i += sizeof(uint64_t)) {
        uint64_t eight;
        memcpy(&eight, edges->map + i, sizeof eight); // most of the map is zero
        for (size_t k = i; eight != 0 && k < i + sizeof eight && count < room; k++) {
            if (edges->map[k] != 0 && edges->seen[k] == 0) {
                ret_list[count++] = (uint32_t)k;
            }
        }
    }
    return count;
}

void jck_edges_keep(jck_edges *edges, const uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        edges->count += edges->seen[list[i]] == 0 ? 1 : 0;
        edges->seen[list[i]] = 1;
    }
}
