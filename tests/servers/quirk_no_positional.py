"""Takes a call with params by position for an invalid Request, whatever its method."""

from quirk_core import Core


class Quirk(Core):
    def valid(self, message):
        return super().valid(message) and not isinstance(message.get("params"), list)


Quirk().serve()
