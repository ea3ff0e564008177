"""What the fault matrices of servers, clients and parsers share: runs, checks, and the order in which faults are tried."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("JRPCHECK_BUILD") or ROOT / "build" / "dev").resolve()
JRPCHECK = BUILD / "jrpcheck"


def load_faults(program):
    """Name → rule of every fault of a bundled program."""
    text = subprocess.run([program, "--list-faults"], capture_output=True, text=True, check=True, timeout=10).stdout
    return {line.split("\t")[0]: line.split("\t")[1] for line in text.splitlines()}


def run(command, stream, seconds):
    """Runs jrpcheck with an event stream; id → event of each case, and why it is not complete, or its stderr."""
    try:
        done = subprocess.run([*command[:2], "--quiet", "--report", f"ndjson={stream}", *command[2:]], capture_output=True, text=True,
                              errors="replace", timeout=seconds, stdin=subprocess.DEVNULL)
        said = done.stderr.strip()
    except subprocess.TimeoutExpired:
        said = f"the run did not end within {seconds} s"
    events = {}
    if stream.exists():
        for line in stream.read_bytes().splitlines():
            event = json.loads(line)
            if event["event"] == "case":
                events[event["id"]] = event
            elif event["event"] == "finish" and event.get("stopped"):
                said = f"{event['stopped']} {said}"
        stream.unlink()
    return events, said


class Checks:
    def __init__(self):
        self.passed = 0
        self.failures = []

    def check(self, ok, sentence):
        if ok:
            self.passed += 1
        else:
            self.failures.append(sentence)
            print(f"FAIL {sentence}", flush=True)

    def under_faults(self, faults, cases, notices, arguments, workers, unnamed=()):
        """Checks that every fault is named by a case, that every name is a fault, and that each case notices what it names.

        `cases` are pairs of a case's id and the names in its `catches`. `notices(fault, ids)` gives pairs of an id and
        None, or why that case does not notice the fault. Those that are `unnamed` need no case of their own.
        """
        chosen = [fault for fault in faults if not arguments.fault or fault in arguments.fault]
        namers = {fault: [name for name, catches in cases if fault in catches] for fault in chosen}
        for name, catches in cases:
            for fault in catches:
                self.check(fault in faults, f"{name} names {fault}, which is not a fault")
        for fault in chosen:
            self.check(namers[fault] or fault in unnamed, f"{fault} ({faults[fault]}) is named by no case")

        def timed(fault):
            began = time.monotonic()
            return fault, list(notices(fault, namers[fault])), time.monotonic() - began

        with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
            done = list(pool.map(timed, chosen))
        # On a busy machine a fault may not show: up to three that were missed are tried once more, alone.
        missed = [fault for fault, verdicts, _ in done if any(why for _, why in verdicts)]
        for fault, verdicts, seconds in done:
            if fault in missed and len(missed) <= 3:
                verdicts = timed(fault)[1]
                if not any(why for _, why in verdicts):
                    print(f"UNSTEADY {fault} was noticed only when it was tried alone", flush=True)
            for name, why in verdicts:
                self.check(why is None, f"{fault}: {name} does not notice it: {why}")
            if arguments.verbose:
                print(f"{seconds:6.2f} s  {fault}: {len(verdicts)} cases", flush=True)

    def conclude(self):
        """Prints the last line; the exit code."""
        print(f"{self.passed} passed, {len(self.failures)} failed")
        return 1 if self.failures else 0


def begin(program, *flags):
    """Reads the command line: the faults of `program`, and the arguments; `flags` are pairs of a further flag and its help."""
    for needed in (JRPCHECK, program):
        if not needed.exists():
            print(f"{needed} is not built: run scripts/test --quick, or set JRPCHECK_BUILD", file=sys.stderr)
            sys.exit(2)
    faults = load_faults(program)
    parser = argparse.ArgumentParser(description=f"Proves that the suite notices the faults of {program.name}.")
    parser.add_argument("--fault", action="append", metavar="NAME", help="this fault only (repeatable)")
    parser.add_argument("--verbose", action="store_true", help="report every fault, and how long it took")
    for flag, said in flags:
        parser.add_argument(flag, action="store_true", help=said)
    arguments = parser.parse_args()
    for name in arguments.fault or []:
        if name not in faults:
            parser.error(f"there is no fault {name}: see {program.name} --list-faults")
    return faults, arguments
