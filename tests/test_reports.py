"""The reports, read back as the programs would read them that they are made for."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import xml.etree.ElementTree
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "unit" / "report" / "golden"
STREAMS = ["mixed", "hostile", "cut-short", "stopped", "conformant"]

# Answers every line with text that tries to break out of a report.
HOSTILE_SERVER = r"""
import json, sys
for line in sys.stdin.buffer:
    try:
        message = json.loads(line)
    except Exception:
        message = None
    answer = {"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": PAYLOAD, "data": PAYLOAD}}
    if isinstance(message, dict):
        if "id" not in message:
            continue
        answer["id"] = message["id"]
    else:
        sys.stdout.buffer.write(PAYLOAD.encode() + b"\n")
    sys.stderr.write(PAYLOAD)
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()
"""
PAYLOAD = "\x1b[2J ]]> <script>alert(1)</script> | `a` \u202egnp.exe \x00\x7f\u0085 # SKIP"

# What CI servers read (the JUnit format as Jenkins and GitLab publish it): element → children, required
# attributes, further attributes.
NUMBER = re.compile(r"^\d+(\.\d+)?$")
JUNIT = {
    "testsuites": ({"testsuite"}, set(), {"name", "tests", "failures", "errors", "skipped", "time"}),
    "testsuite": (
        {"properties", "testcase", "system-out", "system-err"},
        {"name", "tests", "failures", "errors", "skipped"},
        {"time", "timestamp", "hostname", "id", "package", "file"},
    ),
    "properties": ({"property"}, set(), set()),
    "property": (set(), {"name", "value"}, set()),
    "testcase": (
        {"skipped", "error", "failure", "system-out", "system-err"},
        {"name", "classname"},
        {"time", "file", "line"},
    ),
    "failure": (set(), {"type"}, {"message"}),
    "error": (set(), {"type"}, {"message"}),
    "skipped": (set(), set(), {"message"}),
    "system-out": (set(), set(), set()),
    "system-err": (set(), set(), set()),
}


def check_junit(element):
    children, required, optional = JUNIT[element.tag]
    assert required <= set(element.attrib) <= required | optional, element.attrib
    for name in {"tests", "failures", "errors", "skipped", "time"} & set(element.attrib):
        assert NUMBER.match(element.attrib[name]), (name, element.attrib[name])
    for child in element:
        assert child.tag in children, f"<{child.tag}> in <{element.tag}>"
        check_junit(child)


def check_counts(suite):
    cases = suite.findall("testcase")
    assert int(suite.get("tests")) == len(cases)
    for attribute, tag in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]:
        assert int(suite.get(attribute)) == sum(case.find(tag) is not None for case in cases)


def is_printable(text):
    """Nothing that moves a cursor, hides itself or turns the direction of writing."""
    return not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", text)


@pytest.fixture
def report(run, tmp_path):
    """Makes a report of a kept stream and returns its text, as bytes decoded strictly."""

    def report(stream, name):
        out = tmp_path / f"out.{name}"
        done = run("report", stream, "--report", f"{name}={out}")
        assert done.returncode in (0, 1, 2, 3, 130), done.stderr
        return out.read_bytes().decode("utf-8")

    return report


@pytest.fixture
def live(run, reference, tmp_path):
    """Runs the suite and returns the finished process and the event stream."""

    def live(*words, options=()):
        stream = tmp_path / "run.ndjson"
        done = run("--report", f"ndjson={stream}", "--report", "console", *options, "--", *words)
        return done, stream

    return live


@pytest.fixture
def junit_errors():
    """Validates a JUnit report and returns what xmllint finds wrong with it, as text."""
    xmllint = shutil.which("xmllint")
    if xmllint is None:
        tell = pytest.fail if os.environ.get("CI") in ("true", "1") else pytest.skip
        tell("xmllint is missing, so no report is held against tests/junit.xsd: run scripts/setup")

    def junit_errors(path):
        done = subprocess.run(
            [xmllint, "--nonet", "--noout", "--schema", ROOT / "tests" / "junit.xsd", path],
            capture_output=True, text=True, encoding="utf-8", timeout=60,
        )
        assert done.returncode in (0, 3), done.stderr  # 3: read well, and not valid
        return done.stderr if done.returncode else ""

    return junit_errors


@pytest.mark.parametrize(
    "words, outcome",
    [
        (["--stdio"], "skipped"),
        (["--stdio", "--fault", "batch-crash"], "failure"),
        (["--stdio", "--fault", "batch-empty-silent"], "failure"),
        (["--stdio", "--fault", "version-unchecked"], "system-out"),
        (None, "error"),
    ],
    ids=["faultless", "batch-crash", "batch-empty-silent", "version-unchecked", "cat"],
)
def test_the_junit_report_of_a_run_keeps_to_its_schema(live, reference, junit_errors, tmp_path, words, outcome):
    out = tmp_path / "out.xml"
    done, _ = live(*([reference, *words] if words else ["cat"]), options=["--report", f"junit={out}"])
    assert junit_errors(out) == ""
    root = xml.etree.ElementTree.parse(out).getroot()
    assert root.find(f".//testcase/{outcome}") is not None
    broken = root.findall(".//testcase/failure") + root.findall(".//testcase/error")
    assert bool(broken) == (done.returncode != 0), done.stderr
    for suite in root.findall("testsuite[@timestamp]"):
        assert re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", suite.get("timestamp"))


@pytest.mark.parametrize("name", STREAMS)
def test_the_junit_report_of_a_kept_stream_keeps_to_its_schema(report, junit_errors, tmp_path, name):
    report(GOLDEN / f"{name}.ndjson", "junit")
    assert junit_errors(tmp_path / "out.junit") == ""


@pytest.mark.parametrize(
    "right, wrong, named",
    [
        (' errors="', ' error="', "'error'"),
        (' tests="', ' tests="-', "'tests'"),
        (' time="0.', ' time="0,', "'time'"),
        (' classname="', ' class="', "'class'"),
        (' type="J2-6d"', "", "'type'"),
        ("<skipped ", "<skip ", "'skip'"),
        ("<properties>", "<properties/><properties>", "'properties'"),
    ],
)
def test_the_junit_schema_refuses_what_a_ci_server_would_not_read(report, junit_errors, tmp_path, right, wrong, named):
    text = report(GOLDEN / "mixed.ndjson", "junit")
    assert right in text
    (tmp_path / "wrong.xml").write_text(text.replace(right, wrong), encoding="utf-8")
    assert named in junit_errors(tmp_path / "wrong.xml").replace('"', "'")


@pytest.mark.parametrize("name", STREAMS)
def test_junit_is_what_ci_servers_read(report, name):
    text = report(GOLDEN / f"{name}.ndjson", "junit")
    root = xml.etree.ElementTree.fromstring(text.encode("utf-8"))
    assert root.tag == "testsuites"
    check_junit(root)
    for suite in root:
        check_counts(suite)
    assert is_printable(text)


def test_junit_says_which_case_did_what(report):
    root = xml.etree.ElementTree.fromstring(report(GOLDEN / "mixed.ndjson", "junit"))
    reported = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert reported == {
        "request/ok": [],
        "version/one": ["system-out"],
        "id/fraction": ["skipped"],
        "id/duplicate": ["system-out"],
        "batch/empty": ["failure"],
        "batch/spaced": ["failure"],
        "batch/mixed": ["skipped"],
        "parse/deep": ["failure"],
        "params/by-name": ["skipped"],
        "params/text": ["skipped"],
    }
    failure = root.find(".//testcase[@name='batch/empty']/failure")
    assert failure.get("type") == "J2-6d"
    assert failure.get("message") == "J2-6d: expected an error, got []"
    assert "→ []\n← []\n" in failure.text


@pytest.mark.parametrize("name", ["cut-short", "stopped"])
def test_a_run_without_an_end_passes_nowhere(report, name):
    root = xml.etree.ElementTree.fromstring(report(GOLDEN / f"{name}.ndjson", "junit"))
    assert root.find(".//testcase[@name='the run is complete']/error") is not None
    tap = report(GOLDEN / f"{name}.ndjson", "tap")
    assert "\nBail out! " in tap and "\n1.." not in tap
    verdict = json.loads(report(GOLDEN / f"{name}.ndjson", "json"))["runs"][0]["verdict"]
    assert verdict["conformant"] is False


POINT = re.compile(r"^(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TO" + r"DO) (.*))?$")


def read_tap(text):
    """Reads TAP 14 strictly: every line must be one that the format knows."""
    lines = text.splitlines()
    assert lines[0] == "TAP version 14"
    points, plan, block = [], None, None
    for line in lines[1:]:
        if block is not None:
            if line == "  ...":
                points[-1]["yaml"], block = block, None
            else:
                member = re.match(r'^  (?:  - |\w+: )(".*")$|^  \w+:$', line)
                assert member, line
                block += [json.loads(member.group(1))] if member.group(1) else []
        elif line == "  ---":
            block = []
        elif POINT.match(line):
            failed, number, description, directive, why = POINT.match(line).groups()
            points.append({"ok": not failed, "number": int(number), "description": description, "directive": directive, "why": why})
        elif re.match(r"^1\.\.\d+$", line):
            plan = int(line[3:])
        else:
            assert line.startswith(("# ", "Bail out! ")), line
    assert block is None
    assert [point["number"] for point in points] == list(range(1, len(points) + 1))
    return points, plan


@pytest.mark.parametrize("name", STREAMS)
def test_tap_has_a_point_for_each_case(report, name):
    text = report(GOLDEN / f"{name}.ndjson", "tap")
    points, plan = read_tap(text)
    events = [json.loads(line) for line in (GOLDEN / f"{name}.ndjson").read_text(encoding="utf-8").split("\n") if line]
    assert len(points) == sum(event["event"] == "case" for event in events)
    assert plan in (None, len(points))
    assert is_printable(text)


def test_tap_marks_what_fails_what_is_left_out_and_what_is_expected(report):
    points, plan = read_tap(report(GOLDEN / "mixed.ndjson", "tap"))
    assert plan == 10
    assert [point["description"].split(" ")[0] for point in points if not point["ok"]] == [
        "batch/empty", "batch/spaced", "parse/deep", "id/fraction",
    ]
    assert [point["directive"] for point in points].count("SKIP") == 3
    assert [point["directive"] for point in points if point["description"].startswith("id/fraction")] == ["TO" + "DO"]
    assert points[1]["yaml"][0] == "J2-6d: expected an error, got []"


@pytest.mark.parametrize("name", STREAMS)
def test_json_is_a_document_that_counts_what_the_stream_tells(report, name):
    text = report(GOLDEN / f"{name}.ndjson", "json")
    run = json.loads(text)["runs"][0]
    assert sum(run["counts"].values()) == len(run["cases"])
    assert is_printable(text)


def test_json_keeps_the_text_of_a_peer_unchanged(report):
    lines = [line for line in (GOLDEN / "hostile.ndjson").read_text(encoding="utf-8").split("\n") if line]
    stated = json.loads(lines[1])
    case = json.loads(report(GOLDEN / "hostile.ndjson", "json"))["runs"][0]["cases"][0]
    for name in ["id", "suite", "section"]:
        assert case[name] == re.sub("[\ud800-\udfff]", "\ufffd" * 3, stated[name])


@pytest.mark.parametrize("name", STREAMS)
def test_markdown_holds_no_markup_of_a_peer(report, name):
    text = report(GOLDEN / f"{name}.ndjson", "markdown")
    assert is_printable(text)
    assert set(re.findall(r"</?(\w+)", text)) <= {"code", "details", "summary", "b", "pre"}
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} <= {6}
    assert len(text.encode()) < 1 << 20


def test_markdown_begins_with_the_verdict(report):
    lines = report(GOLDEN / "mixed.ndjson", "markdown").splitlines()
    assert lines[0].startswith("## jrpcheck: ")
    assert lines[2].startswith("**NOT CONFORMANT: 2 MUST rules broken, 1 crash")


@pytest.fixture(scope="session")
def event_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "event.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def check_stream(schema, path):
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    for number, event in enumerate(events, 1):
        for error in schema.iter_errors(event):
            pytest.fail(f"{path}:{number}: {error.message[:200]} at {list(error.path)}")
    kinds = [event["event"] for event in events]
    assert kinds[0] == "start" and kinds[-1] == "finish"
    assert set(kinds[1:-1]) <= {"rule", "case", "ground", "fuzz"}
    return events


@pytest.mark.parametrize("fault", [None, "batch-refused", "batch-crash", "version-unchecked"])
def test_the_stream_of_a_run_keeps_to_its_schema(live, reference, event_schema, fault):
    words = [reference, "--stdio"] + (["--fault", fault] if fault else [])
    done, stream = live(*words)
    assert done.returncode in (0, 1), done.stderr
    events = check_stream(event_schema, stream)
    finish = events[-1]
    cases = [event for event in events if event["event"] == "case"]
    assert sum(finish["counts"].values()) == len(cases) == events[0]["suite"]["selected"]
    for outcome, count in finish["counts"].items():
        assert count == sum(case["outcome"] == outcome for case in cases)
    assert finish["conformant"] == (done.returncode == 0)


def test_the_stream_of_fuzzing_keeps_to_its_schema_and_says_how_far_it_came(run, reference, event_schema, tmp_path):
    done = run("fuzz", "--messages", 3000, "--seed", 1, "--report", "ndjson=s", "--", reference, "--stdio", "--fault", "id-int32")
    assert done.returncode == 1, done.stdout + done.stderr
    events = check_stream(event_schema, tmp_path / "s")
    far = [event for event in events if event["event"] == "fuzz"]
    found = [event for event in events if event["event"] == "case" and event["outcome"] in ("fail", "warn")]
    assert far[-1]["messages"] >= 3000 and far[-1]["findings"] == len(found) > 0, far
    assert f"{far[-1]['messages']} messages" in done.stderr, far
    for name in ("console", "html", "junit", "sarif"):
        assert run("report", "s", "--report", f"{name}=out").returncode == 0, name


@pytest.mark.parametrize("command", ["cat", "true"])
def test_the_stream_of_a_run_that_was_stopped_says_why(live, event_schema, command):
    done, stream = live(command)
    assert done.returncode != 0
    finish = check_stream(event_schema, stream)[-1]
    assert finish["stopped"] and not finish["conformant"]


def test_findings_carry_the_sentence_of_their_rule(live, reference):
    _, stream = live(reference, "--stdio", "--fault", "batch-empty-silent", options=["--only", "batch/empty"])
    cases = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    sentences = [finding["sentence"] for case in cases for finding in case.get("findings", [])]
    assert sentences and all("server" in sentence for sentence in sentences)


def test_a_kept_stream_gives_the_same_report_as_the_run(run, live, reference, tmp_path):
    kept = tmp_path / "kept"
    done, stream = live(
        reference, "--stdio", "--fault", "version-unchecked", options=["--report", f"tap={kept}.live"]
    )
    assert run("report", stream, "--report", f"tap={kept}.later").returncode == done.returncode
    assert pathlib.Path(f"{kept}.live").read_text() == pathlib.Path(f"{kept}.later").read_text()
    later = run("report", stream, "--report", "console").stdout
    assert later == done.stdout


def test_the_console_tells_a_failure_so_that_it_can_be_done_again(live, reference):
    done, _ = live(reference, "--stdio", "--fault", "batch-empty-answered-with-array")
    assert re.match(r"NOT CONFORMANT: \d+ MUST rules? broken", done.stdout)
    block = re.search(r"^MUST J2-6d, .*\n(?:  .*\n)+", done.stdout, re.MULTILINE).group()
    assert re.match(r"MUST J2-6d, \d+ cases?: A server ", block)
    assert "\n  sent      []\n  came      []\n  expected  {" in block
    assert f"\n  repeat    jrpcheck repro batch/empty -- {reference} --stdio --fault batch-empty" in block


def test_the_log_tells_a_failure_so_that_it_can_be_done_again(run, reference):
    done = run("-v", "--only", "batch/**", "--", reference, "--fault", "batch-empty-answered-with-array")
    block = re.search(r"^FAIL    batch/empty  .*\n(?:      .*\n)+", done.stdout, re.MULTILINE).group()
    assert re.search(r"^      J2-6d MUST  A server ", block, re.MULTILINE)
    assert "\n      → []\n      ← []\n" in block
    assert f"\n      $ jrpcheck repro batch/empty -- {reference} --fault batch-empty" in block


def test_the_console_says_which_methods_would_unlock_most(live, reference):
    done, _ = live(reference, "--stdio")
    line = re.search(r"^  \d+ need a method .*: --method (\w+)=NAME unlocks (\d+)(.*)", done.stdout, re.MULTILINE)
    assert line, done.stdout
    counts = [int(line.group(2))] + [int(count) for count in re.findall(r"\w+ (\d+)", line.group(3))]
    assert counts == sorted(counts, reverse=True)
    assert "no method is mapped" not in done.stdout


def test_a_target_that_breaks_a_ground_case_blocks_by_name(live, reference):
    done, _ = live(reference, "--stdio", "--fault", "batch-refused")
    assert re.search(r"^  \d+ depends? on a rule that is broken, or whose case crashed: J2-6a \d+", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^SHOULD J2-6a, .* not judged because of it: ", done.stdout, re.MULTILINE), done.stdout


def test_a_hostile_target_gets_nothing_onto_the_terminal(run, tmp_path):
    server = tmp_path / "hostile.py"
    server.write_text(f"PAYLOAD = {PAYLOAD!r}\n" + HOSTILE_SERVER, encoding="utf-8")
    places = {name: tmp_path / name for name in ["json", "junit", "tap", "markdown"]}
    reports = [word for name, place in places.items() for word in ["--report", f"{name}={place}"]]
    done = run("--report", "console", *reports, "--verbose", "--suite", "jsonrpc-2.0", "--", sys.executable, server)
    assert done.returncode == 1, done.stderr
    assert "\\x1b[2J" in done.stdout
    assert is_printable(done.stdout) and is_printable(done.stderr)
    for name, place in places.items():
        assert is_printable(place.read_text(encoding="utf-8")), name
    check_junit(xml.etree.ElementTree.fromstring(places["junit"].read_bytes()))
    read_tap(places["tap"].read_text(encoding="utf-8"))
    assert "<script" not in places["markdown"].read_text(encoding="utf-8")


def test_no_report_is_left_half_written(run, tmp_path):
    out = tmp_path / "out.xml"
    done = run("--report", f"junit={out}", "--", "/nonexistent/server")
    assert done.returncode == 3
    assert [path.name for path in tmp_path.iterdir()] in ([], ["out.xml"])
    if out.exists():
        root = xml.etree.ElementTree.fromstring(out.read_bytes())
        assert root.find(".//error") is not None


class Unprintable(BaseHTTPRequestHandler):
    """Answers with a byte that does not print, and with what only looks like the spelling of one."""

    def do_POST(self):
        page = b"\x1bno \\x41"
        self.send_response(501)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *ignored):
        pass


@pytest.mark.parametrize("format_name, spelled", [("console", r"\x1bno \x5cx41"), ("junit", r"\x1bno \x5cx41"),
                                                  ("html", r"\x1bno \x5cx41"), ("tap", r"\x1bno \x5cx41"),
                                                  ("markdown", "&#92;x1bno &#92;x5cx41"), ("sarif", r"\\x1bno \\x5cx41")])
def test_a_sentence_spells_what_a_server_sent_once(run, tmp_path, format_name, spelled):
    with ThreadingHTTPServer(("127.0.0.1", 0), Unprintable) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = run("--report", f"{format_name}=report", f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
    assert done.returncode == 1, done.stderr
    text = (tmp_path / "report").read_text()
    assert spelled in text
    assert "x5cx1b" not in text and "x5cx5c" not in text
