"""HTTP servers that are right in their own ways, or nearly. Usage: MANNER PORT.

  two-writes   writes head and body apart, as many small servers do, and lets the system gather small pieces
  extra-200    follows each answer by an empty one of its own
  known-only   fails with a plain 500 for every method that it does not know
  page         gives a page with status 404 for every method that it does not know
  accepted     says {"status":"accepted"} where nothing is owed: its framework wants a body
  null-batch   answers a batch of notifications with null
  shared       keeps the answer to a method with a dot in one variable until another connection calls, a quarter of a
               second at most: connections get each other's answers
  limited      takes a message each 20 ms; what comes earlier gets 429, with Retry-After now and then
"""

import json
import socket
import sys
import threading
import time

MANNER = sys.argv[1]
METHODS = {
    "subtract": lambda p: p[0] - p[1] if isinstance(p, list) else p["minuend"] - p["subtrahend"],
    "sum": lambda p: sum(p),
    "get_data": lambda p: ["hello", 5],
}


def fault(code, message, number=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": number}


def is_request(call):
    return (isinstance(call, dict) and call.get("jsonrpc") == "2.0" and isinstance(call.get("method"), str)
            and isinstance(call.get("params", []), (list, dict))
            and (call.get("id") is None or isinstance(call["id"], (str, int, float)) and not isinstance(call["id"], bool)))


class Unknown(Exception):
    pass


def answer(call):
    if not is_request(call):
        number = call.get("id") if isinstance(call, dict) else None
        plain = isinstance(number, (str, int, float)) and not isinstance(number, bool)
        return fault(-32600, "Invalid Request", number if plain else None)
    if call["method"] not in METHODS:
        if MANNER in ("known-only", "page"):
            raise Unknown
        return fault(-32601, "Method not found", call["id"]) if "id" in call else None
    try:
        result = METHODS[call["method"]](call.get("params"))
    except Exception:
        return fault(-32602, "Invalid params", call["id"]) if "id" in call else None
    return {"jsonrpc": "2.0", "result": result, "id": call["id"]} if "id" in call else None


def refuse_constant(word):
    raise ValueError(word)


def finite(word):
    value = float(word)
    return refuse_constant(word) if value in (float("inf"), float("-inf")) else value


def reply_to(body):
    try:
        message = json.loads(body.decode("utf-8"), parse_constant=refuse_constant, parse_float=finite)
    except (ValueError, RecursionError):
        return fault(-32700, "Parse error")
    if not isinstance(message, list):
        return answer(message)
    if not message:
        return fault(-32600, "Invalid Request")
    return [one for one in map(answer, message) if one is not None] or None


def head(status, length, *more):
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {length}", *more, "", ""]
    return "\r\n".join(lines).encode()


class Pace:
    def __init__(self):
        self.next = 0.0
        self.refused = 0
        self.lock = threading.Lock()

    def takes(self):
        with self.lock:
            now = time.monotonic()
            if now < self.next:
                self.refused += 1
                return False
            self.next = now + 0.02
            return True


PACE = Pace()
LATEST = {}
OTHERS = threading.Condition()


def serve(peer):
    stream = peer.makefile("rb")
    while True:
        first = stream.readline()
        if not first.strip():
            return
        length = 0
        for line in iter(stream.readline, b"\r\n"):
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
            if not line:
                return
        body = stream.read(length)
        if MANNER == "limited" and not PACE.takes():
            peer.sendall(head("429 Too Many Requests", 0, *(["Retry-After: 1"] if PACE.refused % 50 == 0 else [])))
            continue
        try:
            reply = reply_to(body)
        except Unknown:
            if MANNER == "page":
                page = b"<html><h1>404 Not Found</h1></html>"
                peer.sendall(head("404 Not Found", len(page)).replace(b"application/json", b"text/html") + page)
                continue
            peer.sendall(head("500 Internal Server Error", 4) + b"oops")
            continue
        if MANNER == "shared":
            with OTHERS:
                LATEST["reply"] = reply
                OTHERS.notify_all()
                if b"." in body.replace(b'"2.0"', b"") and OTHERS.wait(0.25):
                    reply = LATEST["reply"]
        data = b"" if reply is None else json.dumps(reply).encode()
        if not data and MANNER == "accepted":
            data = b'{"status":"accepted"}'
        if not data and MANNER == "null-batch" and body.strip().startswith(b"["):
            data = b"null"
        top = head("200 OK" if data else "202 Accepted", len(data))
        if MANNER == "two-writes":
            peer.sendall(top)
            peer.sendall(data)
        else:
            peer.sendall(top + data)
        if MANNER == "extra-200":
            peer.sendall(head("200 OK", 0))


def main():
    listener = socket.create_server(("127.0.0.1", int(sys.argv[2])))
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=serve, args=[peer], daemon=True).start()


main()
