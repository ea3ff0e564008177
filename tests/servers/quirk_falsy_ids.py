"""Loses ids that fail a truth test: `request.id || null`."""

from quirk_core import Core


class Quirk(Core):
    def call(self, message):
        response = super().call(message)
        response["id"] = response["id"] or None
        return response


Quirk().serve()
