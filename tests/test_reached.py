"""Servers that are reached in unusual ways are reached, and judged for what they do and not for that."""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT
from serving import free_port

SERVERS = pathlib.Path(__file__).resolve().parent / "servers"


def events_of(tmp_path):
    lines = (tmp_path / "run.ndjson").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def musts(events):
    return {finding["rule"] for event in events if event["event"] in ("case", "ground")
            for finding in event["findings"] if finding["level"] == "MUST" and not finding.get("known")}


def judge(run, tmp_path, url, command, *options):
    start = " ".join([sys.executable, *map(str, command)])
    finished = run("--suite", "jsonrpc-2.0", "--report", "ndjson=run.ndjson", *options, "--start", start, url, timeout=120)
    events = events_of(tmp_path)
    assert events[-1]["event"] == "finish", finished.stderr
    return finished, events


SOME = ("--only", "batch/**", "--only", "call/**", "--only", "parse/**", "--only", "notification/**")


def test_one_message_a_connection(run, tmp_path):
    path = tmp_path / "s"
    finished, events = judge(run, tmp_path, f"unix:{path}", [SERVERS / "one_message.py", path], *SOME)
    assert musts(events) == set(), finished.stdout
    assert finished.returncode == 0
    cases = [event for event in events if event["event"] == "case"]
    assert sum(case["outcome"] == "pass" for case in cases) > 80


@pytest.mark.parametrize("manner", ["two-writes", "extra-200"])
def test_http_as_some_servers_speak_it(run, tmp_path, manner):
    port = free_port()
    began = time.monotonic()
    finished, events = judge(run, tmp_path, f"http://127.0.0.1:{port}/", [SERVERS / "http_manners.py", manner, port], *SOME)
    assert musts(events) == set(), finished.stdout
    # Two writes an answer took 40 ms each, until the first of them was acknowledged at once.
    assert time.monotonic() - began < 10


def test_connections_that_are_mixed_up_are_reported_once_and_then_used_one_at_a_time(run, tmp_path):
    port = free_port()
    some = ("--only", "call/unknown-method*", "--only", "batch/two-calls", "--only", "in-flight/*connections")
    _, events = judge(run, tmp_path, f"http://127.0.0.1:{port}/", [SERVERS / "http_manners.py", "shared", port], *some)
    assert musts(events) <= {"J2-4e", "CON-b"}
    cases = {event["id"]: event["outcome"] for event in events if event["event"] == "case"}
    assert cases["in-flight/unknown-on-two-connections"] == "fail"
    assert not [name for name, outcome in cases.items() if outcome == "fail" and not name.endswith("connections")]


def test_answers_that_go_to_another_connection_are_not_called_a_stuck_one(run, tmp_path):
    port = free_port()
    some = ("--timeout", "400", "--only", "connections/kept-apart")
    _, events = judge(run, tmp_path, f"tcp://127.0.0.1:{port}", [SERVERS / "newest_connection.py", port], *some)
    case = next(event for event in events if event.get("id") == "connections/kept-apart")
    assert (case["outcome"], {finding["rule"] for finding in case["findings"]}) == ("fail", {"CON-b"})


def test_answers_that_go_to_all_connections_are_reported_as_such_and_a_few_times(run, tmp_path):
    port = free_port()
    some = ("--only", "connections/kept-apart", "--only", "connections/same-id", "--only", "connections/answers-unread",
            "--only", "connections/bad-neighbour", "--only", "in-flight/*connections")
    _, events = judge(run, tmp_path, f"tcp://127.0.0.1:{port}", [SERVERS / "broadcasts.py", port], *some)
    cases = [event for event in events if event["event"] in ("case", "ground")]
    fresh = [finding["rule"] for case in cases for finding in case["findings"] if not finding.get("known")]
    assert set(fresh) == {"CON-b"}
    assert len(fresh) <= 3 + 1  # the last: the answer to a call of a case before, with the same id


def test_http_whose_unknown_methods_fail_is_judged_by_its_known_ones(run, tmp_path):
    port = free_port()
    finished, events = judge(run, tmp_path, f"http://127.0.0.1:{port}/", [SERVERS / "http_manners.py", "known-only", port], *SOME)
    cases = {event["id"]: event["outcome"] for event in events if event["event"] == "case"}
    assert len(cases) > 50, finished.stderr
    assert cases["call/unknown-method"] == "fail"
    assert "pass" in cases.values()


@pytest.mark.parametrize("manner, rules", [("accepted", {"HT-b"}), ("null-batch", {"J2-6f"}), ("page", {"J2-5a", "J2-5.1f"})])
def test_a_body_that_is_no_response_is_reported_for_what_it_is(run, tmp_path, manner, rules):
    port = free_port()
    some = ("--suite", "transport-http", "--only", "http/notification*", "--only", "in-flight/*connections", "--no-discover")
    _, events = judge(run, tmp_path, f"http://127.0.0.1:{port}/", [SERVERS / "http_manners.py", manner, port], *SOME, *some,
                      "--method", "subtract=subtract")
    assert musts(events) == rules


