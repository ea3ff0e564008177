"""--openrpc: a service's description, from a file and from rpc.discover, and the cases that its examples become."""

import json

import pytest

SERVER = '''
import json, sys
document, wrong = json.loads(sys.argv[1]), sys.argv[2] == "wrong"
for line in sys.stdin:
    call = json.loads(line)
    if "id" not in call:
        continue
    params, answer = call.get("params", []), {"error": {"code": -32601, "message": "Method not found"}}
    if call["method"] == "rpc.discover" and not wrong:
        answer = {"result": document}
    elif call["method"] == "math.minus" and len(params) == 2:
        a, b = params if isinstance(params, list) else (params.get("a"), params.get("b"))
        answer = {"result": str(a - b) if wrong or sys.argv[2] == "misfit" else a - b}
        if wrong and isinstance(params, dict):
            answer = {"error": {"code": -32602, "message": "Invalid params"}}
    elif call["method"] == "clock":
        answer = {"result": 1700000000}
    elif call["method"] == "close":
        answer = {"error": {"code": 8 if wrong else 9, "message": "It is closed"}}
    print(json.dumps({"jsonrpc": "2.0", "id": call["id"], **answer}), flush=True)
'''


def parameter(name):
    return {"name": name, "required": True, "schema": {"type": "integer"}}


def example(values, **outcome):
    return {"name": "an example", "params": [{"name": name, "value": value} for name, value in values.items()],
            **{kind: {"name": kind, "value": value} for kind, value in outcome.items()}}


DOCUMENT = {
    "openrpc": "1.3.2", "info": {"title": "A service", "version": "1"},
    "methods": [
        {"name": "math.minus", "paramStructure": "either", "params": [parameter("a"), parameter("b")],
         "result": {"name": "difference", "schema": {"$ref": "#/components/schemas/Difference"}},
         "examples": [example({"a": 5, "b": 3}, result=2)]},
        {"name": "clock", "params": [], "result": {"name": "now", "schema": {"type": "integer", "minimum": 1}},
         "examples": [example({}, result=1600000000)]},
        {"name": "close", "params": [], "result": {"name": "none", "schema": {}},
         "examples": [example({}, error={"code": 9, "message": "It is closed"})]},
    ],
    "components": {"schemas": {"Difference": {"type": "integer"}}},
}


@pytest.fixture
def judge(run, tmp_path):
    """Runs the cases of a description; the finished process, and the events of its cases by id."""

    def judge(wrong="", description="discover", document=DOCUMENT):
        (tmp_path / "server.py").write_text(SERVER)
        (tmp_path / "service.json").write_text(json.dumps(document))
        done = run("--openrpc", description, "--suite", "openrpc", "--report", "ndjson=run.ndjson", "--", "python3",
                   "server.py", json.dumps(DOCUMENT), wrong)
        lines = (tmp_path / "run.ndjson").read_text().split("\n")[:-1] if done.returncode < 2 else []
        return done, {event["id"]: event for event in map(json.loads, lines) if event["event"] == "case"}

    return judge


def test_a_service_that_gives_what_it_describes(judge, tmp_path):
    done, cases = judge()
    assert done.returncode == 0 and len(cases) == 4, done.stdout
    assert not [case for case in cases.values() if case["findings"]]
    # A method whose examples look like subtract is tried, and then used as subtract.
    start = json.loads((tmp_path / "run.ndjson").read_text().split("\n")[0])
    assert start["target"]["methods"]["subtract"] == "math.minus", start["target"]
    # The clock gives another time than the example.
    recorded = {name: case["observed"] for name, case in cases.items() if case["observed"]}
    assert recorded == {"openrpc-example/1-clock-0": {"OR-3a": "another-result"}}


def test_what_differs_from_a_description_is_found_under_its_rule(judge):
    document = json.loads(json.dumps(DOCUMENT))
    document["methods"][1]["params"] = [parameter("zone")]
    document["methods"][1]["examples"] = [example({"zone": 1.5}, result=7)]
    done, cases = judge("wrong", "service.json", document)
    assert done.returncode == 0, done.stdout  # a description is not a MUST
    # What is wrong with a file itself is one line each.
    assert ('service.json: #/methods/1/examples/0/params/0/value does not fit #/methods/1/params/0/schema: '
            'type "integer"') in done.stderr
    found = {name: [(finding["rule"], finding["level"]) for finding in case["findings"]] for name, case in cases.items()}
    assert found == {
        "openrpc-example/0-math.minus-0": [("OR-2a", "SHOULD")],
        "openrpc-example/0-math.minus-0-by-name": [("OR-2d", "SHOULD")],
        "openrpc-example/1-clock-0": [],
        "openrpc-example/1-clock-0-by-name": [],
        "openrpc-example/2-close-0": [("OR-2b", "SHOULD")],
    }
    text = cases["openrpc-example/0-math.minus-0"]["findings"][0]["text"]
    assert 'result does not fit its schema: type "integer"' in text


def test_a_result_that_does_not_fit_is_no_refusal_of_params_by_name(judge):
    _, cases = judge("misfit", "service.json")
    found = {name: [finding["rule"] for finding in case["findings"]] for name, case in cases.items() if case["findings"]}
    assert found == {"openrpc-example/0-math.minus-0": ["OR-2a"], "openrpc-example/0-math.minus-0-by-name": ["OR-2a"]}


@pytest.mark.parametrize("wrong, description, sentence", [
    ("wrong", "discover", "the target does not describe itself: rpc.discover gives"),
    ("", "nowhere.json", "nowhere.json"),
    ("", "server.py", "--openrpc server.py: not JSON"),
])
def test_a_description_that_is_not_available(judge, wrong, description, sentence):
    done, _ = judge(wrong, description)
    assert done.returncode == 2 and sentence in done.stderr, done.stderr
