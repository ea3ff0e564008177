// The revisions of a specification that something holds for.
#ifndef JCK_SUITE_SPAN_H
#define JCK_SUITE_SPAN_H

#include "reference/base/slice.h"

#include <stdbool.h>

// From one revision on, until another (that one included). Their names are in the order of their
// characters, as dates are; empty: from the first, to the last.
typedef struct jck_span {
    jrpc_slice since, until;
} jck_span;

// Whether a revision is in the span; one without a name is in every span.
bool jck_span_has(const jck_span *span, jrpc_slice revision);

#endif
