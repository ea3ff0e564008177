"""Knows no batches: an Array is an Invalid Request."""

from quirk_core import Core


class Quirk(Core):
    batches = False


Quirk().serve()
