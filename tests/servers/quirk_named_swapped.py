"""Takes params by name the wrong way round."""

from quirk_core import Core


class Quirk(Core):
    def subtract(self, params):
        difference = super().subtract(params)
        return -difference if isinstance(params, dict) else difference


Quirk().serve()
