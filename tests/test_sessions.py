"""Sessions over HTTP: ids captured from headers, and streams of events beside the exchanges."""

import json
import threading

import pytest
from serving import served
from test_http import CALL, PATIENCE, ROOT, Mcp, _needs_http, ask, events, in_sessions, listening  # noqa: F401


def test_a_session_has_an_id_and_a_stream_and_an_end(reference):
    with listening(reference, "--http", "127.0.0.1:0", "--sessions") as address:
        session = ask(address, body=CALL)[1]["Mcp-Session-Id"]
        assert len(session) == 32 and ask(address, body=CALL)[1]["Mcp-Session-Id"] != session
        assert ask(address, body=CALL, Mcp_Session_Id=session)[1]["Mcp-Session-Id"] is None
        assert ask(address, body=CALL, Mcp_Session_Id="unknown")[0] == 404
        assert ask(address, "GET", Accept="text/event-stream")[0] == 400
        assert ask(address, "GET", Accept="text/html", Mcp_Session_Id=session)[0] == 405
        status, headers, stream = ask(address, "GET", Accept="text/event-stream", Mcp_Session_Id=session)
        assert (status, headers["Content-Type"], stream.readline()) == (200, "text/event-stream", b":\n")
        push = b'{"jsonrpc":"2.0","method":"push","params":[4],"id":1}'
        status, _, answer = ask(address, body=push, Mcp_Session_Id=session)
        assert (status, json.loads(answer.read())) == (200, {"jsonrpc": "2.0", "result": None, "id": 1})
        line = stream.readline()
        while not line.startswith(b"data"):
            line = stream.readline()
        assert json.loads(line[6:]) == {"jsonrpc": "2.0", "method": "push.note", "params": [4]}
        assert ask(address, "DELETE", Mcp_Session_Id=session)[0] == 204
        assert ask(address, "DELETE", Mcp_Session_Id=session)[0] == 404
        assert set(stream.read().split(b"\n")) <= {b"", b":"}, "the stream ends with its session"
        assert ask(address, body=CALL, Mcp_Session_Id=session)[0] == 404


def test_a_second_stream_of_a_session_takes_the_place_of_the_first(reference):
    with listening(reference, "--http", "127.0.0.1:0", "--sessions") as address:
        session = {"Mcp_Session_Id": ask(address, body=CALL)[1]["Mcp-Session-Id"]}
        first = ask(address, "GET", Accept="text/event-stream", **session)[2]
        second = ask(address, "GET", Accept="text/event-stream", **session)[2]
        assert first.read() == b":\n\n"
        ask(address, body=b'{"jsonrpc":"2.0","method":"push","id":1}', **session)
        while not second.readline().startswith(b"data"):
            pass


MCP_TARGET = {
    "schema": 1, "name": "mcp", "headers": {"Mcp-Session-Id": "${session}", "X-Version": "v${version}, $${session}"},
    "prelude": [
        {"send": {"jsonrpc": "2.0", "method": "initialize", "id": "${id}"}, "expect": {"result": {"$any": True}},
         "capture": {"session": "header:MCP-Session-ID", "version": "/result/version"}},
        {"send": {"jsonrpc": "2.0", "method": "notifications/initialized"}}]}


def test_what_the_prelude_captures_stands_in_the_headers_of_what_follows(run, tmp_path):
    seen = []
    with served(type("Handler", (Mcp,), {"seen": seen})) as url:
        target = tmp_path / "mcp.json"
        target.write_text(json.dumps(MCP_TARGET | {"url": url}))
        done = run("--only", "call/unknown-method", target)
        assert done.returncode == 0, done.stderr
    for number, (method, *headers) in enumerate(seen, 1):
        if method == "initialize":
            assert headers == [None, None], "nothing is captured yet on a new connection"
            session = f"s-{number}"
        else:
            assert headers == [session, 'vone "two", ${session}']
    assert len(seen) > 3


