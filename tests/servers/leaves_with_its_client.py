"""A server on a port whose process ends with status 1 when a client leaves before its answer: an exception that
nobody catches, as a reply to a socket that is gone makes one. Usage: PORT."""

import json
import os
import socket
import sys
import threading


def serve(peer):
    stream = peer.makefile("rb")
    pending = []

    def answer(call):
        member = {"result": 0} if call["method"] == "slow" else {"error": {"code": -32601, "message": "no"}}
        peer.sendall(json.dumps({"jsonrpc": "2.0", **member, "id": call["id"]}).encode() + b"\n")
        pending.remove(call)

    for line in stream:
        call = json.loads(line)
        pending.append(call)
        if call["method"] == "slow":
            threading.Timer(call["params"][0] / 1000, answer, [call]).start()
        else:
            answer(call)
    if pending:
        os._exit(1)


def main():
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=serve, args=[peer], daemon=True).start()


main()
