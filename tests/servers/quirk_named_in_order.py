"""Takes params by name in the order of the members, whatever their names."""

from quirk_core import Core


class Quirk(Core):
    def subtract(self, params):
        return super().subtract(list(params.values()) if isinstance(params, dict) else params)


Quirk().serve()
