#!/usr/bin/env python3
"""Answers every notification, 400 ms after it came: long after the calls behind it."""

from answers_later import Later


class Late(Later):
    def one(self, message):
        if isinstance(message, dict) and self.valid(message) and self.is_notification(message):
            self.write_later(0.4, self.encode(self.call(message)), even_after_the_end=False)
            return None
        return super().one(message)


Late().serve()
