#include "harness/report/rulebook.h"

#include <string.h>

void jck_rulebook_init(jck_rulebook *book, jrpc_arena *arena)
{
    *book = (jck_rulebook){.arena = arena};
}

jck_ruling *jck_rulebook_find(const jck_rulebook *book, jrpc_slice id)
{
    for (size_t i = 0; i < book->count; i++) {
        if (jrpc_slice_equal(book->items[i]->id, id)) {
            return book->items[i];
        }
    }
    return NULL;
}

static bool grow(jck_rulebook *book)
{
    size_t room = book->room == 0 ? 128 : book->room * 2;
    jck_ruling **items = jrpc_arena_array(book->arena, room, sizeof *items);
    if (items == NULL) {
        return false;
    }
    for (size_t i = 0; i < book->count; i++) {
        items[i] = book->items[i];
    }
    book->items = items;
    book->room = room;
    return true;
}

static jrpc_slice family_of(jrpc_slice id)
{
    const char *dash = id.len == 0 ? NULL : memchr(id.ptr, '-', id.len);
    return dash == NULL ? id : jrpc_slice_of(id.ptr, (size_t)(dash - id.ptr));
}

bool jck_rulebook_enter(jck_rulebook *book, jrpc_slice id, jck_ruling **ret_ruling)
{
    *ret_ruling = jck_rulebook_find(book, id);
    if (*ret_ruling != NULL || book->count >= JCK_RULINGS_MAX || id.len == 0) {
        return true;
    }
    jck_ruling *ruling = jrpc_arena_alloc(book->arena, sizeof *ruling);
    if (ruling == NULL || (book->count == book->room && !grow(book))) {
        return false;
    }
    *ruling = (jck_ruling){.index = book->count, .family = book->count};
    if (!jrpc_arena_copy(book->arena, id, &ruling->id)) {
        return false;
    }
    book->items[book->count++] = ruling;
    for (size_t i = 0; i < ruling->family; i++) {
        if (jrpc_slice_equal(family_of(book->items[i]->id), family_of(id))) {
            ruling->family = i;
        }
    }
    book->items[ruling->family]->family_size++;
    *ret_ruling = ruling;
    return true;
}

static void keep(jck_rulebook *book, jrpc_slice *kept, jrpc_slice text)
{
    if (kept->len == 0) {
        (void)jrpc_arena_copy(book->arena, text, kept);
    }
}

bool jck_rulebook_take(jck_rulebook *book, const jck_reading_rule *rule)
{
    jck_ruling *ruling;
    if (!jck_rulebook_enter(book, rule->id, &ruling)) {
        return false;
    }
    if (ruling == NULL) {
        return true;
    }
    ruling->level = rule->level > ruling->level ? rule->level : ruling->level;
    keep(book, &ruling->section, rule->section);
    keep(book, &ruling->title, rule->title);
    keep(book, &ruling->sentence, rule->sentence);
    return !book->arena->failed;
}

bool jck_rulebook_read(jck_rulebook *book, const jck_reading_case *test_case)
{
    jck_ruling *ruling;
    for (size_t i = 0; i < test_case->rule_count; i++) {
        if (!jck_rulebook_enter(book, test_case->rules[i], &ruling)) {
            return false;
        }
    }
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        if (!jck_rulebook_enter(book, finding->rule, &ruling)) {
            return false;
        }
        if (ruling != NULL) {
            ruling->level = finding->level > ruling->level ? finding->level : ruling->level;
            keep(book, &ruling->sentence, finding->sentence);
        }
    }
    return !book->arena->failed;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

// The number that begins at *at, up to nine digits of it.
static unsigned long number_at(jrpc_slice text, size_t *at)
{
    unsigned long number = 0;
    for (int digits = 0; *at < text.len && is_digit(text.ptr[*at]) && digits < 9; digits++) {
        number = number * 10 + (unsigned long)(text.ptr[(*at)++] - '0');
    }
    return number;
}

