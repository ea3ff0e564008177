"""Gives params by name to the method as its first argument, so that a difference becomes null."""

from quirk_core import Core


class Quirk(Core):
    def subtract(self, params):
        return None if isinstance(params, dict) else super().subtract(params)


Quirk().serve()
