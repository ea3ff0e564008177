"""Seeds for the judge on clients, in the language of fuzz/target/client.c."""

import sys

import payloads as source

sys.path.insert(0, str(source.ROOT / "tests"))
from case_files import cases_of  # noqa: E402

STARVED, RIGHT, BY_ITSELF, CLAIMS = range(1, 5)
DEFECTS = 6


def case_ids():
    """Of the cases that test a client, tables expanded."""
    return sorted({case["id"] for path in source.case_files() for case in cases_of(path) if case.get("role") == "client"})


def say(members):
    return '{"jsonrpc":"2.0",%s}' % members


def ask(number, method="one"):
    return say('"method":"%s","params":[1],"id":%s' % (method, number))


def records():
    """Calls, their answers and reports, in an order that is right and in others."""
    commands = ['0> {"do":"call","tag":1,"method":"one"}', '2> {"do":"call","tag":2,"method":"two"}']
    requests = ["1? " + ask(1), "3? " + ask(2, "two"), "1? " + ask('"1"'), "1? " + ask("null"), "1? " + ask("[1]"), "1?b" + ask(1), "1? [%s,%s]" % (ask(1), ask(2)),
                "1? {", "1? 1", "1% junk", '1? {"method":"one","params":[1],"id":1}']
    answers = ["4! " + say('"result":"first","id":1'), "5! " + say('"result":"second","id":2'), "4! " + say('"error":{"code":7,"message":"m"},"id":1')]
    reports = ['6< {"tag":1,"result":"first"}', '7< {"tag":2,"result":"second"}', '6< {"tag":1,"failed":"x"}', '6< {"tag":1,"unwritable":1}', '6< {"tag":9}', "6< 1", "6~ junk",
               '6< {"tag":1,"error":{"code":7,"message":"m","data":null}}', '6< {"event":"notification","method":"a"}']
    for request in requests:
        yield [commands[0], request, answers[0], reports[0]]
    for report in reports:
        yield [commands[0], requests[0], answers[0], report]
        yield [commands[0], requests[0], commands[1], requests[1], answers[1], answers[0], report, reports[1]]
    yield [commands[0], requests[0], answers[2], reports[7], "7# fence"]


def client_kept():
    """Of each case a client that is right, and one that is wrong in one thing; and clients that run by themselves."""
    for number, name in enumerate(case_ids()):
        yield name.encode() + bytes([0, RIGHT])
        yield name.encode() + bytes([0, RIGHT, 1 + number % DEFECTS])
        if "server" in name or "request" in name:
            yield name.encode() + bytes([0, RIGHT, DEFECTS + 1, 1])  # right, and it answers Requests
    for text in (b"0", b"1", b"2", b"3", b"01", b"10", b"0123", b"32103", b"2222", b"01" * 9):
        yield b"x\n" + text + bytes([0, BY_ITSELF])


def client():
    yield from client_kept()
    ids = case_ids()
    for name in ids:
        for defect in range(1, DEFECTS + 1):
            yield name.encode() + bytes([0, RIGHT, defect])
    for number, lines in enumerate(records()):
        for step in range(3):
            name = ids[(number * 3 + step) * 7 % len(ids)]
            text = "\n".join([name, *lines]).encode()
            yield text + bytes([0, CLAIMS, 1, 1 + number % 41, 1 + number % 10])
            yield text + bytes([0, STARVED, 1 + number % 60, 1 + number % 41, 1])


SEEDS = {"client": client}
KEPT = {"client": client_kept}
