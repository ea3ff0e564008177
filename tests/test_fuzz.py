"""The fuzz targets, their tools and their builds, as far as they can be tried in seconds."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from case_files import cases_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("JRPCHECK_BUILD", ROOT / "build" / "dev"))
TOOLS = ROOT / "fuzz" / "tools"
TARGETS = re.findall(r"^ *jrpc_fuzz_target\((\w+)", (ROOT / "fuzz" / "CMakeLists.txt").read_text(), re.M)


def program(name):
    path = BUILD / "fuzz" / name
    if not path.is_file():
        pytest.skip(f"{name} was not built (Python 3, or the parser of a plug, was missing)")
    return path


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", **more)


def inputs(folder):
    return [p for p in folder.rglob("*") if p.is_file() and p.name != "README.md"]


def test_there_are_targets_for_every_reader_of_hostile_bytes():
    assert {"json_read", "json_roundtrip", "json_equal", "message", "router", "sequence", "framing", "mutator",
            "case_loader", "target_loader", "judge", "report", "sse", "http", "handshake", "websocket"} <= set(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_on_its_corpus_and_runs_every_input(name):
    folder = ROOT / "corpus" / name
    done = run(program(f"fuzz_{name}"), folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{len(inputs(folder))} inputs, ")
    assert inputs(folder)


def test_a_replay_without_inputs_is_no_success(tmp_path):
    assert run(program("fuzz_json_read"), tmp_path).returncode == 2
    assert run(program("fuzz_json_read"), tmp_path / "missing").returncode == 2


@pytest.mark.parametrize("name", TARGETS)
def test_a_corpus_is_small_and_named_by_content(name):
    files = inputs(ROOT / "corpus" / name)
    assert sum(path.stat().st_size for path in files) < 400_000
    for path in files:
        assert path.name == hashlib.sha1(path.read_bytes()).hexdigest()


def test_every_regression_has_its_line():
    folder = ROOT / "corpus" / "regressions"
    told = (folder / "README.md").read_text()
    for path in inputs(folder):
        assert path.parent.name in TARGETS
        assert path.name in told, f"say in corpus/regressions/README.md what {path.name} was"


def test_seeds_are_the_same_every_time(tmp_path):
    for number in "12":
        done = run(sys.executable, "-B", TOOLS / "seeds.py", tmp_path / number)
        assert done.returncode == 0, done.stderr
    first, second = ({p.relative_to(tmp_path / n): p.read_bytes() for p in inputs(tmp_path / n)} for n in "12")
    assert first == second
    assert {path.parts[0] for path in first} >= set(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_hold_and_so_do_their_mutations(name, tmp_path):
    run(sys.executable, "-B", TOOLS / "seeds.py", tmp_path, name)
    done = run(program(f"fuzz_{name}"), "-mutate=2", "-seed=7", tmp_path / name)
    assert done.returncode == 0, done.stderr


def test_the_judge_notices_every_defect_in_every_case(tmp_path):
    cases = sum(1 for path in (ROOT / "cases").glob("*/*.json") if path.parent.name not in ("rules", "profiles")
                for _ in cases_of(path))
    assert cases > 1000
    for case in range(cases):
        for defect in range(6):
            # Options: the case (no byte of them is 0, which would end them), silence, the defect.
            choice = bytes([case % 255 or 255, (case // 255 if case % 255 else case // 255 - 1) & 255, 2, 6 + defect])
            (tmp_path / f"{case}-{defect}").write_bytes(b"x\0" + choice)
    done = run(program("fuzz_judge"), tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_tables_hold_what_the_cases_send(tmp_path):
    done = run(sys.executable, "-B", TOOLS / "tables.py", tmp_path / "t.c", tmp_path / "t.dict")
    assert done.returncode == 0, done.stderr
    table = (tmp_path / "t.c").read_text()
    assert "\\042subtract\\042" in table and "mutator_messages" in table
    for line in (tmp_path / "t.dict").read_text().splitlines():
        assert re.fullmatch(r'"([^"\\]|\\x[0-9A-F]{2})+"', line)


def test_planted_bugs_apply_and_name_their_target():
    patches = sorted((ROOT / "fuzz" / "planted").glob("*.patch"))
    assert len(patches) >= 20
    for path in patches:
        head = path.read_text().split("\n---")[0]
        target = re.search(r"^Target: (\w+)$", head, re.M)
        assert re.search(r"^Bug: .+$", head, re.M) and target and target.group(1) in TARGETS
        if shutil.which("patch"):
            done = run("patch", "-p1", "--dry-run", "--batch", "--quiet", "-i", path, cwd=ROOT)
            assert done.returncode == 0, f"{path.name} no longer applies: {done.stdout}"


def test_cjson_disagrees_only_in_known_classes():
    done = run(program("plug_cjson"), ROOT / "corpus" / "json_read", ROOT / "corpus" / "json_roundtrip")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^cJSON: \d+ texts, [1-9]\d* disagreements$", done.stdout, re.M)
    for known in ("takes invalid UTF-8", "takes a NUL byte", "refuses lone surrogates", "changes numbers"):
        assert known in done.stdout
    assert "other" not in done.stdout and "another" not in done.stdout


def test_scripts_fuzz_names_a_target_that_there_is_not():
    done = run(ROOT / "scripts" / "fuzz", "run", "no_such_target")
    assert done.returncode == 2
    assert "there is no target 'no_such_target'" in done.stderr and "router" in done.stderr


def test_scripts_fuzz_says_which_package_a_missing_tool_is_in(tmp_path):
    env = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    for engine, package in (("libfuzzer", "clang"), ("afl++", "afl++")):
        done = run(sys.executable, "-B", ROOT / "scripts" / "fuzz", "build", "--engine", engine, env=env)
        assert done.returncode == 2
        assert f"install the package {package}" in done.stderr


def test_scripts_fuzz_lists_every_target():
    done = run(ROOT / "scripts" / "fuzz", "list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == TARGETS
