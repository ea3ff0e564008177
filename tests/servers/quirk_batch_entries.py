"""Conformant: limits the entries of a batch one by one. Beyond 18 entries each call is refused with -32000, and beyond 20 KB of
answers each further one with -32003, as Ethereum nodes do."""

from quirk_core import Core, dumps


class Quirk(Core):
    def batch(self, messages):
        answers = super().batch(messages) or []
        if isinstance(answers, dict):
            return answers
        if len(messages) > 18:
            return [self.error(-32000, "Too many entries", answer["id"]) for answer in answers] or None
        size = 0
        for index, answer in enumerate(answers):
            size += len(dumps(answer))
            if size > 20000:
                answers[index] = self.error(-32003, "Response too large", answer["id"])
        return answers or None


Quirk().serve()
