#!/usr/bin/env python3
"""Measures the verdicts: how often one deviation is reported, and under how many rules.

Runs the whole suite against jrpc-reference under each fault by itself, with all methods mapped, and counts for
each run the rules that are reported broken and the findings that are not marked as known. One deviation should
read as one: docs/verdicts.md has the goals and the figures.

  tests/verdicts.py [--fault NAME]... [--sample N] [--worst N] [--check]

--sample N takes N faults, chosen by a hash of their names, so that a new fault moves none of the others.
--check fails (exit 1) where fewer than 95 % of the runs keep to the goals.
The programs are those of the build folder JRPCHECK_BUILD, else of build/dev.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import subprocess
import sys
import tempfile

import fault_matrix
from matrix import load_faults

# The goals of docs/verdicts.md, for 95 of 100 runs.
RULES_MOST = 3
FINDINGS_MOST = 10
GOAL = 0.95
RUN_SECONDS = 60

Verdict = collections.namedtuple("Verdict", "fault rule rules findings known cases")


def broken(events):
    """The rules with findings that are not known, the number of those, of the known ones, and of cases with any."""
    rules, fresh, known, cases = collections.Counter(), 0, 0, 0
    for event in events:
        of_case = [finding for finding in event["findings"] if finding["level"] != "OBSERVE"]
        new = [finding for finding in of_case if not finding.get("known")]
        rules.update(finding["rule"] for finding in new)
        fresh += len(new)
        known += len(of_case) - len(new)
        cases += bool(of_case)
    return rules, fresh, known, cases


def measure(folder, fault, rule):
    matrix = fault_matrix.Matrix(folder)
    way = fault_matrix.WAYS[0]
    target = matrix.target(way, fault, "verdicts")
    stream = target.with_suffix(".ndjson")
    try:
        subprocess.run([fault_matrix.JRPCHECK, "run", "--report", f"ndjson={stream}", "--quiet",
                        "--timeout", str(fault_matrix.REPLY_MS), target],
                       capture_output=True, stdin=subprocess.DEVNULL, timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        print(f"{fault}: cut short after {RUN_SECONDS} s", flush=True)
    events = [json.loads(line) for line in stream.read_bytes().splitlines() if line.endswith(b"}")]
    stream.unlink()
    return Verdict(fault, rule, *broken([event for event in events if event["event"] == "case"]))


def sampled(faults, count):
    return sorted(faults, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:count]


def main():
    parser = argparse.ArgumentParser(description="Measures how often one deviation is reported.")
    parser.add_argument("--fault", action="append", metavar="NAME")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--worst", type=int, default=10, metavar="N")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    faults = load_faults(fault_matrix.REFERENCE)
    names = arguments.fault or (sampled(faults, arguments.sample) if arguments.sample else list(faults))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        verdicts = list(pool.map(lambda name: measure(folder, name, faults[name]), names))
    shown = [verdict for verdict in verdicts if verdict.findings > 0]
    kept = [verdict for verdict in shown if len(verdict.rules) <= RULES_MOST and verdict.findings <= FINDINGS_MOST]
    shown.sort(key=lambda verdict: (-len(verdict.rules), -verdict.findings))
    for verdict in shown[:arguments.worst]:
        print(f"{verdict.fault} ({verdict.rule}): {len(verdict.rules)} rules, {verdict.findings} findings, "
              f"{verdict.known} known, {verdict.cases} cases: "
              + " ".join(f"{rule}×{count}" for rule, count in verdict.rules.most_common()))
    share = len(kept) / len(shown) if shown else 1.0
    print(f"{len(verdicts)} faults, {len(shown)} of them shown over stdio; at most {RULES_MOST} rules and "
          f"{FINDINGS_MOST} findings: {len(kept)} ({share:.1%})")
    if shown:
        middle = sorted(verdict.findings for verdict in shown)[len(shown) // 2]
        rules = sorted(len(verdict.rules) for verdict in shown)[len(shown) // 2]
        print(f"median: {rules} rules, {middle} findings")
    return 1 if arguments.check and share < GOAL else 0


if __name__ == "__main__":
    sys.exit(main())
