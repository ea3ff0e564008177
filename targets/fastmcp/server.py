"""A FastMCP server with one tool, like the first example of its README, over streamable HTTP: python server.py PORT"""

import sys

from fastmcp import FastMCP

mcp = FastMCP("Demo")


@mcp.tool
def echo(text: str) -> str:
    """Give a text back"""
    return text


if __name__ == "__main__":
    mcp.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]))
