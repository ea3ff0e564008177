"""Takes each method whose name begins with "rpc." for an Invalid Request, and does not read its id."""

from quirk_core import Core


class Quirk(Core):
    def valid(self, message):
        return super().valid(message) and not message["method"].startswith("rpc.")

    def invalid(self, message):
        return self.error(-32600, "Invalid Request", None)


Quirk().serve()
