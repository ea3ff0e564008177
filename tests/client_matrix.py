#!/usr/bin/env python3
"""Proves the cases for clients against the faults of jrpc-reference-client.

Every case that names a fault in "catches" must notice it: with a finding of one of its rules, a crash or a hang; where its
first rule is only observed, with another observation than on the faultless client. Every fault must be named by a case, and on
the faultless client nothing may be found.

    tests/client_matrix.py [FAULT…]     exit code 0: all proved; 1: what is not is printed
"""

import concurrent.futures
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("JRPCHECK_BUILD", ROOT / "build" / "dev"))
SUITE = "jsonrpc-2.0-client"
# Faults of the way to the server are seen over that way only; by whichever case.
CONTENT_LENGTH = ("--framing", "content-length")
HTTP = ("--transport", "http")
OTHER_WAYS = {
    "length-short": CONTENT_LENGTH, "length-characters": CONTENT_LENGTH,
    "http-media-type": HTTP, "http-put": HTTP, "http-accept-html": HTTP, "http-accept-missing": HTTP,
    "websocket-binary": ("--transport", "websocket"),
}
# What we read as generously as servers do, and cannot tell from the right thing.
UNSEEN = {
    "header-bare-line-feed": "RFC 9112, section 2.2, lets a receiver take a line feed alone for the end of a header line",
}


def cases_of_suite():
    listed = subprocess.run([BUILD / "jrpcheck", "list", "--json", "--suite", SUITE], capture_output=True, text=True, check=True)
    return {case["id"]: case for case in map(json.loads, listed.stdout.splitlines())}


def run(fault, options):
    """The case events of a run by id, and what it says where it did not come to its end."""
    with tempfile.TemporaryDirectory() as folder:
        stream = pathlib.Path(folder) / "stream.ndjson"
        command = [BUILD / "jrpcheck", "client", "-q", "--timeout", "500", *options, "--report", f"ndjson={stream}",
                   "--", BUILD / "jrpc-reference-client", *(["--fault", fault] if fault else [])]
        subprocess.run(command, capture_output=True, timeout=300)
        events = list(map(json.loads, stream.read_text().splitlines()))
        last = events[-1] if events else {}
        stopped = None if last.get("event") == "finish" and "stop" not in last else last.get("stopped", "it was cut short")
        return {event["id"]: event for event in events if event["event"] == "case"}, stopped


def accuses(event):
    """Whether a case has a finding of one of its own rules, or saw the client end."""
    found = any(finding["rule"] in event["rules"] and finding["level"] != "OBSERVE" for finding in event["findings"])
    return found or event["outcome"] in ("crash", "hang")


def seen(event):
    return event["outcome"], event["observed"]


@functools.lru_cache(maxsize=None)
def faultless(options):
    """The case events of a run on the faultless client, which has to come to its end."""
    events, stopped = run(None, options)
    if stopped is not None:
        sys.exit(f"the run on the faultless client {' '.join(options)} stopped: {stopped}")
    return events


def prove(fault, named, right):
    """What is not as it should be with one fault."""
    other = OTHER_WAYS.get(fault)
    if other is not None:
        (faulty, _), base = run(fault, other), faultless(other)
        noticed = any(accuses(event) or seen(event) != seen(base[case]) for case, event in faulty.items())
        return [] if noticed else [f"{fault}: no case notices it over {other[1]}"]
    if not named:
        return [] if fault in UNSEEN else [f"{fault}: no case names it in \"catches\""]
    options = [word for case in named for word in ("--only", case)]
    faulty, stopped = run(fault, options)
    if stopped is not None:
        return [f"{fault}: the run stopped after {len(faulty)} of {len(named)} cases: {stopped}"]
    return [f"{case}: does not notice {fault} (outcome {faulty[case]['outcome']})" for case in named
            if not accuses(faulty[case]) and seen(faulty[case]) == seen(right[case])]


def main(chosen):
    cases = cases_of_suite()
    listed = subprocess.run([BUILD / "jrpc-reference-client", "--list-faults"], capture_output=True, text=True, check=True)
    faults = [line.split("\t")[0] for line in listed.stdout.splitlines()]
    right = faultless(())
    wrong = [f"{case}: {event['outcome']} on the faultless client" for case, event in right.items()
             if event["outcome"] not in ("pass", "observe", "skip")]
    by_fault = {fault: [case for case, told in cases.items() if fault in told["catches"]] for fault in faults}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda fault: prove(fault, by_fault[fault], right), chosen or faults):
            wrong += found
    print("\n".join(wrong) or f"{len(chosen or faults)} faults, {len(cases)} cases: all proved")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
