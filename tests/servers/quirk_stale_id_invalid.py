"""Puts the id of the latest call into the error for what is not a valid Request and has no readable id."""

from quirk_core import Core


class Quirk(Core):
    latest = None

    def call(self, message):
        self.latest = message.get("id", self.latest)
        return super().call(message)

    def invalid(self, message):
        error = super().invalid(message)
        return self.error(-32600, "Invalid Request", self.latest) if error["id"] is None else error


Quirk().serve()
