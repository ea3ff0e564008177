"""Unwraps a batch answer of one Response."""

from quirk_core import Core


class Quirk(Core):
    def batch(self, messages):
        responses = super().batch(messages)
        return responses[0] if isinstance(responses, list) and len(responses) == 1 else responses


Quirk().serve()
