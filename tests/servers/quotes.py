#!/usr/bin/env python3
"""Right in a style of its own: errors quote the method, and ids with a fractional part, which section 4 advises against,
are refused. Methods for notifications cannot be called."""

from quirk_core import Core, Number


class Quotes(Core):
    def good_id(self, identity):
        return not isinstance(identity, Number) and super().good_id(identity)

    def call(self, message):
        name = message["method"]
        if name not in self.methods or ("id" in message and name in ("update", "notify_hello", "notify_sum")):
            return self.error(-32601, "no method " + name, message.get("id"))
        return super().call(message)


Quotes().serve()
