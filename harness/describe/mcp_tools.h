// The tools of an MCP server, described as OpenRPC describes methods.
#ifndef JCK_DESCRIBE_MCP_TOOLS_H
#define JCK_DESCRIBE_MCP_TOOLS_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Appends a document with one method `tools/call` for each tool in the result of `tools/list`: its
// params are the name of the tool and arguments that fit its `inputSchema`. In that schema, and not
// in the document, references are looked up: the member `x-root` of the method. False with INVALID
// if the result has no tools, or with MEMORY if there is no room.
bool jck_mcp_tools_describe(jrpc_json result, jrpc_buffer *out, jrpc_error *error);

#endif
