"""Stops at the first error of a batch."""

from quirk_core import Core


class Quirk(Core):
    def batch(self, messages):
        if not messages:
            return self.invalid(None)
        responses = []
        for message in messages:
            response = self.one(message)
            if response is not None:
                responses.append(response)
                if "error" in response:
                    break
        return responses or None


Quirk().serve()
