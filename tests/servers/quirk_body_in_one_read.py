"""Content-Length framing; a body that does not come in one read is taken for shorter than it is."""

import os
import re
import sys

from quirk_core import Core


class Quirk(Core):
    def write(self, data):
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        sys.stdout.buffer.flush()

    def serve(self):
        waiting = b""
        while True:
            while b"\r\n\r\n" not in waiting:
                data = os.read(0, 1 << 14)
                if not data:
                    return
                waiting += data
            head, waiting = waiting.split(b"\r\n\r\n", 1)
            length = re.search(rb"content-length: *([0-9]{1,9})", head, re.IGNORECASE)
            waiting = waiting or os.read(0, 1 << 14)
            size = int(length[1]) if length else 0
            answer = self.answer(waiting[:size])
            waiting = waiting[size:]
            if answer is not None:
                self.write(answer)


Quirk().serve()
