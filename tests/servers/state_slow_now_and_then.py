#!/usr/bin/env python3
"""Breaks no rule: it answers every 50th message 1.2 s after it came, and what comes meanwhile at once."""

import threading

from quirk_core import Core


class Slow(Core):
    seen = 0

    def __init__(self):
        super().__init__()
        self.writing = threading.Lock()

    def write(self, data):
        with self.writing:
            super().write(data)

    def answer(self, data):
        self.seen += 1
        response = super().answer(data)
        if self.seen % 50 or response is None:
            return response
        timer = threading.Timer(1.2, self.write, [response])
        timer.start()  # the process ends after it
        return None


Slow().serve()
