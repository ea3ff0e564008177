"""Shared by the servers that write some answers after those to later messages."""

import threading

from quirk_core import Core


class Later(Core):
    def __init__(self):
        super().__init__()
        self.writing = threading.Lock()

    def write(self, data):
        with self.writing:
            super().write(data)

    def write_later(self, seconds, data, even_after_the_end):
        """Without `even_after_the_end`, answers that are not written yet are lost when the input ends."""
        timer = threading.Timer(seconds, self.write, [data])
        timer.daemon = not even_after_the_end
        timer.start()
