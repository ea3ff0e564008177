#include "fuzz/plug/difference.h"

#include "fuzz/fuzz.h"

#include <stdlib.h>

static int compare_names(const void *left, const void *right)
{
    jrpc_slice a = (*(const tree *const *)left)->content;
    jrpc_slice b = (*(const tree *const *)right)->content;
    size_t least = a.len < b.len ? a.len : b.len;
    int order = least == 0 ? 0 : memcmp(a.ptr, b.ptr, least);
    return order != 0 ? order : a.len < b.len ? -1 : a.len > b.len;
}

bool difference_has_duplicates(const tree *object)
{
    if (object->count < 2) {
        return false;
    }
    const tree **sorted = malloc(object->count * sizeof *sorted);
    FUZZ_REQUIRE(sorted != NULL);
    for (size_t i = 0; i < object->count; i++) {
        sorted[i] = object->names[i];
    }
    qsort(sorted, object->count, sizeof *sorted, compare_names);
    bool found = false;
    for (size_t i = 1; i < object->count; i++) {
        found = found || jrpc_slice_equal(sorted[i - 1]->content, sorted[i]->content);
    }
    free(sorted);
    return found;
}

static const tree *last_of_name(const tree *object, const tree *name, bool *ret_twice)
{
    const tree *found = NULL;
    for (size_t i = 0; i < object->count; i++) {
        if (jrpc_slice_equal(object->names[i]->content, name->content)) {
            *ret_twice = *ret_twice || found != NULL;
            found = object->items[i];
        }
    }
    return found;
}

// One step down, to the first element or member that is not the same in both; false where the
// values themselves are not alike.
static bool step(difference *to)
{
    const tree *a = to->left;
    const tree *b = to->right;
    bool object = a->kind == 'o';
    if (a->kind != b->kind || (!object && (a->kind != 'a' || a->count != b->count))) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        bool twice = false;
        const tree *left = object ? last_of_name(a, a->names[i], &twice) : a->items[i];
        const tree *right = object ? last_of_name(b, a->names[i], &twice) : b->items[i];
        if (right == NULL) {
            return false;
        }
        if (tree_equal(left, right) == TREE_DIFFERENT) {
            to->names[to->len] = object ? a->names[i] : NULL;
            to->indices[to->len++] = i;
            to->left = left;
            to->right = right;
            to->duplicated = to->duplicated || twice;
            return true;
        }
    }
    return false;
}

static const tree *lost_name(const tree *left, const tree *right)
{
    for (size_t i = 0; i < left->count; i++) {
        bool twice = false;
        if (last_of_name(right, left->names[i], &twice) == NULL) {
            return left->names[i];
        }
    }
    return NULL;
}

void difference_find(difference *ret, const tree *left, const tree *right)
{
    *ret = (difference){.left = left, .right = right};
    while (ret->len < sizeof ret->names / sizeof *ret->names && step(ret)) {
    }
    const tree *inner = ret->left;
    ret->duplicated = ret->duplicated || (inner->kind == 'o' && difference_has_duplicates(inner));
    if (inner->kind == ret->right->kind && inner->kind == 'a') {
        ret->kind = DIFFERENCE_ELEMENTS;
    } else if (inner->kind == ret->right->kind && inner->kind == 'o') {
        ret->kind = DIFFERENCE_MEMBERS;
        ret->lost = lost_name(inner, ret->right);
    }
}
