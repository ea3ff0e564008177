#!/usr/bin/env python3
"""A server over TCP that serves one connection after the other. Usage: PORT."""

import socket
import sys

from quirk_core import Core

CORE = Core()

listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    peer, _ = listener.accept()
    with peer:
        for line in peer.makefile("rb"):
            answer = CORE.answer(line.rstrip(b"\r\n"))
            if answer is not None:
                try:
                    peer.sendall(answer + b"\n")
                except OSError:
                    break
