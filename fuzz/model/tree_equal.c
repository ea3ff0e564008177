// Equality of trees by the book.
#include "fuzz/fuzz.h"
#include "fuzz/model/tree.h"

#include <inttypes.h>
#include <stdlib.h>

// A number as ±0.DIGITS × 10^exponent, DIGITS without zeros at either end.
typedef struct decimal {
    bool negative;
    const char *digits; // may hold one point, which does not count
    size_t span;        // bytes of `digits`
    int64_t exponent;
    bool zero, far;
} decimal;

static bool is_significant(char c)
{
    return c >= '1' && c <= '9';
}

static decimal read_decimal(jrpc_slice spelling)
{
    decimal number = {.zero = true};
    size_t i = 0;
    if (spelling.ptr[0] == '-') {
        number.negative = true;
        i++;
    }
    size_t end = i;
    while (end < spelling.len && spelling.ptr[end] != 'e' && spelling.ptr[end] != 'E') {
        end++;
    }
    size_t point = i;
    while (point < end && spelling.ptr[point] != '.') {
        point++;
    }
    size_t first = i;
    while (first < end && !is_significant(spelling.ptr[first])) {
        first++;
    }
    if (first == end) {
        return number;
    }
    size_t last = end;
    while (!is_significant(spelling.ptr[last - 1])) {
        last--;
    }
    number.zero = false;
    number.digits = spelling.ptr + first;
    number.span = last - first;
    number.exponent = first < point ? (int64_t)(point - first) : -(int64_t)(first - point - 1);
    if (end < spelling.len) {
        char said[24] = {0};
        size_t len = spelling.len - end - 1;
        number.far = len > 16;
        if (!number.far) {
            memcpy(said, spelling.ptr + end + 1, len);
            number.exponent += strtoll(said, NULL, 10);
        }
    }
    return number;
}

static tree_answer numbers_equal(jrpc_slice left, jrpc_slice right)
{
    decimal a = read_decimal(left);
    decimal b = read_decimal(right);
    if (a.zero || b.zero) {
        return a.zero && b.zero ? TREE_EQUAL : TREE_DIFFERENT;
    }
    if (a.far || b.far) {
        return jrpc_slice_equal(left, right) ? TREE_EQUAL : TREE_UNKNOWN;
    }
    if (a.negative != b.negative || a.exponent != b.exponent) {
        return TREE_DIFFERENT;
    }
    size_t i = 0;
    size_t j = 0;
    while (i < a.span && j < b.span) {
        if (a.digits[i] == '.') {
            i++;
        } else if (b.digits[j] == '.') {
            j++;
        } else if (a.digits[i++] != b.digits[j++]) {
            return TREE_DIFFERENT;
        }
    }
    return i == a.span && j == b.span ? TREE_EQUAL : TREE_DIFFERENT;
}

enum { FEW = 16 };

static int by_name(const void *left, const void *right)
{
    const tree *const *a = *(const tree *const *const *)left;
    const tree *const *b = *(const tree *const *const *)right;
    size_t least = (*a)->content.len < (*b)->content.len ? (*a)->content.len : (*b)->content.len;
    int order = least == 0 ? 0 : memcmp((*a)->content.ptr, (*b)->content.ptr, least);
    if (order == 0 && (*a)->content.len != (*b)->content.len) {
        order = (*a)->content.len < (*b)->content.len ? -1 : 1;
    }
    // Members of the same name in their order: both lie in one list of names.
    return order != 0 ? order : a < b ? -1 : a > b;
}

// The places in object->names of the last member of each name, sorted by name. Returns how many.
static size_t sort_members(const tree *object, tree *const **ret_places)
{
    for (size_t i = 0; i < object->count; i++) {
        ret_places[i] = &object->names[i];
    }
    qsort(ret_places, object->count, sizeof *ret_places, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < object->count; i++) {
        bool last = i + 1 == object->count ||
                    !jrpc_slice_equal((*ret_places[i])->content, (*ret_places[i + 1])->content);
        if (last) {
            ret_places[kept++] = ret_places[i];
        }
    }
    return kept;
}

// Members whatever their order; of those with the same name the last counts.
static tree_answer objects_equal(const tree *a, const tree *b)
{
    tree *const *few[2 * FEW];
    size_t all = a->count + b->count;
    tree *const **left = all <= 2 * FEW ? few : malloc(all * sizeof *left);
    FUZZ_REQUIRE(left != NULL);
    tree *const **right = left + a->count;
    size_t count = sort_members(a, left);
    tree_answer answer = count == sort_members(b, right) ? TREE_EQUAL : TREE_DIFFERENT;
    for (size_t i = 0; i < count && answer != TREE_DIFFERENT; i++) {
        bool same_name = jrpc_slice_equal((*left[i])->content, (*right[i])->content);
        tree_answer one =
            same_name ? tree_equal(a->items[left[i] - a->names], b->items[right[i] - b->names])
                      : TREE_DIFFERENT;
        answer = one == TREE_EQUAL ? answer : one;
    }
    if (left != few) {
        free(left);
    }
    return answer;
}

tree_answer tree_equal(const tree *a, const tree *b)
{
    tree_answer answer = TREE_EQUAL;
    if (a->kind != b->kind) {
        return TREE_DIFFERENT;
    }
    switch (a->kind) {
    case '0':
        return numbers_equal(a->spelling, b->spelling);
    case 's':
        return jrpc_slice_equal(a->content, b->content) ? TREE_EQUAL : TREE_DIFFERENT;
    case 'a':
        if (a->count != b->count) {
            return TREE_DIFFERENT;
        }
        for (size_t i = 0; i < a->count; i++) {
            tree_answer one = tree_equal(a->items[i], b->items[i]);
            if (one == TREE_DIFFERENT) {
                return one;
            }
            answer = one == TREE_UNKNOWN ? one : answer;
        }
        return answer;
    case 'o':
        return objects_equal(a, b);
    default:
        return jrpc_slice_equal(a->spelling, b->spelling) ? TREE_EQUAL : TREE_DIFFERENT;
    }
}
