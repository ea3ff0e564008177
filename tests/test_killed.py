"""A server that somebody kills in the middle of a run is never called conformant, however it is reached."""

import contextlib
import json
import os
import shlex
import signal
import subprocess

import pytest
from serving import free_port
from waits import children_of, has_ended


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


@pytest.mark.parametrize("way", ["stdio", "start"])
def test_a_server_ends_with_a_harness_that_is_killed(jrpcheck, tmp_path, channel, way):
    """Nothing can catch SIGKILL: whoever is left behind is killed by the guardian. This server ignores every other end."""
    # Over stdio it waits for a message: by then the guardian knows it.
    heard = "read line; " if way == "stdio" else ""
    stubborn = ["sh", "-c", f"trap '' HUP TERM INT PIPE; {heard}echo $$ > {channel.path}; echo started >&2; exec tail -f /dev/null"]
    words = ["--", *stubborn] if way == "stdio" else ["--start", shlex.join(stubborn), f"unix:{tmp_path / 'nobody'}"]
    harness = subprocess.Popen([jrpcheck, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        server = int(channel.line())
        harness.kill()
        assert harness.wait(20) == -signal.SIGKILL
        assert has_ended(server, 20), "the server outlived the harness"
    finally:
        harness.kill()
        harness.wait()


def test_what_kills_the_server_each_time_is_not_brought_about_a_hundred_times(run, reference, tmp_path):
    starts = tmp_path / "starts"
    counted = ["sh", "-c", f'echo >> {starts}; exec "$@"', "sh", reference, "--stdio", "--fault", "batch-crash"]
    done = run("--only", "batch/*", "--report", "ndjson", "--", *counted)
    cases = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "case"]
    crashes = [case for case in cases if case["outcome"] == "crash"]
    left_out = [case for case in cases if case.get("reason_code") == "repeats-crash"]
    assert done.returncode == 1
    # Two kinds of messages, Arrays of Objects and of anything, each confirmed twice and then believed.
    assert 6 <= len(crashes) <= 24 and len(left_out) > 20, (len(crashes), len(left_out))
    assert all(case["outcome"] == "blocked" and case["blocked_by"] in ("SEC-b", "SEC-l") for case in left_out)
    assert len(starts.read_text()) <= len(crashes) + 16
