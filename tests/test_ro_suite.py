"""The suite ro-jrpc-1.0 on servers that are not ours: one that keeps every rule in a style of its own, and what is told of
others. And the tables that its cases are written in, as the programs show them."""

import json
import shutil
import sys

import pytest

from conftest import ROOT

SERVERS = ROOT / "tests" / "servers"
MAPPED = {"user": "account", "repo/issue": "repo/issue", "project/task": "project/task", "attachment": "attachment",
          "session": "session", "tool": "tool"}


@pytest.fixture
def judge(run, tmp_path):
    """Runs the suite on tests/servers/resources.py; id → event, and the finished process."""

    def judge(*options, server=(), methods=MAPPED, **members):
        target = tmp_path / "target.json"
        target.write_text(json.dumps({
            "schema": 1, "command": [sys.executable, str(SERVERS / "resources.py"), *server], "methods": methods,
            "declares": ["authorization", "update"], **members}))
        stream = tmp_path / "run.ndjson"
        finished = run("--report", f"ndjson={stream}", "--quiet", *options, target)
        events = map(json.loads, stream.read_bytes().rstrip().split(b"\n"))
        return {event["id"]: event for event in events if event["event"] == "case"}, finished

    return judge


def outcomes(events):
    return {event["outcome"] for event in events.values()}


def found(events):
    """Rule → levels of its findings."""
    levels = {}
    for finding in (finding for event in events.values() for finding in event["findings"]):
        levels.setdefault(finding["rule"], set()).add(finding["level"])
    return levels


def test_another_server_that_keeps_the_rules_is_told_of_nothing(judge):
    events, finished = judge("--suite", "ro-jrpc-1.0")
    assert finished.returncode == 0 and len(events) > 300
    assert found(events) in ({}, {"RO-19i": {"OBSERVE"}})  # which status a verb carries is recorded
    assert [name for name, event in events.items() if event["outcome"] == "skip"] == [
        "ro-results/where", "ro-cache/keys-on-two-connections"]
    assert events["ro-describe/names-what-is-served"]["observed"] == {"RO-11b": "names-user"}  # as a list of its methods


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_router_of_the_readme_in_javascript_keeps_every_rule(judge):
    methods = {name: name for name in MAPPED}
    events, finished = judge("--suite", "ro-jrpc-1.0", "--only", "ro-printed/**", "--only", "ro-method/**", "--only", "ro-dispatch/**",
                             "--only", "ro-denied/**", command=["node", str(ROOT / "targets" / "ro-jrpc" / "server.js")], methods=methods)
    assert finished.returncode == 0 and len(events) > 90
    assert found(events) == {} and "skip" not in outcomes(events)


def test_results_that_take_their_time_are_waited_for_past_what_comes_between(judge):
    events, finished = judge("--suite", "ro-jrpc-1.0", "--only", "ro-results/**", "--only", "ro-session/**",
                             server=["--delay", "0.1"])
    assert finished.returncode == 0 and found(events) == {}


def test_the_limit_of_results_is_the_target_s(judge):
    only = ["--suite", "ro-jrpc-1.0", "--only", "ro-results/yield-then-return"]
    events, _ = judge(*only, server=["--delay", "30"], limits={"async": 300})
    assert found(events) == {"RO-19i": {"OBSERVE"}}


def test_a_return_that_never_comes_is_held_against_no_other_rule(judge):
    events, finished = judge("--suite", "ro-jrpc-1.0", "--only", "ro-results/**", server=["--no-return"],
                             limits={"async": 150})
    assert finished.returncode == 0
    assert found(events) == {"RO-19i": {"OBSERVE"}}


def test_a_server_that_does_not_look_at_the_fields_is_warned(judge):
    events, finished = judge("--suite", "ro-jrpc-1.0", server=["--by-method"])
    levels = found(events)
    assert finished.returncode == 0
    assert not {rule for rule, reported in levels.items() if "MUST" in reported}
    assert {"RO-9a", "RO-4b", "RO-4c", "RO-6a", "RO-6b", "RO-6d", "RO-6e"} <= set(levels)
    assert {event["outcome"] for name, event in events.items() if name.startswith(("ro-fields/", "ro-method/"))
            and not name.endswith("-empty")} == {"warn"}


