// A run against a client: one case after the other, on one driver as long as it is fit.
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
    uint64_t start;     // of the driver on which the last case ran
    unsigned on_driver; // cases that it has been through
    jck_liveliness liveliness;
} jck_client_run;

void jck_client_run_init(jck_client_run *run, jck_ledger *ledger, const jck_plan *plan);
void jck_client_run_done(jck_client_run *run);
// Starts the driver for the first time, and takes its name for the reports. False if it cannot be
// used: the run is stopped.
bool jck_client_run_open(jck_client_run *run);
// Runs the ground cases, then all others.
void jck_client_run_cases(jck_client_run *run);

#endif
