"""Leaves the id out of errors."""

from quirk_core import Core


class Quirk(Core):
    def error(self, code, message, identity, data=None):
        response = super().error(code, message, identity, data)
        del response["id"]
        return response


Quirk().serve()
