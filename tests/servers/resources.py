#!/usr/bin/env python3
"""A server of RO-JRPC on stdio, one message a line, with the fixture of the suite ro-jrpc-1.0. Its resource for users is
called account, and its results come late, between messages that nobody asked for.

  --delay S        how long results take, in seconds
  --no-return      the last result is never sent
  --by-method      the routing fields are not looked at, only given to the handler: a plain server with such methods
"""

import decimal
import json
import sys
import threading

OPTIONS = sys.argv[1:]
DELAY = float(OPTIONS[OPTIONS.index("--delay") + 1]) if "--delay" in OPTIONS else 0.0
FIELDS = ("resource", "subresource", "verb")
LOCK = threading.Lock()
names = {}
jobs = iter(range(1, 1 << 30))


class Refusal(Exception):
    def __init__(self, code):
        self.code = code


def write(message):
    with LOCK:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def result_message(resource, verb, target, result, correlation):
    write({"jsonrpc": "2.0", "method": f"{resource}.{verb}", "resource": resource, "verb": verb, "target": target,
           "result": result, **correlation})


def later(resource, target, last, correlation):
    """Two yields with a log line between them, then the return; each is sent after the one before, however busy the machine is."""
    messages = [(0.1, lambda: result_message(resource, "yield", target, {"status": "pending", "progress": 10}, correlation)),
                (0.5, lambda: write({"jsonrpc": "2.0", "method": "log", "params": ["half way"]})),
                (0.9, lambda: result_message(resource, "yield", target, {"status": "pending", "progress": 90}, correlation))]
    if "--no-return" not in OPTIONS:
        messages.append((1.0, lambda: result_message(resource, "return", target, last, correlation)))

    def wait_for(index, now):
        if index < len(messages):
            at, send = messages[index]
            threading.Timer(DELAY * (at - now), lambda: (send(), wait_for(index + 1, at))).start()

    wait_for(0, 0.0)


def attach(call):
    target = f"task-{next(jobs)}"
    if not isinstance(call["params"], dict) or "filename" not in call["params"]:
        raise Refusal(-32602)
    if "id" in call:
        last = {"status": "error" if call["params"].get("fail") else "done"}
        call["behind"].append(lambda: later("task", target, last, {"request_id": call["id"]}))
    return {"status": "accepted"}


def start(call):
    target = f"s{next(jobs)}"
    call["behind"].append(lambda: later("session", target, {"status": "done"}, {}))
    return {"status": "accepted"}


def get(call):
    return {"id": need(call, "target"), "name": names.get(json.dumps(call["target"]), "Alice")}


def update(call):
    names[json.dumps(need(call, "target"))] = call["params"]["name"]
    return get(call)


def delete(call):
    raise Refusal(-32003)


def need(call, member):
    if call[member] is None and isinstance(call["params"], dict):
        call[member] = call["params"].get(member)
    if call[member] is None:
        raise Refusal(-32602)
    return call[member]


HANDLERS = {
    "account.get": get, "account.update": update, "account.delete": delete,
    "account.list": lambda call: [{"id": "1"}],
    "account.create": lambda call: {"id": "99", **(call["params"] or {})},
    "repo.issue.get": lambda call: {"id": need(call, "target"), "repoId": need(call, "parent")},
    "project.task.list": lambda call: [{"id": "1", "projectId": need(call, "parent")}],
    "attachment.create": attach, "session.start": start, "tool.execute": lambda call: {"id": need(call, "target")},
    "rpc.describe": lambda call: sorted(HANDLERS),
}


def check_fields(message):
    """The rules for senders; what breaks one is an Invalid Request."""
    given = [message[name] for name in FIELDS if name in message]
    ok = (all(isinstance(word, str) and word and "." not in word for word in given)
          and all(isinstance(message[name], (str, int, float)) and not isinstance(message[name], bool)
                  for name in ("target", "parent") if name in message)
          and ("resource" in message) == ("verb" in message)
          and ("resource" in message or ("subresource" not in message and "parent" not in message))
          and ("subresource" in message or "parent" not in message)
          and ("verb" not in message or message["method"] == ".".join(given))
          and message.get("verb") not in ("yield", "return"))
    if not ok:
        raise Refusal(-32600)


def serve(message, behind):
    if "--by-method" not in OPTIONS:
        check_fields(message)
    if message["method"] not in HANDLERS:
        raise Refusal(-32601)
    call = {"target": message.get("target"), "parent": message.get("parent"), "params": message.get("params"),
            "behind": behind, **({"id": message["id"]} if "id" in message else {})}
    return HANDLERS[message["method"]](call)


def answer_one(message, behind):
    identity = message.get("id") if isinstance(message, dict) else None
    try:
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            if isinstance(message, dict) and ("result" in message or "error" in message):
                return None
            return {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": identity}
        response = {"jsonrpc": "2.0", "result": serve(message, behind), "id": identity}
    except Refusal as refusal:
        response = {"jsonrpc": "2.0", "error": {"code": refusal.code, "message": "refused"}, "id": identity}
    return response if "id" in message else None


def exact_float(text):
    """A number that a float would change is refused rather than changed."""
    value = float(text)
    if value in (float("inf"), float("-inf")) or decimal.Decimal(repr(value)) != decimal.Decimal(text):
        raise ValueError(text)
    return value


def main():
    for line in sys.stdin.buffer:
        behind = []
        try:
            message = json.loads(line.decode("utf-8"), parse_float=exact_float)
        except ValueError:
            write({"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": None})
            continue
        if isinstance(message, list) and message:
            response = [one for one in (answer_one(element, behind) for element in message) if one is not None]
        else:
            response = answer_one(message, behind)
        if response:
            write(response)
        for begin in behind:
            begin()


main()
