// The reference server as one of the Model Context Protocol (--as mcp, --as mcp-2026-07-28): the
// functions of two rows of faults_profile.c. Both serve what the fixture has as plain methods, too.
//
// A fault in it is a name in faults_mcp.c; the place that does the right thing asks for it.
#ifndef JRPC_SERVER_MCP_H
#define JRPC_SERVER_MCP_H

#include "reference/server/bend.h"

#define JRPC_MCP_LEGACY "2025-11-25" // the revision with a handshake; the one before it as well
#define JRPC_MCP_MODERN "2026-07-28" // the one where each request says what it speaks

// Whether the server was told to commit the fault.
bool jrpc_mcp_errs(const jrpc_bend *bend, const char *fault);
// Whether the message is a call of that method.
bool jrpc_mcp_calls(const jrpc_message *message, const char *method);

// Whether it is one of the levels of log messages.
bool jrpc_mcp_is_level(jrpc_json level);
// Whether the protocol has its method, in the revisions without a handshake.
bool jrpc_mcp_modern_serves(const jrpc_message *message);

// Ids are Strings or integers, params are Objects: what is neither is refused.
void jrpc_mcp_message(jrpc_bend *bend, jrpc_message *message);
// The same, and the `_meta` of a request says what it speaks.
void jrpc_mcp_modern_message(jrpc_bend *bend, jrpc_message *message);
// Answers the methods of the protocol.
void jrpc_mcp_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
void jrpc_mcp_modern_response(jrpc_bend *bend, const jrpc_message *message,
                              jrpc_response *response);
#define JRPC_MCP_WHEN (JRPC_OUTCOME_UNKNOWN | JRPC_OUTCOME_INVALID)

// Over HTTP: origins, sessions, headers and statuses.
bool jrpc_mcp_http_request(jrpc_bend *bend, const jrpc_http_request *request,
                           jrpc_http_reply *reply);
bool jrpc_mcp_modern_http_request(jrpc_bend *bend, const jrpc_http_request *request,
                                  jrpc_http_reply *reply);
void jrpc_mcp_http_reply(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply);
void jrpc_mcp_modern_http_reply(jrpc_bend *bend, const jrpc_http_request *request,
                                jrpc_http_reply *reply);

#endif
