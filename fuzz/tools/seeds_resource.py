"""Seeds of messages by resource and verb (RO-JRPC), and of asynchronous results."""

import itertools
import json


def resource():
    routes = [("user", None, "get"), ("repo", "issue", "get"), ("repo", None, "list"), ("vault", None, "open"), ("vault", None, "lock"), ("job", None, "yield"),
              ("job", "step", "return"), ("a", "b", "c"), ("rpc", None, "get"), ("user", None, "find.all"), ("", None, "get")]
    rest = [{"target": "t"}, {"target": 5, "parent": "p"}, {"parent": 1}, {"target": None}, {"params": [1]}, {"cache": "no-cache"},
            {"cache": "x"}, {"verb": 1}, {"resource": True}, {"subresource": []}, {"params": 1}, {"id": []}]
    for number, (name, sub, verb) in enumerate(routes):
        parts = {"jsonrpc": "2.0", "method": ".".join(n for n in (name, sub, verb) if n), "resource": name, "verb": verb}
        if sub:
            parts["subresource"] = sub
        result = {"request_id": "r", "result": {"status": ("accepted", "pending", "done", "error", "x")[number % 5]}}
        for more in [{"id": 1}, {}, *[{"id": 1, **m} for m in rest], result, {"result": {"a": 1}}, {"result": [], "request_id": {}}]:
            yield json.dumps({**parts, **more}).encode()
            yield json.dumps({**parts, **more}).encode() + bytes([0, 1 + number % 24, 1 + (number * 7 + len(more)) % 60])
        for left_out in parts:
            yield json.dumps({"id": 1, **{k: v for k, v in parts.items() if k != left_out}}).encode()
        for kind in range(24):
            yield json.dumps({**parts, "result": {"a": 1}}).encode() + bytes([0, kind or 24])
    yield b'{"jsonrpc":"2.0","method":"rpc.describe","id":1}'
    yield b'{"jsonrpc":"2.0","method":"rpc.describe","id":1,"params":[]}'
    yield b'[{"jsonrpc":"2.0","method":"rpc.describe","id":1,"params":{"a":1}},{"jsonrpc":"2.0","method":"user.get","id":2}]'
    for allocations in range(1, 120):
        yield b'[{"jsonrpc":"2.0","method":"rpc.describe","id":1},{"jsonrpc":"2.0","method":"user.get","id":2}]' + bytes([0, 1, allocations])


def results_kept():
    """Each operation alone, before a return that can be built and a yield."""
    for text in (b'{"resource":"job","subresource":"step","parent":1,"request_id":"r","result":{"status":"pending"}}', b"x"):
        for one in range(1, 61):
            yield text + bytes([0, one, 2 * 3 + 1, 2 * 1])


def results():
    """Every operation alone, and every two of a few: a return that cannot be built is followed by one that can."""
    scopes = ({"resource": "job", "request_id": "r"}, {"resource": "repo", "subresource": "issue", "parent": 1, "target": "t", "request_id": 5},
              {"resource": "rpc"}, {"resource": "a.b"}, {"resource": "tick", "parent": 1}, {"resource": "job", "result": {"status": "pending"}})
    texts = [json.dumps(scope).encode() for scope in scopes] + [b"x"]
    final, gone = 1, 128
    yield from results_kept()
    some = [2 * status + 12 * members + last for status in (1, 2, 3, 4) for members in (0, 1, 3) for last in (0, final)]
    for number, text in enumerate(texts):
        for one in range(1, 61):
            yield text + bytes([0, one | gone, one, 2 * 3 + final])
        for one, two in itertools.product(some[number % 2::2], some[:12]):
            yield text + bytes([0, one, two, 2 * 3 + final, 2 * 1])
        for allocations in range(1, 24):
            yield text + bytes([0, 2, 4, 6 + final, 2, 1, 1, 1, allocations])


def vault():
    for name, verb in (("vault", "open"), ("vault", "lock"), ("user", "get")):
        for more in ({"id": 1}, {}, {"id": 1, "resource": name, "verb": verb}):
            yield json.dumps({"jsonrpc": "2.0", "method": f"{name}.{verb}", **more}).encode()


def kinds():
    """Each kind of value for each member of a request that can be built."""
    values = ("t", 5, None, [1], {"a": 1}, True)
    parts = {"jsonrpc": "2.0", "method": "user.get", "resource": "user", "verb": "get"}
    for name in ("id", "params", "target", "parent"):
        for value in values:
            yield json.dumps({"id": 1, **parts, name: value}).encode()


def resource_kept():
    yield from vault()
    yield from kinds()


SEEDS = {"resource": resource, "results": results}
# What differs in what is owed for it, and not always in what it reaches.
KEPT = {"resource": resource_kept, "results": results_kept}
