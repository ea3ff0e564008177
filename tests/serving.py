"""Servers that a test runs itself, over HTTP with a handler of its own, and free ports for those that it starts."""

import contextlib
import http.server
import socket
import threading


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


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
