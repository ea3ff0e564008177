#include "harness/run/plan.h"

#include "reference/base/random.h"

static bool holds(const jck_case *const *cases, size_t count, const jck_case *wanted)
{
    for (size_t i = 0; i < count; i++) {
        if (cases[i] == wanted) {
            return true;
        }
    }
    return false;
}

static jck_dialect dialect_of(const jck_suite *suite, const jck_case *test_case)
{
    const jck_specification *of = jck_suite_specification_of(suite, test_case);
    return of == NULL ? JCK_DIALECT_2_0 : of->dialect;
}

// Whether the selected cases use the same dialect as this one. A client of JSON-RPC 1.0 cannot run
// the ground cases of 2.0; servers get them, because they may serve both.
static bool is_understood(const jck_suite *suite, const jck_plan_options *options,
                          const jck_case *ground)
{
    bool understood = options->side != JCK_SIDE_CLIENT;
    for (size_t i = 0; i < jck_suite_case_count(suite) && !understood; i++) {
        understood = options->selected[i] &&
                     dialect_of(suite, jck_suite_case(suite, i)) == dialect_of(suite, ground);
    }
    return understood;
}

static void add_ground(const jck_suite *suite, const jck_rule *rule,
                       const jck_plan_options *options, jck_plan *plan)
{
    const jck_case *ground =
        rule == NULL || rule->ground.len == 0 ? NULL : jck_suite_find_case(suite, rule->ground);
    if (ground != NULL && ground->side == options->side &&
        !holds(plan->grounds, plan->ground_count, ground) &&
        is_understood(suite, options, ground)) {
        plan->grounds[plan->ground_count++] = ground;
    }
}

static bool is_selected(const jck_suite *suite, const jck_plan_options *options,
                        const jck_case *wanted)
{
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        if (jck_suite_case(suite, i) == wanted) {
            return options->selected[i];
        }
    }
    return false;
}

// Whether the ground case of a rule is run only if it is selected: it shows nothing that most cases
// need, and some targets never serve a second connection.
static bool is_only_for_some(const jck_rule *rule)
{
    return jck_rule_has_role(rule, JCK_ROLE_OWN_CONNECTION) ||
           jck_rule_has_role(rule, JCK_ROLE_WRITES);
}

// The case about unknown methods comes first, because it calibrates the other ground cases.
static void plan_grounds(const jck_suite *suite, const jck_plan_options *options, jck_plan *plan)
{
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        const jck_rule *rule = jck_suite_rule(suite, i);
        add_ground(suite, jck_rule_has_role(rule, JCK_ROLE_METHOD_NOT_FOUND) ? rule : NULL, options,
                   plan);
    }
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        const jck_rule *rule = jck_suite_rule(suite, i);
        const jck_case *ground = jck_suite_find_case(suite, rule->ground);
        if (!is_only_for_some(rule) || is_selected(suite, options, ground)) {
            add_ground(suite, rule, options, plan);
        }
    }
}

static void shuffle(const jck_case **cases, size_t count, jrpc_random *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = (size_t)jrpc_random_below(random, i);
        const jck_case *kept = cases[i - 1];
        cases[i - 1] = cases[k];
        cases[k] = kept;
    }
}

// Moves the long cases to the front; both kinds keep their order.
static void long_first(const jck_case **cases, size_t count, size_t long_steps)
{
    size_t front = 0;
    for (size_t i = 0; i < count; i++) {
        const jck_case *moved = cases[i];
        if (moved->step_count >= long_steps) {
            for (size_t k = i; k > front; k--) {
                cases[k] = cases[k - 1];
            }
            cases[front++] = moved;
        }
    }
}

// The parts of a plan, in their order. What many servers leave unanswered comes early: a missing
// answer is waited for while other cases run.
enum { PART_EARLY, PART_USUAL, PART_BARE, PART_HAZARDS };

static int part_of(const jck_plan_options *options, const jck_case *test_case)
{
    return test_case->hazard                       ? PART_HAZARDS
           : test_case->bare && options->bare_last ? PART_BARE
           : jck_case_sends_null_id(test_case)     ? PART_EARLY
                                                   : PART_USUAL;
}

