"""jrpcheck report takes whole streams only, and puts the parts of one run together."""
import json

import pytest

FAULT = ["--fault", "batch-empty-silent"]


@pytest.fixture(scope="module")
def stream(jrpcheck, reference, tmp_path_factory):
    import subprocess
    path = tmp_path_factory.mktemp("stream") / "run.ndjson"
    subprocess.run([jrpcheck, "-q", "--only", "batch/**", "--report", f"ndjson={path}", "--", reference, *FAULT],
                   capture_output=True, timeout=60)
    return path.read_text(encoding="utf-8").splitlines()


def without_a_case(lines):
    return [line for line in lines if '"id":"batch/empty",' not in line]


def with_a_case_twice(lines):
    case = next(line for line in lines if line.startswith('{"event":"case"'))
    return lines[:-1] + [case] + lines[-1:]


BROKEN = {
    "cut short": (lambda lines: lines[:-1], "the stream ends before the run did"),
    "in the middle of a line": (lambda lines: lines[:-1] + [lines[-1][:40]], "this is not an event"),
    "backwards": (lambda lines: lines[::-1], "does not begin with the start of a run"),
    "without its beginning": (lambda lines: lines[1:], "does not begin with the start of a run"),
    "twice": (lambda lines: lines * 2, "the stream contains the same run twice"),
    "two at once": (lambda lines: lines[:1] + lines, "a run begins before the previous one has ended"),
    "a case missing": (without_a_case, "lines are missing, repeated or changed"),
    "a case twice": (with_a_case_twice, "lines are missing, repeated or changed"),
    "after the end": (lambda lines: lines + lines[-2:-1], "an event comes after the end of the run"),
    "of somebody else": (lambda lines: ['{"level":"info"}'], "it has no member"),
    "of a later version": (lambda lines: [lines[0].replace('"schema":2', '"schema":9')] + lines[1:],
                           "this jrpcheck reads schemas 1 to 2"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_stream_gets_no_verdict(name, run, stream, tmp_path):
    change, sentence = BROKEN[name]
    (tmp_path / "x.ndjson").write_text("\n".join(change(stream)) + "\n", encoding="utf-8")
    done = run("report", "x.ndjson", "--report", "json=out.json", "--report", "console")
    assert done.returncode == 2, done.stdout
    assert "x.ndjson" in done.stderr and sentence in done.stderr, done.stderr
    if name not in ("twice", "after the end"):  # a whole run comes first there
        assert "CONFORMANT:" not in done.stdout


def test_a_whole_stream_gets_its_verdict(run, stream, tmp_path):
    (tmp_path / "x.ndjson").write_text("\n".join(stream), encoding="utf-8")
    done = run("report", "x.ndjson")
    assert done.returncode == 0 and done.stdout.startswith("NOT CONFORMANT: 1 MUST rule broken")


def shards(run, reference, tmp_path, *words):
    for part in (1, 2, 3):
        run("-q", "--only", "batch/**", "--shard", f"{part}/3", "--report", f"ndjson=part{part}.ndjson", "--", reference, *words)
    return [f"part{part}.ndjson" for part in (1, 2, 3)]


@pytest.mark.parametrize("words, code", [(FAULT, 1), ([], 0)])
def test_the_parts_of_a_run_give_one_verdict_and_exit_code(run, reference, stream, tmp_path, words, code):
    parts = shards(run, reference, tmp_path, *words)
    done = run("report", *reversed(parts), "--report", "ndjson=whole.ndjson", "--report", "console")
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stdout.count("CONFORMANT") == 1
    merged = [json.loads(line) for line in (tmp_path / "whole.ndjson").read_text(encoding="utf-8").splitlines()]
    whole = [json.loads(line) for line in stream]
    cases = [{event["id"] for event in events if event["event"] == "case"} for events in (merged, whole)]
    assert cases[0] == cases[1]
    assert merged[0]["suite"] == whole[0]["suite"] and "shard" not in merged[0]
    if words:
        for member in ("counts", "judged", "skipped", "unexpected", "conformant", "rules_untested"):
            assert merged[-1][member] == whole[-1][member], member
    assert run("report", "whole.ndjson").returncode == 0


def test_parts_of_a_run_that_could_not_open_its_target_exit_as_the_run_does(run, tmp_path):
    codes = [run("--only", "batch/**", "--shard", f"{part}/2", "--report", f"ndjson=part{part}.ndjson", "--", "false").returncode
             for part in (1, 2)]
    assert codes == [3, 3]
    assert run("report", "part1.ndjson", "part2.ndjson").returncode == 3
    run("--only", "batch/**", "--report", "ndjson=whole.ndjson", "--", "false")
    assert run("report", "whole.ndjson").returncode == 3
    assert run("report", "whole.ndjson", "whole.ndjson").returncode == 0  # a comparison of runs


def test_parts_that_are_not_one_run_are_refused(run, reference, tmp_path, stream):
    parts = shards(run, reference, tmp_path)
    (tmp_path / "x.ndjson").write_text("\n".join(stream), encoding="utf-8")
    for words, sentence in ((parts[:2], "part 3 of 3 is missing"), (parts[:1] * 2, "part 1 of 3 is given twice"),
                            ([parts[0], "x.ndjson"], "not part of the same run"), (["x.ndjson", parts[0]], "the streams before it are not")):
        done = run("report", *words)
        assert done.returncode == 2 and sentence in done.stderr, (words, done.stderr)
    alone = run("report", parts[0])
    assert alone.returncode == 0 and "; part 1 of 3 only" in alone.stdout.splitlines()[0]
