// Private to the judge: what came beside the answers of a case.
#ifndef JCK_JUDGE_ASIDES_H
#define JCK_JUDGE_ASIDES_H

#include "harness/judge/trial.h"

// Judges the first words on a connection like any Response, and reports answers to fences that were
// answered already or never sent: nobody asked for them.
void jck_judge_asides(jck_trial *trial);

#endif
