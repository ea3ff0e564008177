#include "harness/cli/slowest.h"

#include "harness/report/safe.h"
#include "reference/base/plural.h"

#include <stdio.h>

#define SLOWEST_BYTES ((size_t)16 << 20)

bool jck_slowest_init(jck_slowest *slowest, size_t most)
{
    *slowest = (jck_slowest){.most = most};
    jrpc_arena_init(&slowest->arena, jrpc_allocator_heap(), SLOWEST_BYTES);
    slowest->cases = jrpc_arena_array(&slowest->arena, most + 1, sizeof *slowest->cases);
    return slowest->cases != NULL;
}

void jck_slowest_done(jck_slowest *slowest)
{
    jrpc_arena_done(&slowest->arena);
}

void jck_slowest_record(jck_slowest *slowest, const jck_reading_case *test_case)
{
    size_t at = slowest->count;
    while (at > 0 && slowest->cases[at - 1].duration_us < test_case->duration_us) {
        at--;
    }
    jck_slow_case slow = {.outcome = test_case->outcome, .duration_us = test_case->duration_us};
    if (at >= slowest->most || !jrpc_arena_copy(&slowest->arena, test_case->id, &slow.id)) {
        return;
    }
    slowest->count += slowest->count < slowest->most ? 1 : 0;
    for (size_t i = slowest->count - 1; i > at; i--) {
        slowest->cases[i] = slowest->cases[i - 1];
    }
    slowest->cases[at] = slow;
}

void jck_slowest_show(const jck_slowest *slowest)
{
    if (slowest->count > 0) {
        (void)fprintf(stderr, "The slowest case%s:\n", jrpc_plural(slowest->count));
    }
    for (size_t i = 0; i < slowest->count; i++) {
        const jck_slow_case *slow = &slowest->cases[i];
        (void)fprintf(stderr, "%9.3f s  %-7s  ", (double)slow->duration_us / 1e6,
                      jck_outcome_name(slow->outcome));
        (void)jck_print_safe(stderr, slow->id);
        (void)fputc('\n', stderr);
    }
}
