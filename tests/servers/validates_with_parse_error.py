"""Right by the package notes of jrpc2, not by the specification: what is JSON and cannot be validated is -32700 with
id null, alone and in the place of its element in a batch, and so is an empty batch."""

from quirk_core import Core


class ValidatesWithParseError(Core):
    def invalid(self, message):
        return self.parse_error()


if __name__ == "__main__":
    ValidatesWithParseError().serve()
