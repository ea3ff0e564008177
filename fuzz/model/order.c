#include "fuzz/model/order.h"

#include "fuzz/model/member.h"

// Whether a finish counts the cases as they came. *ret_unsure: a count is not a
// short integer, which this model does not read.
static bool is_counted(const order *so_far, const tree *event, bool *ret_unsure)
{
    const tree *counts = member_get(event, "counts");
    for (int i = 0; i < RUNS_OUTCOMES; i++) {
        const tree *said = member_get(counts, runs_outcomes[i]);
        bool unsure = false;
        if (said != NULL && said->kind == '0' && said->spelling.ptr[0] != '-' &&
            !tree_is_between(said, so_far->counts[i], so_far->counts[i], &unsure)) {
            return false;
        }
        *ret_unsure = *ret_unsure || unsure;
    }
    return true;
}

bool order_take(order *so_far, const tree *event, bool *ret_unsure)
{
    const tree *name = member_get(event, "event");
    if (name == NULL || name->kind != 's') {
        return false;
    }
    if (tree_is_text(name, "start")) {
        // This does not check its schema, nor whether the same run came before.
        *ret_unsure = true;
        bool first = !so_far->in_run;
        if (first) {
            *so_far = (order){.in_run = true, .runs = so_far->runs + 1};
        }
        return first;
    }
    if (so_far->in_run && tree_is_text(name, "case")) {
        const tree *outcome = member_get(event, "outcome");
        for (int i = 0; i < RUNS_OUTCOMES; i++) {
            so_far->counts[i] += jrpc_slice_is(member_text(outcome), runs_outcomes[i]) ? 1 : 0;
        }
    }
    if (so_far->in_run && tree_is_text(name, "finish")) {
        bool right = is_counted(so_far, event, ret_unsure);
        so_far->in_run = !right;
        return right;
    }
    return so_far->in_run;
}
