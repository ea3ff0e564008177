"""Profiles: each holds on a server that follows it, the same server has findings under spec, and what users write
about profiles is answered with a place and a remedy."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILES = sorted(path.stem for path in (ROOT / "cases" / "profiles").glob("*.json"))
# How jrpc-reference becomes a server that follows a profile.
AS = {
    "spec": [], "strict": [], "http-production": [], "jsonrpc-1.0": ["--v1"], "jrpc2": ["--as", "jrpc2"],
    "kotlin-design": ["--as", "kotlin-design"], "kotlinx-rpc": ["--as", "kotlinx-rpc"], "mcp": ["--as", "mcp"],
    "mcp-2024-11-05": ["--as", "mcp"], "mcp-2025-03-26": ["--as", "mcp"], "mcp-2025-06-18": ["--as", "mcp"],
    "mcp-2025-11-25": ["--as", "mcp"], "mcp-2026-07-28": ["--as", "mcp-2026-07-28"],
    "mcp-2026-07-28-dual": [],
    "ro-jrpc": [], "lsp": ["--as", "lsp", "--framing", "content-length"],
    "ethereum": ["--as", "ethereum"],
}
AS |= {name: AS["lsp"] for name in ("lsp-3.17", "lsp-3.18")}
FIXTURE = ["subtract", "fail", "app_error", "count", "update", "optional", "notify_hello", "flow", "failing_flow", "push"]


def events(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def findings_in(path):
    """Rule → levels of what was found against the target."""
    found = {}
    for event in events(path):
        for finding in event.get("findings", []) if event["event"] == "case" else []:
            if not finding.get("known") or finding.get("repeats"):
                found.setdefault(finding["rule"], set()).add(finding["level"])
    return found


@pytest.fixture
def check(run, reference, tmp_path):
    """Runs the suite on jrpc-reference; the exit code and the path of the stream."""

    def check(options, server, methods=()):
        stream = tmp_path / "run.ndjson"
        mapped = [word for method in methods for word in ("--method", f"{method}={method}")]
        done = run(*options, *mapped, "--quiet", "--report", f"ndjson={stream}", "--", reference, *server, timeout=300)
        return done.returncode, stream, done

    return check


def test_every_profile_is_tried():
    assert sorted(AS) == PROFILES


@pytest.mark.parametrize("profile", [name for name in PROFILES if name not in ("http-production", "lsp-3.17", "mcp-2026-07-28-dual")])
def test_a_server_that_follows_a_profile_is_conformant_under_it(check, profile):
    status, stream, done = check(["--profile", profile], AS[profile], FIXTURE)
    assert (status, findings_in(stream)) == (0, {}), done.stdout[-2000:] + done.stderr
    start = events(stream)[0]
    # A profile of several revisions becomes the one that the server speaks.
    assert (start["event"], start["profile"]) == ("start", "mcp-2025-11-25" if profile == "mcp" else profile)


@pytest.mark.parametrize("profile, methods, rules", [
    ("jrpc2", [], {"J2-6d"}),
    ("mcp", [], {"J2-6d", "J2-4f"}),
    ("lsp", [], {"J2-6d", "J2-6a"}),
    ("kotlin-design", [], {"J2-4f"}),
])
def test_what_the_profile_allows_is_reported_under_spec(check, tmp_path, profile, methods, rules):
    harmless = tmp_path / "initialize.json"
    greeting = {"jsonrpc": "2.0", "method": "hello"} if profile != "lsp" else \
        {"jsonrpc": "2.0", "id": "${id}", "method": "initialize", "params": {}}
    harmless.write_text(json.dumps([{"send": greeting, "expect": "anything"} if "id" in greeting else {"send": greeting}]))
    framing = ["--framing", "content-length"] if profile == "lsp" else []
    _, stream, done = check(["--prelude", harmless, *framing], AS[profile], methods)
    found = findings_in(stream)
    # The empty batch of a server that drops every batch is dropped too.
    assert rules - ({"J2-6d"} if profile in ("mcp", "lsp") else set()) <= set(found), (found, done.stderr)


@pytest.mark.parametrize("profile, fault, rule", [
    ("jrpc2", "jr-empty-batch-invalid-request", "JR-a"),
    ("jrpc2", "jr-anonymous-errors-last", "JR-b"),
    ("kotlin-design", "kd-null-id-served", "KD-5.2"),
    ("kotlin-design", "version-unchecked", "J2-4a"),
    ("kotlinx-rpc", "kx-failure-internal-error", "KX-2.6a"),
    ("kotlinx-rpc", "kx-flow-end-null", "KX-4c"),
    ("kotlinx-rpc", "kx-failure-data-missing", "KX-2.6c"),
    ("strict", "version-unchecked", "J2-4a"),
    ("mcp", "notification-answered", "J2-4.1a"),
    ("lsp", "unknown-method-internal-error", "J2-5.1f"),
    ("ethereum", "eth-sha3-of-fips-202", "ETH-1b"),
])
def test_what_breaks_the_profile_is_a_must_under_it(check, profile, fault, rule):
    status, stream, done = check(["--profile", profile], [*AS[profile], "--fault", fault], FIXTURE)
    assert status == 1, done.stdout[-2000:] + done.stderr
    assert "MUST" in findings_in(stream).get(rule, set()), findings_in(stream)


def test_batches_that_are_served_are_judged_where_they_need_not_be(check, tmp_path):
    harmless = tmp_path / "prelude.json"
    harmless.write_text('[{"send": {"jsonrpc": "2.0", "method": "hello"}}]')
    options = ["--profile", "mcp", "--prelude", harmless, "--only", "batch/three-calls"]
    assert findings_in(check(options, [])[1]) == {}
    assert findings_in(check(options, ["--fault", "batch-last-call-dropped"])[1]) == {"J2-6b": {"SHOULD"}}


def test_the_notes_of_jrpc2_allow_a_parse_error_for_all_that_is_not_valid(run, tmp_path):
    stream = tmp_path / "run.ndjson"
    server = ROOT / "tests" / "servers" / "validates_with_parse_error.py"
    done = run("--profile", "jrpc2", "--report", f"ndjson={stream}", "--", sys.executable, server)
    against = {rule for rule, levels in findings_in(stream).items() if levels != {"OBSERVE"}}
    assert (done.returncode, against) == (0, set()), done.stdout[-2000:]


def test_a_server_of_the_specification_alone_does_not_pass_for_another(check):
    for profile, rules in (("jrpc2", {"JR-a"}), ("kotlin-design", {"KD-5.2"}), ("kotlinx-rpc", {"KX-2.6a", "KX-2.6c"})):
        status, stream, _ = check(["--profile", profile], [], FIXTURE)
        assert (status, set(findings_in(stream))) == (1, rules)


def test_what_a_profile_allows_is_recorded_by_name(check):
    _, stream, _ = check(["--profile", "mcp", "--only", "batch/two-calls"], AS["mcp"])
    case = [event for event in events(stream) if event["event"] == "case"][-1]
    assert case["outcome"] in ("pass", "observe")
    assert case["observed"]["J2-6a"] == "batch-refused"


def test_production_gets_nothing_that_could_take_effect_or_hurt(run, reference, tmp_path):
    log = tmp_path / "access.log"
    server = subprocess.Popen([reference, "--http", "127.0.0.1:0", "--access-log", log], stderr=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+", server.stderr.readline())[0]
        stream = tmp_path / "run.ndjson"
        done = run("--profile", "http-production", "--report", f"ndjson={stream}", url, timeout=120)
    finally:
        server.terminate()
        server.wait(timeout=10)
        server.stderr.close()
    assert done.returncode == 0, done.stdout + done.stderr
    methods = {call["method"] for call in events(log) if isinstance(call.get("method"), str)}
    assert methods and not methods & {"subtract", "sum", "get_data", "echo", "update", "fail"}, methods
    for event in events(stream):
        for message in event.get("exchange", {}).get("messages", []) if event["event"] == "case" else []:
            assert len(message.get("text", "")) < 4096, event["id"]


def test_reports_name_the_profile(run, reference, tmp_path):
    report = tmp_path / "report.md"
    done = run("--profile", "jrpc2", "--only", "jr/*", "--report", f"markdown={report}", "--report", "console",
               "--", reference, "--as", "jrpc2")
    assert done.returncode == 0, done.stderr
    assert "profile jrpc2" in done.stdout
    assert "profile <code>jrpc2</code>" in report.read_text()


def test_a_target_names_its_profile_and_the_option_outweighs_it(run, reference, tmp_path):
    target = tmp_path / "target.json"
    target.write_text(json.dumps({"schema": 1, "command": [reference, "--as", "jrpc2"], "profile": "jrpc2"}))
    assert run("--only", "batch/empty", target).returncode == 0
    assert run("--only", "batch/empty", "--profile", "spec", target).returncode == 1
    target.write_text(json.dumps({"schema": 1, "command": [reference], "profile": "jrcp"}))
    done = run(target)
    assert done.returncode == 2 and "there is no profile 'jrcp'" in done.stderr
    done = run("lint", target)
    assert done.returncode == 2 and "there is no profile 'jrcp'" in done.stdout


@pytest.mark.parametrize("word, sentence", [
    ("kotlin-rpc", r"there is no profile 'kotlin-rpc'; did you mean \"kotlinx-rpc\"\?"),
    ("xyz", r"there is no profile 'xyz'; known are ethereum, http-production, jrpc2, "),
    ("./nowhere.json", r"nowhere\.json: cannot open the file"),
])
def test_an_unknown_profile_is_refused_with_the_nearest(run, reference, word, sentence):
    done = run("--profile", word, "--", reference)
    assert done.returncode == 2
    assert re.search(sentence, done.stderr), done.stderr


def write_profile(tmp_path, **members):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"schema": 1, "profile": "mine", "title": "ours", **members}, indent=1))
    return path


WHY = {"sentence": "we say so", "source": "our own text"}


def test_a_profile_of_ones_own_is_a_file(run, reference, tmp_path):
    mine = write_profile(tmp_path, extends="spec", levels=[{"rules": ["J2-6d"], "level": "O", **WHY}])
    words = ["--only", "batch/empty", "--", reference, "--fault", "batch-empty-parse-error"]
    assert run(*words).returncode == 1
    assert run("--profile", mine, *words).returncode == 0
    mine = write_profile(tmp_path, levels=[{"rules": ["J2-6d"], "level": "off", **WHY}])
    done = run("--profile", mine, *words)
    assert done.returncode == 2 and "the profile mine leaves out every case that is selected" in done.stderr


@pytest.mark.parametrize("members, sentence", [
    ({"levels": [{"rules": ["J2-6dd"], "level": "O", **WHY}]}, r"mine\.json:8:5: the catalogue has no rule \"J2-6dd\"; did you"),
    ({"levels": [{"rules": ["J2-6d"], "level": "O", "source": "x"}]}, r"mine\.json:6:3: .*sentence"),
    ({"suites": ["jsonrpc-2.O"]}, r"mine\.json:6:3: there is no suite \"jsonrpc-2.O\"; did you mean \"jsonrpc-2.0\""),
    ({"accept": [{"cases": ["batch/emty"], "answers": [{"error": {}}], **WHY}]}, r"no case matches \"batch/emty\"; did you"),
])
def test_a_wrong_profile_is_reported_by_lint_and_by_a_run(run, reference, tmp_path, members, sentence):
    mine = write_profile(tmp_path, **members)
    for done in (run("lint", mine), run("--profile", mine, "--", reference)):
        assert done.returncode == 2
        assert re.search(sentence, done.stdout + done.stderr), done.stdout + done.stderr


def test_list_shows_what_a_profile_selects(run):
    plain = run("list", "--profile", "spec").stdout
    kotlin = run("list", "--profile", "kotlinx-rpc").stdout
    assert "kx/flow-id" in kotlin and "kx/flow-id" not in plain
    assert "json-depth/" not in run("list", "--profile", "http-production").stdout
    rules = run("list", "--rules", "--profile", "kotlinx-rpc").stdout
    assert re.search(r"^SEC-j +off ", rules, re.M) and re.search(r"^J2-8a +OBSERVE ", rules, re.M)


def test_explain_gives_the_sentence_of_the_profile(run):
    case = run("explain", "batch/empty", "--profile", "jrpc2").stdout
    assert "as the profile allows" in case and "Profile jrpc2: other answers do" in case
    assert "where the specification says -32600" in " ".join(case.split())
    assert "Profile kotlinx-rpc: taken out" in run("explain", "SEC-j", "--profile", "kotlinx-rpc").stdout
    assert "Profile http-production: left out" in run("explain", "security/wide-batch", "--profile", "http-production").stdout
    assert "Profile" not in run("explain", "batch/empty").stdout


def test_repro_repeats_the_profile(run, reference):
    done = run("repro", "batch/empty", "--profile", "jrpc2", "--", reference, "--as", "jrpc2")
    assert done.returncode == 0, done.stdout
    done = run("--profile", "jrpc2", "--only", "jr/empty-batch", "--", reference)
    assert done.returncode == 1 and "jrpcheck repro jr/empty-batch --profile jrpc2 --" in done.stdout


@pytest.mark.parametrize("name", PROFILES)
def test_every_difference_has_its_sentence_and_source(name):
    profile = json.loads((ROOT / "cases" / "profiles" / f"{name}.json").read_text(encoding="utf-8"))
    for member in ("levels", "accept", "leave-out"):
        for change in profile.get(member, []):
            assert change["sentence"].endswith(".") and len(change["source"]) > 10
    for change in profile.get("accept", []):
        for answer in change["answers"]:
            assert answer["as"].startswith("observe:"), "what is allowed instead is recorded by name"
