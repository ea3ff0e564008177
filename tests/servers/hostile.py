#!/usr/bin/env python3
"""A JSON-RPC 2.0 server that misbehaves in one way, chosen by name, and answers rightly otherwise.

  hostile.py BEHAVIOUR [--when TEXT] [--tcp PORT]

The behaviour shows on messages that are exactly TEXT (default: the empty batch, []), so every other message is
answered as it should be; those whose names begin with "always-" show from the first byte on. It speaks one message
a line on stdio, or with --tcp on a port of the loopback (written to standard output once it listens).
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

EMPTY_BATCH = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}
MIB = 1 << 20


def error(code, identity=None, message="no"):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": identity}


def answer_one(message):
    if not isinstance(message, dict):
        return error(-32600)
    identity = message.get("id")
    readable = identity is None or (isinstance(identity, (str, int, float)) and not isinstance(identity, bool))
    valid = (
        message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and isinstance(message.get("params", []), (list, dict))
        and readable
    )
    if not valid:
        if "method" not in message and ("result" in message or "error" in message):
            return None
        return error(-32600, identity if readable else None)
    return error(-32601, identity) if "id" in message else None


def refuse_constant(text):
    raise ValueError(text)


def answer(line):
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return error(-32700)
    if not isinstance(message, list):
        return answer_one(message)
    if not message:
        return EMPTY_BATCH
    return [response for response in map(answer_one, message) if response is not None] or None


def wait_for_ever():
    while True:
        signal.pause()


class Server:
    """One conversation. `write` takes bytes."""

    def __init__(self, reader, descriptor):
        self.reader = reader
        self.descriptor = descriptor
        self.held = None  # an answer that is kept back
        self.silent = False

    def write(self, data):
        view = memoryview(data)
        while view:
            view = view[os.write(self.descriptor, view):]

    def say(self, value):
        if value is not None:
            self.write(json.dumps(value).encode() + b"\n")

    def for_ever(self, data):
        data *= max(1, 65536 // len(data))
        while True:
            self.write(data)

    def answer(self, line):
        self.say(answer(line))

    # Behaviours: what happens in place of the answer to the message that sets them off.
    def flood_without_newline(self, line):
        self.for_ever(b"x")

    def flood_of_lines(self, line):
        self.for_ever(b'{"jsonrpc":"2.0","result":1,"id":"nobody"}\n')

    def flood_of_blank_lines(self, line):
        self.for_ever(b"\n")

    def flood_of_requests(self, line):
        self.for_ever(b'{"jsonrpc":"2.0","method":"more","id":0}\n')

    def gigabyte_of_brackets(self, line):
        for _ in range(1024):
            self.write(b"[" * MIB)
        self.write(b"\n")
        self.say(answer(line))

    def line_of_brackets(self, line):
        self.write(b"[" * (15 * MIB) + b"\n")

    def array_of_arrays(self, line):
        self.write(b"[" + b"[]," * (5 * MIB) + b"[]]\n")

    def byte_by_byte(self, line):
        for byte in json.dumps(answer(line)).encode() + b"\n":
            self.write(bytes([byte]))

    def byte_by_byte_without_end(self, line):
        while True:
            self.write(b"x")
            time.sleep(0.005)  # slowness is the behaviour

    def silence(self, line):
        self.silent = True

    def stops_reading(self, line):
        wait_for_ever()

    def exits_with_0(self, line):
        os._exit(0)

    def exits_in_mid_message(self, line):
        self.write(b'{"jsonrpc":"2.0","err')
        os._exit(3)

    def killed_in_mid_message(self, line):
        self.write(b'{"jsonrpc":"2.0","err')
        os.kill(os.getpid(), signal.SIGKILL)

    def answers_then_dies(self, line):
        self.say(answer(line))
        os.kill(os.getpid(), signal.SIGABRT)

    def answers_then_dies_late(self, line):
        self.say(answer(line))
        for _ in range(8):
            self.say(answer(self.reader.readline()))
        os.kill(os.getpid(), signal.SIGABRT)

    def closes_stdout(self, line):
        os.close(self.descriptor)
        wait_for_ever()

    def grandchild_holds_the_pipe(self, line):
        # In a session of its own, with our standard output and input; it outlives us.
        subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True)
        os._exit(0)

    def logs_on_stdout(self, line):
        self.write(b"INFO an empty batch came\n")
        self.say(answer(line))

    def two_replies(self, line):
        self.say(answer(line))
        self.say(answer(line))

    def replies_to_nothing(self, line):
        self.say(answer(line))
        for _ in range(3):
            self.say(error(-32601, "asked by nobody"))

    def swapped_ids(self, line):
        # The next call gets this message's id, and this one the id of the call.
        following = self.reader.readline()
        identity = json.loads(following)["id"]
        self.say(dict(EMPTY_BATCH, id=identity))
        self.say(dict(answer(following), id=None))

    def behind_the_fence(self, line):
        self.held = answer(line)

    def echo(self, line):
        self.write(line + b"\n")

    def invalid_utf8(self, line):
        self.write(b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"\xff\xc0\xaf\xed\xa0\x80"},"id":null}\n')

    def terminal_escapes(self, line):
        self.write(b"\x1b[2J\x1b]0;owned\x07\x1b[31m log \x9b31m\n")
        self.say(dict(EMPTY_BATCH, error={"code": -32601, "message": "\x1b[2J\x1b]0;owned\x07\u009b31m"}))
        self.write(b'{"jsonrpc":"2.0","error":{"code":-1,"message":"\x1b[2J\x07"},"id":null}\n')

    def markup(self, line):
        self.write(b"]]></system-out><script>alert(1)</script>\x00\x01<!-- `|\n")
        self.say(dict(EMPTY_BATCH, error={"code": -32601, "message": "]]>\x00\ufffe<script>"}))

    def slow(self, line):
        # This message and the next, one after the other; slowness is the behaviour.
        for late in (line, self.reader.readline().rstrip(b"\n")):
            time.sleep(3)
            self.say(answer(late))

    def asks_first(self, line):
        self.say({"jsonrpc": "2.0", "method": "may.i", "id": 0})
        self.say(answer(line))

    def serve(self, behaviour, when):
        while True:
            line = self.reader.readline()
            if not line:
                return
            line = line.rstrip(b"\n")
            if self.silent:
                continue
            if when is None or line == when:
                behaviour(line)
                continue
            self.say(answer(line))
            if self.held is not None:
                self.say(self.held)
                self.held = None

    def serve_big(self):
        """To every message of 1 MiB or more: writes 16 MiB before it reads the message to its end."""
        buffer = b""
        while True:
            data = os.read(0, 65536)
            if not data:
                return
            buffer += data
            if len(buffer) > MIB and b"\n" not in buffer:
                identity = buffer  # its id stands at the end: the answer needs all of it
                head = b'{"jsonrpc":"2.0","error":{"code":-32601,"message":"no","data":"' + b"y" * (16 * MIB)
                self.write(head)
                rest = [buffer]
                while b"\n" not in rest[-1]:
                    rest.append(os.read(0, MIB))
                identity = json.loads(b"".join(rest))["id"]
                self.write(b'"},"id":' + json.dumps(identity).encode() + b"}\n")
                buffer = b""
            while b"\n" in buffer:
                line, buffer = buffer.split(b"\n", 1)
                self.say(answer(line))


def flood_stderr():
    while True:
        os.write(2, b"ERROR everything is on fire\x1b[31m\n" * 2000)


def start_always(name):
    """What shows from the first byte on. True if the server still serves."""
    if name == "always-silent":
        sys.stdin.buffer.read()
        return False
    if name == "always-flooding":
        Server(None, 1).for_ever(b"x")
    if name == "always-flooding-lines":
        Server(None, 1).for_ever(b"INFO still here\n")
    if name == "always-exits":
        os._exit(0)
    if name == "always-ignores-term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if name == "always-tires":
        Server(sys.stdin.buffer, 1).say(answer(sys.stdin.buffer.readline()))
        sys.stdin.buffer.read()
        return False
    if name == "always-outlives-stdin":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        server = Server(sys.stdin.buffer, 1)
        server.serve(server.answer, None)
        wait_for_ever()
    if name == "always-stderr":
        threading.Thread(target=flood_stderr, daemon=True).start()
    if name == "always-echo":
        for line in sys.stdin.buffer:
            os.write(1, line)
        return False
    return True


def serve_tcp(port, name, behaviour_of, when):
    with socket.create_server(("127.0.0.1", port), backlog=1) as listener:
        print("listening", flush=True)
        while True:
            connection, _ = listener.accept()
            if name == "always-never-reads":
                wait_for_ever()
            if name == "always-one-connection":
                listener.close()
            server = Server(connection.makefile("rb"), connection.fileno())
            try:
                server.serve(behaviour_of(server), when)
            except (BrokenPipeError, ConnectionResetError):
                pass
            connection.close()
            if name == "always-one-connection":
                return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("behaviour")
    parser.add_argument("--when", default="[]")
    parser.add_argument("--tcp", type=int)
    options = parser.parse_args()
    name = options.behaviour
    always = name.startswith("always-")
    when = options.when.encode()

    def behaviour_of(server):
        return server.answer if always else getattr(server, name.replace("-", "_"))

    if always:
        when = None
    if options.tcp is not None:
        serve_tcp(options.tcp, name, behaviour_of, when)
    elif name == "always-writes-first":
        Server(None, 1).serve_big()
    elif not always or start_always(name):
        server = Server(sys.stdin.buffer, 1)
        server.serve(behaviour_of(server), when)
        if server.held is not None:
            server.say(server.held)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(0)
