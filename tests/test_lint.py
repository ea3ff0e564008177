"""jrpcheck lint: what is wrong in files is reported with file, line and column."""

import json
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def rule(identity, **members):
    return {"id": identity, "level": "M", "section": "1", "title": "a title", "sentence": "A sentence.",
            "source": "a source", **members}


def case(identity, **members):
    return {"id": identity, "title": "a title", "rules": ["R-1"], "catches": ["id-number-as-string"],
            "send": {"jsonrpc": "2.0", "method": "${absent}", "id": "${id}"},
            "expect": {"error": {"code": -32601}}, **members}


@pytest.fixture
def folder(tmp_path):
    """Writes a small folder of case files, one member a line, and returns its path."""

    def make(rules, cases):
        (tmp_path / "cases" / "rules").mkdir(parents=True)
        (tmp_path / "cases" / "s").mkdir()
        (tmp_path / "cases" / "rules" / "s.json").write_text(json.dumps(
            {"schema": 1, "specification": "s", "title": "t", "rules": rules}, indent=1))
        (tmp_path / "cases" / "s" / "01.json").write_text(json.dumps(
            {"schema": 1, "suite": "s", "section": "1", "title": "t", "cases": cases}, indent=1))
        return tmp_path / "cases"

    return make


def test_the_project_s_own_files_are_right(run):
    done = run("lint")
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    assert run("lint", *sorted(ROOT.glob("targets/*/target.json"))).returncode == 0


def test_a_small_folder_is_right(run, folder):
    done = run("lint", folder([rule("R-1")], [case("a/b")]))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "1 case, 1 rule" in done.stdout and "no problems" in done.stdout


def test_a_folder_without_rules_has_those_of_the_project(run, reference, tmp_path):
    """What was found on a target is kept beside the project's cases, whose ground cases come first."""
    found = case("found/empty", rules=["J2-6d"], send=[], catches=[], found="on a server of ours",
                 expect={"error": {"code": -32600}, "id": None})
    folder = tmp_path / "mine" / "found"
    folder.mkdir(parents=True)
    (folder / "01.json").write_text(json.dumps(
        {"schema": 1, "suite": "found", "section": "6", "title": "t", "cases": [found]}))
    done = run("lint", folder.parent)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "1 case, 0 rules" in done.stdout
    assert run("list", "--cases", folder.parent).stdout.split()[:2] == ["found/empty", "J2-6d"]
    words = ["--cases", folder.parent, "--report", "ndjson", "--", reference, "--stdio"]
    events = [json.loads(line) for line in run(*words).stdout.splitlines()]
    assert [e["id"] for e in events if e["event"] == "case"] == ["found/empty"]
    assert any(e["event"] == "ground" for e in events)
    (folder / "01.json").unlink()
    done = run("lint", folder.parent)
    assert done.returncode == 2


# What is wrong, and in which line of which file.
WRONG = [
    ("a rule without a case", [rule("R-1"), rule("R-2")], [case("a/b")],
     r"rules/s\.json:14:3: the rule R-2 has no case"),
    ("a case of an unknown rule", [rule("R-1")], [case("a/b", rules=["R-1", "R-9"])], r"s/01\.json:\d+:\d+: .*R-9"),
    ("an unknown fault", [rule("R-1")], [case("a/b", catches=["id-number-as-strin"])],
     r's/01\.json:14:5: there is no fault "id-number-as-strin"; did you mean "id-number-as-string"\?'),
    ("no fault at all", [rule("R-1")], [case("a/b", catches=[])], r"s/01\.json:\d+:\d+: .*catches"),
    ("a ground case that is not there", [rule("R-1", ground="a/c")], [case("a/b")],
     r'rules/s\.json:13:14: the ground case "a/c"'),
    ("a rule to stand on without a ground case", [rule("R-1"), rule("R-2", **{"stands-on": ["R-1"]})],
     [case("a/b", rules=["R-1", "R-2"])], r'rules/s\.json:6:3: other rules stand on R-1'),
    ("a role that is none", [rule("R-1", roles=["response-oed"])], [case("a/b")],
     r'rules/s\.json:\d+:\d+: there is no role "response-oed"'),
    ("a role that two rules fill", [rule("R-1", roles=["same-id"]), rule("R-2", roles=["same-id"])],
     [case("a/b", rules=["R-1", "R-2"])], r'rules/s\.json:\d+.*: the rule R-2 has the role "same-id", which R-1 already has'),
    ("a topic that is none", [rule("R-1", about=["forms"])], [case("a/b")],
     r'rules/s\.json:\d+:\d+: there is no topic "forms"'),
    ("two cases of one name", [rule("R-1")], [case("a/b"), case("a/b")], r"s/01\.json:\d+:\d+: .*a/b"),
    ("an unknown variable", [rule("R-1")], [case("a/b", send={"method": "${subtrakt}"})],
     r"s/01\.json:\d+:\d+: .*subtrakt"),
    ("an unknown need", [rule("R-1")], [case("a/b", needs=["ehco"])], r's/01\.json:\d+:\d+: .*"ehco"'),
    ("another code than is owed", [rule("R-1")], [case("a/b", **{"send-text": "{", "send": None})],
     r"s/01\.json:\d+:\d+: a/b: error -32601 is expected where error -32700 is owed"),
    ("nothing where a call is owed", [rule("R-1")], [case("a/b", expect="nothing")],
     r"s/01\.json:21:14: a/b: nothing is expected where error -32601 is owed"),
    ("a Response where nothing is owed", [rule("R-1")], [case("a/b", send={"jsonrpc": "2.0", "method": "m"})],
     r"s/01\.json:\d+:\d+: a/b: one Response is expected where nothing is owed"),
    ("an Array too short", [rule("R-1")],
     [case("a/b", send=[{"jsonrpc": "2.0", "method": "${absent}", "id": 1}, {"jsonrpc": "2.0", "method": "${absent}", "id": 2}],
           expect=[{"error": {}}])],
     r"s/01\.json:\d+:\d+: a/b: an Array of 1 Response is expected where an Array of 2 Responses is owed"),
]


