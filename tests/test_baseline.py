"""Baselines, with the real programs: what is let pass, what is stale, what an update writes."""

import json

import pytest

FAULT = ["--fault", "batch-empty-answered-with-array"]  # breaks batch/empty, among others


@pytest.fixture
def target(reference):
    return ["--", reference, *FAULT]


def write(path, entries, **members):
    path.write_text(json.dumps({"schema": 1, "target": "t", "entries": entries, **members}, indent=1))


def entry(case, outcome="fail", reason="a known bug", **members):
    return {"case": case, "outcome": outcome, "reason": reason, **members}


def broken_cases(run, target):
    stream = run("--report", "ndjson", *target).stdout
    cases = [json.loads(line) for line in stream.split("\n") if '"event":"case"' in line]
    return [case["id"] for case in cases if case["outcome"] == "fail"]


@pytest.fixture
def baseline(run, target, tmp_path):
    """A baseline that lets pass what the fault breaks."""
    broken = broken_cases(run, target)
    assert "batch/empty" in broken
    path = tmp_path / "baseline.json"
    write(path, [entry(case) for case in broken])
    return path


def test_what_the_baseline_expects_is_let_pass_and_marked(run, baseline, target):
    assert run(*target).returncode == 1
    done = run("--baseline", baseline, "--report", "ndjson", *target)
    assert (done.returncode, done.stderr) == (0, "")
    reported = [json.loads(line) for line in done.stdout.split("\n") if line]
    case = next(event for event in reported if event.get("id") == "batch/empty" and event["event"] == "case")
    assert case["outcome"] == "fail" and case["expected"] is True
    assert reported[-1]["conformant"] is True and reported[-1]["unexpected"] == 0


def test_a_failure_beside_the_baseline_is_not_let_pass(run, baseline, target):
    document = json.loads(baseline.read_text())
    document["entries"] = [one for one in document["entries"] if one["case"] != "batch/empty"]
    baseline.write_text(json.dumps(document))
    assert run("--baseline", baseline, *target).returncode == 1


def test_an_entry_that_passes_is_stale(run, baseline, reference):
    done = run("--baseline", baseline, "--", reference)
    assert done.returncode == 4
    assert "batch/empty was expected to fail and now gives pass; remove the entry" in done.stderr
    assert f"{baseline}:" in done.stderr


def test_a_flaky_entry_lets_its_case_pass_as_well_as_fail(run, baseline, target, reference):
    document = json.loads(baseline.read_text())
    for one in document["entries"]:
        one["flaky"] = True
    baseline.write_text(json.dumps(document))
    assert run("--baseline", baseline, *target).returncode == 0
    done = run("--baseline", baseline, "--", reference)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_entry_with_another_outcome_has_changed(run, baseline, reference):
    text = baseline.read_text().replace('"fail"', '"crash"')
    baseline.write_text(text)
    done = run("--baseline", baseline, "--", reference, *FAULT)
    assert done.returncode == 1  # the failure is expected by nobody, which outweighs the entry
    assert "batch/empty was expected to crash and now gives fail; look at it again" in done.stderr


def test_an_entry_whose_case_did_not_run_says_nothing(run, baseline, reference):
    done = run("--baseline", baseline, "--only", "call/**", "--", reference)
    assert (done.returncode, done.stderr) == (0, "")


WRONG = [
    ([entry("batch/empti")], 'there is no case "batch/empti"; did you mean "batch/empty"?'),
    ([entry("batch/empty", reason="")], 'this entry has no "reason"; say why its failure is accepted'),
    ([{"case": "batch/empty", "outcome": "fail"}], 'this entry has no "reason"'),
    ([entry("batch/empty", "pass")], "not an outcome that a baseline can expect"),
    ([entry("batch/empty"), entry("batch/empty")], "has an entry at line"),
]


