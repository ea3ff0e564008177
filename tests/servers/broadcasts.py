#!/usr/bin/env python3
"""A server over TCP that sends every answer to all open connections. Usage: PORT."""

import contextlib
import socket
import sys
import threading

from quirk_core import Core

CORE = Core()
PEERS = []


def serve(peer):
    for line in peer.makefile("rb"):
        answer = CORE.answer(line.rstrip(b"\r\n"))
        for other in list(PEERS) if answer is not None else []:
            with contextlib.suppress(OSError):
                other.sendall(answer + b"\n")
    PEERS.remove(peer)


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    peer, _ = listener.accept()
    PEERS.append(peer)
    threading.Thread(target=serve, args=[peer], daemon=True).start()
