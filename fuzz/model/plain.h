// Text that shows what it holds: the second opinion on what a report may write, whoever said it.
#ifndef JRPC_FUZZ_MODEL_PLAIN_H
#define JRPC_FUZZ_MODEL_PLAIN_H

#include "reference/base/slice.h"

#include <stdbool.h>

// The length of the character that `text` begins with; 0 where it is no UTF-8 (RFC 3629), a control
// other than a line feed, or one of the characters that hide: zero-width ones, marks that turn the
// direction of writing, separators of lines. `text` is not empty.
size_t plain_character(jrpc_slice text);

// Fails unless all of the text is plain.
void plain_require(jrpc_slice text);

// Whether `text` begins with `part`. (Not memcmp, which engines and sanitizers watch: a report is
// compared with thousands of words.)
static inline bool plain_begins(jrpc_slice text, const char *part)
{
    size_t i = 0;
    while (i < text.len && part[i] != '\0' && text.ptr[i] == part[i]) {
        i++;
    }
    return part[i] == '\0';
}

// Where `part` stands in `text`: the offset after it, or SIZE_MAX.
size_t plain_find(jrpc_slice text, const char *part);

// How often it stands there.
size_t plain_count(jrpc_slice text, const char *part);

// The sum of the decimal numbers that stand after each `part`.
size_t plain_sum(jrpc_slice text, const char *part);

#endif
