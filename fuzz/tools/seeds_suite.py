"""Seeds for what reads the suite's own files: cases, tables, profiles, descriptions of targets."""

import json

import payloads as source


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
    yield from last_words()
    for folder, head, case in source.cases():
        data = case_document(folder, head, case)
        if len(data) <= source.MAX_BYTES:
            yield data
    yield from rules()


def http_answers():
    """Cases that say what an HTTP response must look like, which also has patterns."""
    pattern = {"$any": True}
    case = {"id": "h/a", "title": "t", "rules": ["J2-4a"], "send": {"jsonrpc": "2.0", "method": "m", "id": "${id}"}, "expect": {"error": {"code": 1}}}
    for answer in ({"status": pattern}, {"content-type": pattern}, {"headers": {"a": pattern}}, {"status": 200, "headers": {"a": "b", "c": {"$not": "d"}}}):
        for answers in ([answer], [{"status": 200}, answer], [answer, {"as": "observe:other"}]):
            yield json.dumps({**TABLE_HEAD, "cases": [{**case, "http": {"answer": answers}}]}).encode()


def orders():
    """Steps of each kind first, last and alone: a question about a whole case must look at each."""
    send, null = ({"send": {"jsonrpc": "2.0", "method": "m", "id": name}, "expect": {"error": {}}} for name in ("${id}", None))
    receive = {"receive": [{"jsonrpc": "2.0", "method": "m"}], "within": "reply"}
    response = {"receive": [{"jsonrpc": "2.0", "id": 1, "result": 1}], "within": "reply"}
    close = {"close": True}
    kinds = (send, null, receive, response, close, {**receive, "within": "rest"}, {**response, "within": "async"}, {"fence": True}, {**send, "within": "pause"})
    for first in kinds:
        for steps in ([first], [send, first, send]):
            case = {"id": "o/a", "title": "t", "rules": ["J2-4a"], "steps": steps}
            yield json.dumps({**TABLE_HEAD, "cases": [case]}).encode()


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


