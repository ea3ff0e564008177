"""Sends null instead of every result that fails a truth test: `result || null`."""

from quirk_core import Core


class Quirk(Core):
    def success(self, result, identity):
        return super().success(result or None, identity)


Quirk().serve()
