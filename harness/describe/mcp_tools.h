// The tools of an MCP server, described as OpenRPC describes methods.
#ifndef JCK_DESCRIBE_MCP_TOOLS_H
#define JCK_DESCRIBE_MCP_TOOLS_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Member of a method of the description: the schema in which its references are looked up, in the
// place of the whole document.
#define JCK_MCP_TOOLS_ROOT "x-root"

// Appends a document with one method `tools/call` for each tool in the result of `tools/list`: its
// params are the name of the tool and arguments that fit its `inputSchema`. False with INVALID if
// the result has no tools, or with MEMORY if there is no room.
bool jck_mcp_tools_describe(jrpc_json result, jrpc_buffer *out, jrpc_error *error);

#endif
