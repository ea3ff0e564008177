// Private to the judge: what would have been right, for every finding that counts.
#ifndef JCK_JUDGE_EXPLAIN_H
#define JCK_JUDGE_EXPLAIN_H

#include "harness/judge/trial.h"

// Adds to every finding that counts what would have been right, and what was received.
void jck_explain_findings(jck_trial *trial);

#endif
