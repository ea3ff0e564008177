"""Refuses whatever begins with a bracket as an invalid Request, unread, because its protocol has no batches."""

from quirk_core import Core


class Quirk(Core):
    batches = False

    def __init__(self):
        super().__init__()
        self.methods["initialize"] = lambda params: {"capabilities": {}}

    def respond(self, data):
        return self.invalid(None) if data.lstrip().startswith(b"[") else super().respond(data)


Quirk().serve()
