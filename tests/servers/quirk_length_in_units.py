"""Reads Content-Length as a number of UTF-16 units, and answers a header that it cannot read with a parse error."""

import codecs
import sys

from quirk_core import Core


class Quirk(Core):
    def serve(self):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = ""
        while chunk := sys.stdin.buffer.read1(1 << 16):
            text = self.take(text + decoder.decode(chunk))

    def take(self, text):
        while (end := text.find("\r\n\r\n")) >= 0:
            name, _, value = text[:end].partition(":")
            units = text[end + 4:].encode("utf-16-le", "surrogatepass")
            length = 2 * int(value) if name == "Content-Length" and value.strip().isdigit() else 0
            if length > len(units):
                return text
            self.reply(self.answer(units[:length].decode("utf-16-le", "replace").encode()) if length else self.encode(self.parse_error()))
            text = units[length:].decode("utf-16-le", "replace")
        return text

    def reply(self, answer):
        if answer is not None:
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(answer) + answer)
            sys.stdout.buffer.flush()


Quirk().serve()
