#!/usr/bin/env python3
"""Measures the reports: the matrix of many streams, and the largest page of one run.

  python3 tests/bench/reports.py [JRPCHECK]

Goals: 60 implementations x 600 cases in less than a second and 64 MiB; an HTML report of at most 5 MB.
Exit code 1 if a goal is missed. The streams are made here, as large as those of real runs (about 2 KB a case).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

RUNS, CASES, RULES = 60, 600, 100
SECONDS, MEBIBYTES, MEGABYTES = 1.0, 64, 5


def stream(path, run, outcomes):
    with path.open("w", encoding="utf-8") as out:
        def tell(event):
            out.write(json.dumps(event, separators=(",", ":")) + "\n")

        tell({"event": "start", "schema": 1, "tool": {"name": "jrpcheck", "version": "0.1.0"},
              "suite": {"cases": CASES, "rules": RULES, "selected": CASES},
              "target": {"name": f"implementation-{run}", "transport": "stdio", "framing": "line"},
              "profile": "spec", "strict": False, "started": "2026-01-01T00:00:00Z", "seed": "1"})
        for rule in range(RULES):
            tell({"event": "rule", "id": f"J2-{rule}", "level": "MUST", "specification": "jsonrpc-2.0", "section": str(rule % 9),
                  "title": f"rule {rule}", "sentence": "A server answers every call with exactly one Response, which is one JSON Object. " * 2})
        for case in range(CASES):
            outcome = outcomes[(case + run) % len(outcomes)]
            rules = [f"J2-{case % RULES}", f"J2-{case * 7 % RULES}"]
            answer = json.dumps({"jsonrpc": "2.0", "id": f"jck-{run}-{case}", "error": {"code": -32601, "message": "x" * 90}})
            message = {"dir": "sent", "connection": "a", "step": 0, "at_us": case, "text": answer}
            tell({"event": "case", "id": f"section/case-{case}", "suite": "jsonrpc-2.0", "section": str(case % 9),
                  "title": f"what a server does with message number {case}", "rules": rules, "outcome": outcome, "expected": False,
                  "findings": [{"rule": rules[0], "level": "MUST", "step": 0, "text": "expected an error, got " + answer,
                                "sentence": "A server answers every call with exactly one Response."}] if outcome == "fail" else [],
                  "observed": {rules[1]: f"choice-{run % 4}"} if outcome == "observe" else {},
                  "exchange": {"messages": [message, {**message, "dir": "received"}] * 4, "end": {"kind": "open"}, "isolated": False},
                  "duration_us": 400})
        tell({"event": "finish", "counts": {}, "judged": CASES, "skipped": 0, "duration_us": 240000, "interrupted": False, "conformant": False})


def measure(words):
    """Seconds of processor time, and MiB at the peak."""
    began = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, status
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/jrpcheck"
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        streams = [folder / f"{run}.ndjson" for run in range(RUNS)]
        for run, path in enumerate(streams):
            stream(path, run, ["pass"] * 5 + ["fail", "observe", "warn"])
        size = sum(path.stat().st_size for path in streams) / 1e6
        page = folder / "matrix.html"
        best = min(measure([program, "report", *streams, "--report", f"matrix={page}"])
                   for _ in range(3))
        print(f"matrix: {RUNS} implementations x {CASES} cases ({size:.0f} MB of streams): {best[0]:.2f} s of processor time, "
              f"{best[1]:.2f} s in all, {best[2]:.0f} MiB, {page.stat().st_size / 1e6:.1f} MB of HTML (goal: {SECONDS:.0f} s, {MEBIBYTES} MiB)")
        missed |= best[0] > SECONDS or best[2] > MEBIBYTES

        stream(folder / "worst.ndjson", 0, ["fail"])
        page = folder / "worst.html"
        best = min(measure([program, "report", folder / "worst.ndjson", "--report", f"html={page}"])
                   for _ in range(3))
        print(f"html: {CASES} cases that all fail: {best[0]:.2f} s, {best[2]:.0f} MiB, {page.stat().st_size / 1e6:.1f} MB of HTML "
              f"(goal: {MEGABYTES} MB)")
        missed |= page.stat().st_size > MEGABYTES * 1e6
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
