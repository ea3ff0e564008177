#!/usr/bin/env python3
"""Servers that misbehave: jrpcheck says what they did, in bounded time and memory, and judges the rest.

As a program it writes the measured table: tests/test_hostile.py --table > docs/hostile-peers.md
"""

import collections
import contextlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import xml.etree.ElementTree

import pytest
from conftest import build_folder
from serving import free_port
from waits import has_ended

HOSTILE = pathlib.Path(__file__).resolve().parent / "servers" / "hostile.py"
MARKER = "JRPCHECK_HOSTILE_TEST"
# 48 MiB (the suite itself needs 26), and four of the longest message that is taken from a target that says nothing else (24 MiB):
# two connections at a time, and a buffer that grows is there twice for a moment.
MEMORY_LIMIT_MIB = 48 + 4 * 24
TRIGGERED = {"batch/empty", "batch/empty-then-call"}  # the cases that send an empty batch
FINE = {"pass", "observe", "skip"}

# What jrpcheck is to say: the outcome of the case batch/empty (None: no case is judged), the exit code, and after
# how many seconds it has ended, on a machine that does little else; on a busy one, SLOWEST times as many.
SLOWEST = 3
Row = collections.namedtuple("Row", "behaviour does outcome code seconds words", defaults=((),))
SOON = ("--timeout", "1500")
FULL = ("--only", "batch/**")
ONE = ("--only", "batch/empty", *SOON)
ROWS = [
    Row("flood-without-newline", "writes one line without end", "fail", 1, 15, FULL),
    Row("flood-of-lines", "writes answers to nothing without end", "fail", 1, 15, FULL),
    Row("flood-of-blank-lines", "writes empty lines without end", "fail", 1, 15, FULL),
    Row("flood-of-requests", "asks us without end and reads no answer", "fail", 1, 30, FULL + SOON),
    Row("gigabyte-of-brackets", "answers with 1 GiB of `[` in one line", "fail", 1, 15, FULL),
    Row("line-of-brackets", "answers with 15 MiB of `[` in one line", "warn", 0, 20, FULL),
    Row("array-of-arrays", "answers with 5 million empty arrays in an array", "warn", 0, 20, FULL),
    Row("byte-by-byte", "writes its answer one byte at a time", "pass", 0, 10, FULL),
    Row("byte-by-byte-without-end", "writes one byte every 5 ms, and never a line feed", "hang", 1, 20, FULL + SOON),
    Row("always-stderr", "writes to its stderr without end", "pass", 0, 10, FULL),
    Row("always-silent", "answers nothing", None, 1, 30, ONE),
    Row("always-flooding", "writes one line without end, from the start", None, 1, 10, ONE),
    Row("always-flooding-lines", "writes log lines without end, from the start", None, 1, 10, ONE),
    Row("always-exits", "exits at once", None, 3, 10, ONE),
    Row("always-tires", "answers its first call and nothing more", None, 1, 30, FULL + SOON),
    Row("always-echo", "echoes its input", None, 1, 10, ONE),
    Row("silence", "falls silent", "hang", 1, 20, FULL + SOON),
    Row("stops-reading", "stops reading its stdin", "hang", 1, 30, FULL + SOON),
    Row("exits-with-0", "exits with status 0", "ended", 1, 10, FULL),
    Row("exits-in-mid-message", "exits with status 3 in the middle of a message", "crash", 1, 10, FULL),
    Row("killed-in-mid-message", "dies by a signal in the middle of a message", "crash", 1, 10, FULL),
    Row("answers-then-dies", "dies after its answer", "crash", 1, 10, FULL),
    Row("answers-then-dies-late", "dies eight messages after its answer", "pass", 1, 15, FULL),
    Row("closes-stdout", "closes its stdout and lives", "fail", 1, 20, FULL),
    Row("grandchild-holds-the-pipe", "exits; a child of its own in another session holds its pipes", "ended", 1, 15, FULL),
    Row("always-ignores-term", "ignores SIGTERM", "pass", 0, 10, FULL),
    Row("always-outlives-stdin", "ignores SIGTERM and the end of its stdin", "pass", 0, 15, FULL),
    Row("logs-on-stdout", "writes a log line to its stdout", "warn", 0, 10, FULL),
    Row("two-replies", "answers twice", "fail", 1, 10, FULL),
    Row("replies-to-nothing", "sends Responses that nobody asked for", "fail", 1, 10, FULL),
    Row("swapped-ids", "swaps the ids of two answers", "fail", 1, 10, FULL),
    Row("behind-the-fence", "answers only after the next call", "pass", 0, 15, FULL),
    Row("echo", "sends our message back", "fail", 1, 10, FULL),
    Row("asks-first", "sends a request of its own before it answers", "pass", 0, 10, FULL),
    Row("slow", "takes 3 s for each of two calls", "pass", 0, 30, ("--only", "batch/empty")),
    Row("invalid-utf8", "writes invalid UTF-8", "fail", 1, 10, FULL),
    Row("terminal-escapes", "writes terminal escape sequences", "fail", 1, 10, FULL),
    Row("markup", "writes `]]>`, markup, NUL and U+FFFE", "fail", 1, 10, FULL),
    Row("always-writes-first", "writes 16 MiB before it reads all of our 16 MiB", "pass", 0, 30,
        ("--suite", "transport-framing", "--only", "framing-size/16-mib")),
    Row("always-never-reads", "TCP: accepts and never reads", None, 1, 30, ONE),
    Row("always-one-connection", "TCP: accepts one connection and refuses others", "pass", 0, 30,
        ("--only", "batch/**", "--only", "connections/**", *SOON)),
    Row("always-one-at-a-time", "TCP: serves one connection at a time, others wait", "pass", 0, 60,
        ("--only", "batch/**", "--only", "connections/**", *SOON)),
]

