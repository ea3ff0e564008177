// Ground cases whose answer may still come. The run goes on as if it never came, and no event is
// emitted meanwhile. If it comes after all, what was learned from its absence is void: the run
// begins again, and waits for each ground case.
#ifndef JCK_RUN_PROVISIONAL_H
#define JCK_RUN_PROVISIONAL_H

#include "harness/run/ledger.h"

// Whether ground cases may be provisional on this target.
bool jck_provisional_is_possible(const jck_ledger *ledger, const jck_link *link);
// While the ground cases run, each of them may turn out to be provisional. If there is none, what
// was kept is emitted at their end.
void jck_provisional_begin_grounds(jck_ledger *ledger);
void jck_provisional_end_grounds(jck_ledger *ledger);
// What a ground case has taught may still turn out to be wrong.
void jck_provisional_begin(jck_ledger *ledger, jck_execution *execution);
// Its verdict is final. If that is not what it taught, the run is void and stops. Ignores other
// executions.
void jck_provisional_end(jck_ledger *ledger, const jck_execution *execution);
// Emits what was kept, unless the run is void.
void jck_provisional_flush(jck_ledger *ledger);

#endif
