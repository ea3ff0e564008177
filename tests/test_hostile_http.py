"""HTTP and WebSocket servers that misbehave: jrpcheck says what they did, in bounded time and memory."""

import pathlib
import shlex
import sys

import pytest
from test_hostile import FINE, MEMORY_LIMIT_MIB, SLOWEST, SOON, TRIGGERED, Row, free_port, is_printable, judge
from test_http import _needs_http  # noqa: F401

SERVER = pathlib.Path(__file__).resolve().parent / "servers" / "hostile_http.py"
SOME = ("--only", "batch/empty", "--only", "batch/empty-then-call", "--only", "call/**")
# What a flood sends until it is too much has to be written and read in time, on a busy machine as well.
FLOODS = {"body-of-100-mib", "body-without-end", "headers-without-end", "interim-without-end", "events-without-end", "ws-flood",
          "ws-fragments", "ws-text-of-100-mib"}

# The last member is a part of the sentence that the case batch/empty is judged with.
ROWS = [(Row(behaviour, does, outcome, 0 if outcome == "warn" else 1, 40,
             (*SOME, *(("--timeout", "8000") if behaviour in FLOODS else SOON))), words) for behaviour, does, outcome, words in [
    ("page", "answers with an HTML page of status 200", "fail", "does not claim to be JSON"),
    ("error-page", "answers with an HTML page of status 500", "fail", "status 500"),
    ("unauthorized", "answers 401 without a body", "fail", "status 401, credentials are missing"),
    ("redirect", "answers 302", "fail", "status 302, a redirect"),
    ("length-too-long", "names a Content-Length that is too long, and closes", "fail", "larger than its body"),
    ("length-too-short", "names a Content-Length that is too short", "fail", "smaller than its body"),
    ("length-of-no-number", "names a Content-Length that is not a number", "fail", ""),
    ("chunked-cut", "closes within a chunk", "fail", "broke off"),
    ("chunk-of-no-size", "writes a chunk without a size", "fail", "broke off"),
    ("compressed", "compresses the body, which nobody asked for", "fail", "not valid JSON"),
    ("body-of-100-mib", "answers with a body of 100 MiB", "fail", "writes without end"),
    ("body-without-end", "answers with a body without end", "fail", "writes without end"),
    ("slow-headers", "writes a byte of a header every 50 ms, without end", "stuck", "no longer answers"),
    ("headers-without-end", "writes headers without end", "fail", ""),
    ("interim-without-end", "writes interim responses without end", "fail", ""),
    ("no-answer", "closes the connection instead of answering", "fail", "closed the connection"),
    ("silence", "does not answer and does not close", "stuck", "no longer answers"),
    ("no-http", "answers with something that is not HTTP", "fail", "closed the connection"),
    ("events-without-end", "streams events without end", "fail", "writes without end"),
    ("comments-without-end", "streams comments without end, and no event", "stuck", "no longer answers"),
    ("event-without-end", "streams one event without end", "stuck", "no longer answers"),
    ("ws-masked", "WebSocket: masks its frames", "fail", "masks its frames"),
    ("ws-oversize", "WebSocket: announces a frame of 2^62 bytes", "fail", "longer than is taken"),
    ("ws-reserved-bits", "WebSocket: sets reserved bits", "fail", "a reserved bit"),
    ("ws-invalid-utf8", "WebSocket: sends text that is not UTF-8", "fail", "no UTF-8"),
    ("ws-cut", "WebSocket: closes between the fragments of a message", "fail", "closed the connection"),
    ("ws-frame-cut", "WebSocket: closes within a frame", "fail", "closed the connection"),
    ("ws-close", "WebSocket: closes with code 1011", "fail", "connection was closed"),
    ("ws-flood", "WebSocket: sends messages without end", "fail", "writes without end"),
    ("ws-pings", "WebSocket: sends pings without end", "stuck", "no longer answers"),
    ("ws-fragments", "WebSocket: sends fragments of one message without end", "fail", "longer than is taken"),
    ("ws-text-of-100-mib", "WebSocket: sends a message of 100 MiB", "fail", "longer than is taken"),
]]


def target_of(row):
    port = free_port()
    scheme = "ws" if row.behaviour.startswith("ws-") else "http"
    return ["--start", shlex.join([sys.executable, str(SERVER), row.behaviour, str(port)]), f"{scheme}://127.0.0.1:{port}/"]


@pytest.mark.parametrize("row, words", ROWS, ids=[row.behaviour for row, _ in ROWS])
def test_a_hostile_server_is_reported_within_its_bounds(jrpcheck, tmp_path, row, words):
    result = judge(jrpcheck, row, tmp_path, target_of(row))
    said = (result.outcomes, result.findings.get("batch/empty"), result.stderr)
    assert result.code == row.code, said
    assert result.outcomes["batch/empty"] == row.outcome, said
    assert words in result.findings["batch/empty"], said
    assert {outcome for case, outcome in result.outcomes.items() if case not in TRIGGERED} <= FINE, said
    assert len(result.outcomes) > 10
    assert result.seconds <= SLOWEST * row.seconds
    assert 0 < result.peak_mib <= MEMORY_LIMIT_MIB
    assert result.left == []
    assert is_printable(result.console) and is_printable(result.stdout) and is_printable(result.stderr.encode())
