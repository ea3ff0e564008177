// From params to arguments (section 4.2). Private to this room.
#ifndef JRPC_RPC_BIND_H
#define JRPC_RPC_BIND_H

#include "reference/rpc/methods.h"

// Puts the values of call->params into call->arguments in declared order, by position or by name;
// of duplicate names the last counts. False when they do not fit: too many or too few, an unknown
// name, a required one missing, or params of no structured type. What did fit is in place even
// then.
bool jrpc_bind(const jrpc_registered *method, jrpc_call *call);

#endif
