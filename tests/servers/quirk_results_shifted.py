"""Gives the results of a batch to its ids by position, and counts those of notifications."""

from quirk_core import Core


class Quirk(Core):
    def batch(self, messages):
        if not messages:
            return self.invalid(None)
        responses = [self.one(message) for message in messages]
        ids = [response["id"] for response in responses if response is not None]
        contents = [response if response is not None else self.success(None, None) for response in responses]
        return [{**content, "id": identity} for content, identity in zip(contents, ids)] or None


Quirk().serve()
