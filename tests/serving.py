"""Servers that a test runs itself, over HTTP with a handler of its own, and free ports for those that it starts."""

import contextlib
import http.server
import random
import socket
import threading

# Below the ports that the kernel gives to clients, and those that jrpcheck takes for ${port}.
PORTS = range(10000, 20000)
_held = []


def free_port():
    """A TCP port that no other test gets while this process runs, not even while the server on it is down and starts
    again. The UDP port of the same number, which nobody uses, is held as the sign that it is taken."""
    while True:
        port = random.choice(PORTS)
        sign = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            sign.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            sign.close()
            continue
        _held.append(sign)
        return port


@contextlib.contextmanager
def served(handler, context=None, **state):
    """Runs an HTTP server with this handler, over TLS with a context, and gives its address. The handler finds `state` in its `server`."""

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *_args):
            pass  # clients may leave in the middle of an answer

    server = Server(("127.0.0.1", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True) if context else server.socket
    vars(server).update(state)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http{'s' if context else ''}://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
