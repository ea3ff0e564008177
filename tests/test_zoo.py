"""scripts/zoo: its sentences and exit codes, and that every target of targets/ is described soundly.

Nothing is downloaded here: the script runs in a copy of the repository's two folders."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = sorted(p.parent.name for p in (ROOT / "targets").glob("*/target.json"))
DESCRIPTIONS = sorted(
    p
    for p in (ROOT / "targets").glob("*/*.json")
    if p.name not in ("package.json", "package-lock.json") and not p.name.startswith("baseline")
)
EXACT = {
    "requirements.txt": re.compile(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*"),
    "package.json": re.compile(r"[0-9]+\.[0-9]+\.[0-9]+"),
}


@pytest.fixture
def copy(tmp_path, monkeypatch):
    monkeypatch.delenv("JRPCHECK_ZOO", raising=False)
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "zoo", tmp_path / "scripts" / "zoo")
    shutil.copytree(ROOT / "targets", tmp_path / "targets")
    return tmp_path


def zoo(copy, *words, **env):
    return subprocess.run(
        [sys.executable, str(copy / "scripts" / "zoo"), *words],
        env=dict(os.environ, **env), capture_output=True, text=True, timeout=60, check=False,
    )


def test_what_is_installed_is_looked_for_in_the_folder_that_jrpcheck_takes(copy, monkeypatch):
    """And nothing is written beside the sources."""
    elsewhere = copy / "elsewhere"
    monkeypatch.setenv("JRPCHECK_ZOO", str(elsewhere))
    program = copy / "jrpcheck"
    program.write_text('#!/bin/sh\necho "${JRPCHECK_ZOO}"\n')
    program.chmod(0o755)
    (copy / "targets" / "mine").mkdir()
    mine = json.loads((copy / "targets" / "jrpc2" / "target.json").read_text())
    mine["install"] = {"kind": "pip"}
    (copy / "targets" / "mine" / "target.json").write_text(json.dumps(mine))
    (copy / "targets" / "mine" / "requirements.txt").write_text("")
    done = zoo(copy, "install", "mine")
    assert done.returncode == 0, done.stderr
    assert (elsewhere / "mine" / ".stamp").is_file() and not (copy / ".zoo").exists()
    done = zoo(copy, "run", "mine", JRPCHECK=str(program))
    assert done.stdout.splitlines()[-1] == str(elsewhere), done.stdout + done.stderr
    assert not (copy / ".zoo").exists()


def test_list_names_every_target_folder(copy):
    done = zoo(copy, "list")
    assert done.returncode == 0, done.stderr
    listed = {line.split()[0] for line in done.stdout.splitlines()}
    assert set(FOLDERS) <= listed
    assert "installed" not in done.stdout


def test_parsers_are_described_as_parsers(copy):
    """Each description of targets/parsers has a row in the table of its README, and is for jrpcheck parser."""
    listed = {line.split()[0] for line in zoo(copy, "list").stdout.splitlines()}
    readme = (ROOT / "targets" / "parsers" / "README.md").read_text(encoding="utf-8")
    paths = [p for p in (ROOT / "targets" / "parsers").glob("*/*.json") if "command" in json.loads(p.read_text(encoding="utf-8"))]
    assert len(paths) > 30
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        name = f"parsers/{path.parent.name}" + ("" if path.stem == "target" else f"/{path.stem}")
        assert name in listed and f"| `{name}` |" in readme, name
        assert {"name", "version", "language", "url"} == set(document["implementation"]) and document["install"]["kind"]


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("install",), "needs a NAME"),
        (("install", "no-such-target"), "no target 'no-such-target'"),
        (("run", "jrpc2/no-such-variant"), "no target 'jrpc2/no-such-variant'"),
        (("feed", "jrpc2"), "no command"),
        (("report",), "no run yet"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_code_2(copy, words, sentence):
    done = zoo(copy, *words, JRPCHECK="true")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "target, tool, package",
    [("jrpc2", "go", "golang-go"), ("vscode-jsonrpc", "node", "nodejs"),
     ("jsonrpc-core", "cargo", "cargo"), ("lsp4j-jsonrpc", "java", "default-jdk-headless")],
)
def test_a_missing_tool_is_named_with_its_package(copy, target, tool, package):
    done = zoo(copy, "install", target, PATH=str(copy))
    assert done.returncode == 2
    assert f"needs the program {tool}" in done.stderr
    assert f"install the package {package}" in done.stderr
    assert not (copy / ".zoo" / target / ".stamp").exists()


@pytest.mark.parametrize(
    "answer, code, sentence",
    [("exit 1", 2, "Debian packages are missing: apt-get install libjson-rpc-perl libplack-perl"),
     ("printf 'installed 9.9'", 0, "libplack-perl is 9.9 here, 1.0050-1 where it was judged")],
)
def test_a_debian_package_that_is_missing_or_another_is_named(copy, answer, code, sentence):
    query = copy / "bin" / "dpkg-query"
    query.parent.mkdir()
    query.write_text(f"#!/bin/sh\n{answer}\n")
    query.chmod(0o755)
    done = zoo(copy, "install", "json-rpc-perl", PATH=str(query.parent))
    assert done.returncode == code
    assert sentence in done.stderr


def test_the_report_counts_the_levels_of_a_run_and_says_when_it_was_cut_short(copy):
    runs = copy / ".zoo" / "runs"
    runs.mkdir(parents=True)
    finding = {"rule": "J2-6d", "level": "MUST", "text": "x"}
    events = [
        {"event": "start", "schema": 1},
        {"event": "case", "id": "a", "outcome": "fail", "findings": [finding, finding]},
        {"event": "case", "id": "b", "outcome": "warn", "findings": [{**finding, "level": "SHOULD"}]},
        {"event": "case", "id": "c", "outcome": "crash", "findings": []},
        {"event": "case", "id": "d", "outcome": "skip", "findings": []},
        {"event": "of a later version"},
    ]
    (runs / "jrpc2.ndjson").write_text("".join(json.dumps(e) + "\n" for e in events))
    row = zoo(copy, "report").stdout.splitlines()[-1]
    assert row.split("|")[4:9] == [" 3 (cut short) ", " 1 ", " 1 ", " 1 ", " 1 "]


def test_a_stream_that_breaks_off_is_reported_as_cut_short(copy):
    runs = copy / ".zoo" / "runs"
    runs.mkdir(parents=True)
    event = {"event": "case", "id": "a", "outcome": "pass", "findings": []}
    (runs / "jrpc2.ndjson").write_text(json.dumps(event) + '\n{"event":"ca')
    row = zoo(copy, "report").stdout.splitlines()[-1]
    assert row.split("|")[4] == " 1 (cut short) "


def test_what_a_blocked_case_carries_along_is_not_counted(copy):
    runs = copy / ".zoo" / "runs"
    runs.mkdir(parents=True)
    finding = {"rule": "J2-6a", "level": "MUST", "text": "x"}
    event = {"event": "case", "id": "a", "outcome": "blocked", "findings": [finding]}
    (runs / "jrpc2.ndjson").write_text(json.dumps(event) + "\n" + '{"event":"finish"}\n')
    row = zoo(copy, "report").stdout.splitlines()[-1]
    assert row.split("|")[4:9] == [" 0 ", " 0 ", " 0 ", " 0 ", " 1 "]


@pytest.mark.parametrize(
    "name, options, given",
    [("jrpc2", [], "jrpc2/baseline.json"), ("jrpc2/header", [], "jrpc2/baseline-header.json"),
     ("jrpc2", ["--", "--baseline", "mine.json"], "mine.json")],
)
def test_a_run_is_held_against_the_baseline_beside_the_description(copy, name, options, given):
    (copy / "targets" / "jrpc2" / "baseline.json").write_text("{}")
    (copy / "targets" / "jrpc2" / "baseline-header.json").write_text("{}")
    program = copy / "jrpcheck"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    mark = (
        "import runpy, sys; zoo = runpy.run_path(sys.argv[1]);"
        "target = zoo['load']('jrpc2'); place = zoo['ZOO'] / 'jrpc2'; place.mkdir(parents=True);"
        "(place / '.stamp').write_text(zoo['stamp_of'](target))"
    )
    subprocess.run([sys.executable, "-c", mark, str(copy / "scripts" / "zoo")], check=True)
    done = zoo(copy, "run", name, *options, JRPCHECK=str(program))
    assert done.returncode == 0, done.stderr
    words = done.stdout.splitlines()[-1].split()
    assert words.count("--baseline") == 1
    assert words[words.index("--baseline") + 1].endswith(given)


def test_published_reports_tell_no_paths_know_no_baseline_and_renew_the_tables(copy):
    shutil.copytree(ROOT / "reports", copy / "reports", ignore=shutil.ignore_patterns("local", "bench"))
    shutil.copy(ROOT / "README.md", copy / "README.md")
    runs = copy / ".zoo" / "runs"
    runs.mkdir(parents=True)
    finding = {"rule": "J2-6d", "level": "MUST", "text": "at /home/me/checkout/.zoo/jrpc2/server:1"}
    events = [
        {"event": "start", "schema": 1, "tool": {"version": "9.9"}, "started": "2031-02-03T04:05:06Z"},
        {"event": "case", "id": "a", "outcome": "fail", "expected": True, "findings": [finding]},
        {"event": "finish", "unexpected": 0, "conformant": True},
    ]
    (runs / "jrpc2.ndjson").write_text("".join(json.dumps(e) + "\n" for e in events))
    (runs / "jrpc2.command").write_text("scripts/zoo run jrpc2 -- --jobs 1")
    program = copy / "jrpcheck"
    program.write_text(
        "#!/bin/sh\nstream=$2\nfor word; do case $word in\n"
        "  markdown=*) { echo '## jrpcheck: jrpc2'; cat \"$stream\"; } > \"${word#*=}\" ;;\n"
        "  matrix=*|index=*|html=*) echo made > \"${word#*=}\" ;;\nesac; done\nexit 1\n")
    program.chmod(0o755)
    done = zoo(copy, "report", "--write", "--html", str(copy / "pages"), JRPCHECK=str(program))
    assert done.returncode == 0, done.stderr
    text = (copy / "reports" / "jrpc2.md").read_text()
    assert "jrpcheck 9.9, 2031-02-03, `scripts/zoo run jrpc2 -- --jobs 1`" in text
    assert "at .zoo/jrpc2/server:1" in text and "/home/me" not in text
    case, finish = (json.loads(line) for line in text.splitlines()[-2:])
    assert (case["expected"], finish["unexpected"], finish["conformant"]) == (False, 1, False)
    assert {p.name for p in (copy / "pages").iterdir()} == {"jrpc2.html", "index.html"}
    for path in ("targets/README.md", "reports/README.md", "README.md"):
        rows = [line for line in (copy / path).read_text().splitlines() if line.startswith("| [jrpc2](")]
        assert len(rows) == 1 and " 1 | 1 | 0 | 0 |" in rows[0], path


@pytest.mark.parametrize("path", sorted((ROOT / "targets").rglob("baseline*.json")),
                         ids=lambda p: f"{p.parent.relative_to(ROOT / 'targets')}/{p.stem}")
def test_every_entry_of_a_baseline_has_its_reason(path):
    entries = json.loads(path.read_text())["entries"]
    assert entries
    assert [e["case"] for e in entries if len(e["reason"]) < 20] == []


@pytest.mark.parametrize("path", DESCRIPTIONS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_description_names_its_folder_and_only_known_variables(path):
    target = json.loads(path.read_text())
    assert target["schema"] == 1
    assert target["name"].split("/")[0] == path.parent.name
    assert ("command" in target) != ("start" in target)
    words = target.get("command", target.get("start")) + [target.get("url", "")]
    assert set(re.findall(r"\$\{([^}]*)\}", " ".join(words))) <= {"zoo", "here", "port"}
    for capability, method in target["methods"].items():
        assert set(method) <= {"method", "by-position", "by-name", "result"}, capability


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_version_is_exact_and_no_lock_file_names_a_registry(folder):
    base = ROOT / "targets" / folder
    if (base / "requirements.txt").exists():
        for line in (base / "requirements.txt").read_text().splitlines():
            assert EXACT["requirements.txt"].fullmatch(line), line
    if (base / "package.json").exists():
        for version in json.loads((base / "package.json").read_text())["dependencies"].values():
            assert EXACT["package.json"].fullmatch(version), version
        assert "resolved" not in (base / "package-lock.json").read_text()
    if (base / "Cargo.toml").exists():
        assert (base / "Cargo.lock").exists()
    if (base / "go.mod").exists():
        assert (base / "go.sum").exists()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_target_has_findings_judged_by_hand(folder):
    text = (ROOT / "targets" / folder / "README.md").read_text()
    assert "## Findings" in text
    assert json.loads((ROOT / "targets" / folder / "target.json").read_text())["implementation"]["version"] in text
