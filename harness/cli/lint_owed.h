// Whether what a case expects can be reconciled with what is owed for the bytes that it sends.
#ifndef JCK_CLI_LINT_OWED_H
#define JCK_CLI_LINT_OWED_H

#include "harness/judge/owed.h"
#include "harness/suite/expect.h"

// One sentence about the contradiction into `out` (NUL-terminated); false if there is none. Of
// alternatives one that agrees is enough.
bool jck_lint_contradicts(const jck_expect *expect, const jck_owed *owed, char *out,
                          size_t out_size);

#endif
