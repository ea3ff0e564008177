"""Takes one read for one message: a second message in it is lost."""

import os

from quirk_core import Core


class Quirk(Core):
    def serve(self):
        while data := os.read(0, 1 << 16):
            answer = self.answer(data.split(b"\n")[0])
            if answer is not None:
                self.write(answer)


Quirk().serve()
