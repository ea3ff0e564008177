// Bytes as text.
#ifndef JCK_LIVE_TEXT_H
#define JCK_LIVE_TEXT_H

#include "reference/base/slice.h"
#include "reference/base/utf8.h"

#include <stdbool.h>

// Whether all of it is UTF-8.
static inline bool jck_is_utf8(jrpc_slice text)
{
    size_t len = 1;
    for (size_t at = 0; at < text.len && len > 0; at += len) {
        len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
    }
    return len > 0;
}

#endif
