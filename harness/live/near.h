// Names of methods that resemble those of known ones.
#ifndef JCK_LIVE_NEAR_H
#define JCK_LIVE_NEAR_H

#include "harness/live/due.h"

// All names are without quotes and unescaped. Whether a name is that of a known method changed in a
// way that no other method of the target has in its name, or spelled in a way that only a careless
// lookup takes for it; ANY if neither.
jck_due_name jck_near(jrpc_slice name, jrpc_slice known, jrpc_slice absent);
// Whether a name is that of the method that does not exist, after a prefix that some protocols give
// a meaning.
bool jck_near_is_decorated(jrpc_slice name, jrpc_slice absent);

#endif
