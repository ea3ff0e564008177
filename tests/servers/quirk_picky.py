"""Conformant: refuses unknown and duplicate members, and empty method names."""

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


Quirk().serve()
