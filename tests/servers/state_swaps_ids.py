#!/usr/bin/env python3
"""Swaps the ids of two calls that are in flight together; a call that stays by itself for a while is answered rightly."""

import os
import select

from quirk_core import Core

ALONE_S = 0.25


class Swaps(Core):
    def read_message(self, line):
        try:
            return self.loads(self.decode(line))
        except (ValueError, RecursionError):
            return None

    def is_call(self, message):
        return isinstance(message, dict) and self.valid(message) and not self.is_notification(message)

    def take(self, lines, wait):
        """Answers the lines that came; a call that is the last of them waits for another one if `wait` says so."""
        while lines:
            one, two = self.read_message(lines[0]), self.read_message(lines[1]) if len(lines) > 1 else None
            if self.is_call(one) and self.is_call(two):
                one["id"], two["id"] = two["id"], one["id"]
                for message in (one, two):
                    self.write(self.encode(self.one(message)))
                del lines[:2]
            elif self.is_call(one) and len(lines) == 1 and wait:
                return
            else:
                answer = self.answer(lines.pop(0))
                if answer is not None:
                    self.write(answer)

    def serve(self):
        lines, held = [], b""
        while True:
            if not select.select([0], [], [], ALONE_S if lines else None)[0]:
                self.take(lines, wait=False)
                continue
            read = os.read(0, 1 << 20)
            if not read:
                return
            *whole, held = (held + read).split(b"\n")
            lines += whole
            self.take(lines, wait=True)


Swaps().serve()