int jck_natural_order(jrpc_slice a, jrpc_slice b)
{
    size_t i = 0;
    size_t k = 0;
    while (i < a.len && k < b.len) {
        if (is_digit(a.ptr[i]) && is_digit(b.ptr[k])) {
            unsigned long left = number_at(a, &i);
            unsigned long right = number_at(b, &k);
            if (left != right) {
                return left < right ? -1 : 1;
            }
        } else if (a.ptr[i] != b.ptr[k]) {
            return (unsigned char)a.ptr[i] < (unsigned char)b.ptr[k] ? -1 : 1;
        } else {
            i++;
            k++;
        }
    }
    return (i < a.len) - (k < b.len);
}

int jck_rulebook_order(const jck_rulebook *book, const jck_ruling *a, const jck_ruling *b)
{
    size_t left = book->items[a->family]->family_size;
    size_t right = book->items[b->family]->family_size;
    if (a->family == b->family) {
        return jck_natural_order(a->id, b->id);
    }
    return left != right ? (left < right) - (left > right) : a->family < b->family ? -1 : 1;
}

jck_ruling **jck_rulebook_sorted(const jck_rulebook *book)
{
    jck_ruling **sorted = jrpc_arena_array(book->arena, book->count + 1, sizeof *sorted);
    // Insertion sort: no order is kept anywhere else, and there are few rules.
    for (size_t i = 0; sorted != NULL && i < book->count; i++) {
        size_t at = i;
        for (; at > 0 && jck_rulebook_order(book, book->items[i], sorted[at - 1]) < 0; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = book->items[i];
    }
    return sorted;
}

static bool is_named(const jck_reading_case *test_case, jrpc_slice rule)
{
    for (size_t i = 0; i < test_case->rule_count; i++) {
        if (jrpc_slice_equal(test_case->rules[i], rule)) {
            return true;
        }
    }
    return false;
}

// Whether a finding says that the rule is broken; if there are no findings, whether the rule is the
// case's first.
static bool is_decisive(const jck_reading_case *test_case, jrpc_slice rule)
{
    for (size_t i = 0; i < test_case->finding_count; i++) {
        if (jrpc_slice_equal(test_case->findings[i].rule, rule)) {
            return test_case->findings[i].level != JCK_LEVEL_OBSERVE;
        }
    }
    return test_case->finding_count == 0 && test_case->rule_count > 0 &&
           jrpc_slice_equal(test_case->rules[0], rule);
}

jck_standing jck_standing_of(const jck_reading_case *test_case, jrpc_slice rule)
{
    switch (test_case->outcome) {
    case JCK_OUTCOME_SKIP:
    case JCK_OUTCOME_BLOCKED:
    case JCK_OUTCOME_ERROR:
        return JCK_STANDING_UNTESTED;
    case JCK_OUTCOME_CRASH:
    case JCK_OUTCOME_HANG:
    case JCK_OUTCOME_STUCK:
        return is_decisive(test_case, rule) ? JCK_STANDING_DEAD : JCK_STANDING_UNTESTED;
    case JCK_OUTCOME_PASS:
    case JCK_OUTCOME_OBSERVE:
    case JCK_OUTCOME_WARN:
    case JCK_OUTCOME_FAIL:
    case JCK_OUTCOME_ENDED:
        break;
    }
    jck_standing standing =
        test_case->outcome == JCK_OUTCOME_OBSERVE ? JCK_STANDING_OPEN : JCK_STANDING_KEPT;
    if (!is_named(test_case, rule)) {
        standing = JCK_STANDING_UNTESTED;
    }
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        jck_standing worse = finding->level == JCK_LEVEL_MUST     ? JCK_STANDING_MUST
                             : finding->level == JCK_LEVEL_SHOULD ? JCK_STANDING_SHOULD
                                                                  : JCK_STANDING_OPEN;
        if (jrpc_slice_equal(finding->rule, rule) && worse > standing) {
            standing = worse;
        }
    }
    return standing;
}