PERIOD = 0.004  # seconds between two looks at the memory of the process

Result = collections.namedtuple("Result", "code seconds peak_mib outcomes findings stdout stderr console junit left finish")


def target_of(row):
    server = [sys.executable, str(HOSTILE), row.behaviour]
    if not row.does.startswith("TCP: "):
        return ["--", *server]
    port = free_port()
    return ["--start", shlex.join([*server, "--tcp", str(port)]), f"tcp://127.0.0.1:{port}"]


def watch_peak(process, peak):
    """The most memory that the process had resident, in MiB, as the system counted it."""
    while True:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found = re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{process.pid}/status").read_text())
            peak[0] = max(peak[0], int(found[1]) / 1024 if found else 0)
        if has_ended(process.pid, PERIOD):
            return


def processes_with(mark):
    found = []
    for process in pathlib.Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if mark.encode() in (process / "environ").read_bytes():
                    found.append(process.name)
            except OSError:
                pass  # not ours, or gone meanwhile
    return found


def judge(program, row, folder, target=None):
    """Runs jrpcheck on the behaviour of the row and returns what it did."""
    mark = uuid.uuid4().hex
    words = [program, "--report", "console=console.txt", "--report", "junit=junit.xml", "--report", "ndjson=run.ndjson",
             "--color", "never", *row.words, *(target or target_of(row))]
    peak = [0.0]
    began = time.monotonic()
    process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=dict(os.environ, **{MARKER: mark}))
    watcher = threading.Thread(target=watch_peak, args=(process, peak))
    watcher.start()
    try:
        stdout, stderr = process.communicate(timeout=SLOWEST * row.seconds + 30)
    except subprocess.TimeoutExpired:
        process.kill()
        stdout, stderr = process.communicate(timeout=30)
        stderr += b" [ended by the test: it took too long]"
    seconds = time.monotonic() - began
    watcher.join()
    left = [process for process in processes_with(mark) if not has_ended(int(process), 5)]
    events = [json.loads(line) for line in (folder / "run.ndjson").read_text("utf-8").split("\n") if line]
    cases = [event for event in events if event["event"] == "case"]
    findings = {event["id"]: " ".join(f["text"] for f in event.get("findings", [])) for event in cases}
    return Result(process.returncode, seconds, peak[0], {event["id"]: event["outcome"] for event in cases}, findings,
                  stdout, stderr.decode("utf-8", "replace"), (folder / "console.txt").read_bytes(),
                  (folder / "junit.xml").read_bytes(), left, events[-1] if events else {})


