#!/usr/bin/env python3
"""How much faster 16 jobs are than one against a server that takes 100 ms for each message.

  tests/bench/jobs.py JRPCHECK JRPC-REFERENCE
"""

import subprocess
import sys
import time

DELAY_MS = 100
JOBS = 16


def seconds(jrpcheck, url, jobs):
    began = time.monotonic()
    subprocess.run([jrpcheck, "--quiet", "--no-discover", "--suite", "jsonrpc-2.0", "--jobs", str(jobs), url],
                   stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


def main():
    jrpcheck, reference = sys.argv[1:]
    with subprocess.Popen([reference, "--http", "127.0.0.1:0", "--delay", str(DELAY_MS)], stderr=subprocess.PIPE,
                          text=True) as server:
        url = server.stderr.readline().split()[-1]
        try:
            many, one = (seconds(jrpcheck, url, jobs) for jobs in (JOBS, 1))
        finally:
            server.terminate()
    print(f"jsonrpc-2.0 over HTTP, {DELAY_MS} ms a message: {one / many:.1f} times with {JOBS} jobs "
          f"({one:.1f} s, {many:.1f} s)")


if __name__ == "__main__":
    main()
