#!/usr/bin/env python3
"""The fault matrix of parsers: proves that the cases of json-parser notice what they say they notice.

  1. The faultless jrpc-reference-parser passes every case.
  2. Under each fault, every case that names it in `catches` has a finding of one of its own rules, or of the rule
     that the fault breaks; or, where its rule only observes, another observation than without the fault.
  3. Every fault is named by a case, and every name in `catches` is a fault.

  tests/parser_matrix.py [--fault NAME]... [--verbose]

The programs are those of the build folder JRPCHECK_BUILD, else of build/dev. The last line counts the checks.
"""

import pathlib
import sys
import tempfile

import matrix
from case_files import cases_of

PARSER = matrix.BUILD / "jrpc-reference-parser"
SUITE = "json-parser"
RUN_SECONDS = 60
WORKERS = 4
REPLY_MS = 2000
# What a fault that crashes or hangs is noticed by, whatever the case is after.
FATAL = ("crash", "hang")


def load_cases():
    return {case["id"]: case for path in sorted((matrix.ROOT / "cases" / SUITE).glob("*.json")) for case in cases_of(path)}


def run(fault, names):
    with tempfile.TemporaryDirectory(prefix="parser-matrix-") as folder:
        return matrix.run([matrix.JRPCHECK, "parser", "--timeout", str(REPLY_MS), *(word for name in names for word in ("--only", name)),
                           "--", PARSER, *(["--fault", fault] if fault else [])], pathlib.Path(folder) / "stream.ndjson", RUN_SECONDS)


def unnoticed(case, rule, event, faultless):
    """Why this event does not show that the case noticed the fault; None if it does."""
    if event["outcome"] in FATAL or event["observed"] != faultless["observed"]:
        return None
    if any(finding["rule"] in (*case["rules"], rule) for finding in event["findings"]):
        return None
    others = ", ".join(sorted({finding["rule"] for finding in event["findings"]}))
    return f"{event['outcome']}, findings of {others or 'no rule'}"


def main():
    faults, arguments = matrix.begin(PARSER)
    cases = load_cases()
    checks = matrix.Checks()
    faultless, said = run(None, [])
    for name in cases:
        event = faultless.get(name)
        checks.check(event is not None and event["outcome"] in ("pass", "observe"),
                     f"faultless: {name}: {event['outcome'] if event else 'not run: ' + said}")

    def under_fault(fault, names):
        events, said = run(fault, names) if names else ({}, "")
        return [(name, f"not run: {said}" if name not in events else
                 unnoticed(cases[name], faults[fault], events[name], faultless.get(name, {"observed": {}}))) for name in names]

    checks.under_faults(faults, [(name, case["catches"]) for name, case in cases.items()], under_fault, arguments, WORKERS)
    return checks.conclude()


if __name__ == "__main__":
    sys.exit(main())
