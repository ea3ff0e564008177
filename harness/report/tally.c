#include "harness/report/tally.h"

#include "reference/base/limits.h"

void jck_tally_init(jck_tally *tally, size_t examples)
{
    *tally = (jck_tally){0};
    jrpc_arena_init(&tally->arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jck_causes_init(&tally->causes, &tally->arena, examples);
}

void jck_tally_done(jck_tally *tally)
{
    jrpc_arena_done(&tally->arena);
}

void jck_tally_clear(jck_tally *tally)
{
    size_t examples = tally->causes.examples;
    jck_tally_done(tally);
    jck_tally_init(tally, examples);
}

bool jck_tally_start(jck_tally *tally, const jck_reading_start *start)
{
    tally->started = true;
    tally->start = *start;
    tally->causes.tested = jck_words_of_role(start->role);
    return jck_reading_keep_start(&tally->start, &tally->arena);
}

bool jck_tally_finish(jck_tally *tally, const jck_reading_finish *finish)
{
    tally->finished = true;
    tally->finish = *finish;
    tally->finish.stop = tally->finish.stopped = (jrpc_slice){"", 0};
    tally->finish.hint = tally->finish.note = (jrpc_slice){"", 0};
    (void)jrpc_arena_copy(&tally->arena, finish->stop, &tally->finish.stop);
    (void)jrpc_arena_copy(&tally->arena, finish->stopped, &tally->finish.stopped);
    (void)jrpc_arena_copy(&tally->arena, finish->hint, &tally->finish.hint);
    (void)jrpc_arena_copy(&tally->arena, finish->note, &tally->finish.note);
    return !tally->arena.failed;
}

// Finds the group with this name and value, created if there is none. *ret_group is NULL if there
// is no room for another group. False if out of memory.
static bool find_group(jck_tally *tally, jck_groups *groups, jrpc_slice name, jrpc_slice value,
                       jrpc_slice example, jck_group **ret_group)
{
    jck_group **place = &groups->first;
    for (; *place != NULL; place = &(*place)->next) {
        if (jrpc_slice_equal((*place)->name, name) && jrpc_slice_equal((*place)->value, value)) {
            *ret_group = *place;
            return true;
        }
    }
    if (groups->count >= JCK_GROUPS_MAX) {
        groups->left_out++;
        *ret_group = NULL;
        return true;
    }
    jck_group *group = jrpc_arena_alloc(&tally->arena, sizeof *group);
    if (group == NULL) {
        return false;
    }
    (void)jrpc_arena_copy(&tally->arena, name, &group->name);
    (void)jrpc_arena_copy(&tally->arena, value, &group->value);
    (void)jrpc_arena_copy(&tally->arena, example, &group->example);
    if (tally->arena.failed) {
        return false;
    }
    *place = group;
    groups->count++;
    *ret_group = group;
    return true;
}

static bool count_in(jck_tally *tally, jck_groups *groups, jrpc_slice name, jrpc_slice value,
                     const jck_reading_case *test_case, jck_level level)
{
    jck_group *group;
    if (!find_group(tally, groups, name, value, test_case->id, &group)) {
        return false;
    }
    groups->cases++;
    if (group != NULL) {
        group->count++;
        group->unexpected += !test_case->expected;
        group->level = level > group->level ? level : group->level;
        if (!test_case->expected && level > group->unexpected_level) {
            group->unexpected_level = level;
        }
    }
    return true;
}

static bool count_reason(jck_tally *tally, const jck_reading_case *test_case)
{
    return count_in(tally, &tally->reasons, test_case->reason, (jrpc_slice){"", 0}, test_case,
                    JCK_LEVEL_OBSERVE);
}

// Whether a method with the name of the capability that a case lacks was seen. Then the option that
// unlocks the case names that method (`--method subtract=subtract`).
static bool was_seen(const jck_reading_case *test_case)
{
    jrpc_slice name = test_case->capability;
    jrpc_slice unlock = test_case->unlock;
    return name.len > 0 && unlock.len > name.len && unlock.ptr[unlock.len - name.len - 1] == '=' &&
           jrpc_slice_equal(jrpc_slice_from(unlock, unlock.len - name.len), name);
}

// By what is missing if the event says so; streams of schema 1 have only the sentence.
static bool count_skipped(jck_tally *tally, const jck_reading_case *test_case)
{
    bool lacks_method = jrpc_slice_is(test_case->reason_code, "no-method");
    if (lacks_method && was_seen(test_case) &&
        !count_in(tally, &tally->sightings, test_case->reason, (jrpc_slice){"", 0}, test_case,
                  JCK_LEVEL_OBSERVE)) {
        return false;
    }
    return lacks_method ? count_in(tally, &tally->capabilities, test_case->capability,
                                   test_case->unlock, test_case, JCK_LEVEL_OBSERVE)
                        : count_reason(tally, test_case);
}

// By the rule if the case depends on a broken one; streams of schema 1 block for no other reason,
// and have no code.
static bool count_blocked(jck_tally *tally, const jck_reading_case *test_case)
{
    if (test_case->reason_code.len > 0 && !jrpc_slice_is(test_case->reason_code, "rule-broken")) {
        return count_reason(tally, test_case);
    }
    return count_in(tally, &tally->blocking,
                    test_case->blocked_by.len > 0 ? test_case->blocked_by : test_case->reason,
                    (jrpc_slice){"", 0}, test_case, JCK_LEVEL_OBSERVE);
}

static bool reported_before(const jck_reading_case *test_case, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (!test_case->findings[i].known &&
            jrpc_slice_equal(test_case->findings[i].rule, test_case->findings[index].rule)) {
            return true;
        }
    }
    return false;
}

