#!/usr/bin/env python3
"""Breaks no rule: it answers every batch after 300 ms, and messages that come meanwhile at once."""

from answers_later import Later


class SlowBatches(Later):
    def answer(self, data):
        response = super().answer(data)
        if response is None or not data.lstrip().startswith(b"["):
            return response
        self.write_later(0.3, response, even_after_the_end=True)
        return None


SlowBatches().serve()
