"""A server that somebody kills in the middle of a run is never called conformant, however it is reached."""

import contextlib
import json
import os
import pathlib
import shlex
import signal
import socket
import subprocess

import pytest


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def children_of(pid):
    return [int(word) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
            for word in (task / "children").read_text().split()]


@contextlib.contextmanager
def running(words):
    """A server of our own, that nobody starts anew when it is gone."""
    server = subprocess.Popen(words, stderr=subprocess.PIPE)
    try:
        assert b"listening" in server.stderr.readline()
        yield server
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


def run_and_kill(jrpcheck, words, after, victims):
    """Kills what `victims` gives after so many cases; the exit code, the last event, and the outcomes by case."""
    process = subprocess.Popen([jrpcheck, "--quiet", "--suite", "jsonrpc-2.0", "--report", "ndjson", *words],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    events = []
    killed = False
    for line in process.stdout:
        events.append(json.loads(line))
        if not killed and sum(event["event"] == "case" for event in events) >= after:
            pids = victims(process.pid)
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            killed = killed or bool(pids)  # none: it is just being started anew
    assert killed, "the run was over before anything was killed"
    return process.wait(timeout=60), events


def assert_not_conformant(code, events):
    assert code != 0
    assert events[-1]["event"] == "finish"
    assert events[-1]["conformant"] is False


@pytest.mark.parametrize("after", [1, 200, 400])
def test_over_stdio(jrpcheck, reference, after):
    assert_not_conformant(*run_and_kill(jrpcheck, ["--", reference, "--stdio"], after, children_of))


@pytest.mark.parametrize("scheme", ["tcp", "http"])
def test_over_a_socket_where_it_is_started_anew(jrpcheck, reference, scheme):
    address = f"127.0.0.1:{free_port()}"
    start = shlex.join([str(reference), f"--{scheme}", address])
    assert_not_conformant(*run_and_kill(jrpcheck, ["--start", start, f"{scheme}://{address}"], 200, children_of))


@pytest.mark.parametrize("options", [["--tcp"], ["--tcp", "--max-connections", "1"], ["--http"]], ids=" ".join)
def test_over_a_socket_where_it_is_gone_then(jrpcheck, reference, options):
    address = f"127.0.0.1:{free_port()}"
    with running([reference, options[0], address, *options[1:]]) as server:
        words = [f"{options[0][2:]}://{address}"]
        code, events = run_and_kill(jrpcheck, words, 200, lambda _: [server.pid])
    assert_not_conformant(code, events)
    assert code in (1, 3)
