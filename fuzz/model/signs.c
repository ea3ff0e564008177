#include "fuzz/model/signs.h"

#include "fuzz/model/manner.h"

enum { STATUS_LEAST = 100, STATUS_MOST = 599 };

static bool is_sign(const tree *sign, const char *const *members, bool status_is_enough,
                    bool *ret_deep)
{
    if (sign->kind != 'o' || !tree_has_only(sign, members)) {
        return false;
    }
    const tree *message = tree_member(sign, "message");
    const tree *says = tree_member(sign, "says");
    const tree *status = tree_member(sign, "status");
    *ret_deep = *ret_deep || message != NULL;
    return (message != NULL || says != NULL || (status_is_enough && status != NULL)) &&
           (message == NULL || message->kind == 'o') && (says == NULL || tree_has_text(says)) &&
           (status == NULL || tree_is_between(status, STATUS_LEAST, STATUS_MOST, ret_deep));
}

static bool is_sign_list(const tree *signs, bool *ret_deep)
{
    static const char *const members[] = {"message", "says", "status", NULL};
    for (size_t i = 0; signs->kind == 'a' && i < signs->count; i++) {
        if (!is_sign(signs->items[i], members, false, ret_deep)) {
            return false;
        }
    }
    return signs->kind == 'a';
}

bool signs_is_recognition(const tree *recognise, bool *ret_deep)
{
    static const char *const members[] = {"as", "framing", "signs", "asks", NULL};
    if (recognise == NULL) {
        return true;
    }
    if (recognise->kind != 'o' || !tree_has_only(recognise, members)) {
        return false;
    }
    const tree *framing = tree_member(recognise, "framing");
    const tree *signs = tree_member(recognise, "signs");
    const tree *asks = tree_member(recognise, "asks");
    size_t count = (signs == NULL ? 0 : signs->count) + (asks == NULL ? 0 : asks->count);
    *ret_deep = *ret_deep || (asks != NULL && asks->count != 0);
    return tree_has_text(tree_member(recognise, "as")) &&
           (framing == NULL || manner_is_framing(framing)) &&
           (signs == NULL || is_sign_list(signs, ret_deep)) &&
           (asks == NULL || asks->kind == 'a') && count != 0;
}

bool signs_is_refusals(const tree *refusals, bool *ret_deep)
{
    static const char *const members[] = {"message", "says", "status", "means", NULL};
    for (size_t i = 0; refusals != NULL && refusals->kind == 'a' && i < refusals->count; i++) {
        const tree *one = refusals->items[i];
        if (!is_sign(one, members, true, ret_deep) || !tree_has_text(tree_member(one, "means"))) {
            return false;
        }
    }
    return refusals == NULL || refusals->kind == 'a';
}
