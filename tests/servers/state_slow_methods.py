#!/usr/bin/env python3
"""Breaks no rule: it needs 400 ms for each call of a method that it has, and answers all else at once."""

from answers_later import Later


class SlowMethods(Later):
    def answer(self, data):
        self.calls = 0
        response = super().answer(data)
        if response is None or self.calls == 0:
            return response
        self.write_later(0.4 * self.calls, response, even_after_the_end=True)
        return None

    def call(self, message):
        self.calls += message.get("method") in self.methods
        return super().call(message)


SlowMethods().serve()