@pytest.mark.parametrize("rules, cases, pattern", [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_is_wrong_is_reported_with_its_place(run, folder, rules, cases, pattern):
    cases = [{name: value for name, value in one.items() if value is not None} for one in cases]
    done = run("lint", folder(rules, cases))
    assert done.returncode == 2
    assert re.search(pattern, done.stdout), done.stdout
    assert "1 problem" in done.stdout, done.stdout


def test_steps_are_looked_at_one_by_one(run, folder):
    sent = {"jsonrpc": "2.0", "method": "${absent}", "id": "${id}"}
    right = {"send": sent, "expect": {"error": {"code": -32601}}}
    wrong = {"send": sent, "expect": {"result": 1}}
    steps = case("a/b", steps=[right, wrong])
    del steps["send"], steps["expect"]
    path = folder([rule("R-1")], [steps])
    done = run("lint", path)
    lines = (path / "s" / "01.json").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if '"result": 1' in text) - 1
    column = lines[line - 1].index("{") + 1
    assert f"01.json:{line}:{column}: a/b: a result is expected where error -32601 is owed" in done.stdout
    assert "1 problem" in done.stdout


def test_a_rule_with_a_reason_needs_no_case(run, folder):
    done = run("lint", folder([rule("R-1"), rule("R-2", untestable="why"), rule("R-3", client="why"),
                               rule("R-4", judge="why")], [case("a/b")]))
    assert done.returncode == 0, done.stdout


def test_the_names_of_faults_may_come_from_a_file(run, folder, tmp_path):
    path = folder([rule("R-1")], [case("a/b", catches=["mine"])])
    assert run("lint", path).returncode == 2
    (tmp_path / "faults").write_text("mine\tR-1\twhat it does\n")
    assert run("lint", "--faults", tmp_path / "faults", path).returncode == 0


def test_one_file_is_checked_with_the_folder_it_stands_in(run, folder):
    path = folder([rule("R-1")], [case("a/b")])
    first, second = path / "s" / "01.json", path / "s" / "02.json"
    second.write_text(first.read_text().replace('"a/b"', '"a/c"').replace("id-number-as-string", "id-number-as-strin"))
    assert run("lint", first).returncode == 0
    assert run("lint", path / "rules" / "s.json").returncode == 0
    done = run("lint", second)
    assert done.returncode == 2
    assert re.match(re.escape(str(second)) + r":\d+:\d+: there is no fault", done.stdout)
    done = run("lint", "02.json", cwd=second.parent)
    assert done.returncode == 2 and done.stdout.startswith("02.json:")
    # Where another file cannot be loaded nothing is said to be right.
    second.write_text("{")
    done = run("lint", first)
    assert done.returncode == 2 and "02.json:1:2" in done.stderr and "no problems" not in done.stdout


@pytest.mark.parametrize("text, pattern", [
    ("{", r"x\.json:1:2: "),
    ('{"schema": 1,\n "entries": [3]}', r"x\.json:2:14: an entry is an Object"),
    ('{"schema": 1,\n "comand": ["x"]}', r'x\.json:2:2: .*did you mean "command"'),
], ids=["no JSON", "a baseline", "a target file"])
def test_other_files_are_told_apart(run, tmp_path, text, pattern):
    (tmp_path / "x.json").write_text(text)
    done = run("lint", "x.json")
    assert done.returncode == 2
    assert re.search(pattern, done.stdout), done.stdout
