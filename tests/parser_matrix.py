#!/usr/bin/env python3
"""The fault matrix of parsers: proves that the cases of json-parser notice what they say they notice.

  1. The faultless jrpc-reference-parser passes every case.
  2. Under each fault, every case that names it in `catches` has a finding of one of its own rules, or of the rule
     that the fault breaks; or, where its rule only observes, another observation than without the fault.
  3. Every fault is named by a case, and every name in `catches` is a fault.

  tests/parser_matrix.py [--fault NAME]... [--verbose]

The programs are those of the build folder JRPCHECK_BUILD, else of build/dev. The last line counts the checks.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

from case_files import cases_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("JRPCHECK_BUILD") or ROOT / "build" / "dev").resolve()
JRPCHECK = BUILD / "jrpcheck"
PARSER = BUILD / "jrpc-reference-parser"
SUITE = "json-parser"
RUN_SECONDS = 60
WORKERS = 4
REPLY_MS = 2000
# What a fault that crashes or hangs is noticed by, whatever the case is after.
FATAL = ("crash", "hang")


def load_cases():
    return {case["id"]: case for path in sorted((ROOT / "cases" / SUITE).glob("*.json")) for case in cases_of(path)}


def load_faults():
    """Name → rule of every fault of the parser."""
    text = subprocess.run([PARSER, "--list-faults"], capture_output=True, text=True, check=True, timeout=10).stdout
    return {line.split("\t")[0]: line.split("\t")[1] for line in text.splitlines()}


def run(fault, names):
    """Runs cases; id → event, and what was said on stderr."""
    command = [JRPCHECK, "parser", "--report", "ndjson", "--timeout", str(REPLY_MS)]
    command += [word for name in names for word in ("--only", name)]
    command += ["--", PARSER, *(["--fault", fault] if fault else [])]
    done = subprocess.run(command, capture_output=True, timeout=RUN_SECONDS, stdin=subprocess.DEVNULL)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return {event["id"]: event for event in events if event["event"] == "case"}, done.stderr.decode(errors="replace")


def unnoticed(case, rule, event, faultless):
    """Why this event does not show that the case noticed the fault; None if it does."""
    if event is None:
        return "it was not run"
    if event["outcome"] in FATAL or event["observed"] != faultless["observed"]:
        return None
    if any(finding["rule"] in (*case["rules"], rule) for finding in event["findings"]):
        return None
    others = ", ".join(sorted({finding["rule"] for finding in event["findings"]}))
    return f"{event['outcome']}, findings of {others or 'no rule'}"


def main():
    for program in (JRPCHECK, PARSER):
        if not program.exists():
            print(f"{program} is not built: run scripts/test --quick, or set JRPCHECK_BUILD", file=sys.stderr)
            return 2
    faults, cases = load_faults(), load_cases()
    parser = argparse.ArgumentParser(description="Proves that the suite notices the faults of jrpc-reference-parser.")
    parser.add_argument("--fault", action="append", choices=list(faults), metavar="NAME", help="this fault only")
    parser.add_argument("--verbose", action="store_true", help="tell of every fault")
    arguments = parser.parse_args()
    passed, failures = 0, []

    def check(ok, sentence):
        nonlocal passed
        passed += bool(ok)
        if not ok:
            failures.append(sentence)
            print(f"FAIL {sentence}", flush=True)

    faultless, said = run(None, [])
    for name in cases:
        event = faultless.get(name)
        check(event is not None and event["outcome"] in ("pass", "observe"),
              f"faultless: {name}: {event['outcome'] if event else 'not run: ' + said}")
    for name, case in cases.items():
        for fault in case["catches"]:
            check(fault in faults, f"{name} names {fault}, which is no fault")
    chosen = arguments.fault or list(faults)
    namers = {fault: [name for name, case in cases.items() if fault in case["catches"]] for fault in chosen}

    with concurrent.futures.ThreadPoolExecutor(max_workers=WORKERS) as pool:
        runs = pool.map(lambda fault: run(fault, namers[fault]) if namers[fault] else ({}, ""), chosen)
        for fault, (events, said) in zip(chosen, runs):
            check(namers[fault], f"{fault} ({faults[fault]}) is named by no case")
            for name in namers[fault]:
                why = unnoticed(cases[name], faults[fault], events.get(name), faultless.get(name, {"observed": {}}))
                check(why is None, f"{fault}: {name} does not notice it: {why} {said if name not in events else ''}")
            if arguments.verbose:
                print(f"{fault}: {len(namers[fault])} cases", flush=True)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
