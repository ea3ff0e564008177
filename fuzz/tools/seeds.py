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
    calls = ('"subtract","params":[1,2]', '"subtract","params":{"subtrahend":1,"minuend":2}',
             '"app_error","params":[1,"m",{"a":[1]}]', '"app_error","params":{"code":5}', '"echo","params":{"a":1,"a":2}',
             '"fail"', '"get_data"', '"get_data","params":[]', '"update","params":[1]', '"x.y","verb":"yield","result":1')
    for call in calls:
        yield b'{"jsonrpc":"2.0","method":%s,"id":1}' % call.encode()
        yield b'[{"jsonrpc":"2.0","method":%s,"id":"a"},{"jsonrpc":"2.0","method":%s},1]' % ((call.encode(),) * 2)


def framing():
    messages = [d for d in plain() if 0 < len(d) < 200]
    for number, data in enumerate(messages):
        kind = number % 4
        stream = b"".join(framed(FRAMINGS[kind], d) for d in messages[number:number + 3])
        limit = number // 4 % 8
        yield stream + bytes([0, kind | limit << 2 | (number // 32 % 4) << 5 or 1, 1 + number % 200])
    for noise in (b"log line\n", b"Content-Type: x\r\n\r\n", b"\0\0\0\xff", b"}Content-Length: 2\r\n\r\n[]"):
        for kind in range(4):
            yield noise + framed(FRAMINGS[kind], b'{"a":[1,"]"]}') + bytes([0, kind or 4, 3])


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
    # Enough methods for the table to grow twice.
    yield b"".join(bytes([9, 3]) + b"m%02d" % number for number in range(36))


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


def judge():
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


SEEDS = {"json_read": plain, "json_roundtrip": plain, "json_equal": json_equal, "message": plain,
         "router": router, "sequence": sequence, "framing": framing, "mutator": plain,
         "case_loader": case_loader, "judge": judge, "report": report, "plug": plain}


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
