#!/usr/bin/env python3
"""Breaks no rule: it answers every 50th message after 1.2 s, and messages that come meanwhile at once."""

from answers_later import Later


class Slow(Later):
    seen = 0

    def answer(self, data):
        self.seen += 1
        response = super().answer(data)
        if self.seen % 50 or response is None:
            return response
        self.write_later(1.2, response, even_after_the_end=True)
        return None


Slow().serve()
