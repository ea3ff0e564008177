// Judges a case that tests a client: what it wrote, and what its caller saw.
#ifndef JCK_JUDGE_CLIENT_H
#define JCK_JUDGE_CLIENT_H

#include "harness/judge/trial.h"

// Writes the findings of the whole case, but for how the driver ended.
void jck_judge_client(jck_trial *trial);

#endif
