#!/usr/bin/env python3
"""Answers every third notification of a connection, and no other."""

from quirk_core import Core


class Third(Core):
    notified = 0

    def one(self, message):
        if isinstance(message, dict) and self.valid(message) and self.is_notification(message):
            self.notified += 1
            response = self.call(message)
            return response if self.notified % 3 == 0 else None
        return super().one(message)


Third().serve()
