#!/usr/bin/env python3
"""The fault matrix of clients: proves the cases for clients against the faults of jrpc-reference-client.

  1. The faultless jrpc-reference-client passes every case.
  2. Under each fault, every case that names it in `catches` has a finding of one of its own rules, a crash or a hang; where
     its first rule is only observed, another observation than without the fault.
  3. Every fault is named by a case, and every name in `catches` is a fault.

  tests/client_matrix.py [--fault NAME]... [--verbose]

The programs are those of the build folder JRPCHECK_BUILD, else of build/dev. The last line counts the checks.
"""

import functools
import json
import pathlib
import subprocess
import sys
import tempfile

import matrix

CLIENT = matrix.BUILD / "jrpc-reference-client"
SUITES = ["jsonrpc-2.0-client", "ro-jrpc-1.0-client", "undriven"]
# With both suites for drivers.
DRIVEN = ("--profile", "ro-jrpc")
# For the cases whose ids begin with undriven/.
UNDRIVEN = ("--undriven",)
RUN_SECONDS = 300
WORKERS = 2
CALL_MS = 500
# Faults of the way to the server are seen over that way only; by whichever case if none names them.
CONTENT_LENGTH = ("--framing", "content-length")
HTTP = ("--transport", "http")
WEBSOCKET = ("--transport", "websocket")
OTHER_WAYS = {
    "length-short": CONTENT_LENGTH, "length-characters": CONTENT_LENGTH,
    "http-media-type": HTTP, "http-put": HTTP, "http-accept-html": HTTP, "http-accept-missing": HTTP,
    "websocket-binary": WEBSOCKET,
}
# … and those whose names begin so.
WAYS_OF_NAMES = {"http-": HTTP, "websocket-": WEBSOCKET}
# What we read as generously as servers do, and cannot tell from the right thing.
UNSEEN = {
    "header-bare-line-feed": "RFC 9112, section 2.2, lets a receiver take a line feed alone for the end of a header line",
}


def cases_of_suite():
    """Pairs of an id and the faults that the case names."""
    suites = [word for suite in SUITES for word in ("--suite", suite)]
    listed = subprocess.run([matrix.JRPCHECK, "list", "--json", *suites], capture_output=True, text=True, check=True, timeout=30)
    return [(case["id"], case["catches"]) for case in map(json.loads, listed.stdout.splitlines())]


def run(fault, options):
    with tempfile.TemporaryDirectory(prefix="client-matrix-") as folder:
        words = [*(["--alone"] if UNDRIVEN[0] in options else []), *(["--fault", fault] if fault else [])]
        return matrix.run([matrix.JRPCHECK, "client", "--timeout", str(CALL_MS), *options, "--", CLIENT, *words],
                          pathlib.Path(folder) / "stream.ndjson", RUN_SECONDS)


def accuses(event):
    """Whether a case has a finding of one of its own rules, or saw the client end."""
    found = any(finding["rule"] in event["rules"] and finding["level"] != "OBSERVE" for finding in event["findings"])
    return found or event["outcome"] in ("crash", "hang")


def seen(event):
    return event["outcome"], event["observed"]


@functools.lru_cache(maxsize=None)
def faultless(options):
    return run(None, options)


def notices(event, right):
    return accuses(event) or (right is not None and seen(event) != seen(right))


def verdict(name, events, right, said):
    """None if the case notices the fault, else why it does not."""
    if name not in events:
        return f"not run: {said}"
    return None if notices(events[name], right.get(name)) else events[name]["outcome"]


def under_fault(fault, names):
    """(id, None or why not) for each case; over another way than TCP all of them together are one."""
    other = OTHER_WAYS.get(fault) or next((way for prefix, way in WAYS_OF_NAMES.items() if fault.startswith(prefix)), None)
    right, _ = faultless(other or DRIVEN)
    if other is not None and names:
        events, said = run(fault, (*other, *(word for name in names for word in ("--only", name))))
        return [(name, verdict(name, events, right, said)) for name in names]
    if other is not None:
        events, said = run(fault, other)
        noticed = any(notices(event, right.get(name)) for name, event in events.items())
        return [(f"any case over {other[1]}", None if noticed else f"none of {len(events)} does {said}")]
    reported = []
    for way in (DRIVEN, UNDRIVEN):
        named = [name for name in names if name.startswith("undriven/") == (way is UNDRIVEN)]
        right, _ = faultless(way)
        events, said = run(fault, (*way, *(word for name in named for word in ("--only", name)))) if named else ({}, "")
        reported += [(name, verdict(name, events, right, said)) for name in named]
    return reported


def main():
    faults, arguments = matrix.begin(CLIENT)
    cases = cases_of_suite()
    checks = matrix.Checks()
    driven, said = faultless(DRIVEN)
    alone, said_alone = faultless(UNDRIVEN)
    right = {**driven, **alone}
    said += said_alone
    for name, _ in cases:
        event = right.get(name)
        checks.check(event is not None and event["outcome"] in ("pass", "observe", "skip"),
                     f"faultless: {name}: {event['outcome'] if event else 'not run: ' + said}")
    proved = {fault: rule for fault, rule in faults.items() if fault not in UNSEEN}
    checks.under_faults(proved, cases, under_fault, arguments, WORKERS, unnamed=OTHER_WAYS)
    return checks.conclude()


if __name__ == "__main__":
    sys.exit(main())
