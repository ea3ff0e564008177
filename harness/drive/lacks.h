// Why a case cannot be run on a client: what its driver or the transport cannot do.
#ifndef JCK_DRIVE_LACKS_H
#define JCK_DRIVE_LACKS_H

#include "harness/drive/client.h"
#include "harness/suite/reason.h"

// Whether the case cannot be run; then *ret_reason says why (in `arena`). The driver must have been
// started.
bool jck_client_lacks(const jck_client *client, const jck_case *test_case, jrpc_arena *arena,
                      jck_reason *ret_reason);
// Whether the case lets the timeout of calls expire.
bool jck_client_times_out(const jck_case *test_case);
// Whether the case is about the first call of a client: a driver that has just been started.
bool jck_client_is_fresh(const jck_case *test_case);

#endif