def test_a_server_that_asks_for_time_is_given_it(run, tmp_path):
    port = free_port()
    finished, events = judge(run, tmp_path, f"http://127.0.0.1:{port}/", [SERVERS / "http_manners.py", "limited", port],
                             "--only", "call/**")
    assert musts(events) == set(), finished.stdout
    assert finished.returncode == 0


def test_a_rate_is_kept(run, reference, tmp_path):
    # A batch is one message, and one line of what is sent; the access log has a line for each of its calls.
    finished = run("--rate", "50", "--only", "call/unknown-method*", "--only", "id/number*", "--report", "ndjson=run.ndjson",
                   "--", "sh", "-c", 'tee sent | "$0"', reference)
    assert finished.returncode == 0, finished.stderr
    messages = len((tmp_path / "sent").read_text().splitlines())
    assert messages > 10
    assert events_of(tmp_path)[-1]["duration_us"] >= (messages - 1) * 20000


def test_a_server_of_one_connection_that_is_killed_is_not_conformant(jrpcheck, reference, tmp_path):
    port = free_port()
    server = subprocess.Popen([reference, "--tcp", f"127.0.0.1:{port}", "--max-connections", "1"], stderr=subprocess.PIPE)
    try:
        assert b"listening" in server.stderr.readline()
        process = subprocess.Popen([jrpcheck, "--report", "ndjson", f"tcp://127.0.0.1:{port}"], cwd=tmp_path,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in process.stdout:
            if json.loads(line)["event"] == "case":
                break
        server.send_signal(signal.SIGKILL)
        rest, _ = process.communicate(timeout=60)
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
    assert process.returncode not in (0, 1)
    assert json.loads(rest.rstrip("\n").split("\n")[-1])["conformant"] is False


WORKER = """
import json, select, sys
for line in sys.stdin:
    message = json.loads(line)
    for one in message if isinstance(message, list) else [message]:
        if isinstance(one, dict) and "id" not in one:
            select.select([], [], [], 0.2)  # what it does for a notification takes its time
    calls = [one for one in (message if isinstance(message, list) else [message]) if "id" in one]
    replies = [{"jsonrpc": "2.0", "error": {"code": -32601, "message": "no"}, "id": one["id"]} for one in calls]
    if replies:
        print(json.dumps(replies if isinstance(message, list) else replies[0]), flush=True)
"""


def test_a_server_that_works_on_each_notification_is_not_called_hung(run, tmp_path):
    many = [{"jsonrpc": "2.0", "method": "${absent}"}] * 15
    shutil.copytree(ROOT / "cases" / "rules", tmp_path / "cases" / "rules")
    (tmp_path / "cases" / "own").mkdir()
    (tmp_path / "cases" / "own" / "own.json").write_text(json.dumps({
        "schema": 1, "suite": "own", "section": "1", "title": "Own", "cases": [
            {"id": "own/one", "title": "one notification", "rules": ["J2-4.1a"], "catches": ["answers-notifications"],
             "steps": [{"send": many[0], "expect": "nothing"}]},
            {"id": "own/many", "title": "many of them", "rules": ["J2-6f"], "catches": ["answers-notifications"],
             "steps": [{"send": many, "expect": "nothing"}]}]}))
    (tmp_path / "worker.py").write_text(WORKER)
    finished = run("--cases", tmp_path / "cases", "--suite", "own", "--timeout", "1000", "--report", "ndjson=run.ndjson", "--",
                   sys.executable, "worker.py")
    outcomes = {event["id"]: event["outcome"] for event in events_of(tmp_path) if event["event"] == "case"}
    assert (outcomes["own/one"], outcomes["own/many"]) == ("pass", "pass"), finished.stdout


@pytest.mark.parametrize("kind", ["fifo", "socketpair"])
def test_a_server_on_named_pipes_or_on_a_pair_of_sockets(run, tmp_path, reference, kind):
    target = {"schema": 1, "name": kind, "command": [sys.executable, str(SERVERS / "over_ipc.py"), kind, reference, "--stdio"],
              "methods": {"user": "user", "repo/issue": "repo/issue", "attachment": "attachment", "tool": "tool"}}
    (tmp_path / "target.json").write_text(json.dumps(target), encoding="utf-8")
    finished = run("--profile", "ro-jrpc", "--only", "ro-printed/**", "--only", "batch/**", "--report", "ndjson=run.ndjson", "target.json")
    assert finished.returncode == 0, finished.stdout
    outcomes = [event["outcome"] for event in events_of(tmp_path) if event["event"] == "case"]
    assert outcomes.count("pass") > 60 and set(outcomes) <= {"pass", "observe", "skip"}


def test_any_node_of_a_cluster_behind_a_queue_may_serve_a_message(run, tmp_path, reference):
    port = free_port()
    nodes = tmp_path / "nodes"
    finished, events = judge(run, tmp_path, f"http://127.0.0.1:{port}/", [SERVERS / "cluster.py", port, nodes, reference, "--stdio"],
                             "--only", "state/**", "--only", "alone/**")
    assert finished.returncode == 0 and musts(events) == set(), finished.stdout
    served = nodes.read_text()
    assert served.count("0") > 40 and served.count("1") > 40 and sum(event["event"] == "case" and event["outcome"] == "pass" for event in events) > 40
