"""Servers with one habit each, as real ones have it: what the suite must find, and that it finds nothing else.

A server of the table breaks the rules of `found`; besides, only the rules of `may` can be reported with the same right. A
MUST that is in neither is a false accusation, and so is any MUST on a server that is conformant in a style of its own."""

import json
import sys

import pytest

from conftest import ROOT

SERVERS = ROOT / "tests" / "servers"

CONFORMANT = ["null_id", "two_versions", "chatty", "picky", "ticks", "batch_of_ten"]

# server: (rules that must be found, rules that may be found too)
DEVIATING = {
    "logs": ({"FR-f"}, set()),
    "falsy_ids": ({"J2-4e"}, set()),
    "ids_cut": ({"J2-4e"}, set()),
    "ids_as_text": ({"J2-4e"}, {"J2-5g"}),
    "null_is_notification": ({"J2-4f"}, set()),
    "answers_notifications": ({"J2-4.1a", "J2-4.1b", "J2-4.1c", "J2-6f"}, {"J2-7", "J2-6g", "SEC-e"}),
    "no_batches": ({"J2-6a", "J2-7"}, set()),  # what section 7 prints is owed as it stands
    "batch_stops": ({"J2-6b", "J2-6g"},
                    {"J2-7", "J2-6i", "J2-4e", "J2-4f", "J2-4m", "J2-5a", "J2-5b", "J2-8a", "J2-4.1b"}),
    "batch_map": ({"J2-6d", "J2-6f"}, {"J2-7", "J2-5f"}),
    "batch_unwrapped": ({"J2-6h", "J2-6a"}, {"J2-7", "J2-6g"}),
    "error_text": ({"J2-5k"}, {"CON-a"}),
    "falsy_error": ({"J2-5e"}, set()),
    "error_bare": ({"J2-5h"}, {"CON-a", "SEC-b"}),
    "error_without_id": ({"J2-5f"}, set()),
    "no_null_result": ({"J2-5c"}, {"J2-5h", "CON-a"}),
    "byte_order_mark": ({"J2-5j"}, set()),
    "getattr": ({"SEC-a"}, set()),
    "reserves_rpc": ({"J2-8a"}, set()),
    "no_named": ({"J2-4.2b"}, {"J2-7"}),
    "no_positional": ({"J2-4.2a"}, {"J2-7"}),
    "named_in_order": ({"J2-4.2b", "J2-4.2c"}, set()),
    "named_swapped": ({"J2-4.2b"}, {"CON-a", "J2-4e"}),  # in flight, the result is also that of the other call
    "parse_silent": ({"J2-5.1d"}, set()),
    "zero_is_null": ({"J2-5c"}, set()),
    "no_arrays": (set(), {"LSP-4a"}),  # in a protocol without batches; it has no shutdown
    "no_types": ({"J2-4a", "J2-4c", "J2-4d", "J2-4.1c"}, {"J2-7", "J2-6f", "J2-4.1b"}),
}

# What bounds a run: the whole suite of the specification, or less where each finding is looked at twice.
SUITE = ["--suite", "jsonrpc-2.0"]
OPTIONS = {
    "no_null_result": [*SUITE, "--method", "update=update", "--method", "notify_hello=notify_hello"],
    "answers_notifications": ["--only", "notification/*", "--only", "batch/notif*", "--only", "batch/on*"],
    "ids_as_text": ["--only", "id/*"],
    "ids_cut": ["--only", "id/*"],
    "no_named": ["--only", "call/*", "--only", "params/*", "--only", "id/beside*", "--only", "names/inherited*", "--only", "size/names*",
                 "--only", "examples/*", "--only", "framing-line/*", "--only", "json-depth/64*"],
    "no_positional": ["--only", "call/*", "--only", "params/*", "--only", "id/null*", "--only", "extensions/*", "--only", "examples/*"],
    "parse_silent": ["--only", "parse/*", "--only", "framing-line/*", "--only", "json-space/*"],
    "no_arrays": ["--profile", "lsp", "--framing", "line", "--only", "batch/*", "--only", "json-tr*/*", "--only", "examples/*", "--only", "parse/*"],
    "zero_is_null": ["--only", "response/*", "--only", "value/difference*"],
}


@pytest.fixture
def judge(run, tmp_path):
    """Runs a suite against a server and gives the findings that are no echoes: rule to level, and the events."""

    def judge(name, *options):
        stream = tmp_path / "run.ndjson"
        server = ["--", sys.executable, SERVERS / f"quirk_{name}.py"]
        finished = run("run", *options, "--report", f"ndjson={stream}", *server)
        events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
        assert events[-1]["event"] == "finish", finished.stderr
        cases = [event for event in events if event["event"] in ("case", "ground")]
        found = {}
        for finding in (finding for case in cases for finding in case["findings"]):
            if (not finding.get("known") or finding.get("repeats")) and found.get(finding["rule"]) != "MUST":
                found[finding["rule"]] = finding["level"]
        return found, cases, finished

    return judge


def musts(found):
    return {rule for rule, level in found.items() if level == "MUST"}


