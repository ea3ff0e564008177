// What an adapter says about itself: {"name": …, "version": …, "language": …}.
#ifndef JCK_PARSER_IDENTITY_H
#define JCK_PARSER_IDENTITY_H

#include "harness/suite/target.h"

// Fills in what the target's description says nothing about. Text that is not such an Object, or
// has other members, is ignored.
void jck_identity_take(jrpc_slice text, jck_target *target);

#endif
