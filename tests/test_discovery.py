"""Methods that nobody named: what is taken for those of section 7, what is said of those that are not."""

import json
import sys

import pytest

from conftest import ROOT

SERVER = ROOT / "tests" / "servers" / "discovered.py"


@pytest.fixture
def look(run, tmp_path):
    """Runs cases against the server in a mode; gives the start event and the case events by id."""

    def look(mode, *options):
        stream = tmp_path / "run.ndjson"
        run("run", "--quiet", *options, "--report", f"ndjson={stream}", "--", sys.executable, SERVER, mode)
        events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
        return events[0], {event["id"]: event for event in events if event["event"] == "case"}

    return look


def test_a_method_with_the_name_and_another_result_is_said_and_not_taken(look):
    start, cases = look("negative", "--only", "examples/*")
    assert "subtract" not in start["target"]["methods"]
    skipped = cases["examples/positional-1"]
    assert skipped["outcome"] == "skip" and skipped["capability"] == "subtract"
    assert skipped["reason"] == ("a method subtract exists and gives -19 for [42,23]; "
                                 "add --method subtract=subtract to have it judged")
    assert skipped["unlock"] == "--method subtract=subtract"


def test_what_was_seen_of_a_method_is_on_the_console(run):
    finished = run("run", "--only", "examples/*", "--", sys.executable, SERVER, "negative")
    assert "    a method subtract exists and gives -19 for [42,23]; add --method subtract=subtract to have it judged\n" in finished.stdout


def test_a_method_that_is_right_in_one_way_is_judged_in_the_other(look):
    start, cases = look("order", "--only", "examples/*")
    assert "subtract" in start["target"]["discovered"]
    assert cases["examples/positional-1"]["outcome"] == "pass"
    assert "fail" in {cases["examples/named-3"]["outcome"], cases["examples/named-4"]["outcome"]}


def test_a_sum_of_three_numbers_is_not_asked_for_thirty(look):
    start, cases = look("three", "--only", "params/sum*", "--only", "examples/batch")
    assert "sum" in start["target"]["discovered"]
    assert cases["params/sum-thirty"]["outcome"] == "skip"
    assert cases["examples/batch"]["outcome"] == "pass"


def test_methods_without_a_result_are_found_and_a_result_that_is_left_out_is_seen(look):
    start, cases = look("no-null", "--suite", "jsonrpc-2.0")
    assert {"update", "notify_hello", "notify_sum"} <= set(start["target"]["discovered"])
    rules = {finding["rule"] for case in cases.values() for finding in case["findings"]}
    assert rules & {"J2-5c", "J2-5h"}


def test_an_echo_of_one_value_is_found_and_used(look):
    start, cases = look("one-value", "--only", "json-*/echo*", "--only", "value/echo*")
    assert "echo" in start["target"]["discovered"]
    assert "pass" in {case["outcome"] for case in cases.values()}
    assert not any(case["outcome"] in ("fail", "warn") or case.get("capability") == "echo" for case in cases.values())


@pytest.mark.parametrize("mode", ["one-value", "first-value"])
def test_an_echo_of_one_value_is_used_as_such_also_if_the_user_named_it(look, mode):
    _, cases = look(mode, "--method", "echo=echo", "--only", "json-*/echo*", "--only", "value/echo*", "--only", "params/*")
    assert [case["id"] for case in cases.values() if case["outcome"] in ("fail", "warn")] == []
    assert {case["outcome"] for id, case in cases.items() if id.startswith("value/echo")} == {"pass", "skip"}


def test_an_echo_that_is_said_to_take_params_by_position_is_held_to_it(look):
    _, cases = look("first-value", "--method", "echo=echo:by-position", "--only", "value/echo*")
    assert "fail" in {case["outcome"] for case in cases.values()}


def test_a_method_that_fails_is_found_by_its_name_and_its_error(look):
    start, cases = look("boom", "--only", "notification/failing", "--only", "fail/answered")
    assert start["target"]["discovered"] == ["fail"]
    assert start["target"]["methods"] == {"fail": "boom"}
    assert cases["fail/answered"]["outcome"] == "pass"
    assert [finding["rule"] for finding in cases["notification/failing"]["findings"]] == ["J2-4.1c"]


def test_a_slow_server_gets_no_false_statement(look):
    start, cases = look("slow", "--only", "examples/positional-1", "--only", "examples/named-3")
    assert {"subtract", "sum", "get_data"} <= set(start["target"]["discovered"])
    assert {case["outcome"] for case in cases.values()} == {"pass"}


def test_what_section_7_prints_is_not_hidden_by_a_server_without_batches(run, tmp_path):
    stream = tmp_path / "run.ndjson"
    server = ROOT / "tests" / "servers" / "quirk_no_batches.py"
    done = run("run", "--quiet", "--only", "examples/*", "--report", f"ndjson={stream}", "--", sys.executable, server)
    events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    cases = {event["id"]: event for event in events if event["event"] == "case"}
    assert cases["examples/batch-unknown-methods"]["outcome"] == "fail"
    assert done.returncode == 1


def test_resources_that_rpc_describe_names_are_said_and_not_taken(look):
    start, cases = look("resources", "--profile", "ro-jrpc", "--only", "ro-*/**")
    assert "user" not in start["target"]["methods"]
    for resource in ("user", "repo/issue"):
        reasons = {case["reason"] for case in cases.values() if case.get("capability") == resource}
        assert reasons == {f"rpc.describe names a resource {resource}; add --method {resource}={resource} to have it judged"}
    others = {case["reason"] for case in cases.values() if case.get("capability") not in (None, "user", "repo/issue")}
    assert others and not any("rpc.describe" in reason for reason in others)


@pytest.mark.parametrize("profile, asked", [("ro-jrpc", True), ("spec", False)])
def test_rpc_describe_is_asked_only_where_cases_are_about_resources(look, tmp_path, profile, asked):
    log = tmp_path / "described"
    look("resources", "--profile", profile, "--only", "*/p*", "--env", f"DESCRIBED={log}")
    assert log.exists() == asked
