#!/usr/bin/env python3
"""The fault matrix: proves that the suite notices what it says it notices.

  1. The faultless jrpc-reference passes every case, on every transport and framing.
  2. Under each fault, every case that names it in `catches` carries a finding of one of its own rules (of a rule
     that only observes: another observation than without the fault), on at least one way of reaching the server.
  3. Every fault is named by a case, and every name in `catches` is a fault.

  tests/fault_matrix.py [--quick] [--fault NAME]... [--verbose]

The programs are those of the build folder JRPCHECK_BUILD, else of build/dev. The last line counts the checks.
"""

import collections
import concurrent.futures
import json
import pathlib
import sys
import tempfile

import matrix
from case_files import cases_of

ROOT = matrix.ROOT
JRPCHECK = matrix.JRPCHECK
REFERENCE = matrix.BUILD / "jrpc-reference"

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
    "sign": {"by-position": ["message"], "by-name": {"message": "message"}},
    "context": {},
    "reserved": {"method": "rpc.defined"},
    "known": {"method": "subtract"},
    "flow": {"by-position": []},
    "throw": {"by-position": ["message"], "by-name": {"message": "message"}},
    "collect": {"by-position": ["flow"], "by-name": {"flow": "flow"}},
    **{name: {} for name in ("user", "repo/issue", "project/task", "attachment", "job", "session", "tool")},
    "failing_flow": {"by-position": []},
    "restricted": {"by-position": []},
    "overdue": {"by-position": []},
    "once": {"by-position": []},
    "tokened": {"by-name": {"token": "token"}},
    "debug": {"by-position": []},
}
METHODS = {name: {"method": name, "result": "", **shape} for name, shape in FIXTURE.items()}
STREAMS = {"stream": {"method": "stream", "result": "", "by-position": ["n"]},
           "tokens": {"method": "tokens", "result": "", "by-position": ["message"], "by-name": {"message": "message"}},
           "token_stream": {"method": "tokens", "result": "", "by-name": {"message": "message"}}}
# A stream of events beside the exchanges belongs to a session, whose id comes in a header.
SESSIONS = {
    "events": True, "headers": {"Mcp-Session-Id": "${session}"},
    "prelude": [{"send": {"jsonrpc": "2.0", "method": "get_data", "id": "${id}"}, "expect": {"result": {"$any": True}},
                 "capture": {"session": "header:Mcp-Session-Id"}}],
}
# Tokens that a server asks for, of an identity that may do everything and of one that may not.
TOKEN_KEY = "a key of the matrix"
ENGINE_KEY = "a key of the matrix, of 32 bytes"  # in a file in hexadecimal, as nodes of Ethereum have it
CREDENTIALS = {"jwt": {"key": TOKEN_KEY, "claims": {"sub": "jrpcheck", "role": "admin"}, "other": {"sub": "guest", "role": "guest"}}}
DECLARES = ["authorization", "nonce", "signature", "update"]
# Way over HTTP → further options of the server, and what its description has besides.
FURTHER = {
    "http, events": ([], {"headers": {"Accept": "text/event-stream"}, "methods": METHODS | STREAMS, "streams": "/rpc/stream"}),
    "http, sessions": (["--sessions"], SESSIONS),
    "http, engine": (["--token-key", ENGINE_KEY], {"credentials": {"jwt-secret": "${here}/jwt.hex"}}),
    "stdio, credentials": (["--token-key", TOKEN_KEY], {"credentials": CREDENTIALS}),
    "http, credentials": (["--token-key", TOKEN_KEY], {"credentials": CREDENTIALS}),
    "websocket, credentials": (["--token-key", TOKEN_KEY], {"credentials": CREDENTIALS}),
}

