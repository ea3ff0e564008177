#!/usr/bin/env python3
"""Answers every notification, 400 ms after it came: long after the calls behind it."""

import threading

from quirk_core import Core


class Late(Core):
    def __init__(self):
        super().__init__()
        self.writing = threading.Lock()

    def write(self, data):
        with self.writing:
            super().write(data)

    def one(self, message):
        if isinstance(message, dict) and self.valid(message) and self.is_notification(message):
            response = self.encode(self.call(message))
            timer = threading.Timer(0.4, self.write, [response])
            timer.daemon = True
            timer.start()
            return None
        return super().one(message)


Late().serve()
