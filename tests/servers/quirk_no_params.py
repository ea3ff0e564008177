"""Its methods fail in ways of their own if params are omitted, and its reader leaves out members named __proto__."""

import json

from quirk_core import ApplicationError, Core, Number, integer, refuse


def without_proto(pairs):
    return {name: value for name, value in pairs if name != "__proto__"}


class Quirk(Core):
    def loads(self, text):
        return json.loads(text, parse_float=Number, parse_int=integer, parse_constant=refuse, object_pairs_hook=without_proto)

    def run(self, message):
        if "params" not in message and message["method"] in ("subtract", "sum", "echo"):
            raise ApplicationError(1, "the method failed")
        return super().run(message)


Quirk().serve()
