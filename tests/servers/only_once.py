#!/usr/bin/env python3
"""A server on stdio that does not run twice at a time: a second process finds the lock taken. Usage: LOCK [wait].

With `wait`, a second process waits for the lock instead of exiting."""

import fcntl
import sys

from quirk_core import Core

LOCK = open(sys.argv[1], "w", encoding="utf-8")
try:
    fcntl.flock(LOCK, fcntl.LOCK_EX | (0 if "wait" in sys.argv else fcntl.LOCK_NB))
except BlockingIOError:
    sys.exit("another instance is running")
CORE = Core()
for line in sys.stdin.buffer:
    answer = CORE.answer(line.rstrip(b"\r\n"))
    if answer is not None:
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()
