#!/usr/bin/env python3
"""Conformant: sends a notification of its own before each answer, and answers what came together in the reverse order,
with everything that comes while it does so after that."""

import os
import select

from quirk_core import Core

TICK = b'{"jsonrpc":"2.0","method":"server.tick"}'
IDLE_S = 0.003


class Ticks(Core):
    def serve(self):
        lines, held, ended = [], b"", False
        while lines or not ended:
            if lines and (ended or not select.select([0], [], [], IDLE_S)[0]):
                answer = self.answer(lines.pop().rstrip(b"\r"))
                self.write(TICK)
                if answer is not None:
                    self.write(answer)
                continue
            read = os.read(0, 1 << 20)
            ended = not read
            *whole, held = (held + read).split(b"\n")
            lines += whole


Ticks().serve()
