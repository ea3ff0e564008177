// Equality of trees by the book.
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

// The last member with the name of member `index`.
static const tree *effective(const tree *object, const tree *name)
{
    const tree *found = NULL;
    for (size_t i = 0; i < object->count; i++) {
        if (jrpc_slice_equal(object->names[i]->content, name->content)) {
            found = object->items[i];
        }
    }
    return found;
}

// Whether every member of `a` has its equal in `b`.
static tree_answer contained(const tree *a, const tree *b)
{
    tree_answer answer = TREE_EQUAL;
    for (size_t i = 0; i < a->count; i++) {
        const tree *other = effective(b, a->names[i]);
        tree_answer one =
            other == NULL ? TREE_DIFFERENT : tree_equal(effective(a, a->names[i]), other);
        if (one == TREE_DIFFERENT) {
            return one;
        }
        answer = one == TREE_UNKNOWN ? one : answer;
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
        answer = contained(a, b);
        // The values of common names were compared; the other way only names can be missing.
        for (size_t i = 0; i < b->count && answer != TREE_DIFFERENT; i++) {
            if (effective(a, b->names[i]) == NULL) {
                return TREE_DIFFERENT;
            }
        }
        return answer;
    default:
        return jrpc_slice_equal(a->spelling, b->spelling) ? TREE_EQUAL : TREE_DIFFERENT;
    }
}
