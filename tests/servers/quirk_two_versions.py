"""Conformant: serves what has no jsonrpc member as JSON-RPC 1.0, also inside a batch."""

from quirk_core import Core


class Quirk(Core):
    def one(self, message):
        old = isinstance(message, dict) and "jsonrpc" not in message and isinstance(message.get("method"), str)
        if not old:
            return super().one(message)
        response = super().one({**message, "jsonrpc": "2.0"})
        if response is None or message["id"] is None:
            return None
        return {"result": response.get("result"), "error": response.get("error"), "id": response["id"]}


Quirk().serve()