def case_of(row):
    return "framing-size/16-mib" if "framing-size/16-mib" in row.words else "batch/empty"


def is_printable(data):
    text = data.decode("utf-8")
    return all(character == "\n" or character.isprintable() for character in text)


@pytest.mark.parametrize("row", ROWS, ids=[row.behaviour for row in ROWS])
def test_a_hostile_peer_is_reported_within_its_bounds(jrpcheck, tmp_path, row):
    result = judge(jrpcheck, row, tmp_path)
    said = (result.stderr, result.findings.get(case_of(row)))
    assert result.code == row.code, said
    if row.outcome is None:
        assert set(result.outcomes.values()) <= {"hang", "fail"}
        assert "jrpcheck: the target" in result.stderr
    else:
        assert result.outcomes[case_of(row)] == row.outcome, said
        if row.outcome == "hang" and not row.does.startswith("TCP: "):
            assert "a new connection" not in said[1], "a process on stdio cannot be connected to again"
        others = {case: outcome for case, outcome in result.outcomes.items() if case not in TRIGGERED}
        if row.behaviour == "answers-then-dies-late":
            assert "crash" in result.outcomes.values(), "no case alone is to blame, but somebody must tell it"
        else:
            assert set(others.values()) <= FINE, others
        assert len(others) > 20 or "batch/**" not in row.words
    assert result.seconds <= SLOWEST * row.seconds
    assert 0 < result.peak_mib <= MEMORY_LIMIT_MIB
    assert result.left == []
    assert result.finish["event"] == "finish" and result.finish["interrupted"] is False
    assert is_printable(result.console) and is_printable(result.stdout) and is_printable(result.stderr.encode())
    xml.etree.ElementTree.fromstring(result.junit)


@pytest.mark.parametrize("behaviour, words", [
    ("flood-without-newline", "writes without end"),
    ("flood-of-lines", "writes without end"),
    ("flood-of-blank-lines", "writes without end"),
    ("gigabyte-of-brackets", "writes without end"),
    ("line-of-brackets", "too long or too deep to be judged"),
    ("grandchild-holds-the-pipe", "the target ended instead of answering"),
    ("two-replies", "expected one Response; 2 messages came"),
])
def test_the_finding_says_what_the_target_did(jrpcheck, tmp_path, behaviour, words):
    result = judge(jrpcheck, Row(behaviour, "", "", 0, 30, ONE), tmp_path)
    assert words in result.findings["batch/empty"]


def table():
    print("# What hostile peers do to jrpcheck\n")
    print("Made by `tests/test_hostile.py --table`; `tests/test_hostile.py` and `test_hostile_http.py` hold every row to its outcome, exit code, time")
    print(f"and memory (at most {MEMORY_LIMIT_MIB} MiB resident: 48 MiB and four of the longest message that is taken). The")
    print("behaviour shows when a server of `tests/servers/hostile.py`, or over HTTP and WebSocket of `hostile_http.py`, gets")
    print("an empty batch (*always-*: from the start); all other cases of the run must come out as they do on a server without fault, no process may be left, and the")
    print("console and JUnit reports must stay printable and well-formed.\n")
    print("| behaviour | the server … | outcome | exit code | seconds | peak MiB | cases judged | left behind |")
    print("|---|---|---|---|---|---|---|---|")
    program = str(build_folder() / "jrpcheck")
    import test_hostile_http as over_http

    for row in [*ROWS, *(row for row, _ in over_http.ROWS)]:
        target = target_of(row) if row in ROWS else over_http.target_of(row)
        with tempfile.TemporaryDirectory() as folder:
            result = judge(program, row, pathlib.Path(folder), target)
        outcome = result.outcomes.get(case_of(row), "stopped") if row.outcome else "stopped"
        judged = sum(outcome not in ("skip", "blocked") for outcome in result.outcomes.values())
        print(f"| `{row.behaviour}` | {row.does} | {outcome} | {result.code} | {result.seconds:.1f} "
              f"| {result.peak_mib:.0f} | {judged} | {len(result.left)} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] != ["--table"]:
        sys.exit("usage: tests/test_hostile.py --table > docs/hostile-peers.md")
    table()
