"""Text that is not JSON stays in the buffer, and spoils the message after it."""

import json

from quirk_core import Core


class Quirk(Core):
    kept = b""

    def answer(self, data):
        whole, self.kept = self.kept + data, b""
        if whole == data:
            try:
                json.loads(data)
            except ValueError:
                self.kept = data
        return super().answer(whole)


Quirk().serve()
