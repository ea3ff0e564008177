#include "harness/parser/loss.h"

#include "reference/json/equal.h"

#include <stdlib.h>

// The most memory for the names of two objects while they are compared.
#define NAMES_BYTES ((size_t)2 << 30)

#define SMALL_TEXT 4096
#define REORDERED_MAX 64

// A member with the content of its name.
typedef struct member {
    jrpc_slice name;
    jrpc_json key, value;
    size_t place;
} member;

typedef struct pair {
    jrpc_json sent, back;
} pair;

typedef struct finder {
    jrpc_arena names; // of one pair of objects
    jck_losses *losses;
    pair *open; // containers still to be compared
    size_t count, capacity;
    bool small; // the text is small
} finder;

static void note(finder *f, jck_class class, jrpc_json sent, jrpc_json back)
{
    for (size_t i = 0; i < f->losses->count; i++) {
        if (f->losses->items[i].class == class) {
            return;
        }
    }
    if (class != JCK_CLASS_NONE && f->losses->count < JCK_LOSSES_MAX) {
        f->losses->items[f->losses->count++] =
            (jck_loss){class, jrpc_json_spelling(sent), jrpc_json_spelling(back)};
    }
}

static void open_later(finder *f, jrpc_json sent, jrpc_json back)
{
    if (f->count == f->capacity) {
        size_t capacity = f->capacity == 0 ? 64 : 2 * f->capacity;
        pair *open = jrpc_reallocate(jrpc_allocator_heap(), f->open, capacity * sizeof *open);
        if (open == NULL) {
            f->losses->failed = true;
            return;
        }
        f->open = open;
        f->capacity = capacity;
    }
    f->open[f->count++] = (pair){sent, back};
}

static jck_class loss_of_content(finder *f, jrpc_json sent, jrpc_json back)
{
    jrpc_slice a = {NULL, 0};
    jrpc_slice b = {NULL, 0};
    if (!jrpc_json_string(sent, &f->names, &a) || !jrpc_json_string(back, &f->names, &b)) {
        f->losses->failed = true;
        return JCK_CLASS_NONE;
    }
    return jck_loss_of_string(a, b);
}

static void compare(finder *f, jrpc_json sent, jrpc_json back)
{
    jrpc_json_kind kind = jrpc_json_kind_of(sent);
    if (kind != jrpc_json_kind_of(back)) {
        // A number beyond binary64 cannot be written, so a library writes something else.
        bool infinite = kind == JRPC_JSON_NUMBER &&
                        jck_loss_of_number(jrpc_json_spelling(sent), JRPC_SLICE("0")) ==
                            JCK_CLASS_NUMBER_INFINITE;
        note(f, infinite ? JCK_CLASS_NUMBER_INFINITE : JCK_CLASS_KIND_CHANGED, sent, back);
        return;
    }
    switch (kind) {
    case JRPC_JSON_NONE:
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
        break;
    case JRPC_JSON_NUMBER:
        note(f, jck_loss_of_number(jrpc_json_spelling(sent), jrpc_json_spelling(back)), sent, back);
        break;
    case JRPC_JSON_STRING:
        if (!jrpc_slice_equal(jrpc_json_spelling(sent), jrpc_json_spelling(back))) {
            note(f, loss_of_content(f, sent, back), sent, back);
        }
        break;
    case JRPC_JSON_ARRAY:
    case JRPC_JSON_OBJECT:
        open_later(f, sent, back);
        break;
    }
}

// Whether the arrays have the same elements in another order. Checked in small texts only.
static bool is_reordered(const finder *f, pair arrays)
{
    uint32_t count = jrpc_json_count(arrays.sent);
    if (!f->small || count < 2 || count > REORDERED_MAX ||
        jrpc_json_equal(arrays.sent, arrays.back)) {
        return false;
    }
    bool used[REORDERED_MAX] = {false};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < count && (used[k] || !jrpc_json_equal(jrpc_json_element(arrays.sent, i),
                                                         jrpc_json_element(arrays.back, k)))) {
            k++;
        }
        if (k == count) {
            return false;
        }
        used[k] = true;
    }
    return true;
}

static void compare_arrays(finder *f, pair arrays)
{
    bool counts = jrpc_json_count(arrays.sent) == jrpc_json_count(arrays.back);
    bool reordered = counts && is_reordered(f, arrays);
    if (!counts || reordered) {
        note(f, JCK_CLASS_ELEMENTS_CHANGED, arrays.sent, arrays.back);
    }
    if (reordered) {
        return; // elements out of order are not also reported as changed
    }
    jrpc_json_iterator sent = jrpc_json_iterate(arrays.sent);
    jrpc_json_iterator back = jrpc_json_iterate(arrays.back);
    while (jrpc_json_step(&sent) && jrpc_json_step(&back)) {
        compare(f, sent.value, back.value);
    }
}

