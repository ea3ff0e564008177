// A second reader, right except for one fault: it reads a text and writes what it read.
#ifndef JRPC_ADAPTER_LENIENT_H
#define JRPC_ADAPTER_LENIENT_H

#include "reference/adapter/fault.h"
#include "reference/base/buffer.h"

#include <stdbool.h>

// Texts nested deeper are left to the strict reader, since this one recurses.
#define JRPC_LENIENT_DEPTH 1000u

typedef struct jrpc_lenient {
    jrpc_parser_fault fault;
    const char *begin, *p, *end;
    jrpc_buffer *out;    // JSON
    jrpc_buffer content; // of the current string
    unsigned depth;
    bool behind;  // the value is complete
    bool closing; // the text ended, and all open containers count as closed
    bool escaped; // the last string had an escape
} jrpc_lenient;

// Appends what it read to `out`. False if it refuses the text.
bool jrpc_lenient_read(jrpc_parser_fault fault, jrpc_slice text, jrpc_buffer *out);

// Private to the reader's files.
bool jrpc_lenient_value(jrpc_lenient *in);
bool jrpc_lenient_space(jrpc_lenient *in); // false: white space that the fault refuses
bool jrpc_lenient_number(jrpc_lenient *in);
bool jrpc_lenient_word(jrpc_lenient *in);
bool jrpc_lenient_is_quote(const jrpc_lenient *in);
// Reads a string into `content`; `jrpc_lenient_put` writes it, as a value or as a name.
bool jrpc_lenient_string(jrpc_lenient *in);
bool jrpc_lenient_put(jrpc_lenient *in, bool name);
bool jrpc_lenient_array(jrpc_lenient *in);
bool jrpc_lenient_object(jrpc_lenient *in);

static inline bool jrpc_lenient_has(const jrpc_lenient *in, jrpc_parser_fault fault)
{
    return in->fault == fault;
}

// The next byte, 0 to 255; -1 at the end.
static inline int jrpc_lenient_peek(const jrpc_lenient *in)
{
    return in->p == in->end ? -1 : (unsigned char)*in->p;
}

static inline bool jrpc_lenient_take(jrpc_lenient *in, const char *text)
{
    size_t len = strlen(text);
    if ((size_t)(in->end - in->p) < len || memcmp(in->p, text, len) != 0) {
        return false;
    }
    in->p += len;
    return true;
}

// Skips everything up to a byte of `ends`, or to the end of the text.
static inline void jrpc_lenient_skip_to(jrpc_lenient *in, const char *ends)
{
    while (in->p < in->end && (*in->p == '\0' || strchr(ends, *in->p) == NULL)) {
        in->p++;
    }
}

#endif