SUITE_2_0 = "jsonrpc-2.0"
SUITE_1_0 = "jsonrpc-1.0"
SUITE_EVENTS = "transport-sse"
SUITE_HTTP = "transport-http"
SUITE_WEBSOCKET = "transport-websocket"
SUITE_RO = "ro-jrpc-1.0"
# Suites of texts beside the specification: jrpc-reference follows one where it is told --as SUITE.
HABITS = ("jrpc2", "kotlin-design", "kotlinx-rpc")
# A suite of several revisions is run under the profile of one, by a server that speaks it.
SUITE_MCP = "mcp"
MCP = {"mcp-2025-11-25": "mcp", "mcp-2026-07-28": "mcp-2026-07-28", "mcp-2025-06-18": "mcp"}
SUITE_LSP = "lsp"
SUITE_ETHEREUM = "ethereum"
SUITE_DISCOVER = "rpc.discover"
ALIVE = ("SEC-b", "SEC-l")
BROKEN = ("fail", "ended", "stuck", "hang", "crash")

# `undeclared`: it runs only where the server does not declare something, which a fault may bring about.
Case = collections.namedtuple("Case", "id suite rules catches spans undeclared", defaults=((), False))
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
    Way("stdio, credentials", "stdio", suites=(SUITE_2_0,)),
    Way("http, credentials", "http", suites=(SUITE_HTTP,)),
    Way("websocket, credentials", "ws", suites=(SUITE_WEBSOCKET,)),
    Way("stdio, 1.0", "stdio", suites=(SUITE_1_0,)),
    *(Way(f"stdio, {habit}", "stdio", suites=(habit,)) for habit in HABITS),
    Way("websocket, kotlinx-rpc", "ws", suites=("kotlinx-rpc",)),
    *(Way(f"{transport}, {profile}", transport, suites=(SUITE_MCP,), profile=profile)
      for profile in MCP for transport in ("stdio", "http") if (transport, profile) != ("http", "mcp-2025-06-18")),
    Way("stdio, lsp", "stdio", "content-length", suites=(SUITE_LSP,), profile="lsp"),
    *(Way(f"{transport}, ethereum", transport, suites=(SUITE_ETHEREUM,), profile="ethereum") for transport in ("stdio", "ws")),
    Way("http, engine", "http", suites=(SUITE_ETHEREUM,), profile="ethereum"),
    Way("stdio, openrpc", "stdio", suites=(SUITE_DISCOVER,)),
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
            cases.append(Case(case["id"], path.parent.name, case["rules"], case.get("catches", []), spans,
                              any(need.startswith("undeclared:") for need in case.get("needs", []))))
    return cases


def rules_against(rules, outcome):
    """The rules that a fault may be held against by a case of these: what ends a target, or leaves it mute, is held
    against the rule of staying alive, whatever the case is after."""
    return {*rules, *(ALIVE if outcome in ("crash", "hang", "stuck") else ())}


def suits(way, case):
    """Whether the case belongs to what this way speaks."""
    if way.profile:
        revision = way.profile.partition("-")[2]
        return case.suite in way.suites and all(since <= revision <= until for since, until in case.spans)
    if way.suites:
        return case.suite in way.suites
    return case.suite not in (SUITE_1_0, SUITE_EVENTS, SUITE_MCP, SUITE_LSP, SUITE_ETHEREUM, SUITE_DISCOVER, *HABITS)

# The effect of these faults on a connection may appear only after the case has ended, or only if the server reads before
# the next piece arrives, so each gets several tries.
RACES = {"unread-answers-crash", "connection-end-closes-all", "ws-read-is-frame"}
TRIES = 4


