"""Puts the id of the latest call into a parse error."""

from quirk_core import Core


class Quirk(Core):
    latest = None

    def call(self, message):
        self.latest = message.get("id", self.latest)
        return super().call(message)

    def parse_error(self):
        return self.error(-32700, "Parse error", self.latest)


Quirk().serve()
