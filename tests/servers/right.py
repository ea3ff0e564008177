#!/usr/bin/env python3
"""A small JSON-RPC 2.0 server on stdio, one message a line, with the methods subtract and echo.

  --log            write a log line to standard output first, where only messages belong
  --log-to-stderr  write it where it belongs
  --no-batch       refuse batches
  --die-on TEXT    exit with status 7 when a message holds TEXT
"""

import decimal
import json
import math
import sys

OPTIONS = sys.argv[1:]
DIE_ON = OPTIONS[OPTIONS.index("--die-on") + 1] if "--die-on" in OPTIONS else None


class UnknownMethod(Exception):
    pass


def error(code, message, identity=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": identity}


def readable_id(message):
    identity = message.get("id")
    fits = identity is None or (isinstance(identity, (str, int, float)) and not isinstance(identity, bool))
    return identity if fits else None


def call(method, params):
    if method == "echo":
        return params
    if method == "subtract":
        values = params if isinstance(params, list) else [params["minuend"], params["subtrahend"]]
        difference = values[0] - values[1]
        if not math.isfinite(difference):
            raise ValueError(difference)
        return difference
    raise UnknownMethod(method)


def answer_one(message):
    if not isinstance(message, dict):
        return error(-32600, "Invalid Request")
    identity = readable_id(message)
    valid = (
        message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and isinstance(message.get("params", []), (list, dict))
        and ("id" not in message or message["id"] is None or identity is not None)
    )
    if not valid:
        if "method" not in message and ("result" in message or "error" in message):
            return None
        return error(-32600, "Invalid Request", identity)
    try:
        response = {"jsonrpc": "2.0", "result": call(message["method"], message.get("params")), "id": identity}
    except UnknownMethod:
        response = error(-32601, "Method not found", identity)
    except RuntimeError:
        response = error(-32603, "Internal error", identity)
    except Exception:
        response = error(-32602, "Invalid params", identity)
    return response if "id" in message else None


def refuse_constant(text):
    raise ValueError(text)


def exact_float(text):
    """A number that a float would change is refused rather than changed."""
    value = float(text)
    try:
        exact = decimal.Decimal(repr(value)) == decimal.Decimal(text)
    except ArithmeticError:
        exact = False
    if not exact:
        raise ValueError(text)
    return value


def answer(text):
    try:
        message = json.loads(text.decode("utf-8"), parse_float=exact_float,
                             parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return error(-32700, "Parse error")
    if not isinstance(message, list):
        return answer_one(message)
    if not message or "--no-batch" in OPTIONS:
        return error(-32600, "Invalid Request")
    return [response for response in map(answer_one, message) if response is not None] or None


def main():
    if "--log" in OPTIONS:
        print("INFO server ready on stdio", flush=True)
    if "--log-to-stderr" in OPTIONS:
        print("INFO server ready on stdio", file=sys.stderr, flush=True)
    for line in sys.stdin.buffer:
        if DIE_ON and DIE_ON.encode() in line:
            sys.exit(7)
        response = answer(line.rstrip(b"\n"))
        if response is not None:
            sys.stdout.write(json.dumps(response) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
