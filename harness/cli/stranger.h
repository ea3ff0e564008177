// Which servers may be fuzzed: only those started here or listening on this machine, unless the
// user names the host.
#ifndef JCK_CLI_STRANGER_H
#define JCK_CLI_STRANGER_H

#include "harness/suite/target.h"

// Whether a host is this machine: "localhost", 127.0.0.0/8, "::1".
bool jck_is_loopback(jrpc_slice host);
// Whether the target may be fuzzed; `allowed` is the host that the user named, or NULL. False with
// USAGE: names the host and the option that allows it.
bool jck_stranger_check(const jck_target *target, const char *allowed, jrpc_error *error);

#endif
