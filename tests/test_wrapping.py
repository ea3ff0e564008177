"""Methods that wrap a capability, as tools/call of MCP does: a template sends the call, a pointer finds the result."""

import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
WRAPPING = ROOT / "tests" / "servers" / "wrapping.py"


def description(result, **methods):
    wrap = {"method": "tools/call", "result": result}
    return {
        "subtract": {**wrap, "by-position": ["minuend", "subtrahend"],
                     "params": {"name": "subtract", "arguments": {"a": "${params/0}", "b": "${params/1}"}}},
        "echo": {**wrap, "by-position": [], "by-name": {}, "params": {"name": "echo", "arguments": {"value": "${params}"}}},
        "get_data": {**wrap, "params": {"name": "get_data", "arguments": "${params}"}},
        "sum": {**wrap, "by-position": [], "params": {"name": "sum", "arguments": {"values": "${params}"}}},
        "notify_hello": {**wrap, "by-position": [], "params": {"name": "notify_hello"}},
        "fail": {"method": "tools/call", "params": {"name": "fail"}},
        **methods,
    }


BESIDE = "/structuredContent/result"
IN_TEXT = {"at": "/content/0/text", "as": "json-text"}
BY_NAME = {"method": "tools/call", "by-name": {"minuend": "a", "subtrahend": "b"}, "result": BESIDE,
           "params": {"name": "subtract", "arguments": "${params}"}}


@pytest.fixture
def judge(run, tmp_path):
    """Runs cases against the wrapping server; the events of its cases by id."""

    def judge(methods, *words, options=()):
        target = {"schema": 1, "command": [sys.executable, str(WRAPPING), *words], "methods": methods}
        (tmp_path / "target.json").write_text(json.dumps(target))
        done = run("--report", "ndjson=run.ndjson", *options, "target.json")
        assert done.returncode in (0, 1), done.stderr
        lines = (tmp_path / "run.ndjson").read_text().split("\n")[:-1]
        return {event["id"]: event for event in map(json.loads, lines) if event["event"] == "case"}

    return judge


@pytest.mark.parametrize("result, words", [(BESIDE, []), (IN_TEXT, ["--text"])])
def test_wrapped_methods_serve_as_capabilities(judge, result, words):
    cases = judge(description(result), *words)
    assert cases["examples/positional-1"]["outcome"] == "pass", cases["examples/positional-1"]
    assert cases["response/null-result"]["outcome"] == "pass", cases["response/null-result"]
    served = {name: case for name, case in cases.items() if '\\"tools/call\\"' in json.dumps(case.get("exchange", {}))}
    assert len(served) > 30
    assert not {name: case["findings"] for name, case in served.items() if case["outcome"] not in ("pass", "observe", "skip")}
    assert all("${" not in json.dumps(case["exchange"]) for case in served.values())
    # What spells its message byte by byte, or is about the params themselves, is left out with its reason.
    assert "are wrapped in those of another method" in cases["invalid-params/too-few"]["reason"]
    assert any("cannot be wrapped" in case.get("reason", "") for case in cases.values() if case["outcome"] == "skip")


def test_a_wrong_result_inside_of_a_wrapping_is_found(judge):
    cases = judge(description(BESIDE), "--wrong", options=["--only", "examples/positional-*"])
    assert {case["outcome"] for case in cases.values()} == {"fail"}
    # What is shown is what came.
    assert "structuredContent" in json.dumps(cases["examples/positional-1"]["exchange"])


def test_params_are_renamed(judge):
    cases = judge(description(BESIDE, subtract=BY_NAME), options=["--only", "examples/named-*"])
    assert {case["outcome"] for case in cases.values()} == {"pass"}
    sent = json.dumps(cases["examples/named-3"]["exchange"])
    assert '{\\"b\\":23,\\"a\\":42}' in sent and "minuend" not in sent


def test_results_of_a_batch_are_told_apart_by_their_ids(judge):
    only = ["--only", "examples/batch"]
    assert judge(description(BESIDE), options=only)["examples/batch"]["outcome"] == "pass"
    # Here get_data gives the whole of its result, which is not what section 7 prints.
    whole = {"method": "tools/call", "params": {"name": "get_data"}}
    case = judge(description(BESIDE, get_data=whole), options=only)["examples/batch"]
    assert case["outcome"] == "fail" and "get_data" not in case["findings"][0]["text"]


def test_a_profile_may_map_methods_too(run, tmp_path):
    profile = {"schema": 1, "profile": "wrapped", "title": "t", "url": "https://example.org/", "methods": description(BESIDE)}
    (tmp_path / "wrapped.json").write_text(json.dumps(profile))
    done = run("--profile", "./wrapped.json", "--no-discover", "--only", "examples/positional-1", "--", sys.executable, WRAPPING)
    assert done.returncode == 0, done.stdout + done.stderr


WRONG = [
    ({"params": "${params}"}, "params is an Object or an Array"),
    ({"params": {"x": "${parms}"}}, "${parms} means nothing here"),
    ({"result": "structuredContent"}, "a JSON Pointer begins with a slash"),
    ({"result": {"at": "/x", "as": "yaml"}}, 'as takes "json-text"'),
    ({"result": {"ta": "/x"}}, 'did you mean "at"?'),
    ({"result": {"where": "/x"}}, "known are at, as"),
    ({"by-name": {"minuend": 1}}, "by-name"),
]


@pytest.mark.parametrize("members, sentence", WRONG, ids=[sentence for _, sentence in WRONG])
def test_what_is_wrong_in_a_template_is_reported_with_its_place(run, tmp_path, members, sentence):
    mapping = {"method": "tools/call", **members}
    (tmp_path / "wrong.json").write_text(json.dumps({"schema": 1, "command": ["cat"], "methods": {"subtract": mapping}}, indent=1))
    done = run("lint", "wrong.json")
    assert done.returncode == 2 and sentence in done.stdout and "wrong.json:" in done.stdout
