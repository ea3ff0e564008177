#!/usr/bin/env python3
"""Writes every target's seeds into FOLDER/TARGET/, one file a seed, named by a hash of its content.

    fuzz/tools/seeds.py FOLDER [TARGET...]

The same case files give the same seeds.
"""

import hashlib
import json
import pathlib
import sys

import payloads as source

FRAMINGS = ("line", "content-length", "concatenated", "length32")


def framed(kind, data):
    if kind == "line":
        return data + b"\n"
    if kind == "content-length":
        return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
    if kind == "length32":
        return len(data).to_bytes(4, "big") + data
    return data if data[-1:] in b'}]"' else data + b"\n"


def plain():
    for data, _ in source.payloads():
        yield data


def json_equal():
    texts = [d for d in plain() if source.is_json(d) and len(d) < 300]
    for one, other in zip(texts, texts[1:] + texts[:1]):
        yield one + b"\0" + other + b"\0\x01"
    for one in texts:
        yield one + b"\0" + one + b"\0\x02"


def router():
    for number, data in enumerate(plain()):
        yield data
        # A client's side, and memory that runs out after a few allocations.
        yield data + bytes([0, 1 + number % 2, 1 + number % 40])
        # Hooks, and a buffer that is too small.
        yield data + bytes([0, 1 + number % 2, 1 + number % 40, 1 + number % 90])
    yield b"[]" + bytes([0, 2, 1, 0xEE, 0xEE])
    calls = ('"subtract","params":[1,2]', '"subtract","params":{"subtrahend":1,"minuend":2}',
             '"app_error","params":[1,"m",{"a":[1]}]', '"app_error","params":{"code":5}', '"echo","params":{"a":1,"a":2}',
             '"fail"', '"get_data"', '"get_data","params":[]', '"update","params":[1]', '"x.y","verb":"yield","result":1')
    for call in calls:
        yield b'{"jsonrpc":"2.0","method":%s,"id":1}' % call.encode()
        yield b'[{"jsonrpc":"2.0","method":%s,"id":"a"},{"jsonrpc":"2.0","method":%s},1]' % ((call.encode(),) * 2)


