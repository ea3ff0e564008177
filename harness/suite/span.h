// The revisions of a specification that something applies to.
#ifndef JCK_SUITE_SPAN_H
#define JCK_SUITE_SPAN_H

#include "reference/base/slice.h"

#include <stdbool.h>

// From one revision to another, inclusive. Revisions are ordered by their names as text, as dates
// are; empty: unbounded.
typedef struct jck_span {
    jrpc_slice since, until;
} jck_span;

// Whether a revision is in the span; an unnamed one is in every span.
bool jck_span_has(const jck_span *span, jrpc_slice revision);

#endif
