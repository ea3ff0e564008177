// Runs one case on a client and writes the evidence. Knows nothing of right and wrong.
#ifndef JCK_DRIVE_RUN_CASE_H
#define JCK_DRIVE_RUN_CASE_H

#include "harness/drive/client.h"
#include "harness/evidence/evidence.h"
#include "harness/suite/variables.h"

// Executes the steps, waits until the driver has said what came of everything, and proves with a
// ping that it has no more to say. The driver is started where none runs. Afterwards a connection
// that is not fit for another case is closed.
jck_client_status jck_client_run_case(jck_client *client, const jck_case *test_case,
                                      jck_variables *variables, jck_evidence *evidence,
                                      jrpc_error *error);

#endif