static size_t pauses_of(const jck_case *test_case)
{
    size_t pauses = 0;
    for (size_t i = 0; i < test_case->step_count; i++) {
        pauses += jrpc_slice_is(test_case->steps[i].within, "pause");
    }
    return pauses;
}

// How early a case that waits is run. The longest possible waits come first: for the answer to
// another HTTP method than POST, which may never come, then for "100 Continue".
enum { WAIT_UNANSWERED, WAIT_CONTINUE, WAIT_USUAL };

static int wait_of(const jck_case *test_case)
{
    int wait = WAIT_USUAL;
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jrpc_manner *manner = &test_case->steps[i].manner;
        int here = manner->http_method != NULL          ? WAIT_UNANSWERED
                   : manner->bytes == JRPC_BYTES_EXPECT ? WAIT_CONTINUE
                                                        : WAIT_USUAL;
        wait = here < wait ? here : wait;
    }
    return wait;
}

// Notes where the cases are that mostly wait.
static bool note_waiting(jrpc_arena *arena, jck_plan *plan)
{
    plan->waiting = jrpc_arena_array(arena, plan->case_count + 1, sizeof *plan->waiting);
    for (int wait = WAIT_UNANSWERED; plan->waiting != NULL && wait <= WAIT_USUAL; wait++) {
        for (size_t i = 0; i < plan->case_count; i++) {
            const jck_case *test_case = plan->cases[i];
            if (!test_case->hazard && jck_case_waits(test_case) && wait_of(test_case) == wait) {
                plan->waiting[plan->waiting_count++] = i;
                plan->pauses += pauses_of(test_case);
            }
        }
    }
    return plan->waiting != NULL;
}

bool jck_plan_make(const jck_suite *suite, const jck_plan_options *options, jrpc_arena *arena,
                   jck_plan *ret_plan)
{
    size_t total = jck_suite_case_count(suite);
    size_t rules = jck_suite_rule_count(suite);
    jck_plan plan = {0};
    plan.grounds = jrpc_arena_array(arena, rules + 1, sizeof(const jck_case *));
    plan.cases = jrpc_arena_array(arena, (total + 1) * options->repeat, sizeof(const jck_case *));
    plan.resting = jrpc_arena_array(arena, total + 1, sizeof(const jck_case *));
    if (plan.grounds == NULL || plan.cases == NULL || plan.resting == NULL) {
        return false;
    }
    if (!options->undriven) {
        plan_grounds(suite, options, &plan);
    }
    jrpc_random random;
    jrpc_random_init(&random, options->seed);
    for (unsigned round = 0; round < options->repeat; round++) {
        for (int part = PART_EARLY; part <= PART_HAZARDS; part++) {
            size_t first = plan.case_count;
            size_t position = 0;
            for (size_t i = 0; i < total; i++) {
                const jck_case *test_case = jck_suite_case(suite, i);
                bool mine = options->selected[i] &&
                            position++ % options->shard_count == options->shard_index - 1;
                bool again = round == 0 && holds(plan.grounds, plan.ground_count, test_case);
                if (mine && jck_case_sits_out(test_case)) {
                    if (round == 0 && part == PART_EARLY) {
                        plan.resting[plan.resting_count++] = test_case;
                    }
                } else if (mine && !again && part_of(options, test_case) == part) {
                    plan.cases[plan.case_count++] = test_case;
                }
            }
            if (options->shuffle) {
                shuffle(plan.cases + first, plan.case_count - first, &random);
            }
            if (options->long_steps > 0) {
                long_first(plan.cases + first, plan.case_count - first, options->long_steps);
            }
        }
    }
    bool noted = note_waiting(arena, &plan);
    *ret_plan = plan;
    return noted;
}

bool jck_plan_selects(const jck_suite *suite, const jck_plan_options *options,
                      const jck_case *test_case)
{
    return is_selected(suite, options, test_case);
}

bool jck_plan_asks_for(const jck_suite *suite, const jck_plan_options *options,
                       const jck_case *ground)
{
    return options->shard_index == 1 && is_selected(suite, options, ground);
}
