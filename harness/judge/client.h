// Judges a case that tests a client: what it wrote, and what its caller saw.
#ifndef JCK_JUDGE_CLIENT_H
#define JCK_JUDGE_CLIENT_H

#include "harness/judge/trial.h"

// What is recorded about a client that sends no call while another one is in flight.
#define JCK_OBSERVED_CALLS "calls"
#define JCK_OBSERVED_ONE_AT_A_TIME "one at a time"

// Adds the findings of the whole case, except how the driver ended.
void jck_judge_client(jck_trial *trial);

#endif
