#include "harness/suite/join.h"

#include <string.h>

static bool holds(const jrpc_slice *words, size_t count, jrpc_slice word)
{
    for (size_t i = 0; i < count; i++) {
        if (jrpc_slice_equal(words[i], word)) {
            return true;
        }
    }
    return false;
}

bool jck_case_join(jrpc_arena *arena, const jck_case *const *cases, size_t count,
                   jck_case *ret_case)
{
    size_t step_count = 0;
    size_t need_count = 0;
    for (size_t i = 0; i < count; i++) {
        step_count += cases[i]->step_count;
        need_count += cases[i]->need_count;
    }
    jck_step *steps = jrpc_arena_array(arena, step_count, sizeof *steps);
    jrpc_slice *needs = jrpc_arena_array(arena, need_count + 1, sizeof *needs);
    if (steps == NULL || needs == NULL) {
        return false;
    }
    jck_case joined = *cases[count - 1];
    joined.steps = steps;
    joined.needs = needs;
    joined.step_count = 0;
    joined.need_count = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(steps + joined.step_count, cases[i]->steps, cases[i]->step_count * sizeof *steps);
        joined.step_count += cases[i]->step_count;
        for (size_t k = 0; k < cases[i]->need_count; k++) {
            if (!holds(needs, joined.need_count, cases[i]->needs[k])) {
                needs[joined.need_count++] = cases[i]->needs[k];
            }
        }
        joined.hazard = joined.hazard || cases[i]->hazard;
    }
    *ret_case = joined;
    return true;
}
