"""Conformant: its methods take params by name only (section 4.2 offers both ways and demands neither)."""

from quirk_core import Core, InvalidParams


class Quirk(Core):
    def __init__(self):
        super().__init__()
        self.methods = {"math.minus": self.subtract, "text.echo": self.methods["echo"]}

    def run(self, message):
        handler = self.lookup(message["method"])
        if not isinstance(message.get("params", {}), dict):
            raise InvalidParams
        return handler(message.get("params", {}))


Quirk().serve()
