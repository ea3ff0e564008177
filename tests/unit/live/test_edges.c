// The map that an instrumented target writes into.
#include "harness/live/edges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>

#include <cmocka.h>

static void test_an_edge_is_fresh_until_it_is_kept(void **state)
{
    (void)state;
    jck_edges edges;
    uint32_t list[4];
    jck_edges_init(&edges);
    if (edges.map == NULL) {
        skip(); // no memory to share here
    }
    assert_int_equal(jck_edges_list(&edges, list, 4), 0);
    edges.map[7] = 1;
    edges.map[JCK_EDGES_ROOM - 1] = 255;
    assert_int_equal(jck_edges_list(&edges, list, 4), 2);
    assert_int_equal(list[0], 7);
    assert_int_equal(list[1], JCK_EDGES_ROOM - 1);
    assert_int_equal(jck_edges_list(&edges, list, 1), 1);
    jck_edges_keep(&edges, list, 1);
    jck_edges_keep(&edges, list, 1); // once is enough
    assert_int_equal(edges.count, 1);
    assert_int_equal(jck_edges_list(&edges, list, 4), 1);
    jck_edges_clear(&edges);
    assert_int_equal(jck_edges_list(&edges, list, 4), 0);
    edges.map[7] = 1;
    assert_int_equal(jck_edges_list(&edges, list, 4), 0);
    jck_edges_done(&edges);
}

static void test_the_variables_lead_to_the_map(void **state)
{
    (void)state;
    jck_edges edges;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
    jck_edges_init(&edges);
    if (edges.map == NULL) {
        skip();
    }
    const char *variable = jck_edges_variable(&edges, 0, &arena);
    assert_int_equal(strncmp(variable, "__AFL_SHM_ID=", 13), 0);
    uint8_t *theirs = shmat((int)strtol(variable + 13, NULL, 10), NULL, 0);
    assert_true((intptr_t)theirs != -1);
    theirs[3] = 1;
    assert_int_equal(edges.map[3], 1);
    assert_int_equal(shmdt(theirs), 0);
    assert_non_null(jck_edges_variable(&edges, 1, &arena));
    assert_null(jck_edges_variable(&edges, 2, &arena));
    jck_edges_done(&edges);
    assert_null(jck_edges_variable(&edges, 0, &arena));
    jrpc_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_edge_is_fresh_until_it_is_kept),
        cmocka_unit_test(test_the_variables_lead_to_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
