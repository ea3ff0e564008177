"""Keeps ids as text, so that 1 comes back as '1'."""

from quirk_core import Core, dumps


class Quirk(Core):
    def call(self, message):
        response = super().call(message)
        if response["id"] is not None and not isinstance(response["id"], str):
            response["id"] = dumps(response["id"])
        return response


Quirk().serve()
