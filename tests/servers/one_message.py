"""A server that takes one message a connection: it answers and closes, as some libraries over Unix sockets do.
Usage: PATH of a Unix socket, or a port. What is a notification, it drops, and waits for the next message."""

import json
import os
import socket
import sys
import threading


def finite(word):
    value = float(word)
    if value in (float("inf"), float("-inf")):
        raise ValueError(word)
    return value


def refuse(word):
    raise ValueError(word)


def fault(code, message, number=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": number}


def is_id(value):
    return value is None or isinstance(value, (str, int, float)) and not isinstance(value, bool)


def answer(call):
    if not (isinstance(call, dict) and call.get("jsonrpc") == "2.0" and isinstance(call.get("method"), str)
            and isinstance(call.get("params", []), (list, dict)) and is_id(call.get("id"))):
        number = call.get("id") if isinstance(call, dict) else None
        return fault(-32600, "Invalid Request", number if is_id(number) else None)
    return fault(-32601, "Method not found", call["id"]) if "id" in call else None


def reply_to(line):
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return fault(-32700, "Parse error")
    if not isinstance(message, list):
        return answer(message)
    if not message:
        return fault(-32600, "Invalid Request")
    return [one for one in map(answer, message) if one is not None] or None


def serve(peer):
    with peer, peer.makefile("rb") as stream:
        for line in stream:
            if not line.strip():
                continue
            reply = reply_to(line)
            if reply is not None:
                peer.sendall(json.dumps(reply).encode() + b"\n")
                return


def main():
    if sys.argv[1].isdigit():
        listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    else:
        listener = socket.socket(socket.AF_UNIX)
        if os.path.exists(sys.argv[1]):
            os.unlink(sys.argv[1])
        listener.bind(sys.argv[1])
        listener.listen(64)
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=serve, args=[peer], daemon=True).start()


main()
