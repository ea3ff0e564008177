"""Writes code and message beside the id, without `error`."""

from quirk_core import Core


class Quirk(Core):
    def error(self, code, message, identity, data=None):
        return {"jsonrpc": "2.0", "code": code, "message": message, "id": identity}


Quirk().serve()
