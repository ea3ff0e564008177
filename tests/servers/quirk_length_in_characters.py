"""Over Content-Length, takes the length of a message for a number of characters."""

import sys

from quirk_core import Core


class Quirk(Core):
    def serve(self):
        text = open(sys.stdin.fileno(), encoding="utf-8", errors="surrogateescape", newline="")
        while True:
            length = 0
            while (line := text.readline().strip()) != "":
                name, _, value = line.partition(":")
                length = int(value) if name == "Content-Length" and value.strip().isdigit() else length
            content = text.read(length)
            if content == "":
                return
            answer = self.answer(content.encode("utf-8", "surrogateescape"))
            if answer is not None:
                sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(answer) + answer)
                sys.stdout.buffer.flush()


Quirk().serve()
