"""Conformant: notifies and asks its client between its answers, as language servers do, also with ids that the client
has used: each side numbers its own calls."""

from quirk_core import Core, dumps


class Quirk(Core):
    heard = 0

    def greet(self):
        self.write(b'{"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"hello"}}')
        self.write(b'{"jsonrpc":"2.0","id":0,"method":"workspace/configuration","params":{"items":[]}}')

    def one(self, message):
        if isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message):
            return None
        return super().one(message)

    def answer(self, data):
        self.heard += 1
        if self.heard % 3 == 0:
            self.write(b'{"jsonrpc":"2.0","method":"$/progress","params":{"done":1}}')
        if self.heard % 7 == 0:
            self.write(b'{"jsonrpc":"2.0","id":1,"method":"client/registerCapability","params":{}}')
        return super().answer(data)

    def write(self, data):
        super().write(data)
        if self.heard % 5 == 0 and data.startswith(b"{") and b'"method"' not in data:
            own = {"jsonrpc": "2.0", "id": self.loads(data.decode())["id"], "method": "client/ping"}
            super().write(dumps(own).encode())


Quirk().serve()
