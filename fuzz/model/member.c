#include "fuzz/model/member.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 15 };

const tree *member_get(const tree *object, const char *name)
{
    return object != NULL && object->kind == 'o' ? tree_member(object, name) : NULL;
}

jrpc_slice member_text(const tree *value)
{
    return value != NULL && value->kind == 's' ? value->content : (jrpc_slice){"", 0};
}

bool member_is_true(const tree *value)
{
    return value != NULL && value->kind == 'b' && value->spelling.ptr[0] == 't';
}

size_t member_count(const tree *array)
{
    return array != NULL && array->kind == 'a' ? array->count : 0;
}

bool member_is_number(const tree *value, int64_t got, int64_t otherwise)
{
    if (value == NULL || value->kind != '0') {
        return got == otherwise;
    }
    char text[DIGITS_MOST + 1] = {0};
    for (size_t i = 0; i < value->spelling.len; i++) {
        if (i == DIGITS_MOST || strchr("-0123456789", value->spelling.ptr[i]) == NULL) {
            return true;
        }
        text[i] = value->spelling.ptr[i];
    }
    return got == strtoll(text, NULL, 10);
}

bool member_is_size(const tree *value, size_t got)
{
    bool negative = value != NULL && value->kind == '0' && value->spelling.ptr[0] == '-';
    return negative ? got == 0 : member_is_number(value, (int64_t)got, 0);
}
