// The tools that the server lists under the Model Context Protocol.
#ifndef JRPC_SERVER_MCP_TOOLS_H
#define JRPC_SERVER_MCP_TOOLS_H

#include "reference/server/bend.h"

#include <stdbool.h>

// The elements of `tools` on the first or the second page, as JSON with commas between them; faults
// that are on change them. A constant.
const char *jrpc_mcp_tools(const jrpc_bend *bend, bool second_page);
// Whether the structuredContent of a call is not what the outputSchema of its tool says.
bool jrpc_mcp_content_misfits(const jrpc_bend *bend);

#endif