class Matrix(matrix.Checks):
    def __init__(self, folder):
        super().__init__()
        self.folder = pathlib.Path(folder)
        (self.folder / "jwt.hex").write_text(f"0x{ENGINE_KEY.encode().hex()}\n", encoding="utf-8")
        self.faultless = {}  # (way, case id) → event

    def target(self, way, fault, purpose):
        """Writes the description of the reference server as this way reaches it, into a file of its own.

        `fault` may name several, with + between them."""
        command = [str(REFERENCE), *(["--framing", way.framing] if way.framing != "line" else [])]
        if SUITE_1_0 in way.suites:
            command.append("--v1")
        habits = [suite for suite in way.suites if suite in HABITS]
        habits += ["openrpc"] if SUITE_DISCOVER in way.suites else []
        habits += [MCP.get(way.profile, way.profile)] if way.profile else []
        for habit in habits:
            command += ["--as", habit]
        for one in fault.split("+") if fault else []:
            command += ["--fault", one]
        description = {
            "schema": 1, "name": "jrpc-reference", **({"framing": way.framing} if way.transport in ("stdio", "tcp") else {}),
            "methods": METHODS,
            "declares": [*DECLARES, *(["1.0"] if SUITE_1_0 in way.suites else [])],
        }
        if way.profile:
            description |= {"profile": way.profile, "methods": {}, "declares": []}
        options, members = FURTHER.get(way.name, ([], {}))
        command += options
        description |= members
        if way.transport == "stdio":
            description["command"] = [*command, "--stdio"]
        else:
            description |= {"start": [*command, f"--{way.transport}", "127.0.0.1:${port}"],
                            "url": f"{way.transport}://127.0.0.1:${{port}}", "ready": {"port": True}}
        path = self.folder / f"{fault or 'faultless'}-{purpose}{WAYS.index(way)}.json"
        path.write_text(json.dumps(description), encoding="utf-8")
        return path

    def run(self, way, fault, cases, purpose=""):
        """Runs cases; id → event of each that was reported, and what was said on stderr."""
        target = self.target(way, fault, purpose)
        command = [JRPCHECK, "run"]
        for suite in sorted({case.suite for case in cases}):
            command += ["--suite", suite]
        command += [word for case in cases for word in ("--only", case.id)]
        if fault:
            command += ["--timeout", str(REPLY_MS)]
        return matrix.run([*command, target], target.with_suffix(".ndjson"), RUN_SECONDS)

    def without_faults(self, way, cases, every):
        """The faultless server; the events are kept to compare with. `every`: no case was left out, so some can be run."""
        cases = [case for case in cases if suits(way, case)]
        if not cases:
            return
        events, said = self.run(way, None, cases)
        reported = 0
        for case in cases:
            event = events.get(case.id)
            if event is None:
                self.check(False, f"faultless ({way.name}): {case.id} was not run: {said}")
                continue
            self.faultless[way, case.id] = event
            reported += event["outcome"] != "skip"
            if event["outcome"] not in ("pass", "observe", "skip"):
                why = "; ".join(finding["text"] for finding in event["findings"]) or event.get("reason", "")
                self.check(False, f"faultless ({way.name}): {case.id} has the outcome {event['outcome']}: {why}")
        self.check(reported > 0 or not every, f"faultless ({way.name}): no case could be run")
        print(f"faultless, {way.name}: {reported} cases run, {len(cases) - reported} skipped", flush=True)

    def unnoticed(self, way, case, event):
        """Why this event does not show that the case noticed the fault; None if it does."""
        if event["outcome"] in ("skip", "blocked", "error"):
            return f"{event['outcome']} ({event.get('reason', '')})"
        rules = rules_against(case.rules, event["outcome"])
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
        """Tries every way until each case has noticed; (id, None or why not) for each."""
        open_cases = {case.id: case for case in cases}
        whys = collections.defaultdict(dict)
        for way in WAYS * (TRIES if fault in RACES else 1):
            here = [case for case in open_cases.values() if suits(way, case)
                    and (case.undeclared or self.faultless.get((way, case.id), {}).get("outcome") != "skip")]
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
        return [(case.id, None if case.id not in open_cases else
                 "; ".join(f"{way}: {why}" for way, why in whys[case.id].items()) or "no way to run it") for case in cases]


def main():
    faults, arguments = matrix.begin(REFERENCE, ("--quick", "the faultless server over stdio only"))
    cases = {case.id: case for case in load_cases()}
    ways = [way for way in WAYS if not arguments.quick or way.name in QUICK]
    concerned = [case for case in cases.values() if not arguments.fault or set(case.catches) & set(arguments.fault)]
    with tempfile.TemporaryDirectory(prefix="fault-matrix-") as folder:
        checks = Matrix(folder)
        with concurrent.futures.ThreadPoolExecutor(max_workers=WORKERS) as pool:
            list(pool.map(lambda way: checks.without_faults(way, concerned, not arguments.fault), ways))
        checks.under_faults(faults, [(case.id, case.catches) for case in concerned],
                            lambda fault, ids: checks.under_fault(fault, [cases[name] for name in ids]), arguments, WORKERS)
        return checks.conclude()


if __name__ == "__main__":
    sys.exit(main())