static bool count_findings(jck_tally *tally, const jck_reading_case *test_case)
{
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        if (!finding->known && finding->level != JCK_LEVEL_OBSERVE &&
            !reported_before(test_case, i) &&
            !count_in(tally, &tally->rules, finding->rule, finding->sentence, test_case,
                      finding->level)) {
            return false;
        }
    }
    for (size_t i = 0; i < test_case->observation_count; i++) {
        const jck_reading_observation *seen = &test_case->observations[i];
        if (!count_in(tally, &tally->observations, seen->name, seen->value, test_case,
                      JCK_LEVEL_OBSERVE)) {
            return false;
        }
    }
    return true;
}

bool jck_tally_case(jck_tally *tally, const jck_reading_case *test_case)
{
    if (test_case->ground) {
        return true;
    }
    jck_outcome outcome = test_case->outcome;
    tally->cases++;
    tally->counts[outcome]++;
    tally->expected[outcome] += test_case->expected;
    tally->breaches +=
        !test_case->expected && jck_reading_is_breach(test_case, tally->start.strict);
    if (!jck_causes_take(&tally->causes, test_case)) {
        return false;
    }
    switch (outcome) {
    case JCK_OUTCOME_SKIP:
        return count_skipped(tally, test_case);
    case JCK_OUTCOME_BLOCKED:
        return count_blocked(tally, test_case);
    case JCK_OUTCOME_STUCK:
    case JCK_OUTCOME_HANG:
    case JCK_OUTCOME_CRASH:
    case JCK_OUTCOME_ERROR:
        return count_in(tally, &tally->outcomes, jrpc_slice_str(jck_outcome_name(outcome)),
                        (jrpc_slice){"", 0}, test_case, JCK_LEVEL_MUST) &&
               count_findings(tally, test_case);
    case JCK_OUTCOME_ENDED:
        return count_in(tally, &tally->endings, jrpc_slice_str(jck_outcome_name(outcome)),
                        (jrpc_slice){"", 0}, test_case, JCK_LEVEL_OBSERVE) &&
               count_findings(tally, test_case);
    case JCK_OUTCOME_PASS:
    case JCK_OUTCOME_OBSERVE:
    case JCK_OUTCOME_WARN:
    case JCK_OUTCOME_FAIL:
        break;
    }
    return count_findings(tally, test_case);
}

static bool is_worse(const jck_group *a, const jck_group *b)
{
    bool a_known = a->unexpected == 0;
    bool b_known = b->unexpected == 0;
    return a_known != b_known     ? b_known
           : a->level != b->level ? a->level > b->level
                                  : a->count > b->count;
}

// Insertion sort: stable, and there are few groups.
static void sort(jck_groups *groups)
{
    jck_group *sorted = NULL;
    while (groups->first != NULL) {
        jck_group *group = groups->first;
        groups->first = group->next;
        jck_group **place = &sorted;
        while (*place != NULL && !is_worse(group, *place)) {
            place = &(*place)->next;
        }
        group->next = *place;
        *place = group;
    }
    groups->first = sorted;
}

void jck_tally_sort(jck_tally *tally)
{
    jck_causes_sort(&tally->causes);
    sort(&tally->rules);
    sort(&tally->outcomes);
    sort(&tally->capabilities);
    sort(&tally->sightings);
    sort(&tally->reasons);
    sort(&tally->blocking);
    sort(&tally->observations);
}