def resource():
    routes = [("user", None, "get"), ("repo", "issue", "get"), ("repo", None, "list"), ("vault", None, "open"), ("job", None, "yield"),
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


def framing():
    yield from framing_strings()
    messages = [d for d in plain() if 0 < len(d) < 200]
    for number, data in enumerate(messages):
        kind = number % 4
        stream = b"".join(framed(FRAMINGS[kind], d) for d in messages[number:number + 3])
        limit = number // 4 % 8
        yield stream + bytes([0, kind | limit << 2 | (number // 32 % 4) << 5 or 1, 1 + number % 200])
    # Over the limits of a head, and bytes that wait.
    for kind in range(4):
        for text in (b"noise", b"X: y\r\n", b"[", b"\0\0\1\0", b"Content-Length: 4\r\nContent-Length: 5\r\n\r\n[1]]", b"a}Content-Length: 1\r\n\r\n1"):
            yield text + bytes([0, kind or 4, 30, 0x55, 0x55])
            yield text * 20 + bytes([0, kind or 4, 9, 1 + kind])
            yield text * 10 + bytes([0, kind or 4, 9, 201 - kind % 2, 0x55])
    for noise in (b"log line\n", b"Content-Type: x\r\n\r\n", b"\0\0\0\xff", b"}Content-Length: 2\r\n\r\n[]"):
        for kind in range(4):
            yield noise + framed(FRAMINGS[kind], b'{"a":[1,"]"]}') + bytes([0, kind or 4, 3])


def framing_strings():
    """Values whose strings hold brackets, quotes and escapes, one behind the other."""
    for text in (b'["\\"]",1]{"a":"\\\\"}', b'"\\"{" {"\\\\\\"}":[]}[1]', b'{"a":"]"}["}"]"["'):
        yield text + bytes([0, 2, 1])


def sequence():
    names = [b"a", b"rpc.x", b"subtract", b"subtract", b"", b"\xc3\xa9", b"a" * 40]
    for number in range(24):
        stream = b""
        for step in range(30):
            operation = (number * 7 + step * 5) % 24
            name = names[(number + step) % len(names)]
            takes = operation % 12 in (0, 2, 9, 10, 11)
            stream += bytes([operation, len(name) if takes else (step * 37) % 256]) + (name if takes else b"")
        yield stream
        yield stream + bytes([0, 1 + number])
        yield stream + bytes([0, 1 + number, 1])
    # Enough methods for the table to grow twice.
    yield b"".join(bytes([9, 3]) + b"m%02d" % number for number in range(36))


def error():
    for number, data in enumerate([d for d in plain() if len(d) < 200][::5]):
        yield data + bytes([0, 1 + number % 8, number % 90, number % 3, number % 200, number % 16])
    for text in (b"", b"a\nb\n\nc", b"\x1b[31m\x7f\xc2\x85\xe2\x80\xa8", b"\xff" * 30, b"%s%n" * 9, "\u00e9".encode() * 300, b"x" * 690):
        for kind in range(1, 9):
            yield text + bytes([0, kind, kind * 2, kind % 2, kind * 31 % 256, kind * 3])


def case_document(folder, head, case):
    members = source.Members((k, v) for k, v in head if k != "cases")
    members.append(("cases", [case]))
    # Variables stay as they are in the file.
    return spell_file(members).encode("utf-8", "surrogatepass")


def spell_file(value):
    if isinstance(value, source.Members):
        return "{" + ",".join(f"{source.quote(k)}:{spell_file(v)}" for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell_file, value)) + "]"
    if isinstance(value, str) and not isinstance(value, source.Number):
        return source.quote(value)
    return source.spell(value)


def case_loader():
    for folder, head, case in source.cases():
        data = case_document(folder, head, case)
        if len(data) <= source.MAX_BYTES:
            yield data
    yield from rules()


def templates():
    """The templates of the suites, each with its first rows alone."""
    for folder, head, case in source.cases():
        table = case.get("table")
        if table is None:
            continue
        tables = [source.Members((k, v[:2] if k == "rows" else v) for k, v in one)
                  for one in (table if not isinstance(table, source.Members) else [table])]
        short = tables if not isinstance(table, source.Members) else tables[0]
        data = case_document(folder, [("suite", "jsonrpc-2.0"), *((k, v) for k, v in head if k != "suite")],
                             source.Members((k, short if k == "table" else v) for k, v in case))
        if len(data) <= source.MAX_BYTES:
            yield data


def wrong_tables():
    """A template with one thing wrong each, or odd, beside a good one."""
    one = {"columns": ["n", "v"], "rows": [["a", 1], ["b", [2]]]}
    two = {"columns": ["w"], "rows": [["x"], ["y"]]}
    case = {"id": "t/${row.n}", "title": "t", "rules": ["J2-4a"], "send": {"a": "${row.v}"}, "expect": {"nothing": True}}
    wide = {"columns": [f"c{n}" for n in range(16)], "rows": [list(range(16))]}
    tables = [one, [one], [], {}, 1, None, [1], {**one, "rows": []}, {**one, "rows": {}}, {**one, "rows": [1]}, {"columns": ["n", "v"]},
              {**one, "x": 1}, {**one, "columns": []}, {**one, "columns": ["n"]}, {**one, "columns": ["n", "n"]}, {**one, "columns": ["n", ""]},
              {**one, "columns": ["n", "1v"]}, {**one, "columns": ["n", 5]}, {**one, "columns": "n"}, {**one, "rows": [["a", 1], ["a", 2]]},
              {**one, "rows": [["a", 1], ["b"]]}, {**one, "rows": [[[], 1]]}, {**one, "rows": [[{}, 1]]}, {**one, "rows": [[None, True]]},
              {**one, "rows": [["A b", 1]]}, {**one, "rows": [["a\n\u0000", 1]]}, wide, [one, wide], {**wide, "columns": wide["columns"] + ["d"]},
              {"columns": ["n", "v", "x" * 60 + "abcde"], "rows": [["a", 1, 2]]}, {"columns": ["n", "v", "w"], "rows": [["a", 1, 2]]}]
    for table in tables:
        yield {**case, "table": table}
    crossed = {**case, "id": "t/${row.n}-${row.w}"}
    yield from ({**crossed, "table": t} for t in ([one, two], [two, one], [one, one], [one, two, {"columns": ["x"], "rows": [[1]]}]))
    four = [{"columns": [c], "rows": [[f"{c}{n}"] for n in range(3)]} for c in "pqrs"]
    for count in (4, 5):
        yield {**case, "id": "t/${row.p}${row.q}${row.r}${row.s}", "send": 1, "table": (four * 2)[:count]}
    long = [{"columns": [c], "rows": [["%s%d" % (c, n)] for n in range(9)]} for c in "pqrs"]
    yield {**case, "id": "t/${row.p}${row.q}${row.r}${row.s}", "send": 1, "table": long}
    # More rows than what is known of them has room for.
    yield {**case, "table": {"columns": ["n", "v"], "rows": [[f"r{n}", n] for n in range(60)]}}
    for text in ("${row.v}", "${row.v", "$${row.v}", "$$${row.v}", "${row.v}${row.v}", "x${row.v}y", "${row.x}", "${row.vv}", "${row.}", "${row}",
                 "${row.v }", "${id}${row.v}", "\\${row.v}", "\u0024{row.v}", "${row.v}$${row.n}", "${row.n}x${row.v"):
        for value in ("s", 5, [1], {"a": 1}, "${id}", "$", "}"):
            rows = {"columns": ["n", "v"], "rows": [["a", value]]}
            yield {**case, "table": rows, "send": {"a": text, "b": "${row.v}"}}
            yield {**case, "table": rows, "send": {text: 1, "b": "${row.v}"}}
            yield {**{k: v for k, v in case.items() if k != "send"}, "table": rows, "send-text": text, "why": "${row.v}"}
    for name in ("table", "id", "send", "expect", "why"):
        yield {**case, "table": {"columns": ["n", "v", "m"], "rows": [["a", 1, name]]}, "${row.m}": 1}


TABLE_HEAD = {"schema": 1, "suite": "jsonrpc-2.0", "section": "1", "title": "t"}
PLAIN_CASE = {"id": "p/a", "title": "t", "rules": ["J2-4a"], "send": 1, "expect": {"nothing": True}}


def tables_in_lines():
    """A line for each cell, so that it shows which row a case has its line of."""
    for number, case in enumerate(wrong_tables()):
        if number in (0, 1, 30, 31):
            cases = [PLAIN_CASE, case, {**PLAIN_CASE, "id": "p/b"}]
            yield json.dumps({**TABLE_HEAD, "cases": cases}, indent=0).encode()
            yield json.dumps({**TABLE_HEAD, "cases": [*cases, case]}, indent=0).encode()


def table():
    yield from templates()
    yield from tables_in_lines()
    for case in wrong_tables():
        yield json.dumps({**TABLE_HEAD, "cases": [case]}).encode()
    whole = json.dumps({**TABLE_HEAD, "cases": [next(iter(wrong_tables())), PLAIN_CASE]}).encode()
    yield whole.replace(b'"table"', b'"table": 1, "table"')
    for n in range(60):
        yield whole + bytes([0, 1, 1 + n])


def sections(value):
    """Patterns of cases reach over their section: the target has its first cases alone."""
    return sorted({pattern.split("/")[0] + "/**" if "/" in pattern else pattern.rstrip("abcdefgh") + "*" for pattern in value})


def profile_texts():
    """The profiles of the suite, whole and a member at a time."""
    for path in sorted((source.ROOT / "cases" / "profiles").glob("*.json")):
        whole = json.loads(path.read_text(encoding="utf-8"))
        for member in ("accept", "leave-out"):
            for change in whole.get(member, []):
                if "cases" in change:
                    change["cases"] = sections(change["cases"])
        yield whole
        head = {"schema": 1, "profile": "a", "title": "t"}
        for name, value in whole.items():
            for one in value if name in ("levels", "accept", "leave-out") else [None]:
                yield {**head, name: value if one is None else [one]}


def wrong_profiles():
    """Profiles with one thing wrong each, or odd, which a good one is beside."""
    why = {"sentence": "s", "source": "o"}
    good = {"schema": 1, "profile": "a", "title": "t"}
    level = {"rules": ["J2-4a"], "level": "O", **why}
    accept = {"cases": ["batch/*"], "answers": [{"nothing": True}], **why}
    out = {"cases": ["**"], **why}
    parts = {"schema": [2, "1", None], "profile": ["", 1, "b", "A", "a/b"], "title": ["", 1, None], "url": ["u", "", 1],
             "extends": ["spec", "b", "a", "", 1, "a\u0000"], "suites": [["json"], [], {}, ["nojson"], [1], ["json\u0000"], ["json", "json"]],
             "strict": [True, False, 1], "discover": [False, True, "no"], "framing": ["line", "length32", "lines", 1], "prelude": [[], {}, [1]],
             "postlude": [[], 1], "requests": [{}, [], {"ping": 1}], "declares": [["x"], [], [""], ["x", "x"], 1], "leave": [1],
             "levels": [[level], [], {}, [1], [level, {**level, "level": "off"}], [{**level, "level": "M"}, {**level, "rules": ["J2-4b", "J2-4a"]}],
                        [{**level, "level": "m"}], [{**level, "level": 1}], [why], [{**level, "rules": []}], [{**level, "rules": ["J2-4"]}],
                        [{**level, "rules": [1]}], [{**level, "rules": ["J2-4a", "J2-4a"]}], [{**level, "cases": ["**"]}], [{**level, "sentence": ""}],
                        [{k: v for k, v in level.items() if k != "source"}], [{**level, "level": "off"}]],
             "accept": [[accept], [accept, accept], [{**accept, "cases": ["json/**", "jsonrpc-2.0/**"]}], [{**accept, "answers": []}],
                        [{**accept, "answers": 1}], [{k: v for k, v in accept.items() if k != "answers"}], [{**accept, "cases": ["nobody/*"]}],
                        [{**accept, "cases": []}], [{**accept, "cases": []}, 1], [{**accept, "cases": [], "sends": ["batch"]}],
                        [{**accept, "sends": ["positional", "null-id", "fractional-id", "wide-id"]}], [{**accept, "sends": ["batches"]}],
                        [{**accept, "sends": [1]}], [{**accept, "cases": ["batch/\u0000"]}], [{**accept, "cases": ["J2-4?"]}],
                        [{**accept, "cases": ["b*h/*"]}], [{**accept, "cases": ["**a**"]}], [{**accept, "cases": ["*"]}], [{**accept, "hazards": True}]],
             "leave-out": [[out], [{**out, "cases": ["???-*/**", "**e"]}], [{**why, "hazards": True}], [{**why, "methods": True}],
                           [{**why, "sends": ["batch", "wide-id"]}], [{**why, "hazards": False}], [{**why, "hazards": 1}], [why],
                           [{**out, "sends": [], "methods": False}]]}
    for name, values in parts.items():
        for value in values:
            yield {**good, name: value}
    for left_out in good:
        yield {k: v for k, v in good.items() if k != left_out}


def profile_changes():
    for text in wrong_profiles():
        if {"levels", "accept", "leave-out"} & set(text):
            yield json.dumps(text).encode()


def profile():
    for text in wrong_profiles():
        yield json.dumps(text).encode()
    yield from (b"", b"[]", b"{", b"1", b"[1]")
    for number, text in enumerate(profile_texts()):
        data = json.dumps(text).encode()
        if len(data) <= 4096:
            yield data
            yield data + bytes([0, 1 + number % 8, 1 + number % 12, 1 + number])
    base = {"schema": 1, "profile": "b", "title": "t", "url": "u", "strict": True, "discover": False, "framing": "line", "prelude": [], "suites": ["json"],
            "declares": ["nonce"], "levels": [{"rules": ["J2-4a", "J2-4b"], "level": "O", "sentence": "s", "source": "o"}]}
    for number, text in enumerate([*wrong_profiles(), *profile_texts()]):
        yield json.dumps([base, {"extends": "b", **text}]).encode()
        if number % 7 == 0:
            yield json.dumps([base, {"extends": "b", **text}]).encode() + bytes([0, 1 + number % 8, 1 + number % 9, number % 20])
    for length in (7, 8, 9):
        chain = [{"schema": 1, "profile": f"c{n}", "title": "t", "extends": f"c{n - 1}" if n else "spec"} for n in range(length)]
        yield json.dumps(chain).encode()
        yield json.dumps(chain[:-1] + [{**chain[-1], "extends": "spec"}]).encode()
    yield json.dumps([{**base, "extends": "b"}]).encode()
    yield json.dumps([{**base, "profile": name} for name in ("spec", "strict", "b")] + [{**base, "profile": "a", "extends": "strikt"}]).encode()
    whole = json.dumps([base, {**next(profile_texts()), "extends": "b"}]).encode()
    for n in range(24):
        yield whole + bytes([0, 8, 1 + n])


def rules():
    """Catalogues of one rule each, and each wrong in one thing."""
    for path in sorted((source.ROOT / "cases" / "rules").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        head = {name: value for name, value in document.items() if name != "rules"}
        shown = set()
        for rule in document["rules"]:
            if not set(rule) <= shown:
                shown |= set(rule)
                yield json.dumps({**head, "rules": [rule]}).encode()
                yield json.dumps({**head, "rules": [rule]}).encode() + bytes([0, 1, 1 + len(shown)])
                for name in rule:
                    for wrong in (1, "", "?", [], ["J2-4a", "J2-4a"], None):
                        yield json.dumps({**head, "rules": [{**rule, name: wrong}]}).encode()
                    yield json.dumps({**head, "rules": [{k: v for k, v in rule.items() if k != name}]}).encode()
        break
    for wrong in ({}, [], {"rules": 1}, {"schema": 1, "specification": "x", "title": "x", "rules": [1]}):
        yield json.dumps(wrong).encode()


def judge_http():
    """The cases that look at HTTP, with each status and each type."""
    answer = '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"c1"}'
    for number, (_, _, case) in enumerate(source.cases()):
        if any(name.startswith("http") for step in source.steps_of(case) for name, _ in step) or "transport:http" in str(case.get("needs")):
            for choice in range(1, 256, 17):
                low = number % 255 or 255
                high = number // 255 if number % 255 else number // 255 - 1
                text = ("", answer, "<html>", "null")[choice % 4]
                yield text.encode() + bytes([0, low, high, 1 + choice % 97, choice % 60, choice])


def judge():
    yield from judge_http()
    answers = ['{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"c1"}',
               '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}',
               '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
               '{"jsonrpc":"2.0","result":19,"id":1}', '{"id":1}', '[]', '[1]', 'noise', '{"jsonrpc":"1.0","result":1,"error":null,"id":1}',
               '{"jsonrpc":"2.0","method":"push","params":[1]}', '{"jsonrpc":"2.0","result":1,"error":{"code":"x"},"id":{}}']
    for number in range(len(list(source.cases()))):
        text = answers[number % len(answers)]
        if number % 3 == 0:
            text = "[" + text + "," + answers[(number + 1) % len(answers)] + "]\n" + text
        yield text.encode() + bytes([0, 1 + number % 255, 1 + number // 255, 1 + number % 97])


def report():
    yield b'{"event":"start","schema":1,"tool":"0.1.0","suite":"jsonrpc-2.0","target":"t","started":"2020-01-01T00:00:00Z","seed":1}\n{"event":"finish","counts":{"pass":1},"judged":1,"conformant":true,"interrupted":false,"duration_us":5}\n'
    outcomes = ("pass", "fail", "warn", "observe", "skip", "blocked", "crash", "ended", "stuck", "hang", "error")
    for number, (_, _, case) in enumerate(source.cases()):
        if number % 12 != 0 and number > 60:
            continue
        event = {"event": "case", "id": case.get("id"), "suite": "jsonrpc-2.0", "title": case.get("title"),
                 "rules": case.get("rules"), "outcome": outcomes[number % len(outcomes)], "expected": number % 5 == 0,
                 "findings": [{"rule": case.get("rules")[0], "level": ("MUST", "SHOULD", "OBSERVE")[number % 3],
                               "text": "<b>&\x1b[31m]]>|`"}],
                 "observed": {"id": "null"},
                 "exchange": {"messages": [{"dir": "sent", "connection": "a", "step": 0, "at_us": 0, "text": "{\"a\":\u2028\"\x7f\"}"},
                                           {"dir": "received", "at_us": 412, "base64": "AAECgP8="}],
                              "end": {"kind": "exited", "status": 3}, "stderr": "\x1b]0;x\x07\r\n#| 1..9\n"},
                 "duration_us": 412}
        yield (json.dumps(event) + '\n{"event":"finish","judged":1,"conformant":false}\n').encode()


def events():
    """Streams of server-sent events with every line end, comments, marks and breaks."""
    messages = [d for d in plain() if 0 < len(d) < 120][::8]
    for number, data in enumerate(messages):
        end = (b"\n", b"\r", b"\r\n")[number % 3]
        yield b"data: " + data.replace(b"\n", end + b"data:") + end + end
        yield (b"\xef\xbb\xbf: hello" + end + b"id: 1" + end + b"data" + end + b"data:" + data + end + b"event: x" + end
               + end + b"data:[DONE]" + end + end + b"data: cut off" + bytes([0, number % 8, number % 16, number % 30]))
    yield b"data: " + b"a" * 63 + b"\ndata: b\n\ndata: c\n\n" + bytes([0, 2])


def http():
    yield from http_types()
    heads = (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
             b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type:text/event-stream; charset=utf-8\r\nX: %d\r\n\r\n",
             b"HTTP/2 404 \nContent-Type: text/html\nA: %d\n\n", b"HTTP/1.1 204 No Content\r\nContent-Length: 0%d\r\n\r\n")
    for number, data in enumerate([d for d in plain() if 0 < len(d) < 120][::6]):
        body = b"data: " + data + b"\n\ndata: [DONE]\n\n" if number % 4 == 1 else data
        text = heads[number % 4] % len(body) + body
        yield text
        yield text + bytes([0, 1 + number % 8, number % 4, 1 + number % 16, number % 12])


def frame(opcode, data, masked, final=True):
    mask = b"\x11\x22\x33\x44"
    head = bytes([(0x80 if final else 0) | opcode])
    if len(data) < 126:
        head += bytes([(0x80 if masked else 0) | len(data)])
    else:
        head += bytes([(0x80 if masked else 0) | 126]) + len(data).to_bytes(2, "big")
    return head + (mask + bytes(c ^ mask[i % 4] for i, c in enumerate(data)) if masked else data)


def websocket():
    for number, data in enumerate([d for d in plain() if 0 < len(d) < 300][::8]):
        client = number % 2
        frames = [frame(1 + number % 3 // 2, data, not client), frame(9, b"ping", not client),
                  frame(1, data[:5], not client, False) + frame(9, b"", not client) + frame(0, data[5:], not client),
                  frame(10, b"pong", not client), frame(8, b"\x03\xe8bye", not client)]
        yield b"".join(frames[number % 3:]) + bytes([0, client | number % 8 << 1 or 16, 1 + number % 3, 1 + number % 32, number % 60])
        yield frames[number % 5] + frame(number % 16, data[:100], number % 4 < 2)
        yield b"".join(frames) + bytes([0, client or 2, 1, 1, 60, 1 + number % 16])
    yield b"a" + bytes([0, 1, 3, 31, 250, 0x77, 0x77])
    yield b"a" + bytes([0, 2, 3, 31, 250, 0x77, 0x77])


def handshake():
    key, accept = b"dGhlIHNhbXBsZSBub25jZQ==", b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    asked = [b"GET / HTTP/1.1", b"Host: a", b"Upgrade: websocket", b"Connection: keep-alive, Upgrade",
             b"Sec-WebSocket-Key: " + key, b"Sec-WebSocket-Version: 13"]
    answered = [b"HTTP/1.1 101 Switching Protocols", b"Upgrade: websocket", b"Connection: Upgrade",
                b"Sec-WebSocket-Accept: " + accept]
    for lines in (asked, answered):
        for left_out in range(len(lines) + 1):
            kept = lines[:left_out] + lines[left_out + 1:]
            yield b"\r\n".join(kept) + b"\r\n\r\n"
            yield b"\r\n".join(kept).swapcase() + b"\r\n\r\n"
    yield b"\r\n".join(asked).replace(b"13", b"8") + b"\r\n\r\nrest"
    yield b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def http_types():
    """Heads that differ in one thing, before a body that shows it."""
    for interim in (b"", b"HTTP/1.1 103 Early Hints\r\nContent-Type: text/event-stream\r\n\r\n",
                    b"HTTP/1.1 100 Continue\r\nContent-Length: 70\r\n\r\n"):
        for kind in (b"Content-Type: application/json\r\n", b"Content-Type: text/plain\r\n", b""):
            for body in (b'{"id":1}', b"page", b""):
                yield interim + b"HTTP/1.1 200 OK\r\n" + kind + b"\r\n" + body


def wrong_targets():
    """Descriptions with one thing wrong each, which a good one is beside."""
    parts = {"env": [{"A": "b"}, {"A": "b\r\nC=d"}, {"": "b"}, {"A=B": "c"}, {"A": 1}, {"A": "${x}"}],
             "headers": [{"A": "b"}, {"A": "b\r\nC: d"}, {"": "b"}, {"A:B": "c"}, {"A": "${env:NO_SUCH_VARIABLE}"}],
             "statuses": [[0, 255], [-1], [256], ["1"], {}], "limits": [{"message": 1}, {"depth": 0}, {"reply": 2147483648}, {"x": 1}],
             "ready": [{"port": True}, {"port": False}, {"line": ""}, {"line": "x", "probe": True}, []],
             "methods": [{"echo": "e"}, {"ech": "e"}, {"echo": {"by-name": {}}}, {"echo": {"method": "e", "result": "/x"}},
                         {"echo": {"method": "e", "by-name": {"a": "b"}}}, {"echo": {"method": "\ud800"}}],
             "transport": ["stdio", "tcp", "x"], "framing": ["line", "lines"], "cwd": ["${here}", "${here", "$${here}"],
             "schema": [1, 2], "requests": [{}, []], "prelude": [[], [{}], {}], "url": ["tcp://h:1"], "start": [["a"], [""], []],
             "command": [["a"], [], [1], [""]], "baseline": ["b", "/b", 1], "declares": [["x"], [1]], "name": ["", "a b"]}
    for name, values in parts.items():
        for value in values:
            yield json.dumps({"schema": 1, "command": ["a"], name: value}).encode()


def target_loader():
    yield from wrong_targets()
    for path in sorted((source.ROOT / "targets").glob("*/*.json")):
        data = path.read_bytes()
        if len(data) <= 4096 and source.is_json(data):
            yield data
            # One member at a time, so that a mutation meets each.
            members = json.loads(data)
            for name in members:
                yield json.dumps({"schema": 1, "url": "tcp://h:1", name: members[name]}).encode()
    rest = {"env": {"A": "${here}/x", "B": "$${y}"}, "headers": {"Authorization": "Bearer ${env:PATH}"}, "ready": {"line": "listening"},
            "cwd": "${zoo}", "statuses": [3, 255], "limits": {"message": 1000, "depth": 60, "async": 5, "reply": 7},
            "requests": {"ping": {}}, "baseline": "known.json", "declares": ["nonce"], "transport": "stdio", "framing": "length32",
            "prelude": [{"send": {"jsonrpc": "2.0", "method": "initialize", "id": "${id}"}, "expect": {"result": {"$any": True}}}]}
    for name, value in rest.items():
        yield json.dumps({"schema": 1, "command": ["a", "${here}"], name: value}).encode()
    whole = json.dumps({"schema": 1, "command": ["a"], **rest}).encode()
    for n in range(40):
        yield whole + bytes([0, 1, 1 + n])
    for line in ("unix:/x", "unix:///x", "tcp://[::1]:80", "tcp://:1", "https://h/rpc", "wss://h", "ftp://h", "echo=tools.echo:by-name",
                 "subtract=m:by-position", "substract=m", "X-Y: z", "a 'b c' \"d\\\"e\" f\\ g", "'open"):
        yield line.encode()


SEEDS = {"json_read": plain, "json_roundtrip": plain, "json_equal": json_equal, "message": plain,
         "router": router, "resource": resource, "sequence": sequence, "error": error, "framing": framing, "mutator": plain,
         "case_loader": case_loader, "judge": judge, "report": report, "plug": plain, "sse": events, "http": http, "websocket": websocket, "handshake": handshake,
         "target_loader": target_loader, "table": table, "profile": profile}


# What a minimal corpus keeps whole: these differ in what is owed for them, and not always in what they reach.
KEPT = {"framing": framing_strings, "handshake": handshake, "http": http_types, "target_loader": wrong_targets,
        "table": tables_in_lines, "profile": profile_changes}


def main():
    folder = pathlib.Path(sys.argv[1])
    for target in sys.argv[2:] or SEEDS:
        out = folder / target
        out.mkdir(parents=True, exist_ok=True)
        seeds = {hashlib.sha1(data).hexdigest(): data for data in SEEDS[target]()}
        for name, data in seeds.items():
            (out / name).write_bytes(data)
        print(f"{target}: {len(seeds)} seeds, {sum(map(len, seeds.values()))} bytes")


if __name__ == "__main__":
    main()
