// Readers that take more than JSON, by rewriting the text before the strict reader sees it.
#ifndef JRPC_SERVER_LENIENT_H
#define JRPC_SERVER_LENIENT_H

#include "reference/server/bend.h"

// Text hooks over the row's `step`: every byte outside of strings (between tokens and in them),
// every byte inside of strings (the quotation marks excluded).
void jrpc_lenient_outside(jrpc_bend *bend, jrpc_slice *text);
void jrpc_lenient_inside(jrpc_bend *bend, jrpc_slice *text);

// What a structural reader forgives: the row's `number`.
enum {
    JRPC_LENIENT_COMMAS = 1,
    JRPC_LENIENT_COLONS,
    JRPC_LENIENT_BRACKETS,
    JRPC_LENIENT_TRUNCATED
};

// Text hook: reads token by token, keeps count of what is open, and forgives one kind of mistake.
void jrpc_lenient_structure(jrpc_bend *bend, jrpc_slice *text);

// The bytes of a run that begins with a number's characters, for steps over numbers; 0 if the byte
// at `at` stands inside of such a run or begins none.
size_t jrpc_lenient_number_run(jrpc_slice text, size_t at);

#endif
