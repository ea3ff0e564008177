// The reference server as a language server (--as lsp): functions of a row of faults_profile.c.
#ifndef JRPC_SERVER_LSP_H
#define JRPC_SERVER_LSP_H

#include "reference/server/bend.h"

// Knows where a connection stands: before initialize, after it, after shutdown.
void jrpc_lsp_message(jrpc_bend *bend, jrpc_message *message);
// Makes text that is not JSON of a message in another charset than utf-8. A head that comes in two
// reads is not looked at.
void jrpc_lsp_received(jrpc_bend *bend, jrpc_slice *bytes);
// Answers initialize and shutdown.
void jrpc_lsp_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);

#endif
