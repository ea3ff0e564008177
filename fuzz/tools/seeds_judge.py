"""Seeds that tell how a session went, in the language of fuzz/session/script.h, and baselines."""

import itertools
import json
import sys

import payloads as source

sys.path.insert(0, str(source.ROOT / "tests"))
from case_files import cases_of  # noqa: E402

ONCE, TWICE, STARVED, RIGHT, WRONG, LACKING, RESULTS, STATUSES, BODIES, NOISE, LINES, SHORT = range(12)
DEFECTS = 6
# Of right.c: how many codes an error may have, and the choice that puts an interim answer before.
CODES, INTERIM = 7, 4


def cases():
    for path in source.case_files():
        suite = path.parent.name
        for case in cases_of(path):
            yield suite, case


def options(*values):
    """Option bytes: none of them is 0, which would end them, and 252 is 0 for every small modulus."""
    return bytes([0, *(value or 252 for value in values)]) if any(values) else b""


def script(case, *lines):
    return "\n".join([f"@case={case['id']}", *lines]).encode("utf-8", "surrogatepass")


def steps_of(case):
    return [case, *case.get("steps", [])]


def alternatives_kept():
    """Batches of several kinds of elements, and each of the answers of HTTP where several are right."""
    for _, case in cases():
        if case["id"].startswith("batch/"):
            yield script(case) + options(RIGHT, 0)
        for choice in range(max(len(step.get("http", {}).get("answer", [])) for step in steps_of(case))):
            yield script(case) + options(RIGHT, choice)


def limits_kept():
    """Statuses at the limits of their class around bodies of each kind, answers with and without a body, anything where nothing is owed, events of
    as many lines as are examined, and rooms that are too small: of a case of each section."""
    bodies = ("@right=0", "@noise <html>", "null", "1", '{"status":"accepted"}', "<html>", "@session ", "[]", '{"jsonrpc":"2.0","result":1,"id":null}')
    seen = {}
    for number, (suite, case) in enumerate(cases()):
        steps = steps_of(case)
        for answer in (7, 8, 15, 16, 17, 31, 32, 33):
            if len(case.get("steps", [])) > answer and seen.get((answer, suite), 0) < 2:
                seen[answer, suite] = seen.get((answer, suite), 0) + 1
                yield script(case) + options(LACKING, 0, 200 + answer)
        silent = str(steps[-1].get("expect")) == "nothing" or "'nothing'" in str(steps[-1].get("expect"))
        answers = [answer for step in steps for answer in step.get("http", {}).get("answer", [])]
        kind = (suite, case["id"].split("/")[0], silent, bool(answers), any("headers" in answer for answer in answers), "stream" in case.get("needs", []))
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] > 1:
            continue
        for body in bodies[number % 9::9]:
            yield script(case, f"@http={(400, 399)[number % 2]} {body}") + options(STATUSES, 1)
        if "stream" in case.get("needs", []):
            for count in range(8):
                yield script(case) + options(LINES, count)
        if silent:
            for noise in range(0, 8, 1 + number % 2):
                for choice in range(2):
                    yield script(case) + options(NOISE, choice, noise)
        if answers:
            yield script(case, "@head Allow: GET", "@head Content-Type: application/json", *(f"@head {name}: value" for answer in answers for name in answer.get("headers", {})),
                         "@http=405 @right=0", "@settled=transport") + options(SHORT)
            for choice in range(min(3, len(answers))):
                yield script(case) + options(BODIES, choice)
                yield script(case) + options(RIGHT, choice)
        elif number % 4 == 0:
            yield script(case, "@right=0") + options(SHORT)


def session_kept():
    yield from limits_kept()
    yield from alternatives_kept()
    yield from sections_kept()


def sections_kept():
    """Answers that come once more, codes of errors at the limits of what is reserved, interim answers: of a case of each section."""
    seen = set()
    for suite, case in cases():
        steps = len(case.get("steps", []))
        section = (suite, case["id"].split("/")[0], steps > 1)
        if section in seen:
            continue
        seen.add(section)
        if suite == "ro-jrpc-1.0":
            for choice in range(len(seen) % 6, 38, 6):
                yield script(case) + options(RESULTS, choice)
        for answer in range(min(3, steps - 1)):
            yield script(case) + options(LACKING, 0, answer, 1)
        yield script(case) + options(RIGHT, 8 * (1 + len(seen) % (CODES - 1)))
        for went in (1, 3, 4):
            yield script(case, WENT[went])
        if "http" in case["id"] or "http" in suite:
            yield script(case) + options(RIGHT, INTERIM)
            yield script(case) + options(RIGHT, INTERIM + 1)


