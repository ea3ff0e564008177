#!/usr/bin/env python3
"""A right server over TCP that serves two connections at a time; others wait until one of them ends. Usage: PORT."""

import socket
import sys
import threading

from quirk_core import Core

CORE = Core()
ROOM = threading.Semaphore(2)


def serve(peer):
    with ROOM, peer:
        try:
            for line in peer.makefile("rb"):
                answer = CORE.answer(line.rstrip(b"\r\n"))
                if answer is not None:
                    peer.sendall(answer + b"\n")
        except OSError:
            pass


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=64)
while True:
    ROOM.acquire()
    ROOM.release()
    client, _ = listener.accept()
    threading.Thread(target=serve, args=(client,), daemon=True).start()
