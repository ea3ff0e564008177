"""The fuzz targets, their tools and their builds, as far as they can be tried in seconds."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

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


def corpus(name):
    """The inputs of a committed archive, as the build has unpacked them."""
    program(f"fuzz_{name}")
    return BUILD / "fuzz" / "corpus" / name


def inputs(folder):
    return [p for p in folder.rglob("*") if p.is_file() and p.name != "README.md"]


def test_there_are_targets_for_every_reader_of_hostile_bytes():
    assert {"json_read", "json_roundtrip", "json_equal", "message", "router", "sequence", "framing", "mutator",
            "case_loader", "table", "profile", "folder", "select", "system",
            "target_loader", "judge", "report", "matrix", "report_files", "sse", "http", "handshake", "websocket",
            "session", "baseline", "registry", "payload", "safe"} <= set(TARGETS)


# ctest runs every target over its corpus (fuzz/CMakeLists.txt): here it is shown that nothing is left out.
def test_a_replay_runs_every_input():
    for name in TARGETS:
        assert inputs(corpus(name))
    folder = corpus("json_read")
    done = run(program("fuzz_json_read"), folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{len(inputs(folder))} inputs, ")


def test_a_replay_without_inputs_is_no_success(tmp_path):
    assert run(program("fuzz_json_read"), tmp_path).returncode == 2
    assert run(program("fuzz_json_read"), tmp_path / "missing").returncode == 2


@pytest.mark.parametrize("name", TARGETS)
def test_a_corpus_is_small_and_the_same_bytes_whenever_it_is_packed(name, tmp_path):
    packed = ROOT / "corpus" / f"{name}.zip"
    done = run(sys.executable, "-B", TOOLS / "archive.py", "unpack", packed, tmp_path / "inputs")
    assert done.returncode == 0, done.stderr
    files = inputs(tmp_path / "inputs")
    assert sum(path.stat().st_size for path in files) < 450_000
    for path in files:
        assert path.name == hashlib.sha1(path.read_bytes()).hexdigest()
        os.utime(path, (0, 0))
    done = run(sys.executable, "-B", TOOLS / "archive.py", "pack", tmp_path / "inputs", tmp_path / "again.zip")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_an_archive_writes_nothing_outside_its_folder(tmp_path):
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../escaped", b"x")
        archive.writestr("/absolute", b"y")
    done = run(sys.executable, "-B", TOOLS / "archive.py", "unpack", tmp_path / "evil.zip", tmp_path / "in" / "side")
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in inputs(tmp_path / "in" / "side")) == ["absolute", "escaped"]
    assert not (tmp_path / "in" / "escaped").exists()


def test_every_regression_has_its_line():
    folder = ROOT / "corpus" / "regressions"
    readme = (folder / "README.md").read_text()
    for path in inputs(folder):
        assert path.parent.name in TARGETS
        assert path.name in readme, f"say in corpus/regressions/README.md what {path.name} was"


def write_seeds(folder):
    done = run(sys.executable, "-B", TOOLS / "seeds.py", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    """The seeds of every target, in a folder each."""
    return write_seeds(tmp_path_factory.mktemp("seeds"))


def test_seeds_are_the_same_every_time(seeds, tmp_path):
    first, second = ({p.relative_to(folder): p.read_bytes() for p in inputs(folder)} for folder in (seeds, write_seeds(tmp_path)))
    assert first == second
    assert {path.parts[0] for path in first} >= set(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_hold_and_so_do_their_mutations(name, seeds):
    done = run(program(f"fuzz_{name}"), "-mutate=2", "-seed=7", seeds / name)
    assert done.returncode == 0, done.stderr


def all_cases():
    return [case for path in sorted((ROOT / "cases").glob("*/*.json")) if path.parent.name not in ("rules", "profiles")
            for case in cases_of(path)]


def test_the_judge_notices_every_defect_in_every_case(tmp_path):
    cases = len(all_cases())
    assert cases > 1000
    for case in range(cases):
        # Options: the case, silence, the defect, HTTP, the claim; no byte of them is 0, which would end them.
        index = case + cases
        low = index % 255 or 255
        for defect in range(6):
            (tmp_path / f"{case}-{defect}").write_bytes(b"x\0" + bytes([low, (index - low) // 255, 2, 6 + defect, 30, 4]))
        (tmp_path / f"{case}-right").write_bytes(b"x\0" + bytes([low, (index - low) // 255, 2, 6, 30, 3]))
    done = run(program("fuzz_judge"), tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_judge_lets_right_sessions_pass_and_notices_one_thing_wrong_in_them(tmp_path):
    right, wrong, lacking, results = 3, 4, 5, 6
    for number, case in enumerate(all_cases()):
        name = f"@case={case['id']}".encode()
        asynchronous = case["id"].startswith(("ro-results", "ro-reserved"))
        expected = [step["expect"] for step in [case, *case.get("steps", [])] if isinstance(step.get("expect"), dict)]
        alternatives = max([1, *(len(one.get("any-of", [])) for one in expected)])
        # 120 and what follows are all remainders of every small number of alternatives.
        choices = [(right, 120 + choice) for choice in range(alternatives)]
        choices += [(wrong, 120, 6 + defect) for defect in range(6)]
        choices += [(lacking, 120, 120 + answer) for answer in range(4)]
        choices += [(results, choice) for choice in range(1, 39)] if asynchronous else []
        for index, choice in enumerate(choices):
            (tmp_path / f"{number}-{index}").write_bytes(name + b"\0" + bytes(choice))
    done = run(program("fuzz_session"), tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_tables_hold_what_the_cases_send(tmp_path):
    done = run(sys.executable, "-B", TOOLS / "tables.py", tmp_path / "t.c", tmp_path / "t.dict")
    assert done.returncode == 0, done.stderr
    table = (tmp_path / "t.c").read_text()
    assert "\\042subtract\\042" in table and "mutator_tables" in table
    for name in ("names", "scalars", "messages", "bytes"):
        assert f".{name} = {{{name}, sizeof {name} / sizeof *{name}}}" in table
        assert len(re.findall(r"JRPC_SLICE_INIT", table.split(f" {name}[] = {{")[1].split("};")[0])) > 50
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


def disagreements():
    """The published tables, by the first line of each: the parser with its version, and the counts."""
    text = (ROOT / "reports" / "fuzz" / "disagreements.txt").read_text()
    tables = re.split(r"^(?=\S)", text, flags=re.M)[1:]
    return {table.split(":")[0]: table.rstrip() for table in tables}


@pytest.mark.parametrize("plug", ["cjson", "jansson", "json_c", "simdjson", "yajl"])
def test_other_parsers_disagree_with_the_reader_as_published(plug):
    done = run(program(f"plug_{plug}"), corpus("json_read"), corpus("json_roundtrip"))
    assert done.returncode == 0, done.stderr
    table = done.stdout.split("\n", 1)[1].rstrip()
    assert re.search(r"^\S+ \S+: \d+ texts, [1-9]\d* disagreements$", table, re.M)
    assert "other" not in table and "another" not in table, "a class of its own is missing in fuzz/plug/compare.h"
    name = table.split(":")[0]
    if name not in disagreements():
        pytest.skip(f"{name} is another version than the published table was made with")
    assert table == disagreements()[name], "write it anew: scripts/fuzz disagree > reports/fuzz/disagreements.txt"


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


def work(tmp_path):
    """scripts/fuzz with the programs that are built already, and a folder of its own for what it writes."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "asan").symlink_to(BUILD)
    return {**os.environ, "JRPC_FUZZ_WORK": str(tmp_path / "work"), "JRPC_FUZZ_BUILD": str(tmp_path / "build")}


