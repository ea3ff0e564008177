"""Leaves out the result of a handler that returns nothing."""

from quirk_core import Core


class Quirk(Core):
    def success(self, result, identity):
        response = super().success(result, identity)
        if result is None:
            del response["result"]
        return response


Quirk().serve()
