// A run against a client: several workers, each with a listener and a driver of its own. A driver
// runs one case after the other as long as it works.
//
// What fails after other cases is run again alone, on a fresh driver. If it fails there too, that
// is the verdict; if not, it is counted (only_in_company), as for servers.
#ifndef JCK_RUN_CLIENT_RUN_H
#define JCK_RUN_CLIENT_RUN_H

#include "harness/drive/client.h"
#include "harness/run/ledger.h"
#include "harness/run/liveliness.h"

typedef struct jck_client_run {
    jck_ledger *ledger; // borrowed
    const jck_plan *plan;
    jck_client client;
    int64_t opening_us; // how long the first start of the driver took
    uint64_t start;     // of the driver on which the last case ran
    unsigned on_driver; // cases that it has run
    jck_liveliness liveliness;
} jck_client_run;

void jck_client_run_init(jck_client_run *run, jck_ledger *ledger, const jck_plan *plan);
void jck_client_run_done(jck_client_run *run);
// Starts the driver for the first time, and takes its name for the reports. False if it cannot be
// used: the run is stopped.
bool jck_client_run_open(jck_client_run *run);
// Runs the ground cases, then all others, with further workers if they pay off: as many as the user
// asked for, otherwise one for each case that waits for a time-out, up to a few. `arena` holds what
// they need.
void jck_client_run_cases(jck_client_run *run, jrpc_arena *arena);

#endif
