"""Answers notifications like calls, with id null."""

from quirk_core import Core


class Quirk(Core):
    def is_notification(self, message):
        return False


Quirk().serve()