def test_scripts_fuzz_replays_and_prints_disagreements(tmp_path):
    program("fuzz_json_read")
    if not (BUILD / "build.ninja").is_file() or not shutil.which("ninja"):
        pytest.skip("this build was not made with ninja, which scripts/fuzz uses")
    env = work(tmp_path)
    done = run(ROOT / "scripts" / "fuzz", "replay", "json_read", env=env)
    assert done.returncode == 0, done.stderr
    assert re.match(r"json_read +\d+ inputs, \d+ executions, every claim held", done.stdout)
    done = run(ROOT / "scripts" / "fuzz", "disagree", env=env)
    assert done.returncode in (0, 2), done.stderr
    assert "disagreements" in done.stdout or "no plug was built" in done.stderr


@pytest.fixture(scope="module")
def small_libfuzzer(tmp_path_factory):
    """A folder in which scripts/fuzz has built a target whose bug is planted, with libFuzzer."""
    if not shutil.which("clang") or not shutil.which("ninja") or not shutil.which("patch"):
        pytest.skip("clang, ninja or patch is not here")
    folder = tmp_path_factory.mktemp("planted")
    tree = folder / "tree"
    skipped = shutil.ignore_patterns("build", ".git", ".zoo", ".pytest_cache", "node_modules", "__pycache__", "reports")
    shutil.copytree(ROOT, tree, ignore=skipped, symlinks=True)
    done = run("patch", "-p1", "--batch", "-i", ROOT / "fuzz" / "planted" / "sse-crlf-split.patch", cwd=tree)
    assert done.returncode == 0, done.stdout
    return tree