@pytest.mark.parametrize("name", ["right", "quirk_chatty", "quirk_picky", "quirk_two_versions"])
def test_a_server_that_knows_nothing_of_resources_is_asked_what_holds_for_all(run, tmp_path, name):
    stream = tmp_path / "run.ndjson"
    done = run("--suite", "ro-jrpc-1.0", "--report", f"ndjson={stream}", "--", sys.executable, SERVERS / f"{name}.py")
    events = {event["id"]: event for event in map(json.loads, stream.read_bytes().rstrip().split(b"\n"))
              if event["event"] == "case"}
    assert done.returncode == 0 and found(events) == {}
    skipped = [event for event in events.values() if event["outcome"] == "skip"]
    assert 0 < len(events) - len(skipped) < 10
    assert all("no resource is mapped to " in event["reason"] for event in skipped)


def test_a_target_that_declares_the_suite_is_asked_for_it(judge, run):
    plain, _ = judge("--only", "batch/empty")
    assert set(plain) == {"batch/empty"}
    events, _ = judge("--only", "ro-describe/*", "--only", "batch/empty", declares=["ro-jrpc-1.0"])
    assert len(events) > 3 and outcomes(events) == {"pass", "observe"}


def test_names_may_be_other_ones(judge):
    events, _ = judge("--suite", "ro-jrpc-1.0", "--only", "ro-printed/user-get")
    sent = [message["text"] for event in events.values() for message in event["exchange"]["messages"]
            if message["dir"] == "sent"]
    assert any('"method":"account.get","resource":"account"' in text for text in sent)


def test_a_resource_of_one_word_where_two_are_wanted_is_reported(judge):
    events, _ = judge("--suite", "ro-jrpc-1.0", "--only", "ro-printed/*-get", methods={**MAPPED, "repo/issue": "bugs"})
    assert "repo/issue is mapped to one word" in events["ro-printed/issue-get"]["reason"]


def test_the_rows_of_a_table_are_listed_selected_and_explained_like_any_case(run):
    listed = run("list", "--suite", "ro-jrpc-1.0", "--only", "ro-fields/target-*").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [
        f"ro-fields/target-{kind}" for kind in ("null", "true", "false", "array", "object", "empty-object")]
    assert "${row" not in run("list").stdout
    explained = run("explain", "ro-fields/target-null")
    assert explained.returncode == 0 and "a target that is null is rejected" in explained.stdout


def test_lint_tells_the_row_of_a_table(run, tmp_path):
    (tmp_path / "cases" / "rules").mkdir(parents=True)
    (tmp_path / "cases" / "s").mkdir()
    rule = {"id": "R-1", "level": "M", "section": "1", "title": "t", "sentence": "s", "source": "s"}
    (tmp_path / "cases" / "rules" / "s.json").write_text(json.dumps(
        {"schema": 1, "specification": "s", "title": "t", "rules": [rule]}))
    file = tmp_path / "cases" / "s" / "01.json"
    case = {"id": "a/${row.n}", "title": "t", "rules": ["R-1"], "catches": ["${row.fault}"],
            "table": {"columns": ["n", "fault"], "rows": [["x", "batch-crash"], ["y", "batch-crush"]]},
            "send": [], "expect": {"error": {"code": -32600}, "id": None}}
    file.write_text(json.dumps({"schema": 1, "suite": "s", "section": "1", "title": "t", "cases": [case]}, indent=1))
    line = next(i for i, text in enumerate(file.read_text().split("\n"), 1) if '"y"' in text) - 1
    done = run("lint", tmp_path / "cases")
    assert done.returncode == 2
    assert f'01.json:{line}:' in done.stdout and 'did you mean "batch-crash"?' in done.stdout
