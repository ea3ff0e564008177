// The ending of regular English nouns after a count.
#ifndef JRPC_BASE_PLURAL_H
#define JRPC_BASE_PLURAL_H

#include <stdint.h>

// "" for one, "s" for any other count: printf("%zu case%s", n, jrpc_plural(n)).
static inline const char *jrpc_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
