#!/usr/bin/env python3
"""A small right client over a socket, with its driver: lines or Content-Length, TCP or Unix.

bad.py is made of it.
"""

import json
import os
import socket
import sys
import threading
import urllib.parse

TIMEOUT = int(os.environ.get("JRPCHECK_TIMEOUT", "1000")) / 1000


class Client:
    def __init__(self):
        url = os.environ["JRPCHECK_URL"]
        if url.startswith("unix:"):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(url[5:])
        else:
            parts = urllib.parse.urlsplit(url)
            self.socket = socket.create_connection((parts.hostname, parts.port))
        self.lock = threading.Lock()
        self.pending = {}
        self.next_id = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with self.socket.makefile("rb") as lines:
            for line in lines:
                try:
                    self.received(json.loads(line))
                except (ValueError, RecursionError):
                    pass
        self.fail_all("connection closed")

    def fail_all(self, why):
        with self.lock:
            pending, self.pending = self.pending, {}
        for entry in pending.values():
            entry["failed"] = why
            entry["done"].set()

    def received(self, message):
        for answer in message if isinstance(message, list) else [message]:
            if not isinstance(answer, dict) or isinstance(answer.get("id"), (list, dict, bool)) or "method" in answer:
                continue
            with self.lock:
                entry = self.pending.pop(answer.get("id"), None)
            if entry is not None:
                entry["answer"] = answer
                entry["done"].set()

    def write(self, message):
        self.socket.sendall(json.dumps(message, allow_nan=False).encode() + b"\n")

    def request(self, method, params, notify):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        if notify:
            return message, None
        entry = {"done": threading.Event()}
        with self.lock:
            self.next_id += 1
            message["id"] = self.next_id
            self.pending[message["id"]] = entry
        return message, entry

    def outcome(self, entry):
        if not entry["done"].wait(TIMEOUT):
            with self.lock:
                self.pending = {k: v for k, v in self.pending.items() if v is not entry}
            return {"failed": "time-out"}
        if "failed" in entry:
            return {"failed": entry["failed"]}
        answer = entry["answer"]
        if answer.get("jsonrpc") != "2.0" or ("result" in answer) == ("error" in answer):
            return {"failed": "not a Response"}
        return {"result": answer["result"]} if "result" in answer else {"error": answer["error"]}


class Driver:
    def __init__(self, client_class=Client):
        self.client_class = client_class
        self.client = None
        self.lock = threading.Lock()

    def say(self, line):
        try:
            text = json.dumps(line, allow_nan=False)
        except ValueError:
            text = json.dumps({"tag": line["tag"], "unwritable": "not a number of JSON"})
        with self.lock:
            print(text, flush=True)

    def connected(self):
        if self.client is None:
            self.client = self.client_class()
        return self.client

    def connect(self, command):
        self.connected()
        return {"result": None}

    def call(self, command):
        client = self.client
        message, entry = client.request(command["method"], command.get("params"), False)
        client.write(message)
        return client.outcome(entry)

    def notify(self, command):
        self.client.write(self.client.request(command["method"], command.get("params"), True)[0])
        return {"result": None}

    def batch(self, command):
        if not command["list"]:
            return {"list": []}
        made = [self.client.request(e["method"], e.get("params"), e.get("notify", False)) for e in command["list"]]
        self.client.write([message for message, _ in made])
        return {"list": [None if entry is None else self.client.outcome(entry) for _, entry in made]}

    def ping(self, command):
        return {"result": "pong"}

    def close(self, command):
        client, self.client = self.client, None
        if client is not None:
            client.socket.shutdown(socket.SHUT_RDWR)
        return {"result": None}

    def handle(self, command):
        try:
            if command["do"] in ("call", "notify", "batch") and self.client is None:
                outcome = {"failed": "closed"}
            else:
                outcome = getattr(self, command["do"])(command)
        except (OSError, ValueError) as error:
            outcome = {"failed": str(error)}
        self.say({"tag": command["tag"], **outcome})

    def run(self):
        self.say({"driver": 1, "name": "plain", "version": "1",
                  "can": ["call", "notify", "batch", "by-name", "concurrent", "connect", "close"]})
        for line in sys.stdin:
            command = json.loads(line)
            threading.Thread(target=self.handle, args=(command,), daemon=True).start()


if __name__ == "__main__":
    Driver().run()
