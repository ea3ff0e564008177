"""Begins every message with a byte-order mark."""

from quirk_core import Core


class Quirk(Core):
    def write(self, data):
        super().write(b"\xef\xbb\xbf" + data)


Quirk().serve()
