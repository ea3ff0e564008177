#include "fuzz/model/runs.h"

const char *const runs_outcomes[RUNS_OUTCOMES] = {
    "pass",  "skip",  "observe", "warn",  "blocked", "fail",
    "ended", "stuck", "hang",    "crash", "error",
};

static bool is_true(const tree *object, const char *name)
{
    const tree *value = tree_member(object, name);
    return value != NULL && value->kind == 'b' && value->spelling.ptr[0] == 't';
}

static runs_run *begin(runs *all, bool strict)
{
    runs_run *run = tree_alloc(all->pool, sizeof *run);
    run->strict = strict;
    *(all->first == NULL ? &all->first : &all->last->next) = run;
    all->last = run;
    all->count++;
    all->open = true;
    return run;
}

static bool is_breach(const runs_case *told, bool strict, bool new_must)
{
    static const char how[RUNS_OUTCOMES] = {
        [RUNS_WARN] = 's', [RUNS_ENDED] = 'm', [RUNS_FAIL] = 'y',  [RUNS_STUCK] = 'y',
        [RUNS_HANG] = 'y', [RUNS_CRASH] = 'y', [RUNS_ERROR] = 'y',
    };
    char kind = how[told->outcome];
    return kind == 'y' || (kind == 's' && strict) || (kind == 'm' && new_must);
}

static void tell_case(runs *all, runs_run *run, const tree *event)
{
    runs_case *told = tree_alloc(all->pool, sizeof *told);
    const tree *id = tree_member(event, "id");
    const tree *outcome = tree_member(event, "outcome");
    const tree *findings = tree_member(event, "findings");
    bool new_must = false;
    told->event = event;
    told->id = id != NULL && id->kind == 's' ? id->content : (jrpc_slice){"", 0};
    told->expected = is_true(event, "expected");
    while (told->outcome < RUNS_ERROR && !tree_is_text(outcome, runs_outcomes[told->outcome])) {
        told->outcome++;
    }
    for (size_t i = 0; findings != NULL && findings->kind == 'a' && i < findings->count; i++) {
        const tree *level = tree_member(findings->items[i], "level");
        bool known =
            is_true(findings->items[i], "known") && !is_true(findings->items[i], "repeats");
        told->findings++;
        told->weighty += !known && !tree_is_text(level, "OBSERVE");
        new_must = new_must ||
                   (!known && !tree_is_text(level, "OBSERVE") && !tree_is_text(level, "SHOULD"));
    }
    told->breach = is_breach(told, run->strict, new_must);
    told->breach_lax = is_breach(told, false, new_must);
    run->cases++;
    run->counts[told->outcome]++;
    run->breaches += told->breach && !told->expected;
    *(run->first == NULL ? &run->first : &run->last->next) = told;
    run->last = told;
}

void runs_tell(runs *all, jrpc_slice line)
{
    const tree *event = tree_read(all->pool, line);
    const tree *kind = tree_member(event, "event");
    bool rule = tree_is_text(kind, "rule");
    bool start = tree_is_text(kind, "start");
    bool finish = tree_is_text(kind, "finish");
    bool counted = tree_is_text(kind, "case");
    if (!start && !finish && !counted && !tree_is_text(kind, "ground") && !rule) {
        return;
    }
    // A stream whose beginning is missing is read all the same.
    runs_run *run = start || !all->open ? begin(all, start && is_true(event, "strict")) : all->last;
    if (rule) {
        runs_rule *told = tree_alloc(all->pool, sizeof *told);
        *told = (runs_rule){event, run->rules};
        run->rules = told;
    } else if (counted) {
        tell_case(all, run, event);
    } else if (finish) {
        const tree *stopped = tree_member(event, "stopped");
        run->finish = event;
        run->complete = !is_true(event, "interrupted") && !tree_has_text(stopped);
        run->conformant = is_true(event, "conformant");
        all->open = false;
    }
}

static const runs_case *last_of(const runs_run *from, const runs_run *end, jrpc_slice id)
{
    const runs_case *found = NULL;
    for (const runs_run *run = from; run != end; run = run->next) {
        for (const runs_case *told = run->first; told != NULL; told = told->next) {
            found = jrpc_slice_equal(told->id, id) ? told : found;
        }
    }
    return found;
}

static int rank(const runs_case *told)
{
    if (told == NULL || told->outcome == RUNS_SKIP || told->outcome == RUNS_BLOCKED ||
        told->outcome == RUNS_ERROR) {
        return 0;
    }
    return told->breach_lax ? 3 : told->outcome == RUNS_WARN ? 2 : 1;
}

// The next finding that is more than an observation, from *at on; NULL: no more.
static const tree *next_breach(const runs_case *told, size_t *at)
{
    const tree *findings = tree_member(told->event, "findings");
    while (findings != NULL && findings->kind == 'a' && *at < findings->count) {
        const tree *one = findings->items[(*at)++];
        if (!tree_is_text(tree_member(one, "level"), "OBSERVE")) {
            return one;
        }
    }
    return NULL;
}

static jrpc_slice rule_of(const tree *finding)
{
    const tree *rule = finding == NULL ? NULL : tree_member(finding, "rule");
    return rule != NULL && rule->kind == 's' ? rule->content : (jrpc_slice){"", 0};
}

static bool breaks_the_same(const runs_case *a, const runs_case *b)
{
    size_t x = 0;
    size_t y = 0;
    const tree *one;
    do {
        one = next_breach(a, &x);
        const tree *other = next_breach(b, &y);
        if ((one == NULL) != (other == NULL) || !jrpc_slice_equal(rule_of(one), rule_of(other))) {
            return false;
        }
    } while (one != NULL);
    return true;
}

static void count_change(const runs *all, jrpc_slice id, size_t *counts)
{
    const runs_case *old = last_of(all->first, all->first->next, id);
    const runs_case *now = last_of(all->first->next, NULL, id);
    int before = rank(old);
    int after = rank(now);
    if (now == NULL) {
        counts[RUNS_GONE]++;
    } else if (before == 0) {
        counts[RUNS_NEW_WRONG] += after >= 2;
        counts[RUNS_ADDED] += after == 1 || (after == 0 && old == NULL);
    } else {
        counts[RUNS_UNJUDGED] += after == 0;
        counts[RUNS_OTHERWISE] += after == before && after >= 2 &&
                                  (old->outcome != now->outcome || !breaks_the_same(old, now));
        counts[RUNS_BROKEN] += after > before;
        counts[RUNS_FIXED] += after > 0 && after < before;
    }
}

void runs_changes(const runs *all, size_t *ret_counts)
{
    for (int i = 0; i < RUNS_CHANGES; i++) {
        ret_counts[i] = 0;
    }
    for (const runs_run *run = all->first; run != NULL; run = run->next) {
        for (const runs_case *told = run->first; told != NULL; told = told->next) {
            // Where the name is reported first.
            bool again = false;
            for (const runs_run *before = all->first; before != run->next; before = before->next) {
                for (const runs_case *k = before->first; k != NULL && k != told; k = k->next) {
                    again = again || jrpc_slice_equal(k->id, told->id);
                }
            }
            if (!again) {
                count_change(all, told->id, ret_counts);
            }
        }
    }
}
