"""Answers one call a line, or a header part, as servers of a protocol do before anybody greets them.

protocols.py lsp | mcp | ethereum | ordinary | agreeable
"""

import json
import sys


def framed():
    while True:
        length = None
        for line in iter(sys.stdin.buffer.readline, b""):
            name, _, value = line.partition(b":")
            if not line.strip():
                break
            length = int(value) if name.lower() == b"content-length" else length
        else:
            return
        if length is not None:
            yield sys.stdin.buffer.read(length)


def answer(kind, method):
    if kind == "lsp":
        return {"result": {"capabilities": {}}} if method == "initialize" else {
            "error": {"code": -32002, "message": "ServerNotInitialized"}}
    if kind == "agreeable" or (kind == "mcp" and method == "ping"):
        return {"result": {}}
    if kind == "ethereum" and method == "web3_clientVersion":
        return {"result": "node/v1"}
    if kind == "ordinary" and method == "ping":
        return {"result": "pong"}
    return {"error": {"code": -32601, "message": "Method not found"}}


def main(kind):
    for text in framed() if kind == "lsp" else sys.stdin:
        message = json.loads(text)
        if isinstance(message, dict) and "id" in message:
            reply = json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer(kind, message["method"])})
            head = f"Content-Length: {len(reply)}\r\n\r\n" if kind == "lsp" else ""
            print(head + reply, end="" if head else "\n", flush=True)


main(sys.argv[1])
