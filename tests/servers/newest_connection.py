#!/usr/bin/env python3
"""A server over TCP that sends every answer to the connection that was opened last. Usage: PORT."""

import socket
import sys
import threading

from quirk_core import Core

CORE = Core()
NEWEST = []


def serve(peer):
    for line in peer.makefile("rb"):
        answer = CORE.answer(line.rstrip(b"\r\n"))
        if answer is not None:
            try:
                NEWEST[-1].sendall(answer + b"\n")
            except OSError:
                pass


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    peer, _ = listener.accept()
    NEWEST.append(peer)
    threading.Thread(target=serve, args=[peer], daemon=True).start()