def test_a_case_captures_a_header(run, tmp_path):
    cases = tmp_path / "cases"
    (cases / "rules").mkdir(parents=True)
    for rules in (ROOT / "cases" / "rules").glob("*.json"):
        (cases / "rules" / rules.name).write_bytes(rules.read_bytes())
    (cases / "own").mkdir()
    (cases / "own" / "own.json").write_text(json.dumps({
        "schema": 1, "suite": "own", "section": "own", "title": "Own", "cases": [{
            "id": "own/header", "title": "a header is sent back", "rules": ["J2-4e"], "catches": [], "needs": [],
            "steps": [{"send": {"jsonrpc": "2.0", "method": "${absent}", "id": "${id}"}, "expect": {"error": {}},
                       "capture": {"kind": "header:content-type"}},
                      {"send": {"jsonrpc": "2.0", "method": "${absent}", "id": "${kind}"},
                       "expect": {"error": {}, "id": "application/json"}}]}]}))
    with served(type("Handler", (Mcp,), {"seen": []})) as url:
        target = tmp_path / "mcp.json"
        target.write_text(json.dumps(MCP_TARGET | {"url": url}))
        done = run("--cases", cases, "--suite", "own", target)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("member, words", [
    ({"headers": {"X": "${unknown}"}}, "${unknown} means nothing here"),
    ({"events": "events"}, "a path that begins with a slash"),
    ({"events": False}, "a path that begins with a slash"),
    ({"url": "tcp://127.0.0.1:1", "events": True}, "events goes with a url of HTTP"),
])
def test_a_description_with_a_wrong_member_is_refused_with_its_place(run, tmp_path, member, words):
    target = tmp_path / "mcp.json"
    target.write_text(json.dumps(MCP_TARGET | {"url": "http://127.0.0.1:1/"} | member))
    done = run(target)
    assert done.returncode == 2 and words in done.stderr and "mcp.json:1:" in done.stderr


def test_a_stream_that_is_not_offered_is_said_so(run, tmp_path):
    with served(type("Handler", (Mcp,), {"seen": []})) as url:
        target = tmp_path / "mcp.json"
        target.write_text(json.dumps(MCP_TARGET | {"url": url, "events": "/events"}))
        done = run(target)
    assert done.returncode == 3
    assert f"no stream of events at {url}events: GET is answered with HTTP status 405" in done.stderr


def test_all_of_the_suite_runs_beside_a_stream(run, reference, tmp_path):
    done = run("--jobs", "2", in_sessions(tmp_path, reference))
    assert done.returncode == 0, done.stdout


class Listened(Mcp):
    """Offers a stream of events that it ends at once, or on which it asks the client something."""

    streams = asked = replied = None

    def do_GET(self):
        self.streams.append(self.headers.get("Accept"))
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        self.close_connection = True
        if self.asked is not None:
            self.wfile.write(b'data: {"jsonrpc":"2.0","method":"may.i","id":"srv-1"}\n\n')
            self.replied.wait(PATIENCE)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "method" not in message:
            self.asked.append(message)
            self.replied.set()
        elif self.replied is not None and not self.replied.wait(PATIENCE):
            return
        text = b""
        if "id" in message and "method" in message:
            text = json.dumps({"jsonrpc": "2.0", "error": {"code": -32601, "message": "no"}, "id": message["id"]}).encode()
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                         % (len(text), text))


def listen(run, tmp_path, handler):
    with served(handler) as url:
        target = tmp_path / "target.json"
        target.write_text(json.dumps({"schema": 1, "name": "listened", "url": url, "events": True,
                                      "requests": {"may.i": {"yes": 1}}}))
        return run("--only", "call/**", target)


def test_a_stream_that_ends_is_opened_again(run, tmp_path):
    streams = []
    done = listen(run, tmp_path, type("Handler", (Listened,), {"streams": streams}))
    assert done.returncode == 0, done.stdout
    assert len(streams) > 3 and set(streams) == {"text/event-stream"}


def test_a_request_on_the_stream_is_answered_while_a_call_waits_for_the_answer(run, tmp_path):
    asked = []
    done = listen(run, tmp_path, type("Handler", (Listened,), {"streams": [], "asked": asked,
                                                              "replied": threading.Event()}))
    assert done.returncode == 0, done.stdout
    assert asked[0] == {"jsonrpc": "2.0", "result": {"yes": 1}, "id": "srv-1"}
