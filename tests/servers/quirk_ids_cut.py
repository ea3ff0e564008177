"""Deviates: a String id of more than 32 characters comes back cut to 32."""

from quirk_core import Core


class Quirk(Core):
    def respond(self, data):
        response = super().respond(data)
        if isinstance(response, dict) and isinstance(response["id"], str):
            response["id"] = response["id"][:32]
        return response


Quirk().serve()
