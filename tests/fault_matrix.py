#!/usr/bin/env python3
"""The fault matrix: proves that the suite notices what it says it notices.

  1. The faultless jrpc-reference passes every case, on every transport and framing.
  2. Under each fault, every case that names it in `catches` carries a finding of one of its own rules (of a rule
     that only observes: another observation than without the fault), on at least one way of reaching the server.
  3. Every fault is named by a case, and every name in `catches` is a fault.

  tests/fault_matrix.py [--quick] [--fault NAME]... [--verbose]

The programs are those of the build folder JRPCHECK_BUILD, else of build/dev. The last line counts the checks.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from case_files import cases_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("JRPCHECK_BUILD") or ROOT / "build" / "dev").resolve()
JRPCHECK = BUILD / "jrpcheck"
REFERENCE = BUILD / "jrpc-reference"

# A run that takes longer than this hangs: no case waits for more than a few seconds.
RUN_SECONDS = 60
# Runs at the same time. Under a fault a run does little but wait for what never comes.
WORKERS = 10
# How long an answer may take under a fault, in milliseconds: many faults are silences, each waited for.
REPLY_MS = 500

FIXTURE = {
    "subtract": {"by-position": ["minuend", "subtrahend"],
                 "by-name": {"minuend": "minuend", "subtrahend": "subtrahend"}},
    "sum": {"by-position": []},
    "get_data": {"by-position": []},
    "update": {"by-position": []},
    "notify_hello": {"by-position": []},
    "notify_sum": {"by-position": []},
    "echo": {"by-position": [], "by-name": {}},
    "fail": {"by-position": []},
    "app_error": {"by-position": ["code", "message", "data"],
                  "by-name": {"code": "code", "message": "message", "data": "data"}},
    "slow": {"by-position": ["ms"], "by-name": {"ms": "ms"}},
    "count": {"by-position": []},
    "push": {"by-position": [], "by-name": {}},
    "optional": {"by-position": ["a", "b"], "by-name": {"a": "a", "b": "b"}},
    "denied": {"by-position": [], "by-name": {}},
    "nonce": {"by-position": ["nonce", "timestamp"], "by-name": {"nonce": "nonce", "timestamp": "timestamp"}},
    "signed": {"by-position": ["message", "signature"],
               "by-name": {"message": "message", "signature": "signature"}},
    "flow": {"by-position": []},
    **{name: {} for name in ("user", "repo/issue", "project/task", "attachment", "job", "session")},
    "failing_flow": {"by-position": []},
}
# A stream of events beside the exchanges belongs to a session, whose id comes in a header.
SESSIONS = {
    "events": True, "headers": {"Mcp-Session-Id": "${session}"},
    "prelude": [{"send": {"jsonrpc": "2.0", "method": "get_data", "id": "${id}"}, "expect": {"result": {"$any": True}},
                 "capture": {"session": "header:Mcp-Session-Id"}}],
}
DECLARES = ["authorization", "nonce", "signature", "update"]

SUITE_1_0 = "jsonrpc-1.0"
SUITE_EVENTS = "transport-sse"
SUITE_RO = "ro-jrpc-1.0"
# Suites of texts beside the specification: jrpc-reference follows one where it is told --as SUITE.
HABITS = ("jrpc2", "kotlin-design", "kotlinx-rpc")
# A suite of several revisions is run under the profile of one, by a server that speaks it.
SUITE_MCP = "mcp"
MCP = {"mcp-2025-11-25": "mcp", "mcp-2026-07-28": "mcp-2026-07-28", "mcp-2025-06-18": "mcp"}
SUITE_LSP = "lsp"
ALIVE = ("SEC-b", "SEC-l")
BROKEN = ("fail", "ended", "stuck", "hang", "crash")

Case = collections.namedtuple("Case", "id suite rules catches place spans", defaults=((),))
# `suites`: those that this way is for; none: all that are not for some way only.
# `profile`: that it is run under; only the cases that hold for its revision are for it.
Way = collections.namedtuple("Way", "name transport framing suites profile", defaults=("line", (), None))

WAYS = [
    Way("stdio", "stdio"),
    Way("stdio, content-length", "stdio", "content-length"),
    Way("stdio, concatenated", "stdio", "concatenated"),
    Way("stdio, length32", "stdio", "length32"),
    Way("tcp", "tcp"),
    Way("http", "http"),
    Way("websocket", "ws"),
    Way("http, events", "http", suites=(SUITE_EVENTS, SUITE_RO)),
    Way("http, sessions", "http", suites=(SUITE_EVENTS, SUITE_RO)),
    Way("stdio, 1.0", "stdio", suites=(SUITE_1_0,)),
    *(Way(f"stdio, {habit}", "stdio", suites=(habit,)) for habit in HABITS),
    Way("websocket, kotlinx-rpc", "ws", suites=("kotlinx-rpc",)),
    *(Way(f"{transport}, {profile}", transport, suites=(SUITE_MCP,), profile=profile)
      for profile in MCP for transport in ("stdio", "http") if (transport, profile) != ("http", "mcp-2025-06-18")),
    Way("stdio, lsp", "stdio", "content-length", suites=(SUITE_LSP,), profile="lsp"),
]
QUICK = ("stdio", "stdio, 1.0")


def span_of(entry):
    """From which revision on a rule or a case holds, and until which."""
    return entry.get("since") or "", entry.get("until") or "~"


def load_cases():
    """All cases that test a server, in the order of their files."""
    cases = []
    spans_of_rules = {rule["id"]: span_of(rule) for path in (ROOT / "cases" / "rules").glob("*.json")
                      for rule in json.loads(path.read_text(encoding="utf-8"))["rules"]}
    for path in sorted((ROOT / "cases").rglob("*.json")):
        if path.parent.name in ("rules", "profiles"):
            continue
        for case in cases_of(path):
            if "role" in case:  # of clients and parsers: client_matrix.py, parser_matrix.py
                continue
            spans = [span_of(case), *([spans_of_rules[case["rules"][0]]] if case["rules"] else [])]
            cases.append(Case(case["id"], path.parent.name, case["rules"], case.get("catches", []),
                              path.relative_to(ROOT), spans))
    return cases


def load_faults():
    """Name → rule of every fault of the server."""
    text = subprocess.run([REFERENCE, "--list-faults"], capture_output=True, text=True, check=True, timeout=10).stdout
    return {line.split("\t")[0]: line.split("\t")[1] for line in text.splitlines()}


def suits(way, case):
    """Whether the case belongs to what this way speaks."""
    if way.profile:
        revision = way.profile.partition("-")[2]
        return case.suite in way.suites and all(since <= revision <= until for since, until in case.spans)
    if way.suites:
        return case.suite in way.suites
    return case.suite not in (SUITE_1_0, SUITE_EVENTS, SUITE_MCP, SUITE_LSP, *HABITS)


class Matrix:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.faultless = {}  # (way, case id) → event
        self.passed = 0
        self.failures = []

    def check(self, ok, sentence):
        if ok:
            self.passed += 1
        else:
            self.failures.append(sentence)
            print(f"FAIL {sentence}", flush=True)

    def target(self, way, fault, purpose):
        """Writes the description of the reference server as this way reaches it, into a file of its own."""
        command = [str(REFERENCE), *(["--framing", way.framing] if way.framing != "line" else [])]
        if SUITE_1_0 in way.suites:
            command.append("--v1")
        for habit in {*way.suites} & {*HABITS} | ({MCP.get(way.profile, way.profile)} if way.profile else set()):
            command += ["--as", habit]
        if fault:
            command += ["--fault", fault]
        description = {
            "schema": 1, "name": "jrpc-reference", **({"framing": way.framing} if way.transport in ("stdio", "tcp") else {}),
            "methods": {name: {"method": name, "result": "", **shape} for name, shape in FIXTURE.items()},
            "declares": [*DECLARES, *(["1.0"] if SUITE_1_0 in way.suites else [])],
        }
        if way.profile:
            description |= {"profile": way.profile, "methods": {}, "declares": []}
        if way.name == "http, events":
            description["headers"] = {"Accept": "text/event-stream"}
            description["methods"]["stream"] = {"method": "stream", "result": "", "by-position": ["n"]}
        if way.name == "http, sessions":
            command.append("--sessions")
            description |= SESSIONS
        if way.transport == "stdio":
            description["command"] = [*command, "--stdio"]
        else:
            description |= {"start": [*command, f"--{way.transport}", "127.0.0.1:${port}"],
                            "url": f"{way.transport}://127.0.0.1:${{port}}", "ready": {"port": True}}
        path = self.folder / f"{fault or 'faultless'}-{purpose}{WAYS.index(way)}.json"
        path.write_text(json.dumps(description), encoding="utf-8")
        return path

    def run(self, way, fault, cases, purpose=""):
        """Runs cases; id → event of each that was told, and what was said on stderr."""
        target = self.target(way, fault, purpose)
        stream = target.with_suffix(".ndjson")
        command = [JRPCHECK, "run", "--report", f"ndjson={stream}", "--quiet"]
        for suite in sorted({case.suite for case in cases}):
            command += ["--suite", suite]
        command += [word for case in cases for word in ("--only", case.id)]
        if fault:
            command += ["--timeout", str(REPLY_MS)]
        try:
            done = subprocess.run([*command, target], capture_output=True, text=True, errors="replace",
                                  timeout=RUN_SECONDS, stdin=subprocess.DEVNULL)
            said = done.stderr.strip()
        except subprocess.TimeoutExpired:
            said = f"the run did not end within {RUN_SECONDS} s"
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

    def without_faults(self, way, cases):
        """The faultless server; the events are kept to compare with."""
        cases = [case for case in cases if suits(way, case)]
        if not cases:
            return
        events, said = self.run(way, None, cases)
        told = 0
        for case in cases:
            event = events.get(case.id)
            if event is None:
                self.check(False, f"faultless ({way.name}): {case.id} was not run: {said}")
                continue
            self.faultless[way, case.id] = event
            told += event["outcome"] != "skip"
            if event["outcome"] not in ("pass", "observe", "skip"):
                why = "; ".join(finding["text"] for finding in event["findings"]) or event.get("reason", "")
                self.check(False, f"faultless ({way.name}): {case.id} has the outcome {event['outcome']}: {why}")
        self.check(told > 0, f"faultless ({way.name}): no case could be run")
        print(f"faultless, {way.name}: {told} cases run, {len(cases) - told} skipped", flush=True)

    def unnoticed(self, way, case, event):
        """Why this event does not show that the case noticed the fault; None if it does."""
        if event["outcome"] in ("skip", "blocked", "error"):
            return f"{event['outcome']} ({event.get('reason', '')})"
        # What ends a target, or leaves it mute, is held against the rule of staying alive, whatever the case is after.
        rules = [*case.rules, *(ALIVE if event["outcome"] in ("crash", "hang", "stuck") else ())]
        for finding in event["findings"]:
            if finding["rule"] not in rules or (finding.get("known") and not finding.get("repeats")):
                continue
            if (finding["level"] == "OBSERVE" or event["outcome"] in BROKEN
                    or (finding["level"] == "SHOULD" and event["outcome"] == "warn")):
                return None
        before = self.faultless.get((way, case.id))
        if before and event["observed"] != before["observed"]:
            return None
        others = ", ".join(sorted({finding["rule"] + (" (known)" if finding.get("known") else "")
                                   for finding in event["findings"]}))
        return f"{event['outcome']}, " + (f"findings of {others} only" if others else "no finding")

    def under_fault(self, fault, cases):
        """Tries every way until each case has noticed; returns (case, None or why not) for each."""
        open_cases = {case.id: case for case in cases}
        whys = collections.defaultdict(dict)
        for way in WAYS:
            here = [case for case in open_cases.values() if suits(way, case)
                    and self.faultless.get((way, case.id), {}).get("outcome") != "skip"]
            if not here:
                continue
            unseen = [case for case in here if (way, case.id) not in self.faultless]
            if unseen:  # --quick: this way was left out so far
                for name, event in self.run(way, None, unseen, fault)[0].items():
                    self.faultless[way, name] = event
            events, said = self.run(way, fault, here)
            for case in here:
                event = events.get(case.id)
                why = f"not run: {said}" if event is None else self.unnoticed(way, case, event)
                if why is None:
                    del open_cases[case.id]
                else:
                    whys[case.id][way.name] = why
        return [(case, None if case.id not in open_cases else whys[case.id]) for case in cases]


def parse_arguments(faults):
    parser = argparse.ArgumentParser(description="Proves that the suite notices the faults of jrpc-reference.")
    parser.add_argument("--fault", action="append", metavar="NAME", help="this fault only (repeatable)")
    parser.add_argument("--quick", action="store_true", help="the faultless server over stdio only")
    parser.add_argument("--verbose", action="store_true", help="tell of every fault, and how long it took")
    arguments = parser.parse_args()
    for name in arguments.fault or []:
        if name not in faults:
            parser.error(f"there is no fault {name}: see jrpc-reference --list-faults")
    return arguments


def main():
    for program in (JRPCHECK, REFERENCE):
        if not program.exists():
            print(f"{program} is not built: run scripts/test --quick, or set JRPCHECK_BUILD", file=sys.stderr)
            return 2
    faults = load_faults()
    arguments = parse_arguments(faults)
    cases = load_cases()
    ways = [way for way in WAYS if not arguments.quick or way.name in QUICK]
    chosen = arguments.fault or list(faults)
    namers = {fault: [case for case in cases if fault in case.catches] for fault in faults}
    concerned = cases if not arguments.fault else [case for case in cases if set(case.catches) & set(chosen)]

    with tempfile.TemporaryDirectory(prefix="fault-matrix-") as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=WORKERS) as pool:
        matrix = Matrix(folder)
        for fault in chosen:
            matrix.check(namers[fault], f"{fault} ({faults[fault]}) is named by no case")
        for case in concerned:
            for name in case.catches:
                matrix.check(name in faults, f"{case.place}: {case.id} names {name}, which is no fault")
        list(pool.map(lambda way: matrix.without_faults(way, concerned), ways))

        def timed(fault):
            began = time.monotonic()
            return fault, matrix.under_fault(fault, namers[fault]), time.monotonic() - began

        for fault, verdicts, seconds in pool.map(timed, chosen):
            for case, whys in verdicts:
                told = "; ".join(f"{way}: {why}" for way, why in (whys or {}).items()) or "no way to run it"
                matrix.check(whys is None, f"{fault}: {case.id} does not notice it: {told}")
            if arguments.verbose:
                print(f"{seconds:6.2f} s  {fault}: {len(verdicts)} cases", flush=True)
        print(f"{matrix.passed} passed, {len(matrix.failures)} failed")
        return 1 if matrix.failures else 0


if __name__ == "__main__":
    sys.exit(main())
