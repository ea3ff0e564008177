#!/usr/bin/env python3
"""Answers each message only when the next one comes: an answer is always one request late."""

from quirk_core import Core


class Behind(Core):
    held = None

    def answer(self, data):
        held, self.held = self.held, super().answer(data)
        return held


Behind().serve()
