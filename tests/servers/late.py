#!/usr/bin/env python3
"""Answers correctly until it has read so many messages. Usage: late.py WHAT NUMBER

WHAT it does from then on: `silent` answers nothing, `flood` writes without end, `random` answers anything with a random
Response, `fork` starts a process with its own session for each message, `stderr` fills its standard error.
"""

import random
import subprocess
import sys

from quirk_core import Core

WHAT, NUMBER = sys.argv[1], int(sys.argv[2])


class Late(Core):
    seen = 0

    def answer(self, data):
        self.seen += 1
        if self.seen <= NUMBER:
            return super().answer(data)
        if WHAT == "silent":
            return None
        while WHAT == "flood":
            sys.stdout.write('{"jsonrpc":"2.0","method":"tick"}\n' * 1000)
        if WHAT == "random":
            return b'{"jsonrpc":"2.0","result":%d,"id":%d}' % (random.randrange(9), random.randrange(9))
        if WHAT == "fork":
            subprocess.Popen(["sleep", "60"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if WHAT == "stderr":
            sys.stderr.write("x" * 100_000)
        return super().answer(data)


Late().serve()
