"""Profiles that stand for several revisions of a protocol: the one that the server speaks is found out and tested."""

import contextlib
import http.server
import json

import pytest
from serving import served

OLD = "mcp-2025-06-18"


def start_of(path):
    return json.loads(path.read_bytes().splitlines()[0])


class Server(http.server.BaseHTTPRequestHandler):
    """An MCP server over HTTP that wants what its revision says, and writes down what it was sent."""

    protocol_version = "HTTP/1.1"
    revision = OLD[4:]

    def log_message(self, *_):
        pass

    def reply(self, status, message=None, headers=()):
        body = b"" if message is None else json.dumps({"jsonrpc": "2.0", **message}).encode()
        kind = "application/json"
        if self.revision == "2025-11-25" and status == 200:
            # From this revision on a stream begins with an event whose data is empty.
            kind, body = "text/event-stream", b"id: 1\ndata:\n\nid: 2\ndata: " + body + b"\n\n"
        self.send_response(status)
        for name, value in (*headers, ("Content-Type", kind), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not isinstance(message, dict):
            self.reply(400, {"error": {"code": -32600, "message": "Invalid Request"}, "id": None})
            return
        method, ident = message.get("method"), message.get("id")
        self.server.seen.append((method, message.get("params"), dict(self.headers)))
        if "text/event-stream" not in self.headers["Accept"]:
            self.reply(406, {"error": {"code": -32000, "message": "Not Acceptable"}, "id": None})
        elif self.revision == "2026-07-28-dual":
            self.answer_as_either(method, message)
        elif self.revision == "2026-07-28":
            meta = (message.get("params") or {}).get("_meta", {})
            if self.headers["Mcp-Method"] != method or meta.get("io.modelcontextprotocol/protocolVersion") != self.revision:
                self.reply(400, {"error": {"code": -32020, "message": "Header mismatch"}, "id": ident})
            elif method == "server/discover":
                self.reply(200, {"result": {"supportedVersions": [self.revision]}, "id": ident})
            else:
                self.reply(404, {"error": {"code": -32601, "message": "Method not found"}, "id": ident})
        elif method == "initialize":
            self.reply(200, {"result": {"protocolVersion": self.revision, "capabilities": {}}, "id": ident},
                       [("Mcp-Session-Id", "one")])
        elif self.headers["Mcp-Session-Id"] != "one" or self.headers["MCP-Protocol-Version"] != self.revision:
            self.reply(400, {"error": {"code": -32000, "message": "No valid session"}, "id": None})
        elif "id" not in message:
            self.reply(202)
        else:
            self.reply(200, {"error": {"code": -32601, "message": "Method not found"}, "id": ident})


    def answer_as_either(self, method, message):
        """As a server of two eras: what has no metadata is of the earlier one, and wants its session."""
        params, ident = message.get("params"), message.get("id")
        if "id" not in message or not isinstance(params, dict) or "io.modelcontextprotocol/protocolVersion" not in params.get("_meta", {}):
            self.reply(400, {"error": {"code": -32000, "message": "Session?"}, "id": None})
        elif method == "server/discover":
            self.reply(200, {"result": {"supportedVersions": ["2026-07-28", "2025-11-25"], "capabilities": {}}, "id": ident})
        else:
            self.reply(404, {"error": {"code": -32601, "message": "Method not found"}, "id": ident})


@pytest.fixture
def serve():
    def start(revision):
        seen = []
        return servers.enter_context(served(type("Handler", (Server,), {"revision": revision}), seen=seen)) + "mcp", seen

    with contextlib.ExitStack() as servers:
        yield start


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
def test_the_revision_that_a_server_speaks_is_found_and_tested(run, serve, tmp_path, revision):
    url, seen = serve(revision)
    done = run("--profile", "mcp", "--only", "id/string-*", "--only", "call/unknown-method", "--no-discover",
               "--report", f"ndjson={tmp_path / 'run.ndjson'}", url)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"the target speaks mcp-{revision}" in done.stderr
    assert start_of(tmp_path / "run.ndjson")["profile"] == f"mcp-{revision}"
    assert seen[0][0] == "server/discover"


def test_a_server_of_two_eras_may_take_what_has_no_metadata_for_the_earlier_one(run, serve, tmp_path):
    url, _ = serve("2026-07-28-dual")
    done = run("--profile", "mcp", "--only", "notification/unknown", "--only", "call/unknown-method*", "--only", "mcp-meta/empty",
               "--no-discover", "--report", f"ndjson={tmp_path / 'run.ndjson'}", url)
    assert done.returncode == 0 and "warned" not in done.stdout, done.stdout + done.stderr
    assert start_of(tmp_path / "run.ndjson")["profile"] == "mcp-2026-07-28-dual"
    assert "taken-for-an-earlier-revision" in (tmp_path / "run.ndjson").read_text()


def test_one_that_is_named_is_not_looked_for(run, serve):
    url, seen = serve("2025-11-25")
    done = run("--profile", "mcp-2025-11-25", "--only", "id/string-empty", "--no-discover", url)
    assert done.returncode == 0, done.stdout + done.stderr
    assert seen[0][0] == "initialize" and seen[0][1]["protocolVersion"] == "2025-11-25"


def test_another_revision_than_all_is_said(run, serve):
    url, _ = serve("2024-01-01")
    done = run("--profile", "mcp", "--only", "id/string-empty", "--no-discover", url)
    assert 'the target speaks revision "2024-01-01", which is not one of' in done.stderr


def test_a_server_that_speaks_an_earlier_revision_only_keeps_the_rule_about_the_answer(run, serve):
    url, seen = serve("2025-06-18")
    done = run("--profile", "mcp-2025-11-25", "--only", "mcp-lifecycle/same-version*", "--no-discover", url)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr
    assert [params["protocolVersion"] for method, params, _ in seen if method == "initialize"][-1] == "2025-06-18"


def test_a_name_that_no_header_can_carry_is_left_out(run, serve):
    url, seen = serve("2026-07-28")
    done = run("--profile", "mcp", "--only", "size/method-4097", "--only", "call/method-name-empty", "--no-discover", url)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all("Mcp-Method" not in headers for method, _, headers in seen if method == "" or len(method) > 4096)


def test_a_request_without_a_session_may_be_refused_before_its_id_is_read(run, serve):
    url, _ = serve("2025-06-18")
    done = run("--profile", "mcp", "--only", "connections/*silent*", "--only", "http/keep-alive", "--no-discover", url)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout + done.stderr


def test_a_server_that_is_not_there_is_not_asked_three_times(run):
    done = run("--profile", "mcp", "http://127.0.0.1:1/mcp")
    assert done.returncode == 3 and "speaks" not in done.stderr


@pytest.mark.parametrize("name, sentence", [("nothing", 'there is no profile "nothing"'), ("spec\0", "revisions holds U+0000")])
def test_a_list_of_revisions_names_profiles_that_exist(run, tmp_path, name, sentence):
    profile = tmp_path / "mine.json"
    profile.write_text(json.dumps({"schema": 1, "profile": "mine", "title": "t", "revisions": [name]}))
    done = run("--profile", profile, "--", "true")
    assert done.returncode == 2 and sentence in done.stderr
