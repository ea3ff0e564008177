"""place_order(count, note): answers wrongly, with a bare number, for a count just outside of what its description allows. Only calls
with the right name and nearly the right params get there."""

from quirk_core import Core, InvalidParams


class Described(Core):
    def __init__(self):
        super().__init__()
        self.methods = {"place_order": self.place_order}

    def place_order(self, params):
        params = params if isinstance(params, dict) else dict(zip(["count", "note"], params))
        if type(params.get("count")) is not int or not 0 <= params["count"] <= 6:
            raise InvalidParams
        return params["count"]

    def success(self, result, identity):
        return 6 if result in (0, 6) else super().success(result, identity)


Described().serve()
