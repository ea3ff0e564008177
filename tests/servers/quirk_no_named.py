"""Refuses params by name before it looks for the method, with an error code of its own: 0."""

from quirk_core import Core, ApplicationError


class Quirk(Core):
    def run(self, message):
        if isinstance(message.get("params"), dict):
            raise ApplicationError(0, None)
        return super().run(message)


Quirk().serve()
