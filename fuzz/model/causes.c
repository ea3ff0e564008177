#include "fuzz/model/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAUSES_MOST = 1000, AFTER_BYTES = 400 };

typedef struct list {
    cause *all;
    size_t count;
    size_t examples; // kept of each
} list;

static cause *find(list *of, int outcome, jrpc_slice rule)
{
    for (size_t i = 0; i < of->count; i++) {
        if (of->all[i].outcome == outcome && jrpc_slice_equal(of->all[i].rule, rule)) {
            return &of->all[i];
        }
    }
    if (of->count == CAUSES_MOST) {
        return NULL;
    }
    of->all[of->count] = (cause){.outcome = outcome, .rule = rule};
    return &of->all[of->count++];
}

static const tree *list_of(const tree *object, const char *name)
{
    const tree *value = object != NULL && object->kind == 'o' ? tree_member(object, name) : NULL;
    return value != NULL && value->kind == 'a' ? value : NULL;
}

// The bytes of a message: those that are there, or as many as the message says there were.
static size_t length_of(const tree *message)
{
    size_t len = groups_text(message, "text").len;
    jrpc_slice encoded = groups_text(message, "base64");
    const tree *told = message->kind == 'o' ? tree_member(message, "length") : NULL;
    if (encoded.len != 0) {
        size_t digits = 0;
        while (digits < encoded.len && encoded.ptr[digits] != '\0' &&
               strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                      encoded.ptr[digits]) != NULL) {
            digits++;
        }
        len = digits * 6 / 8;
    }
    bool unsure = false;
    if (told != NULL && tree_is_between(told, 0, 1000000000, &unsure) && !unsure) {
        size_t said = (size_t)strtoul(told->spelling.ptr, NULL, 10);
        len = said > len ? said : len;
    }
    return len;
}

// How much there is to read in a case that shows the rule.
static size_t size_of(const runs_case *one, const tree *finding, jrpc_slice rule, int level)
{
    size_t size = 0;
    const tree *messages = list_of(tree_member(one->event, "exchange"), "messages");
    for (size_t i = 0; messages != NULL && i < messages->count; i++) {
        jrpc_slice role = groups_text(messages->items[i], "role");
        if (role.len == 0 || jrpc_slice_is(role, "noise")) {
            size += length_of(messages->items[i]) + 64;
        }
    }
    const tree *rules = list_of(one->event, "rules");
    const tree *first = NULL;
    for (size_t i = 0; rules != NULL && i < rules->count && first == NULL; i++) {
        first = rules->items[i]->kind == 's' ? rules->items[i] : NULL;
    }
    bool own = rule.len == 0 || (first != NULL && jrpc_slice_equal(first->content, rule));
    const tree *answers = finding == NULL ? NULL : list_of(finding, "expected");
    size_t others = answers == NULL || answers->count == 0 ? 0 : answers->count - 1;
    return size + (own ? 0 : 400) + others * 200 + (level == GROUPS_MUST ? 0 : (size_t)1 << 18) +
           (one->expected ? (size_t)1 << 20 : 0);
}

static bool is_before_id(jrpc_slice a, jrpc_slice b)
{
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared == 0 ? 0 : memcmp(a.ptr, b.ptr, shared);
    return order != 0 ? order < 0 : a.len < b.len;
}

// The smallest first. If two have the same size, the first by name.
static void show(const list *of, cause *in, const runs_case *one, size_t size)
{
    size_t at = in->example_count;
    while (at > 0 &&
           (size != in->sizes[at - 1] ? size < in->sizes[at - 1]
                                      : is_before_id(one->id, in->examples[at - 1]->id))) {
        at--;
    }
    if (at >= of->examples) {
        return;
    }
    in->example_count += in->example_count < of->examples ? 1 : 0;
    for (size_t i = in->example_count - 1; i > at; i--) {
        in->examples[i] = in->examples[i - 1];
        in->sizes[i] = in->sizes[i - 1];
    }
    in->examples[at] = one;
    in->sizes[at] = size;
}

static void count(list *of, int outcome, jrpc_slice rule, const runs_case *one, const tree *finding,
                  int level)
{
    cause *in = find(of, outcome, rule);
    if (in == NULL) {
        return;
    }
    in->cases++;
    in->at_level[level]++;
    in->level = level > in->level ? level : in->level;
    in->unexpected += one->expected ? 0 : 1;
    show(of, in, one, size_of(one, finding, rule, level));
}