@pytest.mark.parametrize("name", CONFORMANT)
def test_a_conformant_server_of_another_style_is_accused_of_nothing(judge, name):
    found, cases, finished = judge(name, *SUITE)
    assert (musts(found), finished.returncode) == (set(), 0)
    assert sum(case["outcome"] == "pass" for case in cases) > 200


@pytest.mark.parametrize("name", DEVIATING)
def test_a_habit_is_found_under_its_rule_and_no_other(judge, name):
    expected, tolerated = DEVIATING[name]
    found, _, _ = judge(name, *OPTIONS.get(name, SUITE))
    assert expected <= set(found)
    assert musts(found) <= expected | tolerated


def test_a_handler_that_fails_without_params_is_accused_of_nothing(judge):
    found, cases, _ = judge("no_params", "--only", "invalid-params/*", "--only", "params/omitted*", "--only", "value/echo*")
    assert found == {}
    observed = {case["id"]: case["observed"] for case in cases if case["observed"]}
    assert observed["invalid-params/omitted"] == {"J2-5.1g": "error-of-the-handler"}
    assert observed["value/echo-proto-member"] == {"SEC-d": "left-out"}


def test_what_is_accepted_with_another_id_says_which_id_is_right(run, reference, tmp_path):
    stream = tmp_path / "run.ndjson"
    run("run", "--only", "id/*", "--report", f"ndjson={stream}", "--", reference, "--fault", "id-six-digits")
    cases = [json.loads(line) for line in stream.read_text(encoding="utf-8").splitlines()]
    texts = [finding["text"] for case in cases if case["event"] == "case" for finding in case["findings"]]
    assert [text for text in texts if text.startswith("accepted, but ") and text.endswith(", whose id is 3.14159 instead of 3.14159265358979")]


def test_without_batches_one_case_fails_and_the_others_say_on_what_they_stand(judge):
    _, cases, _ = judge("no_batches", *SUITE)
    blocked = [case for case in cases if case["outcome"] == "blocked"]
    assert len(blocked) > 30
    assert all("J2-6a" in case["reason"] for case in blocked)


def test_a_server_that_limits_the_entries_of_a_batch_one_by_one_is_accused_of_nothing(judge):
    found, cases, _ = judge("batch_entries", "--only", "batch/*", "--only", "size/batch*")
    assert found == {}
    observed = {case["id"]: case["observed"] for case in cases}
    assert "entries-refused" in observed["size/batch-answer-beyond-64-kib"].values()


NAMED = ["--only", "params/*", "--only", "examples/*", "--only", "batch/*", "--only", "in-flight/*"]


def test_a_named_method_that_takes_params_by_name_only_is_judged_by_name_only(judge):
    found, cases, _ = judge("named_only", *NAMED, "--method", "subtract=math.minus", "--method", "echo=text.echo")
    skipped = {case["id"]: case["reason"] for case in cases if case["outcome"] == "skip"}
    assert musts(found) == set()
    assert "takes no params by position" in skipped["params/by-position"] and "params/by-name" not in skipped
    # Who says that it takes them by position gets this judged.
    found, _, _ = judge("named_only", *NAMED, "--method", "subtract=math.minus:by-position")
    assert "J2-4.2a" in musts(found)


def test_a_server_that_takes_a_read_for_a_message_is_not_called_mute(judge):
    found, cases, _ = judge("reads_once", "--only", "notification/unknown*", "--only", "notification/then-call")
    assert "SEC-b" not in found
    assert not [case["id"] for case in cases if case["outcome"] in ("hang", "stuck")]


def test_a_call_that_shares_a_write_with_another_is_answered_without_naming_a_suite(judge):
    found, cases, _ = judge("reads_once", "--only", "framing-line/two-in-one-write", "--only", "framing-line/one-line-each")
    assert found == {"J2-5a": "MUST"}
    outcomes = {case["id"]: case["outcome"] for case in cases if case["event"] == "case"}
    assert outcomes == {"framing-line/one-line-each": "pass", "framing-line/two-in-one-write": "fail"}


def test_one_cause_is_reported_under_few_rules_and_a_few_times(run, reference, tmp_path):
    """A server that reads long lines in pieces answers each of them: parse errors, Responses too many, other ids."""
    stream = tmp_path / "run.ndjson"
    server = ["--", reference, "--fault", "line-buffer-4096"]
    run("run", "--only", "size/*", "--only", "security/*batch*", "--only", "json-long-number/*", "--report", f"ndjson={stream}", *server)
    cases = [json.loads(line) for line in stream.read_text(encoding="utf-8").splitlines()]
    findings = [finding for case in cases if case["event"] == "case" for finding in case["findings"]]
    assert len({finding["rule"] for finding in findings}) > 3
    assert len({finding["rule"] for finding in findings if not finding.get("known")}) <= 3
    assert len([finding for finding in findings if not finding.get("known")]) <= 10


