#!/usr/bin/env python3
"""A server over TCP that serves so many calls a second on all its connections together. Usage: PORT CALLS."""

import socketserver
import sys
import threading
import time

from quirk_core import Core


class Limit:
    def __init__(self, most):
        self.most = most
        self.second = 0
        self.served = 0
        self.lock = threading.Lock()

    def is_over(self):
        with self.lock:
            now = int(time.monotonic())
            self.served = self.served + 1 if now == self.second else 1
            self.second = now
            return self.served > self.most


LIMIT = Limit(int(sys.argv[2]))


class Limited(Core):
    def one(self, message):
        if not LIMIT.is_over():
            return super().one(message)
        identity = message.get("id") if isinstance(message, dict) else None
        known = isinstance(message, dict) and self.good_id(identity)
        silent = known and self.valid(message) and "id" not in message
        return None if silent else self.error(-32029, "Too many requests", identity if known else None)


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        core = Limited()
        for line in self.rfile:
            answer = core.answer(line.rstrip(b"\r\n"))
            if answer is not None:
                try:
                    self.wfile.write(answer + b"\n")
                except OSError:
                    break


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