static int by_name(const void *one, const void *other)
{
    const member *a = one;
    const member *b = other;
    size_t shared = a->name.len < b->name.len ? a->name.len : b->name.len;
    int order = shared == 0 ? 0 : memcmp(a->name.ptr, b->name.ptr, shared);
    if (order == 0 && a->name.len != b->name.len) {
        order = a->name.len < b->name.len ? -1 : 1;
    }
    return order != 0 ? order : a->place < b->place ? -1 : 1;
}

static int by_place(const void *one, const void *other)
{
    const member *a = one;
    const member *b = other;
    return a->place < b->place ? -1 : 1;
}

// The members sorted by name and, within a name, in their order. NULL if out of memory.
static member *members_of(finder *f, jrpc_json object)
{
    size_t count = 0;
    member *list = jrpc_arena_array(&f->names, jrpc_json_count(object) + 1, sizeof *list);
    jrpc_json_iterator it = jrpc_json_iterate(object);
    while (list != NULL && jrpc_json_step(&it)) {
        list[count] = (member){.key = it.key, .value = it.value, .place = count};
        if (!jrpc_json_string(it.key, &f->names, &list[count++].name)) {
            return NULL;
        }
    }
    if (list != NULL) {
        qsort(list, count, sizeof *list, by_name);
    }
    return list;
}

static size_t group_at(const member *list, size_t at, size_t count)
{
    size_t end = at;
    while (end < count && jrpc_slice_equal(list[end].name, list[at].name)) {
        end++;
    }
    return end - at;
}

static bool are_all_objects(const member *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!jrpc_json_is(list[i].value, JRPC_JSON_OBJECT)) {
            return false;
        }
    }
    return true;
}

// Members with the same name became one.
static jck_class class_of_duplicates(const member *sent, size_t count, jrpc_json back)
{
    bool first = jrpc_json_equal(sent[0].value, back);
    bool last = jrpc_json_equal(sent[count - 1].value, back);
    if (first || last) {
        return first && last ? JCK_CLASS_DUPLICATE_ONE
               : first       ? JCK_CLASS_DUPLICATE_FIRST
                             : JCK_CLASS_DUPLICATE_LAST;
    }
    bool merged = are_all_objects(sent, count) && jrpc_json_is(back, JRPC_JSON_OBJECT) &&
                  jrpc_json_count(back) >= jrpc_json_count(sent[count - 1].value);
    return merged ? JCK_CLASS_DUPLICATE_MERGED : JCK_CLASS_DUPLICATE_OTHER;
}

// How likely a member that only one side has became the other one: by name, then by value.
static unsigned kinship(const member *sent, const member *back)
{
    jck_class became = jck_loss_of_string(sent->name, back->name);
    bool named = became != JCK_CLASS_STRING_CHANGED && became != JCK_CLASS_SURROGATE_CHANGED;
    return (named ? 2u : 0u) + (jrpc_json_equal(sent->value, back->value) ? 1u : 0u);
}

// Matches each member with what it became, where names changed and members may be in any order:
// with the closest one, the first if several are equally close.
static void pair_up(const member *sent, size_t sent_count, member *back, size_t back_count)
{
    bool few = sent_count <= REORDERED_MAX && back_count <= REORDERED_MAX;
    for (size_t i = 0; few && i < sent_count && i + 1 < back_count; i++) {
        size_t best = i;
        for (size_t k = i + 1; k < back_count; k++) {
            best = kinship(&sent[i], &back[k]) > kinship(&sent[i], &back[best]) ? k : best;
        }
        member partner = back[best];
        memmove(&back[i + 1], &back[i], (best - i) * sizeof *back);
        back[i] = partner;
    }
}

static void compare_groups(finder *f, const member *sent, size_t sent_count, member *back,
                           size_t back_count)
{
    if (sent_count == back_count) {
        pair_up(sent, sent_count, back, back_count);
        for (size_t i = 0; i < sent_count; i++) {
            compare(f, sent[i].value, back[i].value);
        }
    } else if (back_count > sent_count) {
        note(f, JCK_CLASS_MEMBER_ADDED, sent[0].key, back[sent_count].key);
    } else if (back_count > 1) {
        note(f, JCK_CLASS_DUPLICATE_OTHER, sent[0].key, back[0].key);
    } else {
        note(f, class_of_duplicates(sent, sent_count, back[0].value), sent[sent_count - 1].value,
             back[0].value);
    }
}

// What became of a name without a partner: one with a lone surrogate may have become an existing
// name, as two of them become one if both are replaced.
static jck_class class_of_lost_name(const member *sent, const member *back, size_t back_count)
{
    if ((jrpc_json_flags(sent->key) & JRPC_JSON_LONE_SURROGATE) == 0) {
        return JCK_CLASS_MEMBER_LOST;
    }
    for (size_t i = 0; i < back_count; i++) {
        if (jck_loss_of_string(sent->name, back[i].name) == JCK_CLASS_SURROGATE_REPLACED) {
            return JCK_CLASS_SURROGATE_REPLACED;
        }
    }
    return JCK_CLASS_SURROGATE_CHANGED;
}

