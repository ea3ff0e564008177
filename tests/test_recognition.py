"""Servers that show which protocol they speak where no profile was named: one line says which one to name."""

import contextlib
import html
import http.server
import json
import xml.etree.ElementTree

import pytest

from conftest import ROOT
from serving import served

SERVER = ROOT / "tests" / "servers" / "protocols.py"
ONE = ("--only", "call/unknown-method", "--start-timeout", "1000", "--timeout", "5000")
MCP = "this looks like an MCP server over {}: add --profile mcp"
LSP = "this looks like a language server over stdio: add --profile lsp"


def over_stdio(kind):
    return "--", "python3", SERVER, kind


@pytest.fixture
def serve():
    def start(status, body):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return servers.enter_context(served(Handler))

    with contextlib.ExitStack() as servers:
        yield start


def refusal(code, message):
    return json.dumps({"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": None}).encode()


@pytest.mark.parametrize("status, body", [
    (406, refusal(-32000, "Not Acceptable: Client must accept both application/json and text/event-stream")),
    (406, b"text/event-stream must be accepted"),
    (400, refusal(-32000, "Bad Request: Server not initialized")),
    (400, refusal(-32600, "Bad Request: Missing session ID")),
    (400, refusal(-32020, "HeaderMismatch")),
])
def test_an_mcp_server_over_http_is_recognised(run, serve, status, body):
    done = run("-q", *ONE, serve(status, body))
    assert done.stdout.count(MCP.format("HTTP") + "\n") == 1, done.stdout + done.stderr


@pytest.mark.parametrize("status, body", [
    (400, refusal(-32600, "Invalid Request")),
    (200, refusal(-32000, "Server not initialized")),  # over plain HTTP anybody may say so
    (406, b"no"),
    (400, b"a session is missing"),
])
def test_others_that_refuse_are_not(run, serve, status, body):
    done = run("-q", *ONE, serve(status, body))
    assert done.stdout and "looks like" not in done.stdout + done.stderr


def test_a_silent_server_is_tried_with_content_length(run):
    done = run("--only", "call/unknown-method", "--", "python3", SERVER, "lsp")
    assert done.returncode == 3 and LSP in done.stdout
    assert "answers calls with Content-Length: add --framing content-length" in done.stderr
    assert "J2-5a" not in done.stdout  # no rule is broken by a server that is addressed wrongly


@pytest.mark.parametrize("kind, options, line", [
    ("mcp", (), MCP.format("stdio")),
    ("ethereum", (), "this looks like an Ethereum node over stdio: add --profile ethereum"),
    ("lsp", ("--framing", "content-length"), LSP),
    ("lsp", (), LSP),  # in lines it is silent, and is asked once more in header parts
])
def test_a_server_over_stdio_is_recognised(run, kind, options, line):
    done = run("-q", *ONE, *options, *over_stdio(kind))
    assert done.stdout.splitlines()[1] == line, done.stdout + done.stderr


@pytest.mark.parametrize("kind, options", [
    ("ordinary", ()),
    ("agreeable", ()),  # it has every method, so none shows anything
    ("mcp", ("--profile", "spec")),
    ("mcp", ("--no-discover",)),
    ("mcp", ("--method", "echo=ping")),
])
def test_nothing_is_said_where_nothing_shows_or_somebody_knows(run, kind, options):
    done = run("-q", *ONE, *options, *over_stdio(kind))
    assert done.stdout and "looks like" not in done.stdout + done.stderr


def test_every_report_says_it(run, tmp_path):
    names = ["ndjson", "json", "junit", "html", "markdown", "tap", "sarif"]
    run(*ONE, *(word for name in names for word in ("--report", f"{name}={tmp_path / name}")), *over_stdio("mcp"))
    texts = {name: (tmp_path / name).read_text(encoding="utf-8") for name in names}
    start = json.loads(texts["ndjson"].splitlines()[0])
    assert start["target"]["looks_like"] == {"profile": "mcp", "as": "an MCP server"}
    assert json.loads(texts["json"])["runs"][0]["profile_to_name"] == "mcp"
    hint = xml.etree.ElementTree.fromstring(texts["junit"]).find(".//property[@name='hint']")
    assert hint.get("value") == MCP.format("stdio")
    notes = json.loads(texts["sarif"])["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert notes[0]["message"]["text"] == MCP.format("stdio")
    for name in ("html", "tap"):
        assert MCP.format("stdio") in texts[name], name
    assert "this looks like an MCP server over stdio" in texts["markdown"]


@pytest.mark.parametrize("block, words", [
    ({"as": "it"}, "recognise needs signs or asks"),
    ({"as": "it", "signs": [{"status": 400}]}, "a sign needs message or says"),
    ({"as": "it", "signs": [{"says": "x", "code": 1}]}, 'a sign has no member "code"'),
    ({"as": "it", "asks": [{"send": {"jsonrpc": "2.0", "method": "m"}}]}, "each of asks sends a call"),
    ({"as": "it", "framing": "lines", "signs": [{"says": "x"}]}, 'unknown framing "lines"'),
    ({"signs": [{"says": "x"}]}, '"as"'),
])
def test_a_wrong_block_is_refused(run, tmp_path, block, words):
    profile = tmp_path / "mine.json"
    profile.write_text(json.dumps({"schema": 1, "profile": "mine", "title": "t", "recognise": block}))
    done = run("--profile", profile, "--", "true")
    assert done.returncode == 2 and words in done.stderr, done.stderr


# Takes JSON values as they come, as a decoder of a stream does; text that is not JSON ends it.
VALUES = """import json, os, sys
decoder, text = json.JSONDecoder(), ""
while data := os.read(0, 65536):
    text += data.decode("utf-8", "replace")
    while text := text.lstrip():
        try:
            value, end = decoder.raw_decode(text)
        except ValueError:
            os.write(1, b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"},"id":null}\\n')
            sys.exit()
        text = text[end:]
        known = isinstance(value, dict) and isinstance(value.get("method"), str)
        if not known or "id" in value:
            error = {"code": -32601 if known else -32600, "message": "no"}
            os.write(1, json.dumps({"jsonrpc": "2.0", "error": error, "id": value["id"] if known else None}).encode() + b"\\n")
"""
CONCATENATED = "this server reads JSON values one after the other, not lines: add --framing concatenated"


def test_a_server_that_reads_values_and_not_lines_is_named_as_such(run, reference, tmp_path):
    (tmp_path / "values.py").write_text(VALUES)
    target = ("--only", "json-trailing/two-calls", "--", "python3", "values.py")
    done = run("--report", "console", "--report", "html=x.html", "--report", "markdown=x.md", *target)
    assert done.stdout.splitlines()[1] == CONCATENATED, done.stdout + done.stderr
    for name in ("x.html", "x.md"):
        assert CONCATENATED in html.unescape((tmp_path / name).read_text(encoding="utf-8"))
    # No suggestion if the user chose lines, nor for a server that refuses two calls on one line.
    assert CONCATENATED not in run("--framing", "line", *target).stdout
    for words in ([], ["--fault", "lenient-trailing-bytes"]):
        assert CONCATENATED not in run(*target[:2], "--", reference, *words).stdout


def test_the_parts_of_a_run_keep_what_it_says_at_its_end(run, tmp_path):
    (tmp_path / "values.py").write_text(VALUES)
    for part in ("1/2", "2/2"):
        run("--only", "json-trailing/two-calls", "--only", "call/unknown-method", "--shard", part, "--report", f"ndjson={part[0]}.ndjson",
            "--", "python3", "values.py")
    assert CONCATENATED in run("report", "1.ndjson", "2.ndjson").stdout
