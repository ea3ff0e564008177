"""Servers that fail only after something else: what a case shows in company and not alone is a finding if it comes again."""

import json
import shlex
import sys

import pytest

from conftest import ROOT
from serving import free_port

SERVERS = ROOT / "tests" / "servers"


@pytest.fixture
def judge(run, tmp_path):
    """Runs cases against a server; gives the case events that accuse it, by id, the whole stream, and the process."""

    def judge(name, *options):
        stream = tmp_path / "run.ndjson"
        server = ["--", sys.executable, SERVERS / f"state_{name}.py"]
        finished = run("run", "--quiet", *options, "--report", f"ndjson={stream}", *server)
        events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
        cases = [event for event in events if event["event"] in ("case", "ground")]
        return {case["id"]: case for case in cases if case["outcome"] in ("fail", "crash", "hang", "stuck")}, events, finished

    return judge


def rules(case):
    return {finding["rule"] for finding in case["findings"] if not finding.get("known")}


def test_what_depends_on_the_messages_before_it_is_found_with_those_messages(judge):
    accused, events, finished = judge("every_third_notification", "--only", "notification/unknown*")
    again = [case for case in accused.values() if case.get("company", {}).get("way") == "again"]
    assert finished.returncode == 1
    assert again and all("J2-4.1c" in rules(case) for case in again)
    assert 1 <= len(again[0]["company"]["cases"]) <= 4
    assert events[-1]["only_in_company"] == 0
    # The messages are there too, and few of them.
    assert 2 <= len(again[0]["sequence"]) <= 24
    # What was seen first, in company, and what was seen alone, are both kept.
    assert [attempt["outcome"] for attempt in again[0]["attempts"]][-1] == "fail"


def test_a_crash_of_every_fortieth_message_is_reported_once_and_erased_nowhere(judge):
    accused, events, finished = judge("dies_every_fortieth", "--only", "id/*", "--no-discover")
    crashes = [case for case in accused.values() if case["outcome"] == "crash"]
    assert finished.returncode == 1
    assert len(crashes) == 1 and crashes[0]["company"]["way"] == "again"
    assert len(crashes[0]["company"]["cases"]) >= 10
    repeated = [event for event in events if event.get("company", {}).get("way") == "repeated"]
    assert repeated and {tuple(case["company"]["cases"]) for case in repeated} == {(crashes[0]["id"],)}


def test_a_response_that_comes_late_is_given_to_the_notification_that_owed_silence(judge):
    # Often enough that the first Response comes before the run is over.
    accused, events, finished = judge("late_notifications", "--only", "notification/unknown", "--only", "id/*",
                                      "--repeat", "40", "--no-discover")
    assert finished.returncode == 1
    assert any(rules(case) & {"J2-4.1a", "J2-4.1b", "J2-4.1c", "J2-6f"} for case in accused.values())
    assert any(event.get("company", {}).get("way") in ("neighbour", "repeated") for event in events)


def test_answers_that_are_one_request_late_are_reported_as_such(judge):
    accused, _, finished = judge("one_request_late", "--only", "call/unknown-method", "--no-discover", "--timeout", "500")
    assert "one request late" in finished.stderr
    assert [rules(case) for case in accused.values()] == [{"J2-5a"}]


def test_ids_that_are_swapped_between_calls_in_flight_are_found(judge):
    accused, _, finished = judge("swaps_ids", "--only", "params/sum-*", "--only", "concurrency/*", "--method", "sum=sum",
                                 "--no-discover")
    assert finished.returncode == 1
    assert accused


def test_nothing_of_a_right_server_fails_in_company_alone(run, reference, tmp_path):
    stream = tmp_path / "run.ndjson"
    run("run", "--quiet", "--report", f"ndjson={stream}", "--", reference, "--stdio")
    events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    assert events[-1]["only_in_company"] == 0
    assert not any("attempts" in event for event in events)


def test_a_right_server_that_is_slow_now_and_then_is_not_accused(judge):
    accused, events, finished = judge("slow_now_and_then", "--only", "id/*", "--no-discover")
    assert finished.returncode == 0 and not accused, finished.stdout
    assert any("attempts" in event for event in events)  # it was doubted at first


@pytest.mark.parametrize("name", ["slow_batches", "slow_methods"])
def test_a_right_server_on_which_only_some_messages_are_slow_is_not_accused(run, tmp_path, name):
    stream = tmp_path / "run.ndjson"
    cases = [option for pattern in ("batch/e*", "batch/only-n*", "batch/three*", "in-flight/batch*", "alone/omitted*")
             for option in ("--only", pattern)]
    finished = run("run", "--quiet", "--suite", "jsonrpc-2.0", *cases, "--report", f"ndjson={stream}",
                   "--", sys.executable, SERVERS / f"state_{name}.py")
    events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    assert finished.returncode == 0
    assert not [finding for event in events for finding in event.get("findings", [])]
    assert events[-1]["only_in_company"] == 0  # slow is not doubtful


def test_a_run_ends_when_its_time_is_up(run, reference, tmp_path):
    stream = tmp_path / "run.ndjson"
    done = run("run", "--quiet", "--max-time", "1", "--report", f"ndjson={stream}",
               "--", reference, "--stdio", "--delay", "20")
    last = json.loads(stream.read_text(encoding="utf-8").strip().split("\n")[-1])
    assert (done.returncode, last["event"], last["stop"], last["conformant"]) == (1, "finish", "time", False)
    assert last["duration_us"] < 3_000_000


def recycled(run, tmp_path, manner):
    stream, port = tmp_path / "run.ndjson", free_port()
    command = shlex.join([sys.executable, str(SERVERS / "recycles.py"), str(port), manner, "24"])
    # With one worker: with several, no connection would carry enough messages.
    finished = run("run", "--quiet", "--suite", "jsonrpc-2.0", "--only", "params/**", "--only", "id/**", "--only", "in-flight/**",
                   "--jobs", "1", "--report", f"ndjson={stream}", "--start", command, f"tcp://127.0.0.1:{port}")
    events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    return finished, [finding for event in events for finding in event.get("findings", []) if finding["level"] == "MUST"]


def test_a_server_that_closes_connections_after_some_answers_is_not_accused(run, tmp_path):
    finished, findings = recycled(run, tmp_path, "answered")
    assert not findings, finished.stdout


def test_a_server_that_reads_a_message_and_closes_instead_of_answering_is_accused(run, tmp_path):
    finished, findings = recycled(run, tmp_path, "swallowed")
    assert finished.returncode == 1
    assert ("J2-5a", "after 24 messages on a connection, the target reads the next call and closes the connection instead of "
            "answering") in {(finding["rule"], finding["text"]) for finding in findings}
