"""Conformant but for one planted bug, which only some messages show: `planted.py --bug NAME`; without it, conformant.

A bug wraps the right server: `message(text, value)` may answer in its place, `response(value, answer)` may change an
answer. `value` is the message as read, or None where it is not JSON. Bugs are written from kinds of defects that real
servers have, and not from what the fuzzer makes."""

import argparse
import os
import re
import sys

from quirk_core import Core, Number

BUGS = {}


def bug(name, on="response"):
    def keep(function):
        BUGS[name] = (on, function)
        return function
    return keep


def call(value):
    return isinstance(value, dict) and isinstance(value.get("method"), str) and "id" in value


def params(value):
    return value.get("params") if isinstance(value, dict) else None


def identity(value):
    return value.get("id") if isinstance(value, dict) else None


def elements(value):
    """Everything inside of a value, at any depth."""
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    for item in inner:
        yield from elements(item)


def holds(test):
    return lambda value: any(test(item) for item in elements(value))


def change(answer, **members):
    return {**answer, **members} if isinstance(answer, dict) else answer


def die():
    os._exit(3)


# ids
bug("id-surrogate-pair-cut")(lambda state, value, answer: change(answer, id=re.sub("[\U00010000-\U0010ffff]", "?", answer["id"]))
                             if call(value) and isinstance(identity(value), str) else answer)
bug("id-escape-kept")(lambda state, value, answer: change(answer, id=answer["id"].replace('"', '\\"'))
                      if call(value) and isinstance(identity(value), str) else answer)
bug("id-long-cut")(lambda state, value, answer: change(answer, id=answer["id"][:64])
                   if call(value) and isinstance(identity(value), str) else answer)
bug("id-int32")(lambda state, value, answer: change(answer, id=(answer["id"] + 2**31) % 2**32 - 2**31)
                if call(value) and type(identity(value)) is int else answer)
bug("id-byte")(lambda state, value, answer: change(answer, id=255)
               if call(value) and identity(value) == 256 else answer)
bug("id-minus-one-is-none", "message")(lambda state, text, value: (True, None)
                                       if call(value) and identity(value) == -1 else (False, None))
bug("id-text-number")(lambda state, value, answer: change(answer, id=int(answer["id"]))
                      if call(value) and isinstance(identity(value), str) and re.fullmatch("-?[0-9]{1,9}", identity(value)) else answer)
bug("id-zero-fraction")(lambda state, value, answer: change(answer, id="number")
                        if call(value) and isinstance(identity(value), Number) and identity(value).text.endswith(".0") else answer)
bug("id-empty-null")(lambda state, value, answer: change(answer, id=None) if call(value) and identity(value) == "" else answer)
bug("id-control-lost")(lambda state, value, answer: change(answer, id=re.sub("[\x00-\x1f]", "", answer["id"]))
                       if call(value) and isinstance(identity(value), str) and "\0" not in identity(value) else answer)


# batches
def batch_of(count):
    return lambda value: isinstance(value, list) and len(value) == count


bug("batch-17-silent", "message")(lambda state, text, value: (batch_of(17)(value), None))
bug("batch-9-silent", "message")(lambda state, text, value: (batch_of(9)(value), None))
bug("batch-64-crash", "message")(lambda state, text, value: die() if batch_of(64)(value) else (False, None))
bug("batch-one-unwrapped")(lambda state, value, answer: answer[0]
                           if batch_of(1)(value) and isinstance(answer, list) else answer)
bug("batch-drops-after-notification")(lambda state, value, answer: answer[:1] if isinstance(answer, list) and len(answer) > 2
                                      and any(isinstance(item, dict) and "id" not in item for item in value[1:2]) else answer)
bug("batch-last-twice")(lambda state, value, answer: answer + answer[-1:] if isinstance(answer, list) and len(answer) == 3 else answer)
bug("batch-null-element-crash", "message")(lambda state, text, value: die()
                                           if isinstance(value, list) and None in value else (False, None))
