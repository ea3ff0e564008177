"""Writes one line to standard error for about one message in 1,500, which it answers like any other."""

import sys
import zlib

from quirk_core import Core

print("ready", file=sys.stderr, flush=True)


class Warns(Core):
    def answer(self, data):
        if zlib.crc32(data.strip()) % 1500 == 7:
            print(f"WARNING {len(data)} bytes of an unlikely kind", file=sys.stderr, flush=True)
        return super().answer(data)


Warns().serve()
