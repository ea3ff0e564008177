"""`jrpcheck client` on right clients, and on drivers and clients that misbehave: the right outcome, in bounded time."""

import json
import pathlib
import shlex
import sys
import time

import pytest
from case_files import cases_of

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases"
CLIENTS = pathlib.Path(__file__).resolve().parent / "clients"
FEW = ["--only", "client-call/result", "--only", "client-id/one-after-the-other", "--only", "client-method/dotted"]


@pytest.fixture
def drive(run, tmp_path):
    """Runs a few cases against a Python driver; the finished process, and the case events by id."""

    def drive(script, *words, options=FEW, timeout=30):
        stream = tmp_path / "stream.ndjson"
        done = run("client", "--timeout", "400", *options, "--report", f"ndjson={stream}", "--",
                   sys.executable, CLIENTS / script, *words, timeout=timeout)
        events = [json.loads(line) for line in stream.read_text().splitlines()] if stream.exists() else []
        return done, {event["id"]: event for event in events if event["event"] == "case"}

    return drive


def test_a_right_client_is_accused_of_nothing(drive):
    done, cases = drive("plain.py", options=["--skip", "client-size/**"], timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(cases) > 200
    assert {case["outcome"] for case in cases.values()} <= {"pass", "observe", "skip"}


@pytest.mark.parametrize("transport", ["unix"])
def test_other_sockets_are_listened_on(drive, transport):
    done, cases = drive("plain.py", options=[*FEW, "--transport", transport])
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(case["outcome"] == "pass" for case in cases.values())


@pytest.mark.parametrize("mode,said", [
    ("silent", "wrote nothing in time"),
    ("no-json", "first line is not a JSON Object; it wrote: Hello"),
    ("unknown-word", "has an unknown word in \"can\"; known are call"),
    ("dies", "ended before it said what it can do: it exited with status 1; the end of its standard error: cannot find"),
])
def test_what_is_no_driver_is_said_at_once(drive, mode, said):
    done, cases = drive("bad.py", mode, options=[*FEW, "--start-timeout", "1500"])
    assert done.returncode == 3
    assert said in done.stderr
    assert not cases


def test_a_driver_that_does_not_exist(run):
    done = run("client", "--", "/no/such/driver")
    assert done.returncode == 3
    assert "/no/such/driver" in done.stderr


@pytest.mark.parametrize("mode,outcome,rule", [
    ("flood-wire", "warn", "CLR-9"),
    ("never", "warn", "CLR-4"),
    ("exits", "crash", "CLR-9"),
    ("killed", "crash", "CLR-9"),
    ("forks", "crash", "CLR-9"),
])
def test_misbehaviour_in_one_case_leaves_the_others_alone(drive, mode, outcome, rule):
    began = time.monotonic()
    done, cases = drive("bad.py", mode)
    bad = cases["client-id/one-after-the-other"]
    assert bad["outcome"] == outcome, done.stdout + done.stderr
    assert rule in [finding["rule"] for finding in bad["findings"]]
    assert cases["client-call/result"]["outcome"] == "pass"
    assert cases["client-method/dotted"]["outcome"] == "pass"
    assert time.monotonic() - began < 25


@pytest.mark.parametrize("mode,said", [
    ("rubbish", "that is not JSON"),
    ("unknown-tag", "a tag that no command of this case has"),
    ("tag-twice", "a tag for the second time"),
    ("flood-driver", "without end"),
])
def test_a_mistake_of_the_driver_is_no_deviation_of_the_client(drive, mode, said):
    done, cases = drive("bad.py", mode)
    bad = cases["client-id/one-after-the-other"]
    assert (bad["outcome"], bad["reason_code"], bad["findings"]) == ("blocked", "driver-mistake", []), done.stdout + done.stderr
    assert "the driver broke its protocol: " in bad["reason"] and said in bad["reason"] and bad["reason"] in done.stdout and "Not counted" not in done.stdout
    assert done.returncode == 3 and "in 1 case, which says nothing about the client" in done.stderr
    assert cases["client-call/result"]["outcome"] == cases["client-method/dotted"]["outcome"] == "pass"


HARD = ["client-params/huge", "client-params/beyond-double", "client-params/nul", "client-method/nul"]
HARD_AND_EASY = [word for case in [*HARD, "client-params/one", "client-call/result"] for word in ("--only", case)]


@pytest.mark.parametrize("mode,said", [
    ("ends", "it ended"),
    ("ignores", "it does not answer a ping with the same members"),
    ("says-so", "it says \"cannot read inf\""),
    ("fails", "it says \"cannot read inf\""),
    ("complains", "it answers with {\"error\": \"cannot read inf\"}"),
    ("reads-late", "it ended"),
])
def test_what_a_driver_cannot_read_is_not_held_against_its_client(drive, mode, said):
    done, cases = drive("unread.py", mode, options=HARD_AND_EASY)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {cases[name]["outcome"] for name in HARD} == {"skip"}
    assert {cases[name]["reason_code"] for name in HARD} == {"not-driven"}
    assert cases["client-params/huge"]["reason"] == f"the driver cannot read a command of this case: {said}"
    assert cases["client-params/one"]["outcome"] == cases["client-call/result"]["outcome"] == "pass"


@pytest.mark.parametrize("mode", ["changes", "changes-and-shows"])
def test_what_a_driver_changes_while_reading_is_not_held_against_its_client(drive, mode):
    done, cases = drive("unread.py", mode, options=HARD_AND_EASY)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in HARD:
        assert cases[name]["outcome"] in ("pass", "observe") and not cases[name]["findings"], cases[name]
        assert cases[name]["observed"]["values"] == "changed by the client or its driver"
    assert cases["client-params/one"]["outcome"] == cases["client-call/result"]["outcome"] == "pass"


def test_a_client_that_never_connects_is_told_so_once(drive):
    done, cases = drive("bad.py", "never-connects")
    assert cases["client-call/result"]["outcome"] == "warn"
    assert any("no route" in message["text"] for message in cases["client-call/result"]["exchange"]["messages"])
    assert cases["client-method/dotted"]["outcome"] == "blocked"


def test_a_second_connection_does_no_harm(drive):
    done, cases = drive("bad.py", "connects-twice")
    assert done.returncode == 0, done.stdout + done.stderr


def test_answers_find_a_connection_that_is_of_one_call(drive):
    done, cases = drive("bad.py", "connection-for-each-call", options=["--only", "client-pieces/two-at-once", "--only", "client-order/**"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert not [case["findings"] for case in cases.values() if case["findings"]]


def test_a_client_with_one_call_at_a_time_is_accused_of_nothing(drive):
    done, cases = drive("bad.py", "one-call-at-a-time", options=["--only", "client-id/of-its-own", "--only", "client-order/**"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert not [case["findings"] for case in cases.values() if case["findings"]]
    assert cases["client-id/of-its-own"]["observed"]["calls"] == "one at a time"
    order = [case for name, case in cases.items() if name.startswith("client-order/")]
    # Cases that began before this was known are over with the same observation.
    assert all(case["outcome"] == "skip" or case["observed"].get("calls") == "one at a time" for case in order)
    assert "skip" in {case["outcome"] for case in order}


def test_a_client_that_hangs_up_on_unexpected_messages_is_accused_of_nothing(drive):
    done, cases = drive("bad.py", "strict", options=["--only", "client-id/**", "--only", "client-stranger/unknown-*"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert not [case["findings"] for case in cases.values() if case["findings"]]
    assert "closes the connection" in json.dumps(cases["client-id/type-string"]["observed"])


@pytest.mark.parametrize("profile,outcome", [("mcp", "pass"), ("spec", "warn")])
def test_a_client_that_begins_with_a_handshake_is_answered_under_its_profile(drive, profile, outcome):
    done, cases = drive("bad.py", "greets", options=[*FEW, "--profile", profile])
    assert cases["client-call/result"]["outcome"] == outcome, done.stdout + done.stderr
    assert profile == "spec" or not [case["findings"] for case in cases.values() if case["findings"]]


@pytest.mark.parametrize("profile,fault,case,rule", [
    ("kotlinx-rpc", "id-string", "client-call/result", "CL-a"),
    ("mcp-2025-06-18", "id-null", "client-call/result", "CL-4n"),
    ("lsp", "id-fraction", "client-call/result", "CL-4f"),
    ("kotlin-design", "id-null", "client-call/result", "CL-4n"),
    ("kotlin-design", "error-as-null", "client-error/internal", "CL-c"),
    ("kotlin-design", "both-as-result", "client-broken/both", "CLR-3"),
])
def test_profiles_ask_more_of_clients(profile, fault, case, rule, run, reference_client):
    for name, said in ((profile, f"MUST {rule}"), ("spec", "no MUST rule broken")):
        done = run("client", "-q", "--timeout", "1000", "--only", case, "--profile", name, "--", reference_client, "--fault", fault)
        assert said in done.stdout, done.stdout + done.stderr


def test_another_framing_is_named(drive):
    done, cases = drive("bad.py", "content-length")
    assert done.returncode == 1
    first = cases["client-call/result"]
    assert "CL-7" in [finding["rule"] for finding in first["findings"]]


def test_a_driver_that_answers_nothing_ends_the_run(drive):
    done, cases = drive("bad.py", "deaf", options=["--timeout", "100"])
    assert done.returncode == 1
    assert all(case["outcome"] in ("hang", "blocked", "skip") for case in cases.values())


def test_messages_that_end_a_driver_again_and_again_do_not_end_the_run(run, reference_client, tmp_path):
    stream = tmp_path / "stream.ndjson"
    run("client", "-q", "--repeat", "2", "--only", "client-broken/**", "--report", f"ndjson={stream}",
        "--", reference_client, "--fault", "crash-broken")
    *events, last = map(json.loads, stream.read_text().splitlines())
    assert "stop" not in last
    assert sum(event.get("outcome") == "crash" for event in events if event["event"] == "case") > 20


def test_several_drivers_at_once_find_what_one_finds(run, reference_client, tmp_path):
    """Each worker has a listener and a driver of its own, so the end of one leaves the others alone."""
    found = []
    for jobs in ("1", "5"):
        stream = tmp_path / f"jobs-{jobs}.ndjson"
        done = run("client", "-q", "--jobs", jobs, "--only", "client-broken/**", "--only", "client-timeout/**", "--only", "client-result/**",
                   "--report", f"ndjson={stream}", "--", reference_client, "--fault", "crash-broken")
        events = [json.loads(line) for line in stream.read_text().splitlines()]
        found.append(sorted((event["id"], event["outcome"]) for event in events if event["event"] == "case"))
        assert done.returncode == 1, done.stdout + done.stderr
    assert found[0] == found[1] and {"crash", "pass"} <= {outcome for _, outcome in found[0]}


def test_a_second_driver_that_does_not_start_leaves_the_plan_to_the_first(run, tmp_path):
    """Time-outs are waited for on drivers of their own, unless the program runs only once at a time."""
    done = run("client", "--timeout", "600", *FEW, "--only", "client-timeout/**", "--", sys.executable, CLIENTS / "bad.py", "alone", tmp_path / "lock")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 cases: 7 passed" in done.stdout


def test_a_call_that_is_refused_breaks_no_sentence_about_requests(drive):
    done, cases = drive("bad.py", "refuses", options=["--only", "client-params/by-name*"])
    assert done.returncode == 0, done.stdout + done.stderr
    refused = cases["client-params/by-name-jsonrpc"]
    assert refused["observed"]["CL-3"] == "refused" and not refused["findings"]
    assert cases["client-params/by-name"]["outcome"] == "pass"


def test_a_client_that_stops_with_clear_errors_is_accused_of_nothing(drive):
    done, cases = drive("bad.py", "stops", options=["--only", "client-stranger/null", "--only", "client-call/result"])
    stopped = cases["client-stranger/null"]
    assert stopped["outcome"] == "pass" and not stopped["findings"], stopped
    assert "by an error" in json.dumps(stopped["observed"])


def test_cases_of_the_other_side_are_refused(run):
    done = run("--suite", "jsonrpc-2.0-client", "--", "true")
    assert done.returncode == 2
    assert "jrpcheck client runs them" in done.stderr
    done = run("client", "--suite", "jsonrpc-2.0", "--", "true")
    assert done.returncode == 2
    assert "jrpcheck run runs them" in done.stderr


@pytest.fixture
def serve(run, tmp_path):
    """Serves a small client that runs by itself; the finished process, and what was found: rules by case."""

    def serve(mode, *options):
        stream = tmp_path / "stream.ndjson"
        done = run("client", "--undriven", "--timeout", "400", *options, "--report", f"ndjson={stream}", "--",
                   sys.executable, CLIENTS / "alone.py", mode, "{url}", timeout=60)
        events = [json.loads(line) for line in stream.read_text().splitlines()] if stream.exists() else []
        cases = {event["id"].removeprefix("undriven/"): event for event in events if event["event"] == "case"}
        return done, {name: sorted({finding["rule"] for finding in case["findings"]}) for name, case in cases.items() if case["findings"]}, cases

    return serve


@pytest.mark.parametrize("mode,options", [
    ("right", []),
    ("stdio", ["--transport", "stdio", "--skip", "undriven/answer*"]),
    ("random", ["--only", "undriven/requests", "--only", "undriven/reversed"]),
])
def test_a_right_client_that_runs_by_itself(serve, mode, options):
    done, found, cases = serve(mode, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not found
    assert len(cases) > (15 if mode == "right" else 1)
    assert cases["requests"]["observed"] == {"id": "Number", "calls": "4", "notifications": "1", "ends": "with status 0"}


@pytest.mark.parametrize("mode,cases,expected", [
    ("no-version", ["requests"], {"requests": ["CL-1"]}),
    ("bare-params", ["requests"], {"requests": ["CL-3"]}),
    ("null-ids", ["requests"], {"requests": ["CL-4n"]}),
    ("list-ids", ["requests"], {"requests": ["CL-4"]}),
    ("one-id", ["requests"], {"requests": ["CL-5"]}),
    ("python", ["requests"], {"requests": ["CL-7"]}),
    ("first-answer", ["answer-of-nobody", "reversed", "further-member"], {"answer-of-nobody": ["CLR-2"], "reversed": ["CL-11"]}),
    ("last-answer", ["answer-twice", "other-answer-after"], {"other-answer-after": ["CLR-7"]}),
    ("unknown-fatal", ["answer-with-id-null", "spelling"], {"answer-with-id-null": ["CLR-2"]}),
    ("method-fatal", ["notification-before", "pieces"], {"notification-before": ["CLR-9"]}),
    ("waits", ["neither", "error-with-id-null"], {"neither": ["CLR-4"]}),
])
def test_what_a_client_that_runs_by_itself_gets_wrong(serve, mode, cases, expected):
    done, found, _ = serve(mode, *(word for case in cases for word in ("--only", f"undriven/{case}")))
    assert found == expected, done.stdout + done.stderr


def test_what_a_case_only_records_is_no_finding(serve):
    done, found, cases = serve("names", "--only", "undriven/further-member")
    assert done.returncode == 0 and not found, done.stdout + done.stderr
    assert cases["further-member"]["outcome"] == "observe"
    assert "x-trace" in cases["further-member"]["observed"]["CL-15"]


def test_a_client_without_an_end_is_stopped(serve):
    done, found, cases = serve("endless", "--only", "undriven/requests", "--only", "undriven/answer-twice")
    assert done.returncode == 0 and not found, done.stdout + done.stderr
    assert cases["requests"]["observed"]["ends"] == "not by itself"


def test_a_client_that_sends_nothing_is_reported_where_the_server_is(serve):
    done, _, cases = serve("silent")
    assert done.returncode == 3 and not cases
    assert "the client sent nothing: it ended with status 0" in done.stderr and "JRPCHECK_URL" in done.stderr


def test_calls_get_the_results_that_the_user_gives(serve):
    _, _, cases = serve("right", "--only", "undriven/requests", "--answer", 'echo={"of": "mine"}')
    assert '"result":{"of": "mine"}' in json.dumps([m["text"] for m in cases["requests"]["exchange"]["messages"]]).replace("\\", "")


@pytest.mark.parametrize("words,said", [
    (["client", "--undriven", "--answer", "echo", "--", "true"], "--answer echo is not METHOD=JSON"),
    (["client", "--answer", "echo=1", "--", "true"], "--answer is for a client that runs by itself"),
    (["client", "--undriven", "--suite", "jsonrpc-2.0-client", "--", "true"], "the selected cases test clients"),
    (["client", "--suite", "undriven", "--", "true"], "jrpcheck client --undriven runs them"),
])
def test_driven_and_undriven_are_kept_apart(run, words, said):
    done = run(*words)
    assert done.returncode == 2 and said in done.stderr


def test_a_baseline_holds_what_is_known(drive, tmp_path):
    known = tmp_path / "baseline.json"
    known.write_text(json.dumps({"schema": 1, "target": "exits", "entries": [
        {"case": "client-id/one-after-the-other", "outcome": "crash", "reason": "it exits"}]}))
    done, cases = drive("bad.py", "exits", options=[*FEW, "--baseline", known])
    assert done.returncode == 0, done.stdout + done.stderr
    assert cases["client-id/one-after-the-other"]["expected"]


def test_every_case_waits_for_an_outcome_after_what_it_sends_last():
    """A client that dies of the last message is then still under the case that sent it."""
    for path in sorted((CASES / "jsonrpc-2.0-client").glob("*.json")):
        for case in cases_of(path):
            kinds = ["outcome" if "outcome" in step else "sends" if {"answer", "answer-text", "answer-hex", "answer-repeat"} & set(step)
                     else "" for step in case["steps"]]
            assert "sends" not in kinds or kinds[::-1].index("outcome") < kinds[::-1].index("sends"), case["id"]


def test_a_driver_that_reports_nothing_is_waited_for_by_a_ping(drive):
    done, cases = drive("plain.py", options=["--only", "client-before/*"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert {case["outcome"] for case in cases.values()} == {"pass"}
    assert all("jck-fence" not in json.dumps(case) for case in cases.values())


def test_a_notification_after_it_shows_that_a_message_was_read(run, reference_client, tmp_path):
    stream = tmp_path / "stream.ndjson"
    run("client", "--only", "client-before/*", "--report", f"ndjson={stream}", "--", reference_client)
    events = [json.loads(line) for line in stream.read_text().splitlines()]
    sides = [[message.get("role") for message in event["exchange"]["messages"] if "jck-fence" in json.dumps(message)] for event in events
             if event["event"] == "case"]
    assert sides == [["fence", "fence"]] * 2, events


def test_a_driver_is_not_asked_for_a_notification_in_a_batch_that_it_does_not_list(run, reference_client, tmp_path):
    stream = tmp_path / "stream"
    pipeline = f"{shlex.quote(str(reference_client))} | sed -u 's/\"notify\",//'"
    done = run("client", "--only", "client-batch/**", "--report", f"ndjson={stream}", "--", "sh", "-c", pipeline)
    assert done.returncode == 0, done.stdout
    cases = {event["id"]: event for event in map(json.loads, stream.read_text().splitlines()) if event["event"] == "case"}
    assert cases["client-batch/mixed"]["outcome"] == "skip"
    assert '"notify"' in cases["client-batch/mixed"]["reason"]
    assert cases["client-batch/of-one"]["outcome"] in ("pass", "observe")


@pytest.mark.parametrize("mode,expected", [
    ("right", {}),
    ("with-version", {}),
    ("by-name", {"client-1.0/by-name": ["J1C-2", "J1C-5"]}),
    ("params-left-out", {"client-1.0/no-arguments": ["J1C-2"]}),
    ("one-bare", {"client-1.0/one-argument": ["J1C-2"]}),
    ("notification-without-id", {"client-1.0/notification": ["J1C-4"]}),
    ("notification-with-id", {"client-1.0/notification": ["J1C-4"]}),
    ("call-without-id", {"client-1.0/result": ["J1C-3"]}),
    ("error-by-truth", {"client-1.0-answer/error-false": ["J1C-6"]}),
    ("error-by-result", {"client-1.0-answer/result-null": ["J1C-6"]}),
])
def test_a_client_of_json_rpc_1_0_is_judged_by_1_0(drive, mode, expected):
    some = [word for name in expected for word in ("--only", name)]
    done, cases = drive("first.py", mode, options=["--profile", "jsonrpc-1.0", *some])
    found = {name: sorted({finding["rule"] for finding in case["findings"]} & set(expected.get(name, ["none"]))) for name, case in cases.items() if case["findings"]}
    assert found == expected, done.stdout + done.stderr
    assert expected or (done.returncode == 0 and len(cases) == 13)
