"""Every call that fails keeps one of eight slots: after them each call is refused with -32000."""

from quirk_core import Core


class Quirk(Core):
    taken = 0

    def call(self, message):
        if Quirk.taken >= 8:
            return self.error(-32000, "busy", message.get("id"))
        response = super().call(message)
        Quirk.taken += "error" in response
        return response


Quirk().serve()
