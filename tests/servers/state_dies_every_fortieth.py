#!/usr/bin/env python3
"""Dies of every 40th message: no message is at fault, only how many came before it."""

import os

from quirk_core import Core


class Dies(Core):
    seen = 0

    def answer(self, data):
        self.seen += 1
        if self.seen == 40:
            os.abort()
        return super().answer(data)


Dies().serve()
