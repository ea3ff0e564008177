"""Conformant: refuses a batch of more than ten elements unread, as an Invalid Request."""

from quirk_core import Core


class Quirk(Core):
    def batch(self, messages):
        return super().batch(messages) if len(messages) <= 10 else self.error(-32600, "Batch too large", None)


Quirk().serve()
