#!/usr/bin/env python3
"""A right client whose driver has a JSON library that knows only doubles and C strings; MODE says what the driver does with other values."""

import json
import os
import sys
import threading

import plain

MODE = sys.argv[1]


def refuse(value):
    """The values that such a library refuses."""
    if isinstance(value, float) and abs(value) == float("inf") or isinstance(value, str) and "\0" in value:
        raise ValueError(f"cannot read {value!r}")
    if isinstance(value, int) and abs(value) > 2**53:
        raise ValueError(f"cannot read {value!r}")
    for part in value.items() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else []:
        refuse(part)


def change(value):
    """The value as another library changes it without an error."""
    if isinstance(value, dict):
        return {change(name): change(part) for name, part in value.items()}
    if isinstance(value, list):
        return [change(part) for part in value]
    if isinstance(value, str):
        return value.partition("\0")[0]
    if isinstance(value, int) and not isinstance(value, bool):
        return int(float(value))
    return None if value == float("inf") else value


class Driver(plain.Driver):
    def ping(self, command):
        return {"result": command} if MODE == "changes-and-shows" else super().ping(command)

    def cannot_read(self, line, error):
        if MODE == "ends":
            sys.exit(f"panic: {error}")
        if MODE == "says-so":
            self.say({"tag": json.loads(line)["tag"], "unreadable": str(error)})
        elif MODE == "fails":
            self.say({"tag": json.loads(line)["tag"], "failed": str(error)})
        elif MODE == "complains":
            self.say({"error": str(error)})
        elif MODE != "ignores":
            raise AssertionError(MODE)

    def handle(self, command):
        if MODE == "reads-late" and command["do"] == "call":
            try:
                refuse(command)
            except ValueError:
                os._exit(101)
        super().handle(command)

    def run(self):
        self.say({"driver": 1, "name": "unread", "version": "1", "can": ["call", "notify", "batch", "by-name", "concurrent"]})
        for line in sys.stdin:
            command = json.loads(line)
            if MODE.startswith("changes"):
                command = change(command)
            elif MODE != "reads-late":
                try:
                    refuse(command)
                except ValueError as error:
                    self.cannot_read(line, error)
                    continue
            if command["do"] != "ping":
                self.connected()
            threading.Thread(target=self.handle, args=(command,), daemon=True).start()


if __name__ == "__main__":
    Driver().run()
