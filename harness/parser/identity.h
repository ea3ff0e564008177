// What an adapter says of itself: {"name": …, "version": …, "language": …}.
#ifndef JCK_PARSER_IDENTITY_H
#define JCK_PARSER_IDENTITY_H

#include "harness/suite/target.h"

// Gives the target's implementation what its description leaves empty. Text that is not such an
// Object, or has other members, gives nothing.
void jck_identity_take(jrpc_slice text, jck_target *target);

#endif