bug("batch-nested-served", "message")(lambda state, text, value: (True, [None])
                                      if isinstance(value, list) and value and value[0] == [] else (False, None))
bug("batch-over-100-cut")(lambda state, value, answer: answer[:100] if isinstance(answer, list) else answer)
bug("batch-of-notifications-empty", "message")(
    lambda state, text, value: (True, []) if isinstance(value, list) and len(value) == 2
    and all(isinstance(item, dict) and "id" not in item and state.core.valid(item) for item in value) else (False, None))


# params and methods
bug("params-empty-object-refused")(lambda state, value, answer: state.core.error(-32700, "no params", identity(value))
                                   if call(value) and params(value) == {} else answer)
bug("params-17-crash", "message")(lambda state, text, value: die()
                                  if call(value) and isinstance(params(value), list) and len(params(value)) == 17 else (False, None))
bug("params-deep-silent", "message")(lambda state, text, value: (call(value) and text.count(b"[") >= 20, None))
bug("params-negative-wrong")(lambda state, value, answer: change(answer, result=abs(answer["result"]))
                             if isinstance(answer, dict) and type(answer.get("result")) is int else answer)
bug("params-name-order")(lambda state, value, answer: change(answer, result=-answer["result"])
                         if isinstance(params(value), dict) and list(params(value))[:1] == ["subtrahend"]
                         and isinstance(answer, dict) and type(answer.get("result")) is int else answer)
bug("method-prefix-served")(lambda state, value, answer: change({"jsonrpc": "2.0", "id": answer["id"]}, result=None)
                            if call(value) and "error" in answer and len(value["method"]) > 2
                            and any(name.startswith(value["method"]) for name in state.core.methods) else answer)
bug("method-with-space-internal")(lambda state, value, answer: state.core.error(-32603, "internal", answer["id"])
                                  if call(value) and " " in value["method"] and "error" in answer else answer)
bug("method-quote-crash", "message")(lambda state, text, value: die() if call(value) and '"' in value["method"] else (False, None))
bug("method-non-ascii-silent", "message")(lambda state, text, value: (call(value) and not value["method"].isascii(), None))
bug("echo-null-lost")(lambda state, value, answer: change(answer, result=[item for item in answer["result"] if item is not None])
                      if isinstance(answer, dict) and isinstance(answer.get("result"), list) else answer)
bug("echo-false-zero")(lambda state, value, answer: change(answer, result=[0 if item is False else item for item in answer["result"]])
                       if isinstance(answer, dict) and isinstance(answer.get("result"), list) else answer)


# texts and numbers
bug("exponent-20-digits-crash", "message")(lambda state, text, value: die() if re.search(rb"[eE][-+]?[0-9]{20}", text) else (False, None))
bug("escape-upper-case-refused", "message")(lambda state, text, value: (value is not None and b"\\uD83D" in text, state.core.parse_error()))
bug("escaped-slash-refused", "message")(lambda state, text, value: (value is not None and b"\\/" in text, state.core.parse_error()))
bug("tab-space-refused", "message")(lambda state, text, value: (isinstance(value, dict) and b"\t" in text, state.core.parse_error()))
bug("member-order-fixed")(lambda state, value, answer: state.core.error(-32600, "order", identity(value))
                          if call(value) and list(value)[:1] == ["id"] else answer)
bug("cut-text-invalid")(lambda state, value, answer: state.core.error(-32600, "what", None)
                        if value is None and state.text.startswith(b"[") else answer)
bug("scalar-crash", "message")(lambda state, text, value: die() if value is True else (False, None))
bug("size-4096-dropped", "message")(lambda state, text, value: (len(text) > 4096, None))


# time and memory
def slow(state, text, value):
    """Each escape is put at the front of a new list."""
    taken = []
    for _ in range(40 * text.count(b"\\u")):
        taken = [0, *taken]
    return (False, None)


def keep_errors(state, value, answer):
    if isinstance(answer, dict) and "error" in answer:
        state.kept.append(bytearray(2000))
    return answer


