"""Several jobs on one server that a case can end: it is started again once, and nobody else is blamed."""

import json
import pathlib
import shlex
import subprocess
import sys

import pytest
from conftest import ROOT
from test_hostile import HOSTILE, free_port

SUITE = ("--suite", "jsonrpc-2.0")
# A thread of the server may notice the end of a connection only after the case, so that a crash is not seen by the case itself.
ENDS_IN_THE_MIDDLE = {"connections/half-message", "connections/after-half-message", "connections/half-message-left-behind"}


def judge(jrpcheck, folder, words, *options):
    """Runs the suite; the outcome of each case, and the program's end. What each verdict rests on is printed, for a test that fails."""
    stream = pathlib.Path(folder) / "run.ndjson"
    done = subprocess.run([jrpcheck, "--quiet", "--report", f"ndjson={stream}", *options, *words],
                          capture_output=True, text=True, timeout=120)
    events = [json.loads(line) for line in stream.read_bytes().splitlines()]
    reported = [event for event in events if event["event"] == "case"]
    print(*(event for event in reported if event["outcome"] not in ("pass", "skip")), sep="\n")
    return {event["id"]: "late" if ended_late(event) else event["outcome"] for event in reported}, done


def ended_late(event):
    """Whether the report says that not this case, but something sent earlier ended the server."""
    return any("something sent earlier ended it late" in finding["text"] for finding in event.get("findings", []))


def judged_in_both(one, other):
    """A server that a busy machine makes slow is spared the longest batches: what only one run skipped is not compared.
    Nor is a case during which the server ended late, because of something sent earlier."""
    both = {case for case in one if not {"skip", "late"} & {one[case], other[case]}} - ENDS_IN_THE_MIDDLE
    assert len(both) > len(one) * 0.7
    return {case: one[case] for case in both}, {case: other[case] for case in both}


def started(reference, *options):
    port = free_port()
    return ["--start", shlex.join([str(reference), "--tcp", f"127.0.0.1:{port}", *options]), f"tcp://127.0.0.1:{port}"]


@pytest.mark.parametrize("fault", ["batch-nested-crash", "parse-error-crash", "malformed-crash-later"])
def test_a_crash_is_told_of_the_case_that_brings_it_about_and_of_no_other(fault, jrpcheck, reference, tmp_path):
    alone, _ = judge(jrpcheck, tmp_path, started(reference, "--fault", fault), *SUITE)
    together, done = judge(jrpcheck, tmp_path, started(reference, "--fault", fault), *SUITE, "--jobs", "6")
    assert done.returncode == 1, done.stderr
    assert "crash" in alone.values()
    together, alone = judged_in_both(together, alone)
    assert together == alone


def test_several_jobs_on_a_server_that_serves_one_connection_say_so(jrpcheck, tmp_path):
    port = free_port()
    server = shlex.join([sys.executable, str(HOSTILE), "always-one-at-a-time", "--tcp", str(port)])
    outcomes, done = judge(jrpcheck, tmp_path, ["--start", server, f"tcp://127.0.0.1:{port}"],
                           # So often that the first job cannot be through before the others give up, which ends the run.
                           "--jobs", "3", "--timeout", "1500", "--start-timeout", "5000", "--only", "batch/**", "--repeat", "3000")
    assert done.returncode in (1, 3), done.stderr
    assert "the target does not serve 3 connections at once: run it with --jobs 1" in done.stderr
    assert set(outcomes.values()) <= {"pass", "observe", "skip"}, "what was run before is judged all the same"


@pytest.mark.parametrize("options", [(), ("--no-discover",)])
def test_a_child_that_mostly_waits_is_started_more_often_than_one_that_works(options, jrpcheck, reference, tmp_path):
    (tmp_path / "server").write_text(f'#!/bin/sh\necho >> "{tmp_path}/started"\nexec "{reference}" --delay 40\n')
    (tmp_path / "server").chmod(0o755)
    done = subprocess.run([jrpcheck, "-q", *options, "--only", "parse/**", "--only", "id/**", "--only", "batch/**", "--", tmp_path / "server"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len((tmp_path / "started").read_text().splitlines()) >= 8


@pytest.mark.parametrize("jobs", [(), ("--jobs", "4")])
def test_a_server_that_does_not_run_twice_at_a_time_gets_one_process(jobs, jrpcheck, tmp_path):
    server = ["--", sys.executable, str(ROOT / "tests" / "servers" / "only_once.py"), str(tmp_path / "lock")]
    outcomes, done = judge(jrpcheck, tmp_path, server, *SUITE, *jobs)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the target does not run twice at a time, so that one process was used (a second one: " in done.stdout
    assert "another instance is running" in done.stdout
    assert len([outcome for outcome in outcomes.values() if outcome == "pass"]) > 400


def listed_starts(tmp_path):
    return (tmp_path / "started").read_text().splitlines()


def target_with_a_port(tmp_path, reference, *options):
    """A target that is started on ${port} and lists its starts; its file."""
    (tmp_path / "server").write_text(f'#!/bin/sh\necho "$1" >> "{tmp_path}/started"\n'
                                     f'exec "{reference}" --tcp "127.0.0.1:$1" {shlex.join(options)}\n')
    (tmp_path / "server").chmod(0o755)
    (tmp_path / "target.json").write_text(json.dumps({
        "schema": 1, "start": [str(tmp_path / "server"), "${port}"], "url": "tcp://127.0.0.1:${port}"}))
    return [tmp_path / "target.json"]


def test_where_cases_wait_a_started_target_is_started_again_on_further_ports(jrpcheck, reference, tmp_path):
    fault = ("--fault", "invalid-request-silent")
    together, done = judge(jrpcheck, tmp_path, target_with_a_port(tmp_path, reference, *fault), *SUITE)
    assert done.returncode == 1, done.stderr
    assert len(set(listed_starts(tmp_path))) >= 3
    alone, _ = judge(jrpcheck, tmp_path, target_with_a_port(tmp_path, reference, *fault), *SUITE, "--jobs", "1")
    together, alone = judged_in_both(together, alone)
    assert together == alone