# What shows a server, or that it refuses: some good, some wrong in one thing.
SIGNS = [{"says": "x", "status": status} for status in (100, 599, 99, 600, -1, "400")] + [
    {"says": ""}, {"says": 1}, {"status": 400}, {}, {"message": {}}, {"message": {"error": {"code": {"$any": True}}}}, {"message": []}, {"said": "x"}]


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
             "methods": [{"echo": "e", "sum": {"method": "s"}}, {}, [], {"ecko": "e"}, {"echo": 1}, {"echo": {}}, {"echo": {"method": "e", "by-position": []}},
                         {"echo": {"method": "e", "by-position": {}}}, {"echo": {"method": "e", "by-name": {"a": "b"}}}, {"echo": {"method": "e", "by-name": {"a": 1}}},
                         {"echo": {"method": "e", "params": {"p": "${params}"}}}, {"echo": {"method": "e", "params": ["${nothing}"]}},
                         {"echo": {"method": "e", "params": 1}}, {"echo": {"method": "e", "result": "/r"}}, {"echo": {"method": "e", "result": "r"}},
                         {"echo": {"method": "e", "result": {"at": "/r", "as": "json-text"}}}, {"echo": {"method": "e", "result": {"as": "json-text"}}},
                         {"echo": {"method": "e", "result": {"at": "", "as": "text"}}}, {"echo": {"method": "e", "results": ""}}],
             "headers": [{"A": "b"}, {}, [], {"": "b"}, {"A:": "b"}, {"A": "b\r\nC: d"}, {"A": 1}, {"A": "${message/method}"}, {"A": ["${message/a}"]}, {"A": ["b"]}],
             "request-params": [{}, {"_meta": {}}, []], "revision": ["1", "", 1], "revisions": [["a"], [], ["c"], ["a\u0000"], [1], {}],
             "recognise": [{"as": "s", "signs": [{"says": "x"}]}, {"as": "s", "signs": []}, {"as": "s", "signs": {}}, {"signs": [{"says": "x"}]}, {"as": "s"}, 1,
                           {"as": "", "signs": [{"says": "x"}]}, {"as": "s", "framing": "line", "asks": []}, {"as": "s", "asks": 1},
                           *({"as": "s", "signs": [sign]} for sign in SIGNS), {"as": "s", "framing": "lines", "signs": [{"says": "x"}]},
                           {"as": "s", "framing": "length32", "signs": [{"says": "x"}]}, {"as": "s", "asks": [{"fence": True}]}],
             "refusals": [[], {}, [1], [{"says": "x"}], [{"says": "x", "means": ""}], *([{"means": "m", **sign}] for sign in SIGNS)],
             "levels": [[level], [], {}, [1], [level, {**level, "level": "off"}], [{**level, "level": "M"}, {**level, "rules": ["J2-4b", "J2-4a"]}],
                        [{**level, "level": "m"}], [{**level, "level": 1}], [why], [{**level, "rules": []}], [{**level, "rules": ["J2-4"]}],
                        [{**level, "rules": [1]}], [{**level, "rules": ["J2-4a", "J2-4a"]}], [{**level, "cases": ["**"]}], [{**level, "sentence": ""}],
                        [{k: v for k, v in level.items() if k != "source"}], [{**level, "level": "off"}]],
             "accept": [[accept], [accept, accept], [{**accept, "cases": ["json/**", "jsonrpc-2.0/**"]}], [{**accept, "cases": ["**"]}], [{**accept, "answers": []}],
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


def wrong_targets():
    """Descriptions with one thing wrong each, which a good one is beside."""
    parts = {"env": [{"A": "b"}, {"A": "b\r\nC=d"}, {"": "b"}, {"A=B": "c"}, {"A": 1}, {"A": "${x}"}],
             "headers": [{"A": "b"}, {"A": "b\r\nC: d"}, {"A": "b\nC: d"}, {"A": "b\rC: d"}, {"": "b"}, {"A:B": "c"}, {"A": "${env:NO_SUCH_VARIABLE}"},
                         {"A": []}, {"A": ["${message/method}"]}, {"A": ["${message/method}", 1]},
                         {"A": ["${message/params/name}", "${message/method}", "${message/a~1b}"], "B": "${message/id}", "C": "d"}],
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


def targets_kept():
    yield from wrong_targets()
    for words in (b"a --token=x b --password=y c", b"a tcp://u:p@h:1 x=1&api_key=2#z access_token=3", b"secret=1",
                  b"a http://u:p@ss@h/ ws://u@v:p@h:1?a@b tcp://@h unix://p@q@ x", b"a x://u@v@h#a@b http://a:b:c@d:e@f"):
        yield words
    yield b".hidden"
    yield from source.largest("targets/*/target*.json", 3)


def whole_files():
    """Case files as they are: lists of more cases, rules and steps than any has room for at first."""
    yield from source.largest("cases/*/*.json", 2)
    # As many captured names as a case may have, and one more.
    for count in (64, 65):
        captures = {f"n{i}": "/id" for i in range(count)}
        case = {"id": "a/b", "title": "t", "rules": ["J2-4a"], "send": {"jsonrpc": "2.0", "method": "m", "id": "${id}"},
                "expect": {"result": {"$any": True}}, "capture": captures}
        yield json.dumps({"schema": 1, "suite": "jsonrpc-2.0", "section": "4", "title": "t", "cases": [case]}).encode()


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
    # A name that the prelude captures, for a header.
    captured = {"schema": 1, "url": "http://h/", "headers": {"A": "${session}", "B": "b", "C": "$${x} ${session}", "D": "${nothing}"},
                "prelude": [{"send": {"id": 1}, "expect": {"result": {"$any": True}}, "capture": {"session": "header:A", "x": "/result"}}]}
    for left_out in ("", "A", "B", "C", "D"):
        headers = {k: v for k, v in captured["headers"].items() if k not in (left_out, "D")}
        yield json.dumps({**captured, "headers": headers}).encode()
    yield json.dumps(captured).encode()
    for way in range(1, 9):
        for text in (captured["prelude"], [], [1], {}, [{"fence": True}], captured, {"schema": 1, "command": ["a"]}):
            yield json.dumps(text).encode() + bytes([0, way])
        for line in ("known", ".hidden", "knwon", "unix:/a", "unix:", "host:80", "known:", "tcp://h:1", "fuzz", ".", "a b", "", "'' b", "lib", "corpus"):
            yield line.encode() + bytes([0, way])
    whole = json.dumps({"schema": 1, "command": ["a"], **rest}).encode()
    for n in range(40):
        yield whole + bytes([0, 1, 1 + n])
    for line in ("tcp://h:70000", "tcp://h:0", "tcp://h:99999999999", "tcp://[::1]:x", "tcp://h", "tcp://h:1/x", "unix:", "http://", "unix:/x", "unix:///x", "tcp://[::1]:80", "tcp://:1", "https://h/rpc", "wss://h", "ftp://h", "echo=tools.echo:by-name",
                 "subtract=m:by-position", "substract=m", "X-Y: z", "a 'b c' \"d\\\"e\" f\\ g", "'open"):
        yield line.encode()


def project():
    """Descriptions with every simple member, project files, and words that are paths or URLs."""
    command = {"schema": 1, "command": ["a", "b c"]}
    url = {"schema": 1, "url": "http://h:1/"}
    rest = {"name": "n", "title": "t", "profile": "mcp", "implementation": {"name": "i", "version": "1", "language": "C"},
            "limits": {"message": 1000, "depth": 60, "async": 5, "reply": 7}, "statuses": [3, 255], "requests": {"ping": {}}, "baseline": "known.json",
            "declares": ["nonce", "signature"], "ready": {"line": "listening"}, "methods": {"echo": "e", "sum": {"name": "s", "params": "by-name"}},
            "request-params": {"a": 1}, "events": "/e", "streams": "/s"}
    for base in (command, url):
        texts = [{**base, name: value} for name, value in rest.items()] + [{**base, **rest}]
        texts += [{**base, "streams": "/s", "declares": words} for words in ([], ["a"], ["a", "b", "c"])]
        texts += [{**base, "baseline": path} for path in ("/a/b", "b", "", "../c", "${here}/x")]
        yield from (json.dumps(text).encode() for text in texts)
        yield json.dumps({**base, **{k: v for k, v in rest.items() if k not in ("events", "streams", "ready")}}).encode()
    targets = (["a"], ["a", ""], ["", "a"], [], [""], [1], "tcp://h:1", "x.json", "x", {"command": ["a"]}, {"url": "http://h/"}, 1, {"schema": 1, **command})
    for one in targets:
        yield json.dumps({"schema": 1, "target": one}).encode()
    for more in ({"profile": "mcp"}, {"baseline": "b"}, {"baseline": "/b"}, {"methods": {"echo": "e"}}, {"url": "u"}, {"x": 1},
                 {"reports": ["html=r.html", "json=/r", "json=-", "console", "a=b=c"]}, {"reports": []}, {"reports": {}}, {"reports": [1]}):
        yield json.dumps({"schema": 1, "target": ["a"], **more}).encode()
    for line in ("/", "/a", "a", "a/b", "/a/b", "a/", "//", "/a/", "", "//a", "./a"):
        yield line.encode()
    for byte in (b"\x01", b"\x1f", b" ", b"\x7f", b"\x80", b"\t"):
        for url in (b"tcp://h%s:1", b"http://h/a%sb", b"http://h%s/", b"unix:/a%sb", b"ws://h/%s", b"tcp://h:1%s"):
            yield url % byte


def wrapped():
    """Messages whose method is wrapped by every kind of template."""
    templates = (None, {}, [], {"name": "t", "arguments": "${params}"}, ["${params}"], {"a": "${params/a}", "b": "${params/b}"}, ["${params/0}", "${params/1}", 5],
                 {"a": ["${params/a}", "${params/b}", {"c": "${params/c}"}]}, {"m": "${d}", "p": "${params}", "q": "${params}"}, 5, "x")
    names = (None, {"a": "x"}, {"a": "b", "b": "a"}, {"a": "x", "b": "y", "c": "z"}, {})
    call = {"jsonrpc": "2.0", "method": "${c}", "id": 1}
    messages = [call, {**call, "params": {"a": 1, "b": [2]}}, {**call, "params": [1, {"a": 2}]}, {**call, "params": {}}, {**call, "params": []},
                {**call, "params": 1}, {**call, "method": "${d}", "params": {"a": 1}}, {"params": {"b": 1, "a": "${d}"}, **call}, {**call, "params": {"a": "${c}"}},
                {**call, "params": {"d": 1}}, "${c}", ["${c}", "${d}"], 5]
    messages += [[messages[1], messages[6], messages[2]], [messages[1], messages[1]], [call, "${c}"], [messages[5], messages[1]], [["${c}"], messages[1], "${c}"]]
    for template in templates:
        for of in names:
            for message in messages:
                yield json.dumps([template, of, message]).encode()
    two = json.dumps([{"p": "${params}"}, None, messages[1]])
    yield two.replace('"id"', '"method": "${c}", "id"').encode()
    yield two.replace('"id"', '"params": {"a": 1}, "id"').encode()
    yield two.replace('"id"', '"method": "${d}", "id"').encode()


def folder():
    rule = {"id": "A-1", "level": "M", "section": "1", "title": "t", "sentence": "s", "source": "o"}
    head = {"schema": 1, "specification": "a", "title": "t"}
    case = {"id": "a/x", "title": "t", "rules": ["A-1"], "send": 1, "expect": {"nothing": True}}
    cases = {"schema": 1, "section": "1", "title": "t"}

    def rules_of(*rules):
        return {**head, "rules": [{**rule, **one} for one in rules]}

    def cases_of(suite, *ids):
        return {**cases, "suite": suite, "cases": [{**case, **({"id": one} if isinstance(one, str) else one)} for one in ids]}

    sets = [[], [rules_of({})], [rules_of({}), rules_of({"id": "A-2"})], [rules_of({}), rules_of({})], [rules_of({}, {})], [rules_of({"stands-on": ["A-1"]})],
            [rules_of({"stands-on": ["A-2", "A-3"]})], [rules_of({"stands-on": ["A-2"]}), rules_of({"id": "A-2", "stands-on": ["A-1"]})],
            [rules_of({"untestable": "u", "client": "c"})], [rules_of({"judge": "j"})], [rules_of({}), cases_of("json", "a/x", "a/y")],
            [rules_of({}), cases_of("json", "a/x"), cases_of("json", "a/y")],
            [rules_of({}), *(cases_of("json", f"a/{name}") for name in "wxyz")], [rules_of({}), cases_of("json", "a/x"), cases_of("s", "a/x")],
            [cases_of("jsonrpc-2.0", "b/x"), rules_of({}), cases_of("a-suite", "a/x"), cases_of("json", "c/x", "c/y")],
            [rules_of({}), cases_of("other", "a/x")], [cases_of("json", "a/x")], [rules_of({}), cases_of("json", "a/x"), "text", 1, {}, None, [1]],
            [rules_of({}), cases_of("s", {"aliases": ["a/old", "a/older"]}, {"id": "a/y", "aliases": ["a/x"]})],
            [rules_of({}), cases_of("s", {"aliases": ["a/old"]}, {"id": "a/y"})], [{"rules": 1}], [{"rules": []}, {"cases": 1, "suite": "json"}],
            [rules_of(*({"id": f"A-{n}"} for n in range(140)))]]
    for one in sets:
        yield json.dumps(one).encode()
    yield from (b"", b"{", b"1")
    whole = json.dumps(sets[13]).encode()
    for n in range(100):
        yield whole + bytes([0, 1, 1 + n])


def select():
    words = ["batch/*", "J2-4a", "-id/**", "@json", "=kotlinx-rpc", "&transport-http", "**", "*", "?d/*", "-J2-*", "json/**", "nobody", "@nobody", "@",
             "-nobody/*", "transport-framing/**", "@transport-framing", "jsonrpc-2.0/batch/**", "a**b*c?", "RO-16a", "-**", "x" * 100]
    for number, word in enumerate(words):
        yield word.encode()
        yield word.encode() + bytes([0, 1 + number % 3])
        for other in words[number % 3::3]:
            yield f"{word}\n{other}".encode()
    yield "\n".join(words[:5] * 3).encode()


# Dollars and braces in every neighbourhood, alone and inside JSON, and names of every length that something is cut at.
def payload():
    words = ["${id}", "$${id}", "$$${id}", "$$$${id}", "$${${id}", "$${${id}}", "${${id}}", "${}", "$${}", "${id", "$${", "${", "$", "$$", "{id}", "${ id}",
             "${id }", "${i\"d}", "${i\\d}", "${i$d}", "${id}${id}", "${id}$", "$$ ${id}", "${n}", "$${n}${n}", "${q}", "${nq}$${q}", "a${id}b", "${id}}", "{${id}"]
    words += ["${" + letter * length + "}" for letter in "anq" for length in (1, 2, 31, 63, 64, 65, 99, 100, 101, 127, 128, 256)]
    for word in words:
        data = word.encode()
        yield data + bytes([0, 1])
        yield data + bytes([0, 2])
        for text in (b'"%s"', b' [ "%s" , "x%sy" ] ', b'{ "%s" : "%s b" }'):
            filled = text.replace(b"%s", data.replace(b"\\", b"\\\\").replace(b'"', b'\\"'))
            yield filled
        yield data + bytes([0, 3, 5])
        for times in (3, 40) if len(data) < 20 else ():
            yield b"\n".join((data, b"p", b"${n}", data + b"]", b"s")) + bytes([0, 3, times, 1 + times % 5])
    for data in source.texts():
        yield data.encode("utf-8", "surrogatepass") + bytes([0, 1, 1, 7, 9])
    for number in [10 ** power + more for power in (1, 15, 16, 17, 18) for more in (-1, 0)] + [2 ** 51 - 1, 2 ** 51, 2 ** 51 + 1, 2 ** 52, 0, 7]:
        yield b"%d" % number
        yield b"-%d" % number
    yield from (b"1.5", b"0.0", b"-2.50", b"1e3", b'"7"', b'"-12345678901234567"', b'"123456789012345678"', b'"x"', b'""')
    for length in (1, 40, 60, 62, 63, 64, 65):
        for step in (1, 10, 255):
            yield b"n" * length + bytes([0, 1, step, 1 + length, step])


def last_words():
    """A variable that nothing gives, and a matcher that there is not, first and last in a pattern."""
    case = {"id": "p/a", "title": "t", "rules": ["J2-4a"], "send": 1}
    for word in ("${nothing}", "${id}", "$${x}", {"$nothing": 1}, {"$type": "nothing"}):
        for pattern in ({"x": 1, "y": word}, {"y": word, "x": 1}, {"z": {"y": word}, "x": [1, {"w": 2}]}, [1, word], word):
            for number in range(2):
                yield json.dumps({**TABLE_HEAD, "cases": [{**case, "expect": {"result": pattern}}]}).encode() + bytes([0, 1 + number])


def parser_words():
    """Each word about a parser with the name of an observation and without."""
    for word in ("accepts", "refuses", "chooses", "other"):
        for more in ({}, {"observe": "name"}, {"observe": ""}):
            one = {"id": "a/b", "title": "t", "role": "parser", "rules": ["J2-4a"], "send-text": "1", "expect": {"parser": word, **more}}
            yield json.dumps({"schema": 1, "suite": "jsonrpc-2.0", "section": "1", "title": "t", "cases": [one]}).encode()


def case_loader_kept():
    yield from http_answers()
    yield from orders()
    yield from parser_words()
    yield from whole_files()
    yield from last_words()


def limits():
    """Each limit (fuzz/target/limits.c), one below it, at it and above it."""
    for which in range(14):
        for offset in range(3):
            yield b"t" + bytes([0, which or 14, offset or 3])
    for text in (b'"', b'"]', b"\\", b'\\"', b"[", b"]", b'"[', b"\\]"):
        for offset in range(3):
            yield text + bytes([0, 13, offset or 3])
    for more in (1, 2, 17, 33, 34, 67, 68, 100, 255):
        yield b"t" + bytes([0, 10, 1, more])


SEEDS = {"limits": limits, "payload": payload, "case_loader": case_loader, "table": table, "profile": profile, "target_loader": target_loader, "project": project, "wrapped": wrapped, "folder": folder, "select": select}
KEPT = {"project": project, "wrapped": wrapped, "limits": limits, "payload": payload, "table": tables_in_lines, "profile": profile_changes, "target_loader": targets_kept,
        "case_loader": case_loader_kept}
