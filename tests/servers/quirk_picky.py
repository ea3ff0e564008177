"""Conformant: refuses unknown and duplicate members, empty method names, noncharacters (RFC 7493, section 2.1), messages over
32 KiB and batches of more than 20, the last two with codes of its own and unread."""

import json

from quirk_core import Core, Number, integer, refuse


def has_noncharacter(value):
    if isinstance(value, str):
        return any(ord(c) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF for c in value)
    return any(map(has_noncharacter, [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []))


class Quirk(Core):
    def valid(self, message):
        known = {"jsonrpc", "method", "params", "id"}
        return super().valid(message) and not set(message) - known and message["method"] != ""

    def loads(self, text):
        def unique(pairs):
            if len(dict(pairs)) != len(pairs):
                raise ValueError("a member stands twice")
            return dict(pairs)

        value = json.loads(text, parse_float=Number, parse_int=integer, parse_constant=refuse,
                           object_pairs_hook=unique)
        if has_noncharacter(value):
            raise ValueError("a noncharacter")
        return value

    def respond(self, data):
        if len(data) > 32768:
            return self.error(-32001, "Message too large", None)
        return super().respond(data)

    def batch(self, messages):
        return super().batch(messages) if len(messages) <= 20 else self.error(-32000, "Batch too large", None)


Quirk().serve()
