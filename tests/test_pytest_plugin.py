"""The pytest plugin: cases as test items, against the bundled server, right and wrong."""

import importlib.util
import json
import os
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import ROOT

PACKAGE = ROOT / "scripts" / "pytest-jrpcheck"
CALLS = ROOT / "cases" / "jsonrpc-2.0-client" / "01-calls.json"
BATCH = ROOT / "cases" / "jsonrpc-2.0" / "06-batch.json"


@pytest.fixture
def collect(jrpcheck, reference, tmp_path):
    """Runs pytest with the plugin on case files, against the bundled server with these options."""

    def collect(*words, server=(), target=None, client=None):
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "JRPCHECK": jrpcheck}
        environment.pop("PYTEST_ADDOPTS", None)
        tested = ["--jrpcheck-client", client] if client else ["--jrpcheck-target", target or "-- " + shlex.join([reference, *server])]
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "pytest_jrpcheck.plugin", "-p", "no:cacheprovider", "--color=no",
             "--rootdir", str(ROOT), "-c", "/dev/null", "--strict-markers", "-rA", *tested,
             *map(str, words)],
            capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL)

    return collect


def test_each_case_is_an_item_and_passes_on_the_right_server(collect, run):
    done = collect(BATCH)
    listed = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    cases = [case for case in listed if case["file"].endswith("jsonrpc-2.0/06-batch.json")]
    assert done.returncode == 0, done.stdout
    for case in cases:
        assert f"06-batch.json::jsonrpc-2.0:6::{case['id']}" in done.stdout or "SKIPPED" in done.stdout
    assert f"collected {len(cases)} items" in done.stdout


def test_what_a_server_breaks_fails_with_the_sentence_the_bytes_and_a_line_to_repeat_it(collect):
    done = collect(BATCH, "-k", "batch/empty", server=["--fault", "batch-empty-silent"])
    assert done.returncode == 1, done.stdout
    assert "J2-6d MUST  A server answers an empty Array" in done.stdout
    assert "→ []" in done.stdout and "$ jrpcheck repro batch/empty " in done.stdout


def test_a_client_is_tested_by_the_command_of_its_driver(collect, reference_client):
    done = collect(CALLS, "--jrpcheck-args", "--transport unix", client=shlex.join([reference_client, "--fault", "version-missing"]))
    assert done.returncode == 1, done.stdout
    assert "CL-1 MUST  Every Request that a client writes" in done.stdout and '→ {"jsonrpc":"2.0","result":19' in done.stdout
    assert f" --transport unix -- {reference_client} --fault version-missing\n" in done.stdout.split("$ jrpcheck repro client-call/result")[1]
    done = collect(CALLS, "-k", "client-call/result", client=reference_client)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout


def test_a_server_and_a_client_at_once_are_a_usage_error(collect, reference_client):
    done = collect(CALLS, "--jrpcheck-target", "tcp://127.0.0.1:1", client=reference_client)
    assert done.returncode == 4 and "a session tests one of them" in done.stdout + done.stderr


def test_rules_are_markers_and_properties(collect, tmp_path):
    done = collect(BATCH, "-m", "J2-6d", "--junit-xml", "out.xml")
    assert done.returncode == 0, done.stdout
    items = ElementTree.parse(tmp_path / "out.xml").getroot().findall(".//testcase")
    assert items
    for item in items:
        properties = [(p.get("name"), p.get("value")) for p in item.findall("./properties/property")]
        assert ("rule", "J2-6d") in properties and ("section", "6") in properties
        assert {"outcome", "suite"} <= {name for name, _ in properties}


def baseline(tmp_path, case):
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps({"schema": 1, "target": "t", "entries": [
        {"case": case, "outcome": "fail", "rules": ["J2-6d"], "reason": "upstream issue 12"}]}), encoding="utf-8")
    return path


def test_what_the_baseline_expects_is_an_expected_failure(collect, tmp_path):
    known = baseline(tmp_path, "batch/empty")
    done = collect(BATCH, "-k", "batch/empty and not empty-", "--jrpcheck-baseline", known,
                   server=["--fault", "batch-empty-silent"])
    assert done.returncode == 0 and "1 xfailed" in done.stdout, done.stdout
    assert "upstream issue 12" in done.stdout


def test_an_entry_that_no_longer_holds_fails(collect, tmp_path):
    known = baseline(tmp_path, "batch/empty")
    done = collect(BATCH, "-k", "batch/empty and not empty-", "--jrpcheck-baseline", known)
    assert done.returncode == 1 and "XPASS(strict)" in done.stdout, done.stdout


def test_a_target_that_cannot_be_opened_fails_every_item_with_one_sentence(collect):
    done = collect(BATCH, "-k", "batch/empty", target="tcp://127.0.0.1:1")
    assert done.returncode == 1 and "127.0.0.1:1" in done.stdout and " passed" not in done.stdout, done.stdout


def test_a_wrong_program_is_a_usage_error(collect):
    done = collect(BATCH, "--jrpcheck-program", "/nonexistent/jrpcheck")
    assert done.returncode != 0 and "cannot run '/nonexistent/jrpcheck'" in done.stdout + done.stderr


def test_without_a_target_case_files_are_no_tests(jrpcheck, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "pytest_jrpcheck.plugin", "-p", "no:cacheprovider", "-c", "/dev/null",
         str(BATCH)], capture_output=True, text=True, timeout=60, cwd=tmp_path, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(PACKAGE), "JRPCHECK": jrpcheck})
    assert done.returncode in (4, 5), done.stdout  # nothing collected, or no collector for the file


def test_pip_installs_it_from_the_checkout(tmp_path):
    for module in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"python's module {module} is not installed: the package cannot be built offline")
    copy = tmp_path / "package"
    subprocess.run(["cp", "-r", PACKAGE, copy], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", tmp_path / "site", copy],
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    helped = subprocess.run(
        [sys.executable, "-m", "pytest", "--help"], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")}, stdin=subprocess.DEVNULL)
    assert "--jrpcheck-target" in helped.stdout
