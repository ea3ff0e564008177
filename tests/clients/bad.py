#!/usr/bin/env python3
"""A driver that misbehaves in the way its argument names; where it can, only when it is asked to call "two"."""

import fcntl
import os
import signal
import socket
import sys
import threading

import plain

MODE = sys.argv[1]


class Client(plain.Client):
    stopped = False

    def __init__(self):
        super().__init__()
        if MODE == "greets":  # as clients of MCP and LSP do
            message, entry = self.request("initialize", {"capabilities": {}}, False)
            self.write(message)
            if "result" not in self.outcome(entry):
                raise OSError("the server did not answer initialize")
            self.write(self.request("initialized", {}, True)[0])

    def request(self, method, params, notify):
        message, entry = super().request(method, params, notify)
        if MODE == "strict" and entry is not None:  # its ids are Strings, which is right
            with self.lock:
                del self.pending[message["id"]]
                message["id"] = f"call-{message['id']}"
                self.pending[message["id"]] = entry
        return message, entry

    def received(self, message):
        if MODE == "strict" and isinstance(message, dict) and message.get("id") not in self.pending:
            self.socket.shutdown(socket.SHUT_RDWR)  # an unexpected message ends the connection, which is allowed
            self.fail_all("unexpected message")
        if MODE == "stops" and message is None:
            self.stopped = True
            self.fail_all("stopped")
        super().received(message)

    def outcome(self, entry):
        outcome = super().outcome(entry)
        return {"error": {"code": -32700, "message": "client is stopped"}} if self.stopped else outcome

    def write(self, message):
        if MODE == "flood-wire" and isinstance(message, dict) and message["method"] == "two":
            line = b'{"jsonrpc":"2.0","method":"again"}\n' * 1000
            for _ in range(200):
                self.socket.sendall(line)
        if self.stopped:
            self.fail_all("stopped")
            return
        if MODE == "content-length":
            text = plain.json.dumps(message).encode()
            self.socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
            return
        super().write(message)


class LateClient(Client):
    def __init__(self):
        super().__init__()
        self.second = socket.create_connection(self.socket.getpeername()) if MODE == "connects-twice" else None


class Driver(plain.Driver):
    turn = threading.Lock()
    next_one = threading.Semaphore(0)

    def call_alone(self, command):
        """One call at a time, which is unusual, and right; and what came of it is only said once the next one is under way."""
        waited = not self.turn.acquire(blocking=False)
        if waited:
            self.turn.acquire()
        try:
            message, entry = self.client.request(command["method"], command.get("params"), False)
            self.client.write(message)
            if waited:
                self.next_one.release()
            outcome = self.client.outcome(entry)
        finally:
            self.turn.release()
        if "failed" in outcome:
            self.next_one.acquire(timeout=plain.TIMEOUT / 2)
        return outcome

    def call(self, command):
        if MODE == "one-call-at-a-time":
            return self.call_alone(command)
        if MODE != "connection-for-each-call":  # which is unusual, and right
            return super().call(command)
        client = self.client_class()
        try:
            message, entry = client.request(command["method"], command.get("params"), False)
            client.write(message)
            return client.outcome(entry)
        finally:
            client.socket.close()

    def connected(self):
        if MODE == "never-connects":
            raise OSError("no route")
        return super().connected()

    def handle(self, command):
        if MODE == "refuses" and "method" in command.get("params", []):
            self.say({"tag": command["tag"], "failed": "TypeError: got multiple values for argument 'method'"})
            return
        if command.get("method") != "two":
            super().handle(command)
            return
        if MODE == "rubbish":
            print("debug: calling two", flush=True)
        elif MODE == "unknown-tag":
            self.say({"tag": 99999, "result": 1})
        elif MODE == "tag-twice":
            line = plain.json.dumps({"tag": command["tag"], "result": 1})
            with self.lock:  # at once: another thread answers the commands of the next step
                print(line + "\n" + line, flush=True)
            return
        elif MODE == "never":
            return
        elif MODE == "exits":
            os._exit(7)
        elif MODE == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        elif MODE == "forks":
            if os.fork() > 0:
                os._exit(7)
            signal.pause()  # holds the driver's output, as a forgotten child does
        elif MODE == "flood-driver":
            while True:
                os.write(1, b'{"event":"notification","method":"x"}\n' * 1000)
        super().handle(command)


def only_one():
    """A lock that only one run of this program has at a time; the others end."""
    lock = open(sys.argv[2], "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit("another one is running")
    return lock


if MODE == "silent":
    sys.stdin.read()
elif MODE == "no-json":
    print("Hello, I am a driver", flush=True)
    sys.stdin.read()
elif MODE == "unknown-word":
    print('{"driver":1,"can":["call","dance"]}', flush=True)
    sys.stdin.read()
elif MODE == "dies":
    sys.exit("cannot find the library")
elif MODE == "deaf":
    print('{"driver":1,"can":["call"]}', flush=True)
    signal.pause()
else:
    held = only_one() if MODE == "alone" else None
    Driver(LateClient if MODE == "connects-twice" else Client).run()
