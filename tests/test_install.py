"""What a user's package manager installs, as far as it needs no build: the launchers of the wheel and of the npm package,
one version everywhere, and the sentence on systems that are not supported. scripts/package test builds and installs them."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from conftest import ROOT

VERSION = re.search(r"project\(jrpcheck VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def finished(words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False,
                          stdin=subprocess.DEVNULL, **options)


# --- the two launchers, installed beside the programs of this build -------------------------------------------------

@pytest.fixture
def wheel(jrpcheck, reference, tmp_path):
    """A folder like what pip installs, and the words that start a command of it."""
    shutil.copytree(ROOT / "packaging/python/jrpcheck", tmp_path / "jrpcheck", ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "jrpcheck/bin"
    folder.mkdir()
    for program in (jrpcheck, reference):
        (folder / os.path.basename(program)).symlink_to(program)

    def words(name="jrpcheck"):
        function = name.replace("-", "_")
        return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
                f"import jrpcheck.__main__ as commands; sys.exit(commands.{function}())"]

    return folder, words


@pytest.fixture
def node_modules(jrpcheck, reference, tmp_path):
    """A folder like what npm installs, and the words that start a command of it."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed here")
    shutil.copytree(ROOT / "packaging/npm", tmp_path / "node_modules/jrpcheck")
    cpu = {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine)
    if cpu is None:
        pytest.skip("there is no npm package for this machine")
    folder = tmp_path / f"node_modules/@jrpcheck/linux-{cpu}/bin"
    folder.mkdir(parents=True)
    (folder.parent / "package.json").write_text("{}")
    for program in (jrpcheck, reference):
        (folder / os.path.basename(program)).symlink_to(program)

    def words(name="jrpcheck"):
        return ["node", tmp_path / "node_modules/jrpcheck/bin" / name]

    return folder, words


@pytest.fixture(params=["wheel", "node_modules"])
def installed(request):
    return request.getfixturevalue(request.param)


def test_a_launcher_passes_on_arguments_streams_and_the_exit_code(installed, reference, tmp_path):
    _, words = installed
    assert finished([*words(), "--version"]).stdout.split()[:2] == ["jrpcheck", VERSION]
    right = finished([*words(), "--only", "call/**", "--", reference], cwd=tmp_path)
    assert right.returncode == 0 and "CONFORMANT" in right.stdout
    wrong = finished([*words(), "--only", "batch/empty", "--", reference, "--fault", "batch-empty-silent"], cwd=tmp_path)
    assert wrong.returncode == 1, wrong.stderr
    assert finished([*words(), "--no-such-option"]).returncode == 2
    call = '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}\n'
    served = subprocess.run([*map(str, words("jrpc-reference")), "--stdio"], input=call, capture_output=True, text=True,
                            timeout=60, check=True)
    assert json.loads(served.stdout) == {"jsonrpc": "2.0", "result": 19, "id": 1}


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_reaches_the_program_and_its_end_is_passed_on(installed, name):
    folder, words = installed
    (folder / "jrpcheck").unlink()
    (folder / "jrpcheck").write_text(f"#!{sys.executable}\nimport signal\nawaited = {{signal.SIGTERM, signal.SIGINT}}\n"
                                     "signal.pthread_sigmask(signal.SIG_BLOCK, awaited)\nprint('ready', flush=True)\n"
                                     "signal.sigwait(awaited)\nprint('told', flush=True)\nraise SystemExit(7)\n")
    (folder / "jrpcheck").chmod(0o755)
    with subprocess.Popen(list(map(str, words())), stdout=subprocess.PIPE, text=True, start_new_session=True) as child:
        try:
            assert child.stdout.readline() == "ready\n"
            # A terminal interrupts the whole group; a supervisor ends the one process that it knows.
            (os.killpg if name == "SIGINT" else os.kill)(child.pid, getattr(signal, name))
            said, _ = child.communicate(timeout=30)
            assert (said, child.returncode) == ("told\n", 7)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)


