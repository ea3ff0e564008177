// Whether what a case expects is compatible with what the specification requires for the bytes it
// sends.
#ifndef JCK_CLI_LINT_OWED_H
#define JCK_CLI_LINT_OWED_H

#include "harness/judge/owed.h"
#include "harness/suite/expect.h"

// Writes one sentence about the contradiction to `out` (NUL-terminated); false if there is none. It
// is enough if one of several alternatives agrees.
bool jck_lint_contradicts(const jck_expect *expect, const jck_owed *owed, char *out,
                          size_t out_size);

#endif
