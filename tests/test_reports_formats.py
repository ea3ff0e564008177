"""SARIF, badges, the index that explain reads, and what changed since a run."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "unit" / "report" / "golden"
STREAMS = ["mixed", "hostile", "cut-short", "stopped", "conformant"]
MARKUP = "<script>alert(1)</script>[owned](javascript:alert(1)) {0} \x1b[2J \u202egnp \\x41 ]]>"


@pytest.fixture
def made(run, tmp_path):
    """Makes a report of streams and returns its text."""

    def made(name, *streams, options=()):
        out = tmp_path / f"out.{name}"
        done = run("report", *options, *streams, "--report", f"{name}={out}")
        # A stream without its end is reported as cut short, and said so.
        assert done.returncode == 0 or "the stream ends before the run did" in done.stderr, done.stderr
        return out.read_bytes().decode("utf-8")

    return made


def stream_of(path, cases, target="t", conformant=False, **finish):
    """Writes a stream of (id, outcome, findings, observed) and returns its path."""
    events = [{"event": "start", "tool": {"version": "1"}, "target": {"name": target, "transport": "stdio"},
               "suite": {"selected": len(cases)}, "started": "2026-01-01T00:00:00Z"}]
    for case_id, outcome, findings, observed in cases:
        events.append({
            "event": "case", "id": case_id, "suite": "s", "section": "1", "title": f"title of {case_id}", "rules": ["R-1"], "outcome": outcome,
            "file": "s/01.json", "line": 7, "expected": finish.get("expected", False),
            "findings": [{"rule": rule, "level": level, "step": 0, "text": text} for rule, level, text in findings], "observed": observed,
        })
    events.append({"event": "finish", "judged": len(cases), "conformant": conformant, "interrupted": False})
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def sarif_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "tests" / "sarif.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", STREAMS)
def test_sarif_keeps_to_its_schema(made, sarif_schema, name):
    document = json.loads(made("sarif", GOLDEN / f"{name}.ndjson"))
    assert [error.message for error in sarif_schema.iter_errors(document)] == []
    for one in document["runs"]:
        rules = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
        assert len(rules) == len(set(rules))
        assert {result["ruleId"] for result in one["results"]} <= set(rules) | {"jrpcheck"}


def test_sarif_of_a_run_stands_at_the_line_of_the_case(run, reference, sarif_schema, tmp_path):
    out = tmp_path / "out.sarif"
    done = run("--suite", "jsonrpc-2.0", "--quiet", "--report", f"sarif={out}", "--", reference, "--stdio", "--fault", "batch-empty-silent")
    assert done.returncode == 1, done.stderr
    document = json.loads(out.read_text(encoding="utf-8"))
    assert [error.message for error in sarif_schema.iter_errors(document)] == []
    result = next(result for result in document["runs"][0]["results"] if result["message"]["text"].startswith("batch/empty:"))
    place = result["locations"][0]["physicalLocation"]
    lines = (ROOT / place["artifactLocation"]["uri"]).read_text(encoding="utf-8").splitlines()
    assert '"batch/empty"' in "".join(lines[place["region"]["startLine"] - 1:][:3])
    rule = next(rule for rule in document["runs"][0]["tool"]["driver"]["rules"] if rule["id"] == result["ruleId"])
    assert rule["fullDescription"]["text"].startswith("A server ")


def test_sarif_holds_no_link_and_no_placeholder_of_a_peer(made, sarif_schema, tmp_path):
    stream = stream_of(tmp_path / "s.ndjson", [(MARKUP, "fail", [("R-1", "MUST", MARKUP)], {}), ("b", "crash", [], {})], target=MARKUP)
    text = made("sarif", stream)
    document = json.loads(text)
    assert [error.message for error in sarif_schema.iter_errors(document)] == []
    message = document["runs"][0]["results"][0]["message"]["text"]
    assert "](" not in message.replace("\\](", "") and "{{0}" in message
    assert "\\x1b[2J" in message and "\u202e" not in text
    assert document["runs"][0]["results"][1]["ruleId"] == "R-1"


def test_what_a_baseline_lets_pass_is_suppressed_in_sarif(made):
    results = json.loads(made("sarif", GOLDEN / "mixed.ndjson"))["runs"][0]["results"]
    assert [result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for result in results if "suppressions" in result] == ["id/fraction"]


@pytest.mark.parametrize("name", STREAMS)
def test_a_badge_is_an_image_that_says_what_it_shows(made, tmp_path, name):
    root = xml.etree.ElementTree.fromstring(made("badge", GOLDEN / f"{name}.ndjson"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    shown = [text.text for text in root.iter(f"{space}text")]
    assert root.get("aria-label") == root.find(f"{space}title").text == ": ".join(shown)
    xmllint = shutil.which("xmllint")
    if xmllint:
        subprocess.run([xmllint, "--nonet", "--noout", tmp_path / "out.badge"], check=True, timeout=60)
    endpoint = json.loads(made("badge-json", GOLDEN / f"{name}.ndjson"))
    assert set(endpoint) == {"schemaVersion", "label", "message", "color"} and endpoint["schemaVersion"] == 1
    assert [endpoint["label"], endpoint["message"]] == shown and re.match(r"^[0-9a-f]{6}$", endpoint["color"])


FAIL = [("R-1", "MUST", "t")]


@pytest.mark.parametrize(
    "cases, finish, message",
    [
        ([("a", "pass", [], {})], {"conformant": True}, "conformant"),
        ([("a", "fail", FAIL, {})], {}, "1 MUST broken"),
        # A baseline lets it pass; the badge counts it all the same, in another colour.
        ([("a", "fail", FAIL, {})], {"conformant": True, "expected": True}, "1 MUST broken"),
        ([("a", "skip", [], {})], {}, "nothing judged"),
        ([("a", "crash", [], {})], {}, "not conformant"),
    ],
    ids=["conformant", "broken", "in-the-baseline", "unjudged", "crash"],
)
def test_a_badge_says_the_worst(made, tmp_path, cases, finish, message):
    stream = stream_of(tmp_path / "s.ndjson", cases, **finish)
    endpoint = json.loads(made("badge-json", stream))
    assert endpoint["message"] == message
    good = stream_of(tmp_path / "good.ndjson", [("a", "pass", [], {})], conformant=True)
    assert json.loads(made("badge-json", good, stream))["message"] == message
    assert (endpoint["color"] == "b3261e") == (message != "conformant" and message != "nothing judged" and not finish.get("expected"))


OLD = [("same", "pass", [], {}), ("breaks", "pass", [], {}), ("heals", "fail", FAIL, {}), ("chooses", "observe", [], {"R-1": "this"}),
       ("stops", "pass", [], {}), ("goes", "pass", [], {}), ("moves", "fail", FAIL, {})]
NEW = [("same", "pass", [], {}), ("breaks", "fail", [("R-1", "MUST", "why now")], {}), ("heals", "pass", [], {}),
       ("chooses", "observe", [], {"R-1": "that"}), ("stops", "skip", [], {}), ("comes", "pass", [], {}), ("comes-wrong", "fail", FAIL, {}),
       ("moves", "fail", [("R-2", "MUST", "t")], {})]
COUNTS = "1 broken, 1 new and wrong, 1 fixed, 1 wrong in another way, 1 another choice, 1 no longer judged, 1 new and right, 1 gone"


@pytest.fixture
def runs(tmp_path):
    return stream_of(tmp_path / "old.ndjson", OLD), stream_of(tmp_path / "new.ndjson", NEW)


def test_what_changed_since_a_run_is_told_by_kind(run, runs):
    done = run("report", "--since", *runs)
    assert done.returncode == 0, done.stderr
    assert COUNTS in done.stdout
    lines = done.stdout.splitlines()
    assert "  breaks  pass → fail  R-1: why now" in lines
    assert "  heals  fail → pass  R-1: t" in lines
    assert "  chooses  observe → observe  R-1 this → R-1 that" in lines
    assert "  comes-wrong  none → fail  R-1: t" in lines
    assert not any(line.startswith("  same") for line in lines)
    quiet = run("report", "--since", *runs, "--quiet").stdout
    assert "breaks" in quiet and "heals" not in quiet
    assert "  goes  pass → none" in run("report", "--since", *runs, "--verbose").stdout


def test_a_run_compared_with_itself_has_not_changed(run, runs):
    done = run("report", "--since", runs[1], runs[1])
    assert done.returncode == 0 and done.stdout.strip().endswith(": nothing changed")


def test_what_changed_can_be_written_as_markdown_and_html(made, runs):
    markdown = made("markdown", runs[1], options=["--since", runs[0]])
    assert f"**{COUNTS}**" in markdown
    assert "| <code>breaks</code> | pass → fail | R-1&#58; why now |" in markdown
    page = made("html", runs[1], options=["--since", runs[0]])
    assert COUNTS in page and "title of breaks" in page and page.rstrip().endswith("</html>")


@pytest.mark.parametrize(
    "words, named",
    [
        (["--since", "OLD"], "no event stream is named"),
        (["--since", "OLD", "NEW", "NEW"], "compares two runs"),
        (["--since", "OLD", "NEW", "--report", "sarif=x"], "console, markdown, html"),
        (["--since", "/nonexistent", "NEW"], "/nonexistent"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused(run, runs, words, named):
    done = run("report", *[{"OLD": runs[0], "NEW": runs[1]}.get(word, word) for word in words])
    assert done.returncode == 2 and named in done.stderr


@pytest.fixture
def explained(run, made, tmp_path):
    """What explain says of a rule where these streams are published."""

    def explained(rule, *streams):
        (tmp_path / "reports").mkdir(exist_ok=True)
        (tmp_path / "reports" / "index.json").write_text(made("index", *streams), encoding="utf-8")
        done = run("explain", rule, env={**os.environ, "JRPCHECK_DATA": str(tmp_path)})
        assert done.returncode == 0, done.stderr
        return done.stdout

    return explained


def test_explain_says_which_published_targets_break_a_rule(explained, tmp_path):
    first = stream_of(tmp_path / "1", [("a", "fail", [("J2-6d", "SHOULD", "t")], {}), ("b", "fail", [("J2-6d", "SHOULD", "t")], {})], target="mild")
    second = stream_of(tmp_path / "2", [("c", "fail", [("J2-6d", "MUST", "t")], {})], target="harsh \x1b[2J")
    third = stream_of(tmp_path / "3", [("c", "pass", [], {})], target="good", conformant=True)
    explanation = explained("J2-6d", first, second, third)
    part = explanation[explanation.index("Published targets"):].splitlines()
    assert part == ["Published targets that break it: 2 of 3", "    harsh \\x1b[2J: MUST, 1 case, c", "    mild: SHOULD, 2 cases, e.g. a"]
    assert "Published" not in explained("J2-6a", third)


@pytest.mark.parametrize("content", ["{", "[]", '{"runs":7}', '{"runs":[{"broken":{"J2-6d":{}}},7]}'])
def test_an_index_that_is_none_is_no_reason_to_crash(run, tmp_path, content):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "index.json").write_text(content)
    done = run("explain", "J2-6d", env={**os.environ, "JRPCHECK_DATA": str(tmp_path)})
    assert done.returncode == (2 if content == "{" else 0)
    assert ("index.json" in done.stderr) == (content == "{")


def test_a_hostile_index_prints_nothing_but_text(made):
    document = json.loads(made("index", GOLDEN / "hostile.ndjson"))
    assert document["schema"] == 1 and len(document["runs"]) == 1


def test_every_format_is_explained(run):
    """docs/reading-a-report.md has a row for each format, and none for a format that is not there."""
    listed = run("report", "--help").stdout.split("Report formats:")[1]
    formats = set(re.findall(r"(?m)^  ([a-z-]+) ", listed))
    page = (ROOT / "docs" / "reading-a-report.md").read_text(encoding="utf-8")
    table = page.split("| `--report` | for |")[1].split("\n\n")[0]
    assert set(re.findall(r"`([a-z-]+)`", " ".join(line.split("|")[1] for line in table.splitlines()[1:]))) == formats
