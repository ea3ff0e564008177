"""A verdict does not depend on the order of the cases, nor on how many run at once."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ZOO = pathlib.Path(os.environ.get("JRPCHECK_ZOO", ROOT / ".zoo"))

# Cases on which a target itself answers now this, now that.
FICKLE = {
    # Two members of the message are wrong, and which error is found first depends on the order in
    # which a Go map is walked, which is random.
    # At the end of its input it may drop calls that it is still working on.
    # Its answer to a message that need not get one may come after those to later messages.
    "jrpc2": {"examples/invalid-request", "value/nothing-right", "connections/end-of-input", "notification/invalid-method-array"},
    # A second call with the id of a first one is lost if that is still being worked on, which is a race within the target.
    "vscode-jsonrpc": {"in-flight/equal-ids"},
}


def outcomes(jrpcheck, stream, options, target):
    """Outcome and findings of every case of one run, but what depends on the cases before it, which the event says."""
    subprocess.run(
        [jrpcheck, "--quiet", "--report", "console", "--report", f"ndjson={stream}", *options, *target],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=600,
    )
    seen = {}
    for line in stream.read_text(encoding="utf-8").split("\n")[:-1]:
        event = json.loads(line)
        if event["event"] == "case":
            rules = sorted({(f["rule"], f["level"]) for f in event["findings"]})
            seen[event["id"]] = None if "company" in event else (event["outcome"], rules)
    return seen


def assert_stable(jrpcheck, tmp_path, target, fickle=frozenset()):
    stream = tmp_path / "run.ndjson"
    first = outcomes(jrpcheck, stream, [], target)
    assert len(first) > 500
    orders = [["--shuffle", str(seed)] for seed in range(1, 10)] + [["--jobs", "8"]]
    for order in orders:
        again = outcomes(jrpcheck, stream, order, target)
        differing = {
            case: (first.get(case), again.get(case))
            for case in first.keys() | again.keys()
            if first.get(case) != again.get(case) and case not in fickle
            and None not in (first.get(case, ()), again.get(case, ()))
        }
        assert not differing, f"{order}: {differing}"


def test_ten_orders_and_eight_jobs_on_the_reference_server(jrpcheck, reference, tmp_path):
    assert_stable(jrpcheck, tmp_path, ["--", reference, "--stdio"])


@pytest.mark.parametrize("target", ["jrpc2", "vscode-jsonrpc", "json-rpc-2.0"])
def test_ten_orders_and_eight_jobs_on_a_real_server(jrpcheck, tmp_path, target):
    if not (ZOO / target).exists():
        pytest.skip(f"{target} is not installed: scripts/zoo install {target}")
    assert_stable(jrpcheck, tmp_path, [target], FICKLE.get(target, frozenset()))
