// The reference server as a node of Ethereum (--as ethereum): functions of a row of
// faults_profile.c. It has a chain without blocks; faults in it are in faults_mcp.c.
#ifndef JRPC_SERVER_ETHEREUM_H
#define JRPC_SERVER_ETHEREUM_H

#include "reference/server/bend.h"

// Answers the methods of the chain, and pushes beside what is answered while somebody is
// subscribed.
void jrpc_ethereum_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);

#endif
