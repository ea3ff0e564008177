"""Expect: 100-continue over HTTP: what a server says before it gets the body of a request."""

import shlex
import sys

from serving import free_port
from test_http import _needs_http, events  # noqa: F401

PATIENT = """
import http.server, json, sys

class Handler(http.server.BaseHTTPRequestHandler):  # speaks HTTP/1.0, so it says no "100 Continue"
    def do_POST(self):
        number = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["id"]
        text = json.dumps({"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": number}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def test_a_server_that_is_known_to_be_fast_gets_the_second_before_a_body_that_it_should_ask_for(run, tmp_path):
    (tmp_path / "server.py").write_text(PATIENT)
    port = free_port()
    some = [word for only in ("http/expect-continue", "call/**", "id/**", "names/**") for word in ("--only", only)]
    found = events(run, tmp_path, *some, "--start", shlex.join([sys.executable, str(tmp_path / "server.py"), str(port)]),
                   f"http://127.0.0.1:{port}/")
    assert found["http/expect-continue"]["outcome"] in ("pass", "observe"), found["http/expect-continue"]


def test_a_refusal_that_comes_only_after_the_body_is_no_answer_to_its_announcement(run, tmp_path):
    eager = (PATIENT.replace("    def do_POST", '    protocol_version = "HTTP/1.1"\n\n    def handle_expect_100(self):\n'
                             "        return True\n\n    def do_POST").replace("send_response(200)", "send_response(400)"))
    (tmp_path / "server.py").write_text(eager)
    port = free_port()
    found = events(run, tmp_path, "--only", "http/expect-continue", "--start",
                   shlex.join([sys.executable, str(tmp_path / "server.py"), str(port)]), f"http://127.0.0.1:{port}/")
    case = found["http/expect-continue"]
    assert case["outcome"] == "fail" and case["findings"][0]["rule"] == "HT-l", case
