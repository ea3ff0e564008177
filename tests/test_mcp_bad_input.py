"""MCP servers over HTTP that go wrong: one clear sentence each, in bounded time."""

import contextlib
import http.server
import json
import threading

import pytest
from serving import served

REVISION = "2025-11-25"
CHALLENGE = 'Bearer realm="mcp", resource_metadata="https://one.example/.well-known/oauth-protected-resource"'


class Server(http.server.BaseHTTPRequestHandler):
    """Sessions as the revision wants them, but for what `mode` says."""

    protocol_version = "HTTP/1.1"
    mode = ""

    def log_message(self, *_):
        pass

    def reply(self, status, message=None, *headers, length=None):
        body = b"" if message is None else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_response(status)
        for name, value in (*headers, ("Content-Type", "application/json"), ("Content-Length", str(length or len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def refuse(self, status, words, ident=None, code=-32000, *headers):
        self.reply(status, {"error": {"code": code, "message": words}, "id": ident}, *headers)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        while not self.server.over.wait(0.05):
            self.wfile.write(b": still there\n\n")
            self.wfile.flush()

    def do_GET(self):
        if self.mode == "holds-get":
            self.server.over.wait(30)
        self.reply(405)

    def do_DELETE(self):
        self.server.alive.discard(self.headers["Mcp-Session-Id"])
        self.reply(200)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not isinstance(message, dict):
            self.refuse(400, "Invalid Request", code=-32600)
            return
        method, ident = message.get("method"), message.get("id")
        session = self.headers["Mcp-Session-Id"]
        if self.mode == "credentials":
            self.reply(401, None, ("WWW-Authenticate", CHALLENGE))
        elif method == "initialize":
            self.server.begun += 1
            session = f"session-{self.server.begun}"
            self.server.alive.add(session)
            info = {"protocolVersion": REVISION, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
            self.reply(200, {"result": info, "id": ident}, ("Mcp-Session-Id", session))
        elif session not in self.server.alive and self.mode == "forgets-silently":
            self.reply(404)
        elif session is None and self.mode == "refuses-plainly":
            self.reply(400)
        elif self.mode in ("", "refuses-plainly") and isinstance(message.get("params"), list):
            self.refuse(400, "Invalid Request: params is no Object", code=-32600)
        elif session not in self.server.alive or self.mode == "no-session":
            self.refuse(400 if session is None else 404, "Session not found", code=-32001)
        elif self.mode == "refuses-version":
            self.refuse(400, f"Bad Request: Unsupported protocol version: {self.headers['MCP-Protocol-Version']}")
        elif "id" not in message and self.mode.startswith("refuses-notifications") and method != "notifications/initialized":
            status = 200 if self.mode.endswith("-with-200") else 400
            self.reply(status, {"error": {"code": -32601, "message": "Unknown notification"}, "id": None})
        elif "id" not in message or self.mode == "202":
            self.reply(202)
        elif self.mode == "endless":
            self.stream()
        elif self.mode == "202-without-end":
            self.reply(202, length=10)
            self.server.over.wait(30)
        else:
            self.answer(ident, session)

    def answer(self, ident, session):
        self.server.calls += 1
        if self.mode.startswith("forgets") and self.server.calls == 20:
            self.server.alive.discard(session)
            if self.mode == "forgets-silently":
                self.reply(404)
            else:
                self.refuse(404, "Session not found", code=-32001)
            return
        headers = [("Mcp-Session-Id", session)] if self.mode == "echoes" else []
        if self.mode == "changes":
            other = f"other-{self.server.calls}"
            self.server.alive.add(other)
            headers = [("Mcp-Session-Id", other)]
        self.refuse(200, "Method not found", ident, -32601, *headers)


@pytest.fixture
def serve():
    over = threading.Event()

    def start(mode):
        handler = type("Handler", (Server,), {"mode": mode})
        return servers.enter_context(served(handler, alive=set(), begun=0, calls=0, over=over)) + "mcp"

    with contextlib.ExitStack() as servers:
        yield start
        over.set()


CASES = ("--only", "id/string-*", "--only", "mcp-session/kept", "--no-discover", "--start-timeout", "800", "--timeout", "1000")


@pytest.mark.parametrize("mode, code, sentence", [
    ("refuses-version", 3, "it refuses the revision that it says it speaks: {\"jsonrpc\""),
    ("no-session", 3, "it answers with 404 in the session that it has just begun: {\"jsonrpc\""),
    ("credentials", 3, f"it asks for credentials, {CHALLENGE}; pass them with --header 'Authorization: Bearer ...'"),
    ("endless", 1, "HTTP status 200 and a stream of events that does not end and holds no Response"),
    ("202-without-end", 1, "HTTP status 202 and an answer that does not end and holds no Response"),
    ("202", 1, "HTTP status 202 and no Response: the call was taken and its Response did not come"),
])
def test_what_ends_a_run_is_said_in_one_sentence(run, serve, mode, code, sentence):
    done = run("--profile", "mcp", *CASES, serve(mode), timeout=30)
    assert (done.returncode, done.stderr.count(sentence)) == (code, 1), done.stdout + done.stderr


def test_a_get_that_is_held_open_does_not_count_as_a_stuck_connection(run, serve):
    done = run("--profile", "mcp", "--suite", "mcp", "--suite", "transport-http", "--only", "mcp-http/get", "--only", "http/get",
               "--only", "http/method-get", *CASES[CASES.index("--no-discover"):], "-q", serve("holds-get"), timeout=60)
    assert done.returncode == 1 and "MUST MCP-6e, 1 case: " in done.stdout, done.stdout + done.stderr
    assert "SEC-b" not in done.stdout and "stuck" not in done.stdout, done.stdout


def test_a_session_whose_id_changes_is_a_finding(run, serve):
    done = run("--profile", "mcp", *CASES, "-q", serve("changes"))
    assert done.returncode == 0 and "SHOULD MCP-7e, 1 case: " in done.stdout, done.stdout + done.stderr


def test_a_session_whose_id_stays_is_none(run, serve):
    # The case before it has begun another session, on a connection of its own.
    done = run("--profile", "mcp", *CASES, "--only", "mcp-session/deleted", "-q", serve("echoes"))
    assert done.returncode == 0 and "MCP-7e" not in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("mode", ["forgets", "forgets-silently"])
def test_a_session_that_is_ended_is_begun_anew_and_no_case_fails_for_it(run, serve, mode):
    done = run("--profile", "mcp", *CASES, serve(mode))
    assert done.returncode == 0 and " warned" not in done.stdout, done.stdout + done.stderr
    assert "The server ended its session 1 time with HTTP status 404; each time a new one was started" in done.stdout


@pytest.mark.parametrize("mode", ["", "refuses-plainly"])
def test_requests_without_a_session_and_params_that_mcp_does_not_have_may_be_refused(run, serve, mode):
    done = run("--profile", "mcp", "--only", "connections/silent-visitor", "--only", "alone/unprompted-call", "--no-discover", "-q", serve(mode),
               timeout=60)
    assert (done.returncode, done.stdout) == (0, "CONFORMANT: no MUST rule broken\n"), done.stdout + done.stderr


NOTIFICATIONS = ("--only", "notification/unknown", "--only", "alone/first-call-after-*", "--only", "alone/notification-answered-later",
                 "--no-discover", "--start-timeout", "800", "--timeout", "1000", "-q")


def test_a_notification_may_be_refused_over_http_with_an_error_status(run, serve):
    done = run("--profile", "mcp", *NOTIFICATIONS, serve("refuses-notifications"))
    assert done.returncode == 0 and "SHOULD" not in done.stdout, done.stdout + done.stderr
    done = run("--profile", "mcp", *NOTIFICATIONS, serve("refuses-notifications-with-200"))
    assert done.returncode == 1 and "MUST J2-4.1c" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("refusals, words", [
    ([{"says": "x"}], '"means"'),
    ([{"means": "it is so"}], "a sign needs message or says"),
    ({}, "refusals is an Object, where an Array is expected"),
])
def test_a_wrong_list_of_refusals_is_refused(run, tmp_path, refusals, words):
    profile = tmp_path / "mine.json"
    profile.write_text(json.dumps({"schema": 1, "profile": "mine", "title": "t", "refusals": refusals}))
    done = run("--profile", profile, "--", "true")
    assert done.returncode == 2 and words in done.stderr, done.stderr
