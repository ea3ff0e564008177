// How a stream begins and ends, whatever runs the cases between.
#ifndef JCK_RUN_ANNOUNCE_H
#define JCK_RUN_ANNOUNCE_H

#include "harness/run/ledger.h"
#include "harness/run/plan.h"

#include <stddef.h>
#include <stdint.h>

// Emits `start` and the rules that selected cases name. `mapped`: how many mappings of the target
// were given, before any were discovered.
void jck_announce_start(jck_ledger *ledger, const jck_plan *plan, size_t mapped);
// Decides from the ledger whether the run is conformant, and emits `finish`. `began_us`: when the
// run began, on its clock.
void jck_announce_finish(jck_ledger *ledger, int64_t began_us);

#endif
