"""Conformant: answers every Invalid Request with id null."""

from quirk_core import Core


class Quirk(Core):
    def invalid(self, message):
        return self.error(-32600, "Invalid Request", None)


Quirk().serve()
