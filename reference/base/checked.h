// Arithmetic on sizes that says when it overflows. Each returns false, and leaves *ret alone, when
// the true result does not fit.
#ifndef JRPC_BASE_CHECKED_H
#define JRPC_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool jrpc_checked_add(size_t a, size_t b, size_t *ret)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *ret = a + b;
    return true;
}

static inline bool jrpc_checked_multiply(size_t a, size_t b, size_t *ret)
{
    if (b != 0 && a > SIZE_MAX / b) {
        return false;
    }
    *ret = a * b;
    return true;
}

#endif
