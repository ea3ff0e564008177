"""Seeds for descriptions of services: a good one, and others that each differ from it in one place."""

import copy
import json

VALUES = (None, True, 0, 1.5, "", "a", [], [1], {}, {"$ref": "#/components/x"}, {"$ref": "#/nowhere"}, {"$ref": "#"})


def described(name, gives, extra=()):
    return {"name": name, "schema": gives, **dict(extra)}


def service():
    number = {"type": "number"}
    example = {"name": "e", "params": [{"name": "a", "value": 5}, {"name": "b", "value": 3}], "result": {"name": "r", "value": 2}}
    return {
        "openrpc": "1.3.2", "info": {"title": "t", "version": "1"},
        "methods": [
            {"name": "Math.Sub_1", "params": [described("a", number, [("required", True)]), described("b", number)],
             "result": described("r", number), "examples": [example]},
            {"name": "get é", "paramStructure": "by-name", "params": [], "result": {"$ref": "#/components/r"},
             "examples": [{"params": [], "result": {"value": "${x}"}}]}],
        "components": {"r": described("r", {"type": "string"}), "x": {"name": "x", "value": 1, "schema": number}, "n": "a"}}


def places(value, path=()):
    """Every place in a value, as the keys that lead there."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,)
        yield from places(inner, path + (key,))


def put(value, path, inner, leave_out=False):
    made = copy.deepcopy(value)
    at = made
    for key in path[:-1]:
        at = at[key]
    if leave_out:
        del at[path[-1]]
    else:
        at[path[-1]] = inner
    return made


def methods():
    """One method with every kind of params, every way of passing them, and every kind of examples."""
    number, text = {"type": "number"}, {"type": "string"}
    a, b = described("a", number), described("b", text)
    one, two = {"name": "a", "value": 1}, {"name": "b", "value": "x"}
    ends = ({"result": {"value": 1}}, {"result": {}}, {"error": {"value": {"code": -32000, "message": "m"}}}, {"error": {"value": {"code": 1.5}}},
            {"error": {"value": {}}}, {"error": {}}, {}, {"result": {"value": 1}, "error": {"value": {"code": 1}}})
    given = ([], [one], [two], [one, two], [two, one], [{"value": 1}], [{"value": 1}, {"value": "x"}], [{"name": "c", "value": 1}], [{"name": "a"}],
             [{"value": "x"}, {"value": 1}], {}, None)
    for how in (None, "by-name", "by-position", "either", 1):
        for end in ends:
            for params in given if end in (ends[0], ends[2], ends[6]) else given[3:4]:
                method = {"name": "m", "params": [a, b], "result": described("r", number), "examples": [{"params": params, **end}]}
                yield method if how is None else {**method, "paramStructure": how}
    must = [("required", True)]
    yield {"name": "m", "params": [a, described("b", text, must)]}
    yield {"name": "m", "params": [described("a", number, must), described("b", text, must), described("c", text)]}
    yield {"name": "m", "params": [a, b, described("c", text, must)]}
    yield {"name": "m", "params": [described("a", number, [("required", 1)]), described("b", text, must)]}
    yield {"name": "m", "params": [a, a], "errors": [{"code": 1}, {"code": 2}, {"code": 1.0}]}
    # A schema that cannot be decided with certainty leads to no finding.
    for schema in ({"$ref": "http://127.0.0.1/"}, {"anyOf": [{"$ref": "http://127.0.0.1/"}, False]}, {"pattern": "(?=a)"}, {"type": "strin"}, 1, True, False):
        for value in (1, "a"):
            yield {"name": "m", "params": [described("a", schema)], "result": described("r", schema),
                   "examples": [{"params": [{"name": "a", "value": value}], "result": {"value": value}}]}
    examples = [{"params": [one, two], **ends[0]}, {"params": [two, one], **ends[6]}, {"params": [one], **ends[2]}]
    yield {"name": "m", "params": [a, b], "examples": examples}
    yield {"name": "M" * 70 + "/ü", "params": [a, b], "examples": examples}


def describe():
    whole = service()
    texts = [whole]
    for path in places(whole):
        texts.append(put(whole, path, None, leave_out=True))
        texts += [put(whole, path, value) for value in VALUES]
    for method in methods():
        texts.append({**whole, "methods": [method]})
    texts.append({**whole, "methods": list(methods())[:3]})
    for number, text in enumerate(texts):
        data = json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode()
        yield data
        if number % 40 == 0:
            yield from (data + bytes([0, n]) for n in (1, 2, 4, 9, 30))


def describe_kept():
    whole = service()
    for method in methods():
        yield json.dumps({**whole, "methods": [method]}, ensure_ascii=False, separators=(",", ":")).encode()


SEEDS = {"describe": describe}
KEPT = {"describe": describe_kept}
