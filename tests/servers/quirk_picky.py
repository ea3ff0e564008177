"""Conformant: refuses unknown and duplicate members, empty method names, messages over 32 KiB and batches of more than 20,
the last two with codes of its own and unread."""

import json

from quirk_core import Core, Number, integer, refuse


class Quirk(Core):
    def valid(self, message):
        known = {"jsonrpc", "method", "params", "id"}
        return super().valid(message) and not set(message) - known and message["method"] != ""

    def loads(self, text):
        def unique(pairs):
            if len(dict(pairs)) != len(pairs):
                raise ValueError("a member stands twice")
            return dict(pairs)

        return json.loads(text, parse_float=Number, parse_int=integer, parse_constant=refuse,
                          object_pairs_hook=unique)

    def respond(self, data):
        if len(data) > 32768:
            return self.error(-32001, "Message too large", None)
        return super().respond(data)

    def batch(self, messages):
        return super().batch(messages) if len(messages) <= 20 else self.error(-32000, "Batch too large", None)


Quirk().serve()
