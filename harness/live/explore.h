// What one worker does while a running target is fuzzed: round after round, until the time or the
// number of messages is used up.
#ifndef JCK_LIVE_EXPLORE_H
#define JCK_LIVE_EXPLORE_H

#include "harness/live/live.h"

// What a worker does after the ground cases (jck_run_options.explore); `live` is a jck_live.
void jck_live_explore(void *live, jck_worker *worker);

#endif
