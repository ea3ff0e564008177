"""Gives errors as text."""

from quirk_core import Core


class Quirk(Core):
    def error(self, code, message, identity, data=None):
        return {"jsonrpc": "2.0", "error": message, "id": identity}


Quirk().serve()