def test_scripts_fuzz_finds_sorts_keeps_and_minimizes(small_libfuzzer):
    tree = small_libfuzzer
    script = tree / "scripts" / "fuzz"
    done = run(script, "run", "sse", "--time", "20", cwd=tree)
    if "install the package" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 1, done.stdout + done.stderr
    assert "sse: FOUND" in done.stdout
    crash = re.search(r"^ +(\S+/crash-\S+)", done.stdout, re.M).group(1)
    before = set(inputs(tree / "corpus" / "regressions"))
    done = run(script, "triage", "sse", crash, crash, cwd=tree)
    assert done.returncode == 1 and "2 x " in done.stdout, done.stdout + done.stderr
    kept = set(inputs(tree / "corpus" / "regressions")) - before
    assert len(kept) == 1 and kept.pop().parent.name == "sse"
    # Without the bug the regression holds, and the corpus can be made anew.
    done = run("patch", "-p1", "-R", "--batch", "-i", ROOT / "fuzz" / "planted" / "sse-crlf-split.patch", cwd=tree)
    assert done.returncode == 0, done.stdout
    done = run(script, "run", "sse", "--time", "2", cwd=tree)
    assert done.returncode == 0 and re.search(r"executions, \d+ a second", done.stdout), done.stdout + done.stderr
    done = run(script, "minimize", "sse", "--max-len", "512", cwd=tree)
    assert done.returncode == 0 and re.match(r"sse +\d+ inputs -> \d+, \d+ KB", done.stdout), done.stdout + done.stderr


def test_scripts_fuzz_lists_every_target():
    done = run(ROOT / "scripts" / "fuzz", "list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == TARGETS


# What OSS-Fuzz gives its build scripts, with an engine that any clang has. The sanitizer is one that needs no
# run-time support beyond clang's.
def oss_fuzz_environment(folder):
    engine = run("clang", "-print-file-name=libclang_rt.fuzzer-x86_64.a").stdout.strip()
    if not os.path.isfile(engine):
        pytest.skip("clang has no libFuzzer here (libclang-rt-dev)")
    for name in ("src", "work", "out"):
        (folder / name).mkdir()
    (folder / "src" / "jrpcheck").symlink_to(ROOT)
    flags = "-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address -fsanitize=fuzzer-no-link"
    return {**os.environ, "SRC": str(folder / "src"), "WORK": str(folder / "work"), "OUT": str(folder / "out"),
            "CC": "clang", "CXX": "clang++", "CFLAGS": flags, "CXXFLAGS": flags + " -stdlib=libstdc++",
            "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer", "FUZZING_ENGINE": "libfuzzer", "SANITIZER": "address"}


def test_oss_fuzz_builds_and_each_program_runs_its_seeds(tmp_path):
    if not shutil.which("clang") or not shutil.which("clang++") or not shutil.which("ninja"):
        pytest.skip("clang, clang++ or ninja is not here")
    env = oss_fuzz_environment(tmp_path)
    done = run("bash", ROOT / ".clusterfuzzlite" / "build.sh", env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    out = tmp_path / "out"
    programs = sorted(p for p in out.glob("fuzz_*") if not p.suffix and not p.name.endswith(".zip"))
    assert {p.name[5:] for p in programs} == set(TARGETS) - {"websocket"} or {p.name[5:] for p in programs} == set(TARGETS)
    for path in programs:
        assert (out / f"{path.name}.dict").is_file() and "max_len" in (out / f"{path.name}.options").read_text()
        # Nothing but what a base image of Linux has.
        linked = run("ldd", path).stdout
        for library in re.findall(r"^\s+(\S+)", linked, re.M):
            assert re.match(r"(linux-vdso|/lib\S*ld-linux|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|wslay)\.so)", library), linked
        seeds = tmp_path / "seeds" / path.name
        with zipfile.ZipFile(out / f"{path.name}_seed_corpus.zip") as archive:
            archive.extractall(seeds)
        folders = sorted({str(p.parent) for p in seeds.rglob("*") if p.is_file()})
        done = run(path, "-runs=0", *folders, env={**env, "ASAN_OPTIONS": "detect_leaks=0"}, cwd=out)
        assert done.returncode == 0, f"{path.name}: {done.stderr[-2000:]}"
        assert re.search(r"INITED cov: [1-9]", done.stderr)
