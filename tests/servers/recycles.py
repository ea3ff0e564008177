#!/usr/bin/env python3
"""A server over TCP, lines, that closes each connection after NUMBER messages.

recycles.py PORT answered NUMBER  closes after it has answered the last of them: no rule is broken
recycles.py PORT swallowed NUMBER  reads the next one and closes instead of answering it
"""

import socket
import sys
import threading

from quirk_core import Core

PORT, MANNER, NUMBER = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])


def serve(peer):
    core = Core()
    with peer, peer.makefile("rb") as lines:
        for count, line in enumerate(lines, 1):
            if MANNER == "swallowed" and count > NUMBER:
                return
            answer = core.answer(line.rstrip(b"\r\n"))
            if answer is not None:
                peer.sendall(answer + b"\n")
            if MANNER == "answered" and count == NUMBER:
                return


listener = socket.create_server(("127.0.0.1", PORT), backlog=64)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
