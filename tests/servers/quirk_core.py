"""A conformant JSON-RPC 2.0 server that the quirk_*.py servers bend: each overrides the one thing it gets wrong.

Numbers keep their spelling from input to output."""

import json
import math
import sys
import time


class Number:
    """A number that is no small integer: its spelling is kept."""

    def __init__(self, text):
        self.text = text


def integer(text):
    return int(text) if len(text) < 30 and text != "-0" else Number(text)


def refuse(text):
    raise ValueError(text)


def dumps(value):
    """json.dumps that knows Number."""
    if isinstance(value, Number):
        return value.text
    if isinstance(value, list):
        return "[" + ",".join(dumps(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(key) + ":" + dumps(item) for key, item in value.items()) + "}"
    return json.dumps(value, allow_nan=False)


class MethodNotFound(Exception):
    pass


class InvalidParams(Exception):
    pass


class ApplicationError(Exception):
    def __init__(self, code, data):
        super().__init__("application error")
        self.code = code
        self.data = data


def number(value):
    if isinstance(value, Number):
        return float(value.text)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidParams
    return value


def finite(value):
    """A number that JSON can spell."""
    if not math.isfinite(value):
        raise InvalidParams
    return value


class Core:
    """One connection's server: `answer` takes the bytes of a message and gives what goes out, or None."""

    batches = True

    def __init__(self):
        self.taken = 0
        self.methods = {
            "subtract": self.subtract, "sum": self.sum, "get_data": lambda params: ["hello", 5],
            "update": self.effect, "notify_hello": self.effect, "notify_sum": self.effect,
            "echo": lambda params: params, "fail": self.fail, "app_error": self.app_error,
            "slow": self.slow, "count": lambda params: self.taken,
        }

    # methods
    def subtract(self, params):
        if isinstance(params, dict) and set(params) == {"minuend", "subtrahend"}:
            return finite(number(params["minuend"]) - number(params["subtrahend"]))
        if isinstance(params, list) and len(params) == 2:
            return finite(number(params[0]) - number(params[1]))
        raise InvalidParams

    def sum(self, params):
        if not isinstance(params, list):
            raise InvalidParams
        return finite(sum(map(number, params)))

    def effect(self, params):
        self.taken += 1
        return None

    def fail(self, params):
        raise RuntimeError("the handler failed")

    def app_error(self, params):
        if isinstance(params, list):
            raise ApplicationError(*params)
        raise ApplicationError(params["code"], params.get("data"))

    def slow(self, params):
        time.sleep((params["ms"] if isinstance(params, dict) else params[0]) / 1000)
        return None

    # the protocol
    def loads(self, text):
        return json.loads(text, parse_float=Number, parse_int=integer, parse_constant=refuse)

    def decode(self, data):
        return data.decode("utf-8")

    def error(self, code, message, identity, data=None):
        failure = {"code": code, "message": message}
        if data is not None:
            failure["data"] = data
        return {"jsonrpc": "2.0", "error": failure, "id": identity}

    def success(self, result, identity):
        return {"jsonrpc": "2.0", "result": result, "id": identity}

    def parse_error(self):
        return self.error(-32700, "Parse error", None)

    def invalid(self, message):
        """The answer to what is not a Request: with the id where it can be read."""
        identity = message.get("id") if isinstance(message, dict) else None
        return self.error(-32600, "Invalid Request", identity if self.good_id(identity) else None)

    def good_id(self, identity):
        return identity is None or isinstance(identity, (str, Number, int)) and not isinstance(identity, bool)

    def valid(self, message):
        return (
            message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
            and isinstance(message.get("params", []), (list, dict)) and self.good_id(message.get("id"))
        )

    def is_notification(self, message):
        return "id" not in message

    def lookup(self, method):
        if method not in self.methods:
            raise MethodNotFound(method)
        return self.methods[method]

    def run(self, message):
        return self.lookup(message["method"])(message.get("params", []))

    def call(self, message):
        """A valid Request is carried out; the Response also of a notification, which `one` drops."""
        identity = message.get("id")
        try:
            return self.success(self.run(message), identity)
        except MethodNotFound:
            return self.error(-32601, "Method not found", identity)
        except InvalidParams:
            return self.error(-32602, "Invalid params", identity)
        except ApplicationError as failure:
            return self.error(failure.code, str(failure), identity, failure.data)
        except Exception:
            return self.error(-32603, "Internal error", identity)

    def one(self, message):
        if not isinstance(message, dict) or not self.valid(message):
            return self.invalid(message)
        response = self.call(message)
        return None if self.is_notification(message) else response

    def batch(self, messages):
        if not messages:
            return self.invalid(None)
        return [response for response in map(self.one, messages) if response is not None] or None

    def respond(self, data):
        """What a message is answered by: an object, a list, or None."""
        try:
            message = self.loads(self.decode(data))
        except (ValueError, RecursionError):
            return self.parse_error()
        if isinstance(message, list) and self.batches:
            return self.batch(message)
        return self.one(message)

    def encode(self, response):
        return dumps(response).encode()

    def answer(self, data):
        response = self.respond(data)
        if response is None:
            return None
        try:
            return self.encode(response)
        except RecursionError:
            return self.encode(self.error(-32603, "too deep", None))

    # the loop
    def write(self, data):
        sys.stdout.buffer.write(data + b"\n")
        sys.stdout.buffer.flush()

    def greet(self):
        pass

    def serve(self):
        self.greet()
        for line in sys.stdin.buffer:
            answer = self.answer(line.rstrip(b"\r\n"))
            if answer is not None:
                self.write(answer)
