// What a step that receives messages waits for.
#include "harness/suite/case.h"

bool jck_pattern_is_of_response(jrpc_json pattern)
{
    jrpc_json id = jrpc_json_get(pattern, "id");
    return jrpc_json_exists(id) && !jrpc_json_exists(jrpc_json_get(id, "$absent"));
}

bool jck_case_receives(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (test_case->steps[i].kind == JCK_STEP_RECEIVE) {
            return true;
        }
    }
    return false;
}

static bool awaits_responses(const jck_step *step)
{
    jrpc_json_iterator it = jrpc_json_iterate(step->patterns);
    bool all = jrpc_slice_is(step->within, "reply");
    while (all && jrpc_json_step(&it)) {
        all = jck_pattern_is_of_response(it.value);
    }
    return all;
}

bool jck_case_receives_responses(const jck_case *test_case)
{
    bool all = true;
    for (size_t i = 0; i < test_case->step_count && all; i++) {
        const jck_step *step = &test_case->steps[i];
        all = step->kind != JCK_STEP_RECEIVE || awaits_responses(step);
    }
    return all;
}
