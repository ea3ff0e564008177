"""Answers a batch by mapping over it: an empty one, and one of notifications, by []."""

from quirk_core import Core


class Quirk(Core):
    def batch(self, messages):
        return [response for response in map(self.one, messages) if response is not None]


Quirk().serve()