def test_a_signal_at_the_very_start_ends_the_program_too(node_modules, tmp_path):
    folder, words = node_modules
    (folder / "jrpcheck").unlink()
    (folder / "jrpcheck").write_text("#!/bin/sh\nread line\n")
    (folder / "jrpcheck").chmod(0o755)
    early = tmp_path / "early.js"
    early.write_text("const processes = require('child_process');\nconst { spawn } = processes;\n"
                     "processes.spawn = (...words) => { const child = spawn(...words); process.kill(process.pid, 'SIGTERM'); return child; };\n")
    launcher, *rest = map(str, words())
    with subprocess.Popen([launcher, "--require", str(early), *rest], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.wait(30) == 128 + signal.SIGTERM


BROKEN = [
    (lambda path: path.unlink(), {"wheel": "incomplete", "node_modules": "ENOENT"}),
    # Node hands what the kernel refuses to /bin/sh; npm does not install a package of another platform to begin with.
    (lambda path: (path.unlink(), path.write_bytes(b"\x7fELF of another kind"), path.chmod(0o755)),
     {"wheel": "another kind of processor"}),
    (lambda path: (path.unlink(), path.write_bytes(b"x"), path.chmod(0o644)),
     {"wheel": "may not be executed", "node_modules": "EACCES"}),
]


@pytest.mark.parametrize("damage, sentences", BROKEN, ids=["missing", "foreign", "forbidden"])
def test_a_program_that_cannot_be_started_is_one_sentence(request, installed, damage, sentences):
    folder, words = installed
    sentence = sentences.get(request.node.callspec.params["installed"])
    if sentence is None:
        pytest.skip("cannot be told apart there")
    damage(folder / "jrpcheck")
    done = finished([*words(), "--version"])
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("jrpcheck: ")
    assert sentence in done.stderr


def test_npm_without_the_package_of_the_platform_is_one_sentence(node_modules):
    folder, words = node_modules
    shutil.rmtree(folder.parent)
    done = finished([*words(), "--version"])
    assert done.returncode == 2 and "npm install --include=optional" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("platform, arch, sentence", [
    ("darwin", "arm64", "it runs on Linux, and this is darwin"),
    ("linux", "s390x", "there is no program for s390x processors"),
])
def test_npm_on_another_system_is_one_sentence(node_modules, tmp_path, platform, arch, sentence):
    _, words = node_modules
    (tmp_path / "elsewhere.js").write_text(
        f"for (const [name, value] of Object.entries({json.dumps({'platform': platform, 'arch': arch})}))\n"
        "  Object.defineProperty(process, name, { value });\n")
    node, launcher = words()
    done = finished([node, "--require", tmp_path / "elsewhere.js", launcher, "--version"])
    assert done.returncode == 2 and sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


# --- the packages as they are described ------------------------------------------------------------------------------

def test_every_package_has_the_version_of_the_programs():
    package = json.loads((ROOT / "packaging/npm/package.json").read_text())
    assert {package["version"], *package["optionalDependencies"].values()} == {VERSION}


def test_cmake_on_another_system_says_what_is_supported(tmp_path):
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed here")
    done = finished(["cmake", "-S", ROOT, "-B", tmp_path, "-DCMAKE_SYSTEM_NAME=FreeBSD"])
    assert done.returncode != 0
    assert "jrpcheck runs on Linux, and this is FreeBSD" in " ".join(done.stderr.split())
    assert (ROOT / "docs/porting.md").exists()


def test_the_list_for_other_systems_has_every_call_that_is_not_portable():
    header = (ROOT / "reference/base/os_linux.h").read_text()
    functions = set(re.findall(r"\b(jrpc_os_\w+)\(", header))
    listed = set(re.findall(r"^\| `(jrpc_os_\w+)` \|", (ROOT / "docs/porting.md").read_text(), re.M))
    assert functions and listed == functions


# --- releases --------------------------------------------------------------------------------------------------------

@pytest.fixture
def checkout(tmp_path):
    """A repository of its own with the files that a release changes."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed here")
    for name in ("CMakeLists.txt", "CHANGELOG.md", "packaging/npm/package.json", "docs/ci.md", "ci/gitlab/jrpcheck.yml", "scripts/release",
                 "scripts/common.sh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    environment = {**os.environ, **{f"GIT_{who}_{what}": "a@b.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}

    def run(*words):
        return finished(words, cwd=tmp_path, env=environment)

    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        assert run("git", *words).returncode == 0
    return tmp_path, run


def test_a_release_writes_its_version_everywhere_and_tags_it(checkout):
    folder, run = checkout
    done = run("scripts/release", "--prepare", "7.8.9")
    assert done.returncode == 0, done.stderr
    package = json.loads((folder / "packaging/npm/package.json").read_text())
    assert {package["version"], *package["optionalDependencies"].values()} == {"7.8.9"}
    assert "project(jrpcheck VERSION 7.8.9 " in (folder / "CMakeLists.txt").read_text()
    for name in ("docs/ci.md", "ci/gitlab/jrpcheck.yml"):
        assert "jrpcheck==7.8.9" in (folder / name).read_text() and f"jrpcheck=={VERSION}" not in (folder / name).read_text()
    log = (folder / "CHANGELOG.md").read_text()
    assert re.search(r"^## \[Unreleased\]\n\n## \[7\.8\.9\] - \d{4}-\d\d-\d\d\n\n### ", log, re.M)
    assert run("git", "status", "--porcelain").stdout == "" and run("git", "tag").stdout == "v7.8.9\n"


@pytest.mark.parametrize("version, sentence", [
    ("7.8", "is not a version like 1.2.3"), ("0.0.1", "is older than"), ("v7.8.9", "is not a version like 1.2.3"),
])
def test_a_release_refuses_what_is_no_next_version(checkout, version, sentence):
    folder, run = checkout
    done = run("scripts/release", "--prepare", version)
    assert done.returncode == 2 and sentence in done.stderr and run("git", "tag").stdout == ""


def test_a_release_refuses_changes_an_empty_log_and_a_second_time(checkout):
    folder, run = checkout
    (folder / "new").write_text("")
    assert "not committed" in run("scripts/release", "--prepare", "7.8.9").stderr
    (folder / "new").unlink()
    assert run("scripts/release", "--prepare", "7.8.9").returncode == 0
    assert "there is a tag v7.8.9" in run("scripts/release", "--prepare", "7.8.9").stderr
    assert "says nothing under Unreleased" in run("scripts/release", "--prepare", "7.9.0").stderr


def test_the_recipe_that_publishes_runs_what_is_there():
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed here")
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    built = [step.get("run", "") for step in jobs["build"]["steps"]]
    for name in set(re.findall(r"scripts/\w+", " ".join(built))):
        assert os.access(ROOT / name, os.X_OK)
    # Nothing is published that was not built, verified and installed, and approved.
    assert any("scripts/release --verify" in run for run in built) and any("scripts/package test" in run for run in built)
    for name in set(jobs) - {"build"}:
        assert jobs[name]["needs"] == "build" and jobs[name]["environment"] == "release"
    if shutil.which("shellcheck"):
        for step in (step for job in jobs.values() for step in job["steps"] if "run" in step):
            done = subprocess.run(["shellcheck", "-s", "bash", "-"], input=step["run"], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout
