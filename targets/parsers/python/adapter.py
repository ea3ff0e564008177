"""Adapter for the JSON parsers of Python: adapter.py json|simplejson|orjson|ujson|rapidjson|simdjson|yyjson."""

import importlib
import json
import platform
import struct
import sys

NAMES = {"json": "json", "simplejson": "simplejson", "orjson": "orjson", "ujson": "ujson",
         "rapidjson": "rapidjson", "simdjson": "simdjson", "yyjson": "yyjson"}
PACKAGES = {"rapidjson": "python-rapidjson", "simdjson": "pysimdjson"}


def version_of(name):
    if name == "json":
        return platform.python_version()
    return importlib.import_module("importlib.metadata").version(PACKAGES.get(name, name))


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in NAMES:
        sys.exit("adapter.py: name one parser: " + ", ".join(NAMES))
    name = sys.argv[1]
    library = importlib.import_module(NAMES[name])
    # pysimdjson reads only; what it read is written by the standard library.
    dumps = getattr(library, "dumps", json.dumps) if name != "simdjson" else json.dumps
    read, write = sys.stdin.buffer.read, sys.stdout.buffer.write

    def send(answer):
        write(struct.pack(">I", len(answer)) + answer)
        sys.stdout.buffer.flush()

    send(b"I" + json.dumps({"name": name, "version": version_of(name), "language": "Python"}).encode())
    while head := read(4):
        text = read(struct.unpack(">I", head)[0])
        try:
            value = library.loads(text)
        except Exception as error:  # whatever a library raises, it refuses
            send(b"R" + str(error).encode(errors="replace")[:4000])
            continue
        try:
            written = dumps(value)
        except (ValueError, TypeError, RecursionError, OverflowError):
            send(b"a")
            continue
        send(b"A" + (written if isinstance(written, bytes) else written.encode("utf-8", "surrogatepass")))


main()
