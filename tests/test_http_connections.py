"""HTTP servers that are right, and do with their connections what few do."""

import http.server
import json
import threading

import pytest

from test_http import _needs_http, events  # noqa: F401


class Forgetful(http.server.BaseHTTPRequestHandler):
    """A right server that closes a connection when the second request comes over it, as a server may at any time."""

    protocol_version = "HTTP/1.1"

    def handle(self):
        self.handle_one_request()
        self.connection.recv(1)

    def body(self):
        if self.headers["Transfer-Encoding"] is None:
            return self.rfile.read(int(self.headers["Content-Length"]))
        parts = []
        while (size := int(self.rfile.readline().split(b";")[0], 16)) > 0:
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(parts)

    def do_POST(self):
        body = self.body()
        try:
            call = json.loads(body)
            code = -32601 if isinstance(call, dict) and isinstance(call.get("method"), str) else -32600
        except ValueError:
            call, code = None, -32700
        if code == -32601 and "id" not in call:
            self.send_response(204)
            self.end_headers()
            return
        error = {"code": code, "message": "refused"}
        answer = json.dumps({"jsonrpc": "2.0", "id": call["id"] if code == -32601 else None, "error": error}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Lingering(Forgetful):
    """A right server that says with each answer that it closes, and drops what still comes until the client closes too."""

    def handle(self):
        self.handle_one_request()
        while self.connection.recv(4096):
            pass

    def end_headers(self):
        self.send_header("Connection", "close")
        super().end_headers()


def test_a_server_that_closes_kept_connections_is_not_accused_of_silence(run, tmp_path):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Forgetful) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        found = events(run, tmp_path, "--no-discover", "--jobs", "1", "--only", "call/*", "--only", "order/*", url)
        server.shutdown()
    assert len(found) > 10, "the library gives up each sixth time"
    assert [finding["text"] for case in found.values() for finding in case["findings"] if "closed" in finding["text"]] == []


@pytest.mark.parametrize("manner, more", [(Forgetful, []), (Lingering, ["pipelined"])])
def test_a_body_in_chunks_is_sent_again_over_a_new_connection(manner, more, run, tmp_path):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), manner) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        cases = [word for name in ("chunk*", "trailers", "both-lengths", "in-turn", "pieces", *more) for word in ("--only", f"http/{name}")]
        found = events(run, tmp_path, "--no-discover", "--jobs", "1", *cases, url)
        server.shutdown()
    judged = {name: case["findings"] for name, case in found.items() if name.startswith("http/")}
    assert len(judged) > 6
    assert [finding for findings in judged.values() for finding in findings if finding["level"] != "OBSERVE"] == []