// Names that only one side has: a changed name is matched with what it became. If names became
// equal, their order does not show whose value was kept.
static void compare_lonely(finder *f, member *sent, size_t sent_count, member *back,
                           size_t back_count)
{
    qsort(sent, sent_count, sizeof *sent, by_place);
    qsort(back, back_count, sizeof *back, by_place);
    pair_up(sent, sent_count, back, back_count);
    for (size_t i = 0; i < sent_count; i++) {
        if (i < back_count) {
            note(f, jck_loss_of_string(sent[i].name, back[i].name), sent[i].key, back[i].key);
        } else {
            note(f, class_of_lost_name(&sent[i], back, back_count), sent[i].key, JRPC_JSON_ABSENT);
        }
        if (sent_count == back_count) {
            compare(f, sent[i].value, back[i].value);
        }
    }
    for (size_t i = sent_count; i < back_count; i++) {
        note(f, JCK_CLASS_MEMBER_ADDED, JRPC_JSON_ABSENT, back[i].key);
    }
}

// The members with the same name on both sides.
typedef struct groups {
    const member *sent;
    member *back;
    size_t sent_count, back_count;
} groups;

// Whether a member whose name is lost replaced the one that both sides have, its name read as that
// one's. If so it counts as reported.
static bool is_merged(finder *f, const groups *both, member *lost, size_t *lost_count)
{
    if (both->sent_count != 1 || both->back_count != 1 || *lost_count > REORDERED_MAX ||
        jrpc_json_equal(both->sent[0].value, both->back[0].value)) {
        return false;
    }
    for (size_t i = 0; i < *lost_count; i++) {
        if (jrpc_json_equal(lost[i].value, both->back[0].value)) {
            note(f, class_of_lost_name(&lost[i], both->back, 1), lost[i].key, both->back[0].key);
            lost[i] = lost[--*lost_count];
            return true;
        }
    }
    return false;
}

static void compare_objects(finder *f, pair objects)
{
    size_t sent_count = jrpc_json_count(objects.sent);
    size_t back_count = jrpc_json_count(objects.back);
    member *sent = members_of(f, objects.sent);
    member *back = members_of(f, objects.back);
    member *lost = jrpc_arena_array(&f->names, sent_count + 1, sizeof *lost);
    member *added = jrpc_arena_array(&f->names, back_count + 1, sizeof *added);
    groups *both = jrpc_arena_array(&f->names, sent_count + 1, sizeof *both);
    if (sent == NULL || back == NULL || lost == NULL || added == NULL || both == NULL) {
        f->losses->failed = true;
        return;
    }
    size_t lost_count = 0;
    size_t added_count = 0;
    size_t a = 0;
    size_t b = 0;
    size_t shared = 0;
    while (a < sent_count || b < back_count) {
        size_t in_sent = group_at(sent, a, sent_count);
        size_t in_back = group_at(back, b, back_count);
        member one = a < sent_count ? sent[a] : (member){.place = 0};
        member other = b < back_count ? back[b] : (member){.place = 0};
        one.place = other.place = 0;
        int order = in_sent == 0                             ? 1
                    : in_back == 0                           ? -1
                    : jrpc_slice_equal(one.name, other.name) ? 0
                                                             : by_name(&one, &other);
        if (order == 0) {
            both[shared++] = (groups){sent + a, back + b, in_sent, in_back};
        }
        for (size_t i = 0; order < 0 && i < in_sent; i++) {
            lost[lost_count++] = sent[a + i];
        }
        for (size_t i = 0; order > 0 && i < in_back; i++) {
            added[added_count++] = back[b + i];
        }
        a += order <= 0 ? in_sent : 0;
        b += order >= 0 ? in_back : 0;
    }
    for (size_t i = 0; i < shared; i++) {
        if (lost_count <= added_count || !is_merged(f, &both[i], lost, &lost_count)) {
            compare_groups(f, both[i].sent, both[i].sent_count, both[i].back, both[i].back_count);
        }
    }
    compare_lonely(f, lost, lost_count, added, added_count);
}

void jck_losses_find(jrpc_json sent, jrpc_json back, jck_losses *ret_losses)
{
    *ret_losses = (jck_losses){0};
    finder f = {.losses = ret_losses, .small = jrpc_json_spelling(sent).len < SMALL_TEXT};
    jrpc_arena_init(&f.names, jrpc_allocator_heap(), NAMES_BYTES);
    compare(&f, sent, back);
    while (f.count > 0 && !ret_losses->failed && ret_losses->count < JCK_LOSSES_MAX) {
        pair containers = f.open[--f.count];
        if (jrpc_json_is(containers.sent, JRPC_JSON_ARRAY)) {
            compare_arrays(&f, containers);
        } else {
            compare_objects(&f, containers);
        }
        jrpc_arena_clear(&f.names);
    }
    jrpc_arena_done(&f.names);
    jrpc_deallocate(jrpc_allocator_heap(), f.open);
}
