#!/usr/bin/env python3
"""A client that runs by itself: it makes a few calls, prints what comes of them, and ends. MODE names what it gets wrong."""

import json
import os
import socket
import sys
import urllib.parse

MODE = sys.argv[1] if len(sys.argv) > 1 else "right"
URL = sys.argv[2] if len(sys.argv) > 2 else os.environ["JRPCHECK_URL"]


def connect():
    if MODE == "stdio":
        return sys.stdin.buffer, sys.stdout.buffer
    if URL.startswith("unix:"):
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(URL[5:])
    else:
        parts = urllib.parse.urlsplit(URL)
        sock = socket.create_connection((parts.hostname, parts.port))
    return sock.makefile("rb"), sock.makefile("wb")


class Client:
    def __init__(self):
        self.reader, self.writer = connect()
        self.last = 0

    def send(self, message):
        text = str(message) if MODE == "python" else json.dumps(message)
        self.writer.write(text.encode() + b"\n")
        self.writer.flush()

    def request(self, method, params):
        self.last += 1
        own = {"one-id": 1, "null-ids": None, "list-ids": [self.last]}.get(MODE, self.last)
        message = {"jsonrpc": "2.0", "method": method, "params": params, "id": own}
        if MODE == "no-version":
            del message["jsonrpc"]
        if MODE == "bare-params":
            message["params"] = params[0]
        return message

    def receive(self, ids):
        """The results of these ids; a list for a list of answers."""
        found = {}
        while len(found) < len(ids):
            line = self.reader.readline()
            if not line:
                sys.exit("the connection ended")
            try:
                message = json.loads(line)
            except ValueError:
                if MODE == "strict":
                    raise
                continue
            for place, answer in enumerate(message if isinstance(message, list) else [message]):
                own = ids[place if MODE == "by-place" else len(found)] if MODE in ("first-answer", "by-place") else answer.get("id")
                if "method" in message and MODE == "method-fatal":
                    sys.exit("a message that is not an answer")
                if MODE not in ("first-answer", "by-place") and own not in ids:
                    if MODE == "unknown-fatal" and "method" not in answer:
                        sys.exit(f"unknown id {own}")
                    if not ("error" in answer and own is None):
                        continue
                if "error" in answer:
                    sys.exit(f"error {answer['error']['code']}")
                if MODE == "waits" and "result" not in answer:
                    continue
                if own not in found or MODE == "last-answer":
                    found[own] = sorted(answer) if MODE == "names" else answer.get("result", "none")
        return [found[own] for own in ids]

    def call(self, method, *params):
        message = self.request(method, params)
        self.send(message)
        return self.receive([message["id"]])[0]

    def together(self, *calls):
        messages = [self.request(method, params) for method, *params in calls]
        for message in messages:
            self.send(message)
        return self.receive([message["id"] for message in messages])


def main():
    if MODE == "silent":
        return
    client = Client()
    out = sys.stderr if MODE == "stdio" else sys.stdout
    if MODE == "endless":
        while True:
            client.call("subtract", 1, 2)
    print(client.call("subtract", 42, 23), file=out)
    if MODE in ("list-ids", "null-ids"):
        return
    client.send({"jsonrpc": "2.0", "method": "update", "params": [1]})
    print(client.call("echo", "text"), file=out)
    print(client.together(("sum", 1, 2, 4), ("echo", "two")), file=out)
    if MODE == "random":
        print(os.urandom(8).hex(), file=out)


main()
