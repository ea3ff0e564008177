// Which profile a target seems to need when none was named (harness/suite/recognise.h).
#ifndef JCK_RUN_RECOGNISE_H
#define JCK_RUN_RECOGNISE_H

#include "harness/link/link.h"

// Finds the first of the target's recognitions that fits what was heard during the link's opening,
// or an answer to a question, and sets target->looks_like. Called after the opening, successful or
// not. Questions are asked in two cases: if the target answers, refuses a method that does not
// exist, and was found to have none of the known methods; and, on a separate connection and in the
// recognition's own framing, if the target was silent in another framing.
void jck_recognise(jck_link *link);

// Whether what was heard during the opening shows that the target must not be tested, according to
// the profile; *error then says why.
bool jck_is_refused(const jck_link *link, jrpc_error *error);

#endif