def sessions():
    yield from session_kept()
    yield from hostile()
    yield from over_http()
    yield from known()
    yield from results()
    yield from long_ones()
    for number, (_, case) in enumerate(cases()):
        alternatives = {len(step["expect"].get("any-of", [0])) if isinstance(step.get("expect"), dict) else 1
                        for step in [case, *case.get("steps", [])]}
        for choice in range(max(alternatives)):
            yield script(case) + options(RIGHT, choice)
        yield script(case) + options(WRONG, 0, number % DEFECTS)
        if len(case.get("steps", [])) > 1:
            for answer in range(4):
                yield script(case) + options(LACKING, 0, answer)
        yield script(case, f"@right={number % 5}", "@1 @right=0") + options(number % 3, number % 90)


# What may come in the place of an answer, and how a session may end.
CAME = ("", "@echo", "[]", "null", "1", "log line", "@noise what", "@cut=90000 {", "@cut=90 @broken {", "@noise @cut=9 x",
        "@fence @b {}", "@right=0\n@right=0", "@right=0\n@right=1", '{"jsonrpc":"2.0","method":"push","params":[1]}',
        '{"jsonrpc":"2.0","result":1,"id":${id}}', '{"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":null}',
        '{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":${id}}', '{"jsonrpc":"2.0","error":"m","id":${id}}',
        '{"code":-32601,"id":1}', '{"jsonrpc":"2.0","error":{"code":-32603,"message":"a\\nb\\n    at x"},"id":${id}}',
        '{"jsonrpc":"2.0","error":{"code":-32603,"message":"a\\nb","data":"a\\n    at x"},"id":${id}}',
        '[{"jsonrpc":"2.0","error":{"code":-32601,"message":"m"},"id":${id.a}},{"id":null}]')
WENT = ("", "@settled=gone\n@end=closed", "@settled=gone\n@end=exited\n@status=3\n@gone", "@settled=gone\n@end=exited\n@gone\n@orderly",
        "@settled=gone\n@end=signaled\n@status=11\n@gone", "@settled=gone\n@end=close", "@settled=mute\n@mute=stuck", "@settled=mute\n@mute=hung",
        "@settled=unsent\n@mute=stuck", "@settled=flooded\n@flood=2000", "@settled=transport", "@settled=settled", "@settled=not-run",
        "@1 @settled=not-run", "@1 @settled=gone\n@end=reset", "@params")
# What is known of the target.
KNOWN = ("@rule=J2-6a", "@rule=J2-5.1d", "@absent=silent", "@absent=result", "@absent=-32000", "@absent=-32600", "@positional=silent",
         "@positional=-32602", "@named=silent", "@named=-32602", "@rule=J2-5b\n@rule=J2-5f", "@params")


