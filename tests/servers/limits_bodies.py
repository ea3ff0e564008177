"""A right server over HTTP that refuses a body of more than 64 KiB with status 413, as HTTP says. Usage: PORT"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from quirk_core import Core

LIMIT = 65536


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def end(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if length > LIMIT:
            self.end(413)
        else:
            self.end(200, Core().answer(body) or b"")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
