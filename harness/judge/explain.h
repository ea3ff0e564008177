// Private to the judge: what would have been right, beside every finding that carries weight.
#ifndef JCK_JUDGE_EXPLAIN_H
#define JCK_JUDGE_EXPLAIN_H

#include "harness/judge/trial.h"

// Writes into every finding that carries weight what would have been right, and what came.
void jck_explain_findings(jck_trial *trial);

#endif
