"""A right server over TCP that refuses a line of 64 KiB or more, and then closes the connection. Usage: PORT"""

import socket
import sys
import threading

from quirk_core import Core, dumps

LIMIT = 65536


def serve(peer):
    core = Core()
    kept = b""
    with peer:
        while data := peer.recv(65536):
            *lines, kept = (kept + data).split(b"\n")
            for line in lines:
                if len(line) >= LIMIT:
                    kept = line
                    break
                answer = core.answer(line.rstrip(b"\r"))
                if answer is not None:
                    peer.sendall(answer + b"\n")
            if len(kept) >= LIMIT:
                peer.sendall(dumps(core.error(-32600, "too long", None)).encode() + b"\n")
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(65536):
                    pass
                return


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=64)
while True:
    peer, _ = listener.accept()
    threading.Thread(target=serve, args=[peer], daemon=True).start()