@pytest.mark.parametrize("entries, sentence", WRONG, ids=[sentence for _, sentence in WRONG])
def test_a_wrong_file_is_reported_with_its_place_and_nothing_runs(run, tmp_path, reference, entries, sentence):
    path = tmp_path / "baseline.json"
    write(path, entries)
    done = run("--baseline", path, "--", reference)
    assert done.returncode == 2
    assert sentence in done.stderr and f"jrpcheck: {path}:" in done.stderr
    assert done.stdout == ""
    assert run("lint", path).returncode == 2


def test_a_first_update_writes_entries_whose_reasons_must_be_filled_in(run, tmp_path, target):
    path = tmp_path / "new.json"
    done = run("--baseline", path, "--update-baseline", *target)
    assert done.returncode == 0
    assert "without a reason" in done.stderr
    document = json.loads(path.read_text())
    assert document["schema"] == 1 and document["target"] == " ".join(target[1:])
    assert {one["case"] for one in document["entries"]} == set(broken_cases(run, target))
    assert all(one["reason"] == "" for one in document["entries"])
    first = next(one for one in document["entries"] if one["case"] == "batch/empty")
    assert first["outcome"] == "fail" and "J2-6d" in first["rules"]
    # Until then nobody can use it.
    done = run("--baseline", path, *target)
    assert done.returncode == 2
    assert f'{path}:5:' in done.stderr and f'{len(document["entries"])} entries have no "reason"' in done.stderr
    assert done.stderr.count("\n") == 1
    for one in document["entries"]:
        one["reason"] = "known"
    path.write_text(json.dumps(document))
    assert run("--baseline", path, *target).returncode == 0


def test_an_update_keeps_reasons_and_comments_and_drops_what_passes(run, tmp_path, target):
    path = tmp_path / "baseline.json"
    write(path, [entry("batch/empty", reason="issue 12", note="looked at by hand"), entry("call/unknown-method")],
          comment="kept")
    assert run("--baseline", path, "--update-baseline", *target).returncode == 0
    document = json.loads(path.read_text())
    assert document["comment"] == "kept"
    entries = {one["case"]: one for one in document["entries"]}
    assert "call/unknown-method" not in entries
    assert entries["batch/empty"]["reason"] == "issue 12"
    assert entries["batch/empty"]["note"] == "looked at by hand"
    assert [one["reason"] for case, one in entries.items() if case != "batch/empty"] == [""] * (len(entries) - 1)


def test_an_update_that_changes_nothing_leaves_the_file_byte_by_byte(run, tmp_path, target):
    path = tmp_path / "baseline.json"
    run("--baseline", path, "--update-baseline", *target)
    first = path.read_bytes()
    run("--baseline", path, "--update-baseline", *target)
    assert path.read_bytes() == first
    assert [file.name for file in tmp_path.iterdir()] == ["baseline.json"]


@pytest.mark.parametrize("partial", [["--only", "batch/**"], ["--skip", "batch/**"], ["--shard", "1/2"], ["--fail-fast"]],
                         ids=lambda words: words[0])
def test_an_update_after_a_part_of_a_run_is_refused(run, baseline, target, partial):
    before = baseline.read_bytes()
    done = run("--baseline", baseline, "--update-baseline", *partial, *target)
    assert done.returncode == 2
    assert f"leave out {partial[0]}" in done.stderr
    assert baseline.read_bytes() == before


def test_an_update_by_a_run_that_was_stopped_leaves_the_file(run, baseline):
    before = baseline.read_bytes()
    done = run("--baseline", baseline, "--update-baseline", "--", "true")
    assert done.returncode == 3
    assert "was not changed" in done.stderr
    assert baseline.read_bytes() == before


def test_the_baseline_of_a_target_file_is_used(run, baseline, reference, tmp_path):
    description = tmp_path / "t.json"
    description.write_text(json.dumps({
        "schema": 1, "name": "t", "command": [reference, *FAULT], "baseline": baseline.name,
    }))
    done = run("t.json")
    assert done.returncode == 0, done.stderr
