"""Logs every request to standard output."""

from quirk_core import Core


class Quirk(Core):
    def answer(self, data):
        self.write(b"2026-11-20 10:00:00 INFO handling a request")
        return super().answer(data)


Quirk().serve()
