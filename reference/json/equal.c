#include "reference/json/equal.h"

#include "reference/json/content.h"

// How many open pairs are remembered on the way down. A pair that was forgotten is found again by
// walking back through the nodes.
#define REMEMBERED 128u

typedef struct pair {
    jrpc_json a, b;
} pair;

typedef struct descent {
    pair root;
    pair open[REMEMBERED]; // a ring: the innermost pairs
    uint32_t newest;
    uint32_t kept;
} descent;

static bool scalars_equal(jrpc_json a, jrpc_json b)
{
    switch (jrpc_json_kind_of(a)) {
    case JRPC_JSON_NUMBER:
        return jrpc_json_number_compare(jrpc_json_spelling(a), jrpc_json_spelling(b)) == 0;
    case JRPC_JSON_STRING:
        return jrpc_json_content_equal(a, b);
    case JRPC_JSON_NONE:
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
    case JRPC_JSON_ARRAY:
    case JRPC_JSON_OBJECT:
        break;
    }
    return true;
}

static const jrpc_json_node *node_of(jrpc_json value)
{
    return &value.document->nodes[value.index];
}

static jrpc_json at(jrpc_json value, uint32_t index)
{
    return (jrpc_json){value.document, index};
}

// The usual case, in linear time: the same values in the same order, node by node. False says
// nothing yet, as members may stand in another order.
static bool equal_in_order(jrpc_json a, jrpc_json b)
{
    uint32_t end = node_of(a)->next;
    if (end - a.index != node_of(b)->next - b.index) {
        return false;
    }
    for (; a.index < end; a.index++, b.index++) {
        const jrpc_json_node *left = node_of(a);
        const jrpc_json_node *right = node_of(b);
        if (left->kind != right->kind || left->count != right->count) {
            // Counts of numbers are always 0; a string's is the length of its content.
            return false;
        }
        if (!scalars_equal(a, b)) {
            return false;
        }
    }
    return true;
}

// Whether two member names are the same. Wide objects in another order are all looking up, so what
// tells most names apart comes first: the length, then the last byte.
static inline bool names_equal(jrpc_json a, jrpc_json b)
{
    const jrpc_json_node *left = node_of(a);
    const jrpc_json_node *right = node_of(b);
    if (left->count != right->count) {
        return false;
    }
    if (((left->flags | right->flags) & JRPC_JSON_ESCAPED) != 0) {
        return jrpc_json_content_equal(a, b);
    }
    // Both end with a quote, so there is a byte before it even in an empty name.
    const char *left_end = a.document->text.ptr + left->end - 2;
    const char *right_end = b.document->text.ptr + right->end - 2;
    return *left_end == *right_end &&
           memcmp(left_end + 1 - left->count, right_end + 1 - right->count, left->count) == 0;
}

// The last value under the name `key` among the members of `object` from the member `from` on (the
// index of a key); absent if there is none.
static jrpc_json last_named(jrpc_json object, uint32_t from, jrpc_json key)
{
    jrpc_json found = JRPC_JSON_ABSENT;
    uint32_t end = node_of(object)->next;
    while (from < end) {
        if (names_equal(at(object, from), key)) {
            found = at(object, from + 1);
        }
        from = node_of(at(object, from + 1))->next;
    }
    return found;
}

static bool has_all_names_of(jrpc_json object, jrpc_json other)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(other); jrpc_json_step(&it);) {
        if (!jrpc_json_exists(last_named(object, object.index + 1, it.key))) {
            return false;
        }
    }
    return true;
}

// The innermost container around a value that is not the root: the nearest node before it whose
// subtree reaches past it.
static jrpc_json parent_of(jrpc_json value)
{
    uint32_t index = value.index;
    do {
        index--;
    } while (value.document->nodes[index].next <= value.index);
    return at(value, index);
}

static void open_pair(descent *down, pair opened)
{
    down->newest = (down->newest + 1) % REMEMBERED;
    down->open[down->newest] = opened;
    if (down->kept < REMEMBERED) {
        down->kept++;
    }
}

static pair innermost(descent *down, pair child)
{
    if (down->kept == 0) {
        open_pair(down, (pair){parent_of(child.a), parent_of(child.b)});
    }
    return down->open[down->newest];
}

