// Whose server it is that is to be fuzzed: only one that was started here, or that listens on this
// machine, unless its host is named.
#ifndef JCK_CLI_STRANGER_H
#define JCK_CLI_STRANGER_H

#include "harness/suite/target.h"

// Whether a host is this machine: "localhost", 127.0.0.0/8, "::1".
bool jck_is_loopback(jrpc_slice host);
// Whether the target may be fuzzed; `allowed` is the host that the user named, or NULL. False with
// USAGE: which host it is, and how to name it.
bool jck_stranger_check(const jck_target *target, const char *allowed, jrpc_error *error);

#endif
