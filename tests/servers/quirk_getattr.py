"""Looks methods up with getattr, inherited names included."""

from quirk_core import Core, MethodNotFound


class Quirk(Core):
    def lookup(self, method):
        found = getattr(self, method, None)
        if found is None:
            raise MethodNotFound(method)
        return lambda params: str(found(*params) if isinstance(params, list) else found(**params))


Quirk().serve()