static void close_pair(descent *down)
{
    down->newest = (down->newest + REMEMBERED - 1) % REMEMBERED;
    down->kept--;
}

typedef enum advance {
    ADVANCE_NEXT,   // there is another pair of children
    ADVANCE_DONE,   // all children were compared
    ADVANCE_DIFFER, // a child has no counterpart
} advance;

// The next pair of members from the key at `index` on. A member that a later one of the same name
// overrides does not count.
static advance next_member(pair object, uint32_t index, pair *ret_child)
{
    uint32_t end = node_of(object.a)->next;
    while (index < end) {
        jrpc_json key = at(object.a, index);
        uint32_t behind = node_of(at(object.a, index + 1))->next;
        if (!jrpc_json_exists(last_named(object.a, behind, key))) {
            jrpc_json value = last_named(object.b, object.b.index + 1, key);
            if (!jrpc_json_exists(value)) {
                return ADVANCE_DIFFER;
            }
            *ret_child = (pair){at(object.a, index + 1), value};
            return ADVANCE_NEXT;
        }
        index = behind;
    }
    return ADVANCE_DONE;
}

static advance first_child(pair container, pair *ret_child)
{
    if (jrpc_json_is(container.a, JRPC_JSON_OBJECT)) {
        return has_all_names_of(container.a, container.b)
                   ? next_member(container, container.a.index + 1, ret_child)
                   : ADVANCE_DIFFER;
    }
    if (jrpc_json_count(container.a) != jrpc_json_count(container.b)) {
        return ADVANCE_DIFFER;
    }
    if (jrpc_json_count(container.a) == 0) {
        return ADVANCE_DONE;
    }
    *ret_child =
        (pair){at(container.a, container.a.index + 1), at(container.b, container.b.index + 1)};
    return ADVANCE_NEXT;
}

static advance next_child(pair container, pair child, pair *ret_child)
{
    uint32_t next = node_of(child.a)->next;
    if (jrpc_json_is(container.a, JRPC_JSON_OBJECT)) {
        return next_member(container, next, ret_child);
    }
    if (next >= node_of(container.a)->next) {
        return ADVANCE_DONE;
    }
    *ret_child = (pair){at(child.a, next), at(child.b, node_of(child.b)->next)};
    return ADVANCE_NEXT;
}

// Goes from a pair that was compared to the next one. ADVANCE_DONE at the end of the root.
static advance climb(descent *down, pair *child)
{
    while (child->a.index != down->root.a.index) {
        pair container = innermost(down, *child);
        advance step = next_child(container, *child, child);
        if (step != ADVANCE_DONE) {
            return step;
        }
        close_pair(down);
        *child = container;
    }
    return ADVANCE_DONE;
}

static bool equal_in_any_order(jrpc_json a, jrpc_json b)
{
    descent down = {.root = {a, b}};
    pair now = down.root;
    for (;;) {
        if (jrpc_json_kind_of(now.a) != jrpc_json_kind_of(now.b) || !scalars_equal(now.a, now.b)) {
            return false;
        }
        advance step = ADVANCE_DONE;
        pair child = now;
        if (jrpc_json_is(now.a, JRPC_JSON_ARRAY) || jrpc_json_is(now.a, JRPC_JSON_OBJECT)) {
            step = first_child(now, &child);
        }
        if (step == ADVANCE_NEXT) {
            open_pair(&down, now);
            now = child;
            continue;
        }
        if (step == ADVANCE_DONE) {
            step = climb(&down, &now);
        }
        if (step != ADVANCE_NEXT) {
            return step == ADVANCE_DONE;
        }
    }
}

bool jrpc_json_equal(jrpc_json a, jrpc_json b)
{
    if (!jrpc_json_exists(a) || !jrpc_json_exists(b)) {
        return jrpc_json_exists(a) == jrpc_json_exists(b);
    }
    if (jrpc_json_kind_of(a) != jrpc_json_kind_of(b)) {
        return false;
    }
    bool container = jrpc_json_is(a, JRPC_JSON_ARRAY) || jrpc_json_is(a, JRPC_JSON_OBJECT);
    return container ? equal_in_order(a, b) || equal_in_any_order(a, b) : scalars_equal(a, b);
}
