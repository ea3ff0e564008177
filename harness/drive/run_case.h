// Runs one case on a client and records the evidence. It makes no judgement.
#ifndef JCK_DRIVE_RUN_CASE_H
#define JCK_DRIVE_RUN_CASE_H

#include "harness/drive/client.h"
#include "harness/evidence/evidence.h"
#include "harness/suite/variables.h"

// Executes the steps, waits until the driver has reported the outcome of everything, and proves
// with a ping that it has nothing more to report. The driver is started if none is running.
// Afterwards a connection that cannot be used for another case is closed.
jck_client_status jck_client_run_case(jck_client *client, const jck_case *test_case,
                                      jck_variables *variables, jck_evidence *evidence,
                                      jrpc_error *error);

#endif
