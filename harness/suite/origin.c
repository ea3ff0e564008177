#include "harness/suite/origin.h"

size_t jck_origin_offset(const struct jck_origin *origin, size_t offset)
{
    size_t i = 0;
    while (i + 1 < origin->count && origin->pieces[i + 1].at <= offset) {
        i++;
    }
    return origin->pieces[i].from + (offset - origin->pieces[i].at);
}
