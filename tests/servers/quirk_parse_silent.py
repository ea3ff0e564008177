"""Does not answer what is not JSON."""

from quirk_core import Core


class Quirk(Core):
    def parse_error(self):
        return None


Quirk().serve()
