#!/usr/bin/env python3
"""A JSON-RPC server over HTTP or WebSocket that misbehaves in one way, chosen by name, and answers rightly otherwise.

  hostile_http.py BEHAVIOUR PORT

The behaviour shows on messages that are exactly the empty batch, []; those whose names begin with "ws-" are of
WebSocket, all others of HTTP. It listens on the loopback.
"""

import base64
import hashlib
import json
import socket
import struct
import sys
import threading
import time

from hostile import MIB, answer

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
RIGHT = b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}'
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def reply(body, status=b"200 OK", kind=b"application/json", length=None, more=b""):
    length = len(body) if length is None else length
    return b"HTTP/1.1 %s\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n%s" % (status, kind, more, length, body)


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def frame(payload, first=0x81):
    size = bytes([len(payload)]) if len(payload) < 126 else b"\x7e" + struct.pack(">H", len(payload))
    return bytes([first]) + size + payload


class Gone(Exception):
    """The connection is to be closed."""


class Behaviours:
    def __init__(self, connection):
        self.connection = connection

    def send(self, data):
        self.connection.sendall(data)

    def for_ever(self, data):
        while True:
            self.send(data)

    def close(self, data=b""):
        self.send(data)
        raise Gone

    # HTTP: what comes in place of the answer.
    def page(self):
        self.send(reply(b"<!doctype html><h1>It works</h1>", kind=b"text/html"))

    def error_page(self):
        self.send(reply(b"<!doctype html><h1>Internal Server Error</h1>", b"500 Internal Server Error", b"text/html"))

    def unauthorized(self):
        self.send(reply(b"", b"401 Unauthorized", more=b"WWW-Authenticate: Bearer\r\n"))

    def redirect(self):
        self.send(reply(b"", b"302 Found", more=b"Location: http://127.0.0.1:1/\r\n"))

    def length_too_long(self):
        self.close(reply(RIGHT, length=len(RIGHT) + 50))

    def length_too_short(self):
        self.send(reply(RIGHT, length=len(RIGHT) - 10))

    def length_of_no_number(self):
        self.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: many\r\n\r\n" + RIGHT)

    def chunked_cut(self):
        self.close(EVENTS.replace(b"text/event-stream", b"application/json") + b"ff\r\n" + RIGHT[:20])

    def chunk_of_no_size(self):
        self.close(EVENTS.replace(b"text/event-stream", b"application/json") + b"xyz\r\n" + RIGHT)

    def compressed(self):
        self.send(reply(b"\x1f\x8b\x08\x00" + bytes(40), more=b"Content-Encoding: gzip\r\n"))

    def body_of_100_mib(self):
        self.send(reply(b"", length=100 * MIB))
        for _ in range(100):
            self.send(b"[" * MIB)

    def body_without_end(self):
        self.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        self.for_ever(b" " * 65536)

    def slow_headers(self):
        self.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            self.send(b"x")
            time.sleep(0.05)  # slowness is the behaviour

    def headers_without_end(self):
        self.send(b"HTTP/1.1 200 OK\r\n")
        self.for_ever(b"X-More: of the same\r\n" * 1000)

    def interim_without_end(self):
        self.for_ever(b"HTTP/1.1 103 Early Hints\r\nX-Hint: none\r\n\r\n" * 1000)

    def no_answer(self):
        self.close()

    def silence(self):
        time.sleep(3600)

    def no_http(self):
        self.close(b"SSH-2.0-OpenSSH_9.2\r\n")

    def events_without_end(self):
        self.send(EVENTS)
        self.for_ever(chunk(b'data: {"jsonrpc":"2.0","method":"more","params":[]}\n\n' * 1000))

    def comments_without_end(self):
        self.send(EVENTS)
        while True:
            self.send(chunk(b":\n\n"))
            time.sleep(0.02)  # a pause as servers make between comments

    def event_without_end(self):
        self.send(EVENTS)
        self.for_ever(chunk(b"data: " + b"x" * 65536))

    def stream_left_open(self):
        self.send(EVENTS + chunk(b"data: " + RIGHT + b"\n\n"))
        time.sleep(3600)

    # WebSocket.
    def ws_masked(self):
        self.send(bytes([0x81, 0x80 | len(RIGHT)]) + bytes(4) + RIGHT)

    def ws_oversize(self):
        self.send(b"\x81\x7f" + struct.pack(">Q", 1 << 62) + b"x" * 1000)

    def ws_reserved_bits(self):
        self.send(frame(RIGHT, 0xF1))

    def ws_invalid_utf8(self):
        self.send(frame(b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"\xff"},"id":null}'))

    def ws_cut(self):
        self.close(frame(RIGHT[:30], 0x01))

    def ws_frame_cut(self):
        self.close(frame(RIGHT)[:30])

    def ws_close(self):
        self.close(b"\x88\x02" + struct.pack(">H", 1011))

    def ws_flood(self):
        self.for_ever(frame(b'{"jsonrpc":"2.0","result":1,"id":"nobody"}') * 1000)

    def ws_pings(self):
        self.for_ever(frame(b"still there?", 0x89) * 1000)

    def ws_fragments(self):
        self.send(frame(b"[", 0x01))
        self.for_ever(frame(b"[" * 60000, 0x00))

    def ws_text_of_100_mib(self):
        self.send(b"\x81\x7f" + struct.pack(">Q", 100 * MIB))
        for _ in range(100):
            self.send(b"[" * MIB)


def read_head(reader):
    head = {}
    line = reader.readline()
    if not line:
        raise Gone
    while (line := reader.readline().strip()):
        name, _, value = line.partition(b":")
        head[name.lower()] = value.strip()
    return head


def serve_http(connection, reader, behaviour):
    while True:
        body = reader.read(int(read_head(reader).get(b"content-length", 0)))
        if body == b"[]":
            behaviour()
            continue
        found = answer(body)
        connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n" if found is None else reply(json.dumps(found).encode()))


def read_frame(reader):
    first, length = reader.read(2)
    size = length & 127
    if size > 125:
        size = int.from_bytes(reader.read(2 if size == 126 else 8), "big")
    mask = reader.read(4)
    data = reader.read(size)
    return first, bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))


def serve_websocket(connection, reader, behaviour):
    key = read_head(reader)[b"sec-websocket-key"]
    accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
    connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
    while True:
        first, text = read_frame(reader)
        if first & 15 == 8:
            raise Gone
        if text == b"[]":
            behaviour()
        elif first & 15 == 1:
            found = answer(text)
            if found is not None:
                connection.sendall(frame(json.dumps(found).encode()))


def serve(connection, name):
    serve_one = serve_websocket if name.startswith("ws-") else serve_http
    with connection, connection.makefile("rb") as reader:
        try:
            serve_one(connection, reader, getattr(Behaviours(connection), name.replace("-", "_")))
        except (Gone, OSError, ValueError):
            pass  # ValueError: the connection ended within a frame


def main():
    name, port = sys.argv[1:]
    with socket.create_server(("127.0.0.1", int(port)), backlog=64) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, name), daemon=True).start()


if __name__ == "__main__":
    main()
