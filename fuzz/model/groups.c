#include "fuzz/model/groups.h"

jrpc_slice groups_text(const tree *object, const char *name)
{
    const tree *value = object->kind == 'o' ? tree_member(object, name) : NULL;
    return value != NULL && value->kind == 's' ? value->content : (jrpc_slice){"", 0};
}

int groups_level(const tree *object)
{
    jrpc_slice level = groups_text(object, "level");
    return jrpc_slice_is(level, "OBSERVE")  ? GROUPS_OBSERVE
           : jrpc_slice_is(level, "SHOULD") ? GROUPS_SHOULD
                                            : GROUPS_MUST;
}

static bool is_true(const tree *object, const char *name)
{
    const tree *value = object->kind == 'o' ? tree_member(object, name) : NULL;
    return value != NULL && value->kind == 'b' && value->spelling.ptr[0] == 't';
}

bool groups_is_known(const tree *finding)
{
    return is_true(finding, "known") && !is_true(finding, "repeats");
}

// No run has more groups than values in its events.
static groups begin(tree_pool *pool, const runs_run *run)
{
    size_t most = 1;
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        most += 1 + one->event->spelling.len / 2;
    }
    return (groups){.all = tree_alloc(pool, most * sizeof(group))};
}

static void add(groups *to, jrpc_slice name, jrpc_slice value, const runs_case *one, int level)
{
    size_t at = 0;
    while (at < to->count && !(jrpc_slice_equal(to->all[at].name, name) &&
                               jrpc_slice_equal(to->all[at].value, value))) {
        at++;
    }
    group *into = &to->all[at];
    if (at == to->count) {
        to->count++;
        *into = (group){.name = name, .value = value, .example = one->id};
    }
    into->cases++;
    into->unexpected += one->expected ? 0 : 1;
    into->level = level > into->level ? level : into->level;
    if (!one->expected && level > into->unexpected_level) {
        into->unexpected_level = level;
    }
}

// Those outside the baseline first, then by level, then by the number of cases, then in the order
// in which they came.
static bool is_before(const group *a, const group *b)
{
    if ((a->unexpected == 0) != (b->unexpected == 0)) {
        return a->unexpected != 0;
    }
    return a->level != b->level ? a->level > b->level : a->cases > b->cases;
}

static groups sorted(groups of)
{
    for (size_t i = 1; i < of.count; i++) {
        group moved = of.all[i];
        size_t at = i;
        for (; at > 0 && is_before(&moved, &of.all[at - 1]); at--) {
            of.all[at] = of.all[at - 1];
        }
        of.all[at] = moved;
    }
    return of;
}

static bool is_judged(const runs_case *one)
{
    return one->outcome != RUNS_SKIP && one->outcome != RUNS_BLOCKED;
}

static const tree *list_of(const tree *event, const char *name)
{
    const tree *list = tree_member(event, name);
    return list != NULL && list->kind == 'a' ? list : NULL;
}

groups groups_broken(tree_pool *pool, const runs_run *run)
{
    groups made = begin(pool, run);
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        const tree *findings = list_of(one->event, "findings");
        for (size_t i = 0; is_judged(one) && findings != NULL && i < findings->count; i++) {
            const tree *finding = findings->items[i];
            bool before = false; // each rule counts once, at what the first finding says
            for (size_t k = 0; k < i; k++) {
                before = before || (!groups_is_known(findings->items[k]) &&
                                    jrpc_slice_equal(groups_text(findings->items[k], "rule"),
                                                     groups_text(finding, "rule")));
            }
            if (!before && !groups_is_known(finding) && groups_level(finding) != GROUPS_OBSERVE) {
                add(&made, groups_text(finding, "rule"), groups_text(finding, "sentence"), one,
                    groups_level(finding));
            }
        }
    }
    return sorted(made);
}

static bool lacks_method(const runs_case *one)
{
    return one->outcome == RUNS_SKIP &&
           jrpc_slice_is(groups_text(one->event, "reason_code"), "no-method");
}

static bool is_blocked_by_rule(const runs_case *one)
{
    jrpc_slice code = groups_text(one->event, "reason_code");
    return one->outcome == RUNS_BLOCKED && (code.len == 0 || jrpc_slice_is(code, "rule-broken"));
}

groups groups_unmapped(tree_pool *pool, const runs_run *run)
{
    groups made = begin(pool, run);
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        if (lacks_method(one)) {
            add(&made, groups_text(one->event, "capability"), groups_text(one->event, "unlock"),
                one, GROUPS_OBSERVE);
        }
    }
    return sorted(made);
}

groups groups_skipped(tree_pool *pool, const runs_run *run)
{
    groups made = begin(pool, run);
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        if (!is_judged(one) && !lacks_method(one) && !is_blocked_by_rule(one)) {
            add(&made, groups_text(one->event, "reason"), (jrpc_slice){"", 0}, one, GROUPS_OBSERVE);
        }
    }
    return sorted(made);
}

groups groups_blocked(tree_pool *pool, const runs_run *run)
{
    groups made = begin(pool, run);
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        jrpc_slice rule = groups_text(one->event, "blocked_by");
        if (is_blocked_by_rule(one)) {
            add(&made, rule.len != 0 ? rule : groups_text(one->event, "reason"),
                (jrpc_slice){"", 0}, one, GROUPS_OBSERVE);
        }
    }
    return sorted(made);
}

static jrpc_slice content_of(const tree *value)
{
    return value->kind == 's' ? value->content : (jrpc_slice){"", 0};
}

groups groups_observed(tree_pool *pool, const runs_run *run)
{
    groups made = begin(pool, run);
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        const tree *seen = tree_member(one->event, "observed");
        for (size_t i = 0; is_judged(one) && seen != NULL && seen->kind == 'o' && i < seen->count;
             i++) {
            const tree *value = seen->items[i];
            for (size_t k = 0; k < (value->kind == 'a' ? value->count : 1); k++) {
                add(&made, content_of(seen->names[i]),
                    content_of(value->kind == 'a' ? value->items[k] : value), one, GROUPS_OBSERVE);
            }
        }
    }
    return sorted(made);
}
