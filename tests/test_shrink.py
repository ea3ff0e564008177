"""The smallest form of a failing case, and what was found kept as a case file."""

import json
import sys

import pytest

from conftest import ROOT

SERVERS = ROOT / "tests" / "servers"


@pytest.fixture
def saved(tmp_path):
    """A place for a case file, in folders that are not there yet, and the case in it."""
    path = tmp_path / "found" / "mine" / "case.json"
    return path, lambda: json.loads(path.read_text())["cases"]


def test_a_long_batch_becomes_the_shortest_that_shows_the_same(run, reference, saved):
    path, cases = saved
    faulty = ["--", reference, "--stdio", "--fault", "batch-third-call-dropped"]
    done = run("shrink", "batch/twenty-calls", "--save", path, *faulty)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "J2-6b" in done.stdout and "of 1, 1392" in done.stdout
    (case,) = cases()
    assert len(case["send"]) == 3 and len(json.dumps(case["send"])) < 60
    assert case["expect"] == "owed" and case["rules"] == ["J2-6b", "J2-5.1f"] and "batch-third-call-dropped" in case["found"]
    folder = path.parent.parent
    assert run("lint", folder).returncode == 0
    assert run("--cases", folder, "--", reference, "--stdio").returncode == 0
    assert run("--cases", folder, "--strict", *faulty).returncode == 1


def test_a_crash_is_shrunk_to_what_brings_it_about(run, reference, saved):
    path, cases = saved
    done = run("shrink", "batch/nested-empty", "--save", path, "--", reference, "--stdio", "--fault", "batch-nested-crash")
    assert done.returncode == 1, done.stdout + done.stderr
    assert cases()[0]["send"] == [[]]


def test_what_passes_is_not_shrunk(run, reference, saved):
    path, _ = saved
    done = run("shrink", "batch/empty", "--save", path, "--", reference, "--stdio")
    assert done.returncode == 0 and "does not fail" in done.stdout and not path.exists()
    assert run("shrink", "batch/empty", "--after", "batch/empty*x", "--", reference, "--stdio").returncode == 2


def test_what_fails_only_after_other_cases_is_repeated_kept_and_shrunk_with_them(run, tmp_path, saved):
    path, cases = saved
    server = ["--", sys.executable, SERVERS / "state_every_third_notification.py"]
    stream = tmp_path / "run.ndjson"
    done = run("--only", "notification/unknown*", "--report", f"ndjson={stream}", "--report", "console", *server)
    assert done.returncode == 1
    # The line that repeats it names the cases that have to be sent first.
    line = next(line for line in done.stdout.splitlines() if line.startswith("  repeat "))
    after = line.split(" -- ")[0].split()[3:]
    assert "--after" in after
    done = run("repro", *[word.replace("'", "") for word in after], "--save", path, *server)
    assert done.returncode == 1 and f"saved: {path}" in done.stdout, done.stdout + done.stderr
    (case,) = cases()
    assert len(case["steps"]) >= 2 and "J2-4.1c" in case["rules"]
    assert run("lint", path.parent.parent).returncode == 0
    # However little time there is, what was found until then still fails.
    done = run("shrink", stream, "--save", path, "--max-time", "2", *server)
    assert done.returncode == 1 and "J2-4.1c" in done.stdout
    assert 3 <= len(cases()[0]["steps"]) <= len(case["steps"])


def test_a_case_that_did_not_fail_is_not_kept(run, reference, saved):
    path, _ = saved
    done = run("repro", "batch/empty", "--save", path, "--", reference, "--stdio")
    assert done.returncode == 0 and "nothing was saved" in done.stderr and not path.exists()