def chosen(step):
    """Some cases of every kind of expectation."""
    seen = {}
    for suite, case in cases():
        steps = case.get("steps", [case])
        kind = (suite, len(steps), *sorted({k for s in steps for k in s if k not in ("send", "on")}),
                *(str(s.get("expect"))[:9] for s in steps))
        seen.setdefault(kind, []).append(case)
    for group in seen.values():
        yield from group[::max(1, len(group) // step)][:step]


def hostile():
    for number, (case, (came, went)) in enumerate(itertools.product(chosen(1), itertools.product(CAME, WENT))):
        if number % 31 == 0:
            yield script(case, *filter(None, (came, came.replace("@", "@1 @", 1) if number % 2 else "", went))) + options(number % 3, number % 120)


def known():
    answers = ("", '{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"},"id":${id}}', '{"jsonrpc":"2.0","result":1,"id":${id}}',
               '{"jsonrpc":"2.0","error":{"code":-32602,"message":"m"},"id":${id}}', "@right=0", '{"jsonrpc":1,"result":1}')
    for number, (case, (fact, came)) in enumerate(itertools.product(chosen(2), itertools.product(KNOWN, answers))):
        if number % 11 == 0:
            yield script(case, fact, came) + options(number % 3, number % 60)
    for number, (_, case) in enumerate(cases()):
        for profile in ("mcp", "kotlinx-rpc", "strict"):
            if number % 12 == len(profile) % 12:
                yield b"@profile=%s " % profile.encode() + script(case, answers[number % 6]) + options(number % 2 * RIGHT, number % 4)


def over_http():
    types = ("@type=application/json", "@head content-type:Application/JSON; charset=utf-8\r\n@head A: b", "@type=text/event-stream", "@type=text/html",
             "@head Content-Type: " + "a/very-long-type" * 12, "")
    bodies = ("@right=0", "@session ", "@noise <html>", "null", "@right=1", "@noise @cut=70000 <html>")
    for number, (suite, case) in enumerate(cases()):
        if suite == "transport-sse":
            yield script(case, "@type=text/event-stream", "@http=200 @right=0", "@settled=settled")
        if suite not in ("transport-http", "transport-sse") and number % 40:
            continue
        for index, status in enumerate((200, 204, 400, 404, 405, 413, 415, 401, 302, 500)):
            head = types[(number + index) % len(types)]
            body = bodies[(number // 3 + index) % len(bodies)]
            settled = ("@settled=transport", "@settled=settled", "@settled=gone")[index % 3]
            yield script(case, head, f"@http={status} {'@reused ' if index % 2 else ''}{body}", settled) + options(index % 3, index * 9)


def long_ones():
    for number, (_, case) in enumerate(cases()):
        if "send-repeat" in case:
            yield b"@long " + script(case, CAME[number % len(CAME)]) + options(number % 2)


def results():
    number = 0
    for suite, case in cases():
        if suite == "ro-jrpc-1.0":
            number += 1
            yield script(case) + options(RESULTS, 1 + number % 38)
            message = '{"jsonrpc":"2.0","method":"r.return","resource":"r","verb":"return","result":{"status":"done"},"request_id":%s}'
            ids = ("${id}", '"jck-00000007-0-0"', '"${id}"', "[1]", "null", "${id.call}", '"x"')
            yield script(case, message % ids[number % 7], ("@b " if number % 2 else "") + message % ids[number // 7 % 7],
                         message.replace("resource", "target") % 1, '{"method":"a.yield","result":1}')


def baselines():
    ids = [case["id"] for _, case in cases()][::97]
    entry = {"case": ids[0], "outcome": "fail", "reason": "upstream issue 12", "rules": ["J2-6d"], "flaky": True}
    whole = {"schema": 1, "target": "t", "entries": [entry, {**entry, "case": ids[1], "outcome": "crash"}]}
    texts = [whole, {**whole, "entries": []}, {**whole, "schema": 2}, {"schema": 1}, {"entries": {}}, [], {**whole, "entries": [1]},
             {"entries": [entry, entry], "schema": 1}, {**whole, "more": [1]}]
    for name in entry:
        texts.append({**whole, "entries": [{k: v for k, v in entry.items() if k != name}]})
        texts += [{**whole, "entries": [{**entry, name: wrong}]} for wrong in (1, "", "x", None, False, ids[2][:-1])]
    texts += [{**whole, "entries": [{**entry, "case": i, "outcome": o} for i, o in
                                    zip(ids, ("fail", "crash", "hang", "stuck", "ended", "warn", "pass"))]}]
    texts.append({**whole, "entries": [{"case": i, "outcome": "fail", "reason": "r"} for _, c in list(cases())[:40] for i in [c["id"]]]})
    for number, text in enumerate(texts):
        data = json.dumps(text).encode()
        yield data
        for choice in range(1, 8):
            yield data + bytes([0, choice, 1 + number * 7 % 250, 1 + choice * 31, 1 + number % 11])
    for choice in range(1, 12):
        yield bytes([0, 2 + choice % 2, choice, choice * 2])
        yield b"[" * choice * 20 + bytes([0, 1, 1, 1, choice])
    yield b"\xff"
    yield from baseline_kept()


def repeated():
    """Entries for one case, with others between them."""
    ids = [case["id"] for _, case in cases()][:3]
    for order in ((0, 1, 0), (0, 1, 2, 1), (1, 2, 0, 1), (0, 0)):
        entries = [{"case": ids[index], "outcome": "fail", "reason": "r"} for index in order]
        yield json.dumps({"schema": 1, "target": "t", "entries": entries}).encode()


def grown():
    """Baselines with more entries than any list has room for at first: real ones, and short ones of every length about a power of two."""
    yield from source.largest("targets/*/baseline*.json", 2)
    ids = [case["id"] for _, case in cases()]
    for count in (15, 16, 17, 31, 32, 33, 63, 64, 65, 129):
        entries = [{"case": name, "outcome": "fail", "reason": "r"} for name in ids[:count]]
        data = json.dumps({"schema": 1, "target": "t", "entries": entries}).encode()
        yield data
        yield data + bytes([0, 3, count, 250])


def baseline_kept():
    yield from repeated()
    yield from grown()


SEEDS = {"session": sessions, "baseline": baselines}
# What differs in what is owed for it, and not always in what it reaches.
KEPT = {"baseline": baseline_kept, "session": session_kept}
