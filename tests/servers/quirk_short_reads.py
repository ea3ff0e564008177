"""Over Content-Length, takes what has come for the whole body; the rest is read as the beginning of the next head."""

import os

from quirk_core import Core


class Quirk(Core):
    data = b""

    def line(self):
        while b"\n" not in self.data:
            part = os.read(0, 4096)
            if part == b"":
                raise EOFError
            self.data += part
        line, _, self.data = self.data.partition(b"\n")
        return line.strip()

    def serve(self):
        length = 0
        while True:
            name, _, value = self.line().partition(b":")
            if name == b"Content-Length":
                length = int(value)
            elif name == b"" and length > 0:
                self.data = self.data or os.read(0, 4096)
                body, self.data, length = self.data[:length], self.data[length:], 0
                answer = self.answer(body)
                if answer is not None:
                    os.write(1, b"Content-Length: %d\r\n\r\n" % len(answer) + answer)


try:
    Quirk().serve()
except EOFError:
    pass