# server: (rules of its findings that are not known, cases)
ONE_CAUSE = {
    "body_in_one_read": ({"FR-b"}, ["--framing", "content-length", "--only", "framing-header/*split*", "--only", "framing-header/long-answer",
                                    "--only", "json-space/64-kibibytes", "--only", "in-flight/long-answers", "--only", "names/long-*"]),
    "stale_id": ({"J2-5g"}, ["--only", "parse/*", "--only", "alone/*parse-error*", "--only", "response/no-nan", "--only", "same-write/*",
                             "--only", "framing-line/unterminated*"]),
    "stale_id_invalid": ({"J2-5g"}, ["--only", "batch/only-*", "--only", "members/*", "--only", "invalid/*", "--only", "concurrency/*"]),
    "error_kept": ({"J2-5d"}, ["--only", "alone/success-after-error", "--only", "value/*", "--only", "params/*", "--only", "id/success*"]),
    "results_shifted": ({"J2-4e"}, ["--only", "batch/*notification*", "--only", "examples/batch*", "--only", "security/*batch*"]),
    "length_in_characters": ({"FR-b"}, ["--framing", "content-length", "--only", "json-string/*", "--only", "value/echo*", "--only", "names/full*",
                                        "--only", "notification/non*"]),
    "length_in_units": ({"FR-b"}, ["--framing", "content-length", "--only", "json-string/one*", "--only", "json-number/full*"]),
    "short_reads": ({"FR-b"}, ["--framing", "content-length", "--only", "size/message*", "--only", "names/long*", "--only", "json-size/param*"]),
    "garbage_kept": ({"SEC-b"}, ["--only", "parse/*", "--only", "alone/*parse-error*", "--only", "framing-line/unterminated*"]),
    "batch_stops": ({"J2-6b", "J2-6j"}, ["--only", "batch/two-calls", "--only", "batch/*-and-call", "--only", "alone/unprompted-batch",
                                "--only", "compatibility/no-version-in-batch"]),
}


@pytest.mark.parametrize("name", ONE_CAUSE)
def test_one_cause_is_reported_under_its_rule_and_a_few_times(judge, name):
    rules, options = ONE_CAUSE[name]
    _, cases, finished = judge(name, *options)
    fresh = [finding["rule"] for case in cases for finding in case["findings"] if not finding.get("known")]
    assert (set(fresh), [case["id"] for case in cases if case["outcome"] in ("hang", "stuck")]) == (rules, []), finished.stdout
    assert len(fresh) <= 3


def test_a_server_that_refuses_every_call_is_reported_a_few_times(judge):
    _, cases, finished = judge("never_released", "--only", "call/*", "--only", "order/*", "--only", "params/*", "--only", "json-nul/*")
    findings = [finding for case in cases for finding in case["findings"]]
    assert len(findings) > 20, finished.stdout
    assert len([finding for finding in findings if not finding.get("known")]) <= 3


def test_a_carriage_return_is_not_sent_over_lines(judge):
    _, cases, _ = judge("null_id", "--only", "json-space/*")
    skipped = {case["id"]: case["reason"] for case in cases if case["outcome"] == "skip"}
    assert "carriage return" in skipped["json-space/carriage-returns"]


def test_a_server_that_ends_because_one_client_left_has_crashed(run, tmp_path):
    stream = tmp_path / "run.ndjson"
    target = {
        "schema": 1, "name": "leaves", "url": "tcp://127.0.0.1:${port}", "ready": {"port": True},
        "start": [sys.executable, str(SERVERS / "leaves_with_its_client.py"), "${port}"],
        "methods": {"slow": {"method": "slow", "by-position": ["ms"]}},
    }
    description = tmp_path / "leaves.json"
    description.write_text(json.dumps(target), encoding="utf-8")
    run("run", "--only", "connections/left-before-the-answer", "--report", f"ndjson={stream}", description)
    events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    case = next(event for event in events if event.get("id") == "connections/left-before-the-answer")
    assert case["outcome"] == "crash"
    assert "SEC-l" in {finding["rule"] for finding in case["findings"]}


# A Response is not a notification. An answer to it is wrong only if it is not a Response.
@pytest.mark.parametrize("answer, found", [
    ('{"ok":true}', {"J2-5h"}), ("[]", {"J2-5h"}), ("null", {"J2-5h"}), ('{"jsonrpc":"2.0","result":null,"id":null}', set())])
def test_an_answer_to_a_response_is_no_answer_to_a_notification(run, tmp_path, answer, found):
    server = tmp_path / "server.py"
    server.write_text("import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n    refusal = {'code': -32601, 'message': 'no'}\n"
                      "    right = json.dumps({'jsonrpc': '2.0', 'error': refusal, 'id': message['id']})\n"
                      f"    print(right if 'method' in message else {answer!r}, flush=True)\n")
    stream = tmp_path / "run.ndjson"
    run("run", "--only", "members/*response-to-server", "--report", f"ndjson={stream}", "--", sys.executable, server)
    events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    cases = [event for event in events if event["event"] == "case" and event["id"].endswith("response-to-server")]
    assert len(cases) == 3
    assert {finding["rule"] for case in cases for finding in case["findings"] if finding["level"] == "MUST"} == found
