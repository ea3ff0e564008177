"""An MCP server of the official Python SDK over streamable HTTP: python server.py PORT [stateless]

One tool, as the SDK's README begins. `stateless` is the SDK's mode without sessions that answers by plain JSON."""

import sys

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("Demo")


@mcp.tool()
def add(a: int, b: int) -> int:
    """Add two numbers"""
    return a + b


if __name__ == "__main__":
    stateless = "stateless" in sys.argv
    mcp.run(transport="streamable-http", port=int(sys.argv[1]), stateless_http=stateless, json_response=stateless)
