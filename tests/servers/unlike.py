"""price(item, count): a method of which only a description is known. Usage: unlike.py KIND

A valid call is answered differently: order: with white space, or if the members come in another order; escapes: if a String has escapes;
batch: in a batch; after: after an invalid message. right: never. backwards: never, and the answers to a batch come in reverse order.
counts, turns, chance: results differ from call to call."""

import random
import sys

from quirk_core import Core, InvalidParams

KIND = sys.argv[1]


class Unlike(Core):
    def __init__(self):
        super().__init__()
        self.methods = {"price": self.price}
        self.data = b""
        self.order = []
        self.tainted = False
        self.calls = 0

    def price(self, params):
        params = params if isinstance(params, dict) else dict(zip(["item", "count"], params))
        if not isinstance(params.get("item"), str) or type(params.get("count")) is not int:
            raise InvalidParams
        self.calls += 1
        total = len(params["item"]) + params["count"]
        usual = self.order[:2] == ["jsonrpc", "method"] and b" " not in self.data and b"\t" not in self.data
        changes = {"order": not usual and not self.data.startswith(b"["), "batch": self.data.startswith(b"["),
                   "after": self.tainted, "turns": self.calls % 2 == 1, "chance": random.random() < 0.5}
        self.tainted = False
        if KIND == "escapes" and b"\\u" in self.data:
            raise InvalidParams
        return self.calls if KIND == "counts" else [total, changes.get(KIND, False)]

    def one(self, message):
        self.order = list(message) if isinstance(message, dict) else []
        return super().one(message)

    def error(self, code, message, identity, data=None):
        self.tainted = self.tainted or code in (-32600, -32700)
        return super().error(code, message, identity, data)

    def respond(self, data):
        answer = super().respond(data)
        return answer[::-1] if KIND == "backwards" and isinstance(answer, list) else answer

    def answer(self, data):
        self.data = data
        return super().answer(data)


Unlike().serve()