static void take(list *of, const runs_case *one)
{
    const jrpc_slice none = {"", 0};
    const tree *findings = list_of(one->event, "findings");
    size_t found = findings == NULL ? 0 : findings->count;
    bool down = one->outcome >= RUNS_STUCK;
    if (one->outcome == RUNS_BLOCKED) {
        jrpc_slice rule = groups_text(one->event, "blocked_by");
        cause *in = rule.len == 0 ? NULL : find(of, RUNS_FAIL, rule);
        if (in != NULL) {
            in->blocks++;
        }
        return;
    }
    if (down) {
        count(of, one->outcome, none, one, found == 0 ? NULL : findings->items[found - 1],
              GROUPS_MUST);
    }
    for (size_t i = 0; i < found; i++) {
        const tree *finding = findings->items[i];
        jrpc_slice rule = groups_text(finding, "rule");
        bool known = groups_is_known(finding);
        bool before = false;
        for (size_t k = 0; k < i; k++) {
            before = before || (groups_is_known(findings->items[k]) == known &&
                                jrpc_slice_equal(groups_text(findings->items[k], "rule"), rule));
        }
        const tree *expected = list_of(finding, "expected");
        bool of_end = expected != NULL && expected->count != 0 &&
                      jrpc_slice_is(groups_text(expected->items[0], "kind"), "alive");
        if (before) {
            continue;
        }
        if (known) {
            cause *in = find(of, RUNS_FAIL, rule);
            if (in != NULL) {
                in->repeats++;
            }
        } else if ((!down || !of_end) && groups_level(finding) != GROUPS_OBSERVE) {
            count(of, RUNS_FAIL, rule, one, finding, groups_level(finding));
        }
    }
}

static bool is_worse(const cause *a, const cause *b)
{
    if ((a->unexpected == 0) != (b->unexpected == 0)) {
        return a->unexpected != 0;
    }
    if (a->outcome != b->outcome) {
        return a->outcome > b->outcome;
    }
    if (a->level != b->level) {
        return a->level > b->level;
    }
    size_t roots = a->blocks + a->repeats;
    size_t others = b->blocks + b->repeats;
    return roots != others ? roots > others : a->cases > b->cases;
}

cause *causes_of(tree_pool *pool, const runs_run *run, size_t examples, size_t *ret_count)
{
    size_t most = 1;
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        most += 2 + one->findings;
    }
    list made = {.all = tree_alloc(pool, most * sizeof(cause)),
                 .examples = examples < CAUSE_EXAMPLES ? examples : CAUSE_EXAMPLES};
    for (const runs_case *one = run->first; one != NULL; one = one->next) {
        take(&made, one);
    }
    size_t kept = 0;
    for (size_t i = 0; i < made.count; i++) {
        cause moved = made.all[i];
        if (moved.cases == 0) {
            continue;
        }
        size_t at = kept++;
        for (; at > 0 && is_worse(&moved, &made.all[at - 1]); at--) {
            made.all[at] = made.all[at - 1];
        }
        made.all[at] = moved;
    }
    *ret_count = kept;
    return made.all;
}

static bool is_word(const tree *id)
{
    bool word = id->kind == 's' && id->content.len != 0;
    for (size_t i = 0; word && i < id->content.len; i++) {
        word = id->content.ptr[i] != '\0' &&
               strchr("abcdefghijklmnopqrstuvwxyz0123456789/.-_", id->content.ptr[i]) != NULL;
    }
    return word;
}

const char *causes_after(tree_pool *pool, const runs_case *one)
{
    const tree *company = tree_member(one->event, "company");
    const tree *ids = list_of(company, "cases");
    char *words = tree_alloc(pool, one->event->spelling.len * 12 + 1);
    size_t len = 0;
    if (ids == NULL || !jrpc_slice_is(groups_text(company, "way"), "again")) {
        return "";
    }
    for (size_t i = 0; i < ids->count;) {
        size_t times = 1;
        if (!is_word(ids->items[i])) {
            return "";
        }
        while (i + times < ids->count && ids->items[i + times]->kind == 's' &&
               jrpc_slice_equal(ids->items[i]->content, ids->items[i + times]->content)) {
            times++;
        }
        len += (size_t)snprintf(words + len, ids->items[i]->content.len + 24, " --after %.*s",
                                (int)ids->items[i]->content.len, ids->items[i]->content.ptr);
        if (times > 1) {
            len += (size_t)snprintf(words + len, 24, "'*%zu'", times);
        }
        i += times;
    }
    return len <= AFTER_BYTES ? words : "";
}
