// How many workers pay off on a target, and the workers in reserve, which begin only when cases
// turn out to take long.
#ifndef JCK_RUN_RESERVE_H
#define JCK_RUN_RESERVE_H

#include "harness/run/ledger.h"
#include "harness/run/plan.h"

// The workers beside the first one.
typedef struct jck_others {
    unsigned count;
    bool apart; // each has a process of its own: a child, or the target's command on another port
    unsigned reserved; // how many of them begin only when cases turn out to take long
} jck_others;

// Whether the user wants the order of a single worker, or one message at a time.
bool jck_reserve_is_careful(const jck_run_options *options, const jck_link *first);

// The workers that pay off beside `first`, after its ground cases have taken `took_us`. None if
// several would change what is seen.
jck_others jck_reserve_choose(const jck_ledger *ledger, jck_link *first, bool single,
                              const jck_plan *plan, int64_t took_us, int64_t longest_us);

// Notes how long a case took a worker with this link, and how much of that was spent on starts.
// Calls workers in if cases take long and enough are left.
void jck_reserve_note(jck_ledger *ledger, const jck_link *link, const jck_plan *plan,
                      int64_t took_us, int64_t starts_us);
// Waits until a worker in reserve is needed; false if the cases are over without that.
bool jck_reserve_wait(jck_ledger *ledger);
// No worker in reserve is needed any more.
void jck_reserve_end(jck_ledger *ledger);

#endif
