// Private to the judge: what would have been right, for every finding that has weight.
#ifndef JCK_JUDGE_EXPLAIN_H
#define JCK_JUDGE_EXPLAIN_H

#include "harness/judge/trial.h"

// Adds to every finding that has weight what would have been right, and what came.
void jck_explain_findings(jck_trial *trial);

#endif