def keep_batches(state, value, answer):
    if isinstance(answer, list):
        state.kept.append(bytearray(2000))
    return answer


def echo_version(state, value, answer):
    if isinstance(value, dict) and isinstance(answer, dict) and value.get("jsonrpc", "2.0") != "2.0":
        return change(answer, jsonrpc=value["jsonrpc"])
    return answer


bug("version-echoed")(echo_version)
bug("time-escapes-squared", "message")(slow)
bug("memory-of-errors-kept")(keep_errors)
bug("memory-of-batches-kept")(keep_batches)


# what went before
def remember(state, text, value):
    """A notification after a parse error is answered."""
    was, state.was = state.was, value is None
    note = isinstance(value, dict) and "id" not in value and state.core.valid(value)
    return (was and note, state.core.success(None, None))


bug("notification-after-parse-error", "message")(remember)


def count(state, text, value):
    state.seen += 1
    return (call(value) and state.seen % 50 == 0, None)


bug("every-fiftieth-silent", "message")(count)
bug("every-three-hundredth-silent", "message")(
    lambda state, text, value: (count(state, text, value)[0] and state.seen % 300 == 0, None))


def counting(every, counts, change):
    """Changes the answer to every n-th message of a kind; `every` is n."""
    def answer_of(state, value, answer):
        state.seen += 1 if counts(value, answer) else 0
        return change(value, answer) if counts(value, answer) and state.seen % every == 0 else answer
    return answer_of


bug("every-seventh-batch-cut")(counting(7, lambda value, answer: isinstance(answer, list), lambda value, answer: answer[:-1]))
bug("every-third-parse-error-invalid")(counting(3, lambda value, answer: value is None,
                                                lambda value, answer: change(answer, error={"code": -32600, "message": "what"})))
bug("every-fifth-number-id-null")(counting(5, lambda value, answer: call(value) and isinstance(identity(value), int),
                                           lambda value, answer: change(answer, id=None)))


def count_names(state, text, value):
    """After fifty different names, calls of further ones are refused."""
    if call(value):
        state.names.add(value["method"])
    if call(value) and len(state.names) > 50:
        return (True, state.core.error(-32603, "too many methods", identity(value)))
    return (False, None)


bug("names-over-fifty-refused", "message")(count_names)


def leftover(state, value, answer):
    """Params of the call before stand in for those that are missing."""
    if call(value) and value["method"] == "echo" and "params" in value:
        state.params = value["params"]
    if call(value) and value["method"] == "get_data" and isinstance(state.params, list) and len(state.params) == 2:
        return change(answer, result=None, error={"code": -32700, "message": "leftover"})
    return answer


bug("params-of-call-before")(leftover)


class State:
    def __init__(self, core):
        self.core, self.was, self.seen, self.params, self.text, self.kept = core, False, 0, None, b"", []
        self.names = set()


# Methods of their own beside those with nearly the same name.
NEIGHBOURS = ["echo2", "ech", "echo all", "get", "data", "math.sum", "su", "sum.x", "subtrac", "subtract_"]


class Planted(Core):
    def __init__(self, name):
        super().__init__()
        self.methods.update(dict.fromkeys(NEIGHBOURS, lambda params: 1))
        self.on, self.function = BUGS.get(name, (None, None))
        self.state = State(self)

    def respond(self, data):
        try:
            value = self.loads(self.decode(data))
        except (ValueError, RecursionError):
            value = None
        self.state.text = data
        if self.on == "message":
            taken, answer = self.function(self.state, data, value)
            if taken:
                return answer
        answer = super().respond(data)
        if self.on == "response" and answer is not None:
            answer = self.function(self.state, value, answer)
        return answer


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(BUGS))
    else:
        options = argparse.ArgumentParser(description=__doc__.partition(":")[0])
        options.add_argument("--bug", choices=BUGS)
        Planted(options.parse_args().bug).serve()
