"""Keeps every rule, but reads each number with a fraction, an exponent or many digits as a double, as most JSON readers do: ids come
back as the double. Members that the specification does not name are refused."""

import json
import math

from quirk_core import Core


def finite(text):
    value = float(text)
    if math.isinf(value):
        raise ValueError(text)
    return value


class ReadsDoubles(Core):
    def answer(self, text):
        try:
            value = json.loads(text, parse_float=finite, parse_int=lambda digits: int(digits) if len(digits) < 16 else finite(digits))
            return super().answer(json.dumps(value).encode())
        except (ValueError, RecursionError):
            return super().answer(text)


ReadsDoubles().serve()
