#!/usr/bin/env python3
"""A JSON-RPC 2.0 server on stdio whose one method, tools/call, wraps all others, as that of MCP does.

  --text   the result stands as JSON in a text, not beside it
  --wrong  subtract adds
"""

import sys

import right

TEXT = "--text" in sys.argv
WRONG = "--wrong" in sys.argv
plain = right.call
RESULTS = {"get_data": ["hello", 5], "notify_hello": None}


def call(method, params):
    if method != "tools/call":
        raise right.UnknownMethod(method)
    tool, arguments = params["name"], params.get("arguments", {})
    if tool == "subtract":
        value = arguments["a"] + arguments["b"] if WRONG else arguments["a"] - arguments["b"]
    elif tool == "sum":
        value = sum(arguments["values"])
    elif tool == "fail":
        raise RuntimeError("it failed")
    elif tool == "echo":
        value = arguments["value"]
    else:
        value = RESULTS[tool]
    text = right.json.dumps(value, allow_nan=False)  # what is beyond a double is an error
    return {"content": [{"type": "text", "text": text}]} if TEXT else {"structuredContent": {"result": value}, "isError": False}


right.call = call

if __name__ == "__main__":
    right.main()
