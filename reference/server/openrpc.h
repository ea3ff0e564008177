// The reference server with a description of itself (--as openrpc): functions of a row of
// faults_profile.c. Faults in the description are in faults_mcp.c.
#ifndef JRPC_SERVER_OPENRPC_H
#define JRPC_SERVER_OPENRPC_H

#include "reference/server/bend.h"

// Answers rpc.discover.
void jrpc_openrpc_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);

#endif
