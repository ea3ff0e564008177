"""Checks no member but `method`, and answers notifications of unknown methods."""

from quirk_core import Core


class Quirk(Core):
    def valid(self, message):
        return isinstance(message.get("method"), str)

    def one(self, message):
        response = super().one(message)
        if response is None and message["method"] not in self.methods:
            return self.error(-32601, "Method not found", None)
        return response


Quirk().serve()
