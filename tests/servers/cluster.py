"""A cluster behind a message queue: each message that is POSTed waits in a queue, and the node that is free next serves it.
cluster.py PORT FILE COMMAND...: two nodes, each a COMMAND that speaks lines on standard input and output; FILE gets the number
of the node, one digit, for each message that was served."""

import http.server
import itertools
import json
import queue
import subprocess
import sys
import threading

NODES = 2
waiting = queue.Queue()
turn = threading.Condition()
last = [NODES - 1]


def ask(node, number, message):
    """What the node answers to one message: all that it writes before the answer to a call that follows."""
    fence = json.dumps({"jsonrpc": "2.0", "method": "cluster.fence", "id": f"fence-{number}"})
    node.stdin.write(message + b"\n" + fence.encode() + b"\n")
    node.stdin.flush()
    lines = list(itertools.takewhile(lambda line: line and b"fence-%d\"" % number not in line, iter(node.stdout.readline, None)))
    return b"".join(lines).strip()


def serve(index, command, path):
    node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for number in itertools.count():
        with turn:  # the nodes take turns, so that two messages in a row never meet the same one
            turn.wait_for(lambda: last[0] != index)
            message, answer = waiting.get()
            last[0] = index
            turn.notify_all()
        answer.put(ask(node, number, message))
        with open(path, "a", encoding="utf-8") as out:
            out.write(str(index))


class Gateway(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = self.rfile.read(int(self.headers["Content-Length"]))
        answer = queue.Queue()
        waiting.put((message.replace(b"\n", b" ").replace(b"\r", b" "), answer))
        body = answer.get(timeout=60)
        self.send_response(200 if body else 204)
        if body:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


port, path, *command = sys.argv[1:]
for index in range(NODES):
    threading.Thread(target=serve, args=(index, command, path), daemon=True).start()
http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Gateway).serve_forever()
