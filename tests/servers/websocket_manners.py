"""WebSocket servers with one habit each. Usage: PORT MANNER NUMBER.

They close a connection with 1001
  after     after NUMBER messages of any kind: a right server that restarts, or spreads its clients anew
  answers   after NUMBER answers: the same
  instead   instead of each answer whose error code is NUMBER: a deviation
or ping
  pings     as soon as they have read the first NUMBER bytes (1 or 2) of a frame that is not a control frame: a right server
"""

import base64
import hashlib
import json
import pathlib
import socket
import struct
import sys
import threading

PORT, MANNER, NUMBER = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
sys.argv[1:] = []
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from right import answer  # noqa: E402

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Closed(Exception):
    pass


def frame(opcode, content):
    short = len(content) if len(content) < 126 else 126 if len(content) < 1 << 16 else 127
    length = b"" if short < 126 else struct.pack("!H" if short == 126 else "!Q", len(content))
    return bytes([0x80 | opcode, short]) + length + content


class Connection:
    def __init__(self, peer):
        self.peer = peer
        self.stream = peer.makefile("rb")
        self.messages = self.answers = self.pings = 0

    def close(self, code):
        self.peer.sendall(frame(CLOSE, struct.pack("!H", code) if code else b""))
        self.peer.shutdown(socket.SHUT_WR)
        while self.peer.recv(4096):  # what was under way is dropped
            pass
        raise Closed

    def read(self, count):
        content = self.stream.read(count)
        if len(content) < count:
            raise Closed
        return content

    def ping(self):
        self.pings += 1
        self.peer.sendall(frame(PING, b"%d" % self.pings))

    def next_head(self):
        """The first two bytes of a frame."""
        head = self.read(NUMBER if MANNER == "pings" else 2)
        if MANNER == "pings" and not head[0] & 8:  # a Pong is not answered with a Ping
            self.ping()
        return head + self.read(2 - len(head))

    def next_frame(self):
        first, second = self.next_head()
        length = second & 127
        length = struct.unpack("!H", self.read(2))[0] if length == 126 else struct.unpack("!Q", self.read(8))[0] if length == 127 else length
        control, opcode = first & 8, first & 15
        if first & 0x70 or not second & 0x80 or opcode not in (0, 1, 2, 8, 9, 10) or (control and (length > 125 or not first & 0x80)):
            self.close(1002)
        if length > 16 << 20:
            self.close(1009)
        mask = self.read(4)
        content = self.read(length)
        key = (mask * (length // 4 + 1))[:length]
        return bool(first & 0x80), opcode, (int.from_bytes(content) ^ int.from_bytes(key)).to_bytes(length)

    def is_code(self, code):
        return 1000 <= code < 5000 and code not in (1004, 1005, 1006) and not 1014 < code < 3000

    def check(self, content):
        """Takes a Pong: one that was not asked for may have any content, one that answers a Ping has that of the Ping."""
        if content.isdigit() and int(content) > self.pings:
            self.close(1002)

    def next_message(self):
        parts = None
        while True:
            last, opcode, content = self.next_frame()
            if opcode == CLOSE:
                code = struct.unpack("!H", content[:2])[0] if len(content) > 1 else 0
                try:
                    content[2:].decode()
                except UnicodeDecodeError:
                    self.close(1007)
                self.close(1002 if len(content) == 1 or (code and not self.is_code(code)) else code)
            elif opcode == PING:
                self.peer.sendall(frame(PONG, content))
            elif opcode == PONG:
                self.check(content)
            elif opcode in (0, 1, 2):
                if (opcode == 0) == (parts is None):
                    self.close(1002)
                if opcode == 2:
                    self.close(1003)
                parts = (parts or []) + [content]
                if last:
                    return b"".join(parts)

    def take(self, text):
        try:
            text.decode()
        except UnicodeDecodeError:
            self.close(1007)
        reply = answer(text)
        self.messages += 1
        if reply is not None:
            if MANNER == "instead" and isinstance(reply, dict) and reply.get("error", {}).get("code") == NUMBER:
                self.close(1001)
            self.answers += 1
            self.peer.sendall(frame(TEXT, json.dumps(reply).encode()))
        if (MANNER == "after" and self.messages == NUMBER) or (MANNER == "answers" and self.answers == NUMBER):
            self.close(1001)

    def serve(self):
        head = {}
        self.stream.readline()
        for line in iter(self.stream.readline, b"\r\n"):
            name, _, value = line.partition(b":")
            head[name.strip().lower()] = value.strip()
            if not line:
                return
        key = head.get(b"sec-websocket-key", b"")
        right = len(key) == 24 and head.get(b"sec-websocket-version") == b"13" and head.get(b"upgrade", b"").lower() == b"websocket"
        if not right or b"upgrade" not in head.get(b"connection", b"").lower():
            self.peer.sendall(b"HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        self.peer.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                          + accept + b"\r\n\r\n")
        while True:
            self.take(self.next_message())

    def run(self):
        try:
            self.serve()
        except (Closed, OSError):
            pass
        self.stream.close()
        self.peer.close()


def main():
    listener = socket.create_server(("127.0.0.1", PORT), backlog=64)
    while True:
        peer, _ = listener.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=Connection(peer).run, daemon=True).start()


main()
