"""Writes all Responses into one object: the error of one stays beside the result of the next."""

from quirk_core import Core


class Quirk(Core):
    kept = None

    def call(self, message):
        response = super().call(message)
        if "error" in response:
            self.kept = response["error"]
        elif self.kept is not None:
            response = {**response, "error": self.kept}
        return response


Quirk().serve()
