// Which profile a target asks for, where nobody named one (harness/suite/recognise.h).
#ifndef JCK_RUN_RECOGNISE_H
#define JCK_RUN_RECOGNISE_H

#include "harness/link/link.h"

// Finds the first of the target's recognitions that what was heard during the link's opening, or an
// answer to a question, shows it to be, and sets target->looks_like. Called after the opening,
// whatever came of it. Questions are asked of a target that answers, refuses a method that nobody
// has, and was found to have none of the known ones; and in its framing of a target that said
// nothing in another one, on a connection of their own.
void jck_recognise(jck_link *link);

// Whether what was heard during the opening shows that the target is not to be tested, by what the
// profile says; *error is the sentence then.
bool jck_is_refused(const jck_link *link, jrpc_error *error);

#endif
