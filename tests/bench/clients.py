#!/usr/bin/env python3
"""How fast the cases for clients run on the bundled client, beside the cases for servers on the bundled server.

  tests/bench/clients.py JRPCHECK JRPC-REFERENCE JRPC-REFERENCE-CLIENT
"""

import json
import subprocess
import sys
import time

ROUNDS = 5
TRANSPORTS = {"stdio": "stdio", "tcp": "TCP", "unix": "a Unix socket", "http": "HTTP", "websocket": "WebSocket"}


def measure(*command):
    """The cases that were judged, and the seconds of the best of some rounds."""
    best, judged = float("inf"), 0
    for _ in range(ROUNDS):
        began = time.monotonic()
        done = subprocess.run([*command[:-1], *command[-1]], stdout=subprocess.PIPE, check=True, text=True)
        best = min(best, time.monotonic() - began)
        judged = json.loads(done.stdout.splitlines()[-1])["judged"]
    return judged, best


def main():
    jrpcheck, server, client = sys.argv[1:]
    cases, seconds = measure(jrpcheck, "run", "--report", "ndjson", "--suite", "jsonrpc-2.0", ("--", server, "--stdio"))
    per_second = cases / seconds
    print(f"server over stdio: {cases} cases in {seconds * 1000:.0f} ms, {per_second:.0f} a second (the best of {ROUNDS} rounds)")
    for transport, name in TRANSPORTS.items():
        cases, seconds = measure(jrpcheck, "client", "--report", "ndjson", "--transport", transport, ("--", client))
        print(f"client over {name}: {cases} cases in {seconds * 1000:.0f} ms, {cases / seconds:.0f} a second, "
              f"{cases / seconds / per_second:.2f} of the server's")


if __name__ == "__main__":
    main()
