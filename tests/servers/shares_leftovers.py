#!/usr/bin/env python3
"""A server over TCP with one mistake: what a client that leaves in the middle of a message has sent of it stays in a buffer that all
connections share, and comes before what the next client sends. Usage: PORT."""

import selectors
import socket
import sys

from quirk_core import Core

CORE = Core()
WATCH = selectors.DefaultSelector()
begun = {}  # connection → the beginning of a message
leftover = b""


def drain(peer):
    """All that has come, and whether the client has left."""
    parts = []
    try:
        while not parts or parts[-1]:
            parts.append(peer.recv(1 << 16))
    except BlockingIOError:
        return b"".join(parts), False
    except OSError:
        pass
    return b"".join(parts), True


def serve(peer, data, left):
    global leftover
    *lines, begun[peer] = (leftover + begun.get(peer, b"") + data).split(b"\n")
    leftover = b""
    for line in lines:
        answer = CORE.answer(line.rstrip(b"\r"))
        if answer is not None:
            try:
                peer.setblocking(True)
                peer.sendall(answer + b"\n")
                peer.setblocking(False)
            except OSError:
                break
    if left:
        leftover = begun.pop(peer)
        WATCH.unregister(peer)
        peer.close()


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
WATCH.register(listener, selectors.EVENT_READ)
while True:
    came = []
    for key, _ in WATCH.select():
        if key.fileobj is listener:
            client, _ = listener.accept()
            client.setblocking(False)
            WATCH.register(client, selectors.EVENT_READ)
        else:
            came.append((key.fileobj, *drain(key.fileobj)))
    for client, data, left in sorted(came, key=lambda entry: not entry[2]):  # those that have left come first
        serve(client, data, left)
