"""Seeds for what the suite writes: streams of events, and how a report of them is asked for."""

import json

FORMATS, SIDES = 11, 8  # what targets report and matrix choose between
OUTCOMES = ("fail", "pass", "warn", "observe", "skip", "blocked", "crash", "ended", "stuck", "hang", "error")
HOSTILE = "<b>&\x1b[31m]]>|`\"'\u202e\u200b\x7f\\x41 ${x} [a](b) {0} *_#\n</script>--"


def start_event(number, **more):
    software = {"name": "jrpc" + HOSTILE[number % 20:], "version": "1.0", "language": "C"}
    target = {"name": ("tcp://h:1", "./server --x", "a/b", "", HOSTILE)[number % 5], "transport": ("stdio", "tcp")[number % 2],
              "framing": ("line", "")[number % 3 // 2], **({"implementation": software} if number % 4 == 0 else {})}
    return {"event": "start", "schema": 1, "tool": {"name": "jrpcheck", "version": "0.1.0"}, "suite": {"cases": 2, "rules": 1, "selected": 2},
            "target": target, "profile": "spec", "strict": number % 3 == 0, "started": "2026-01-01T00:00:00Z", "seed": "1", **more}


def finish_event(number):
    return ({"event": "finish", "judged": 1, "conformant": False, "interrupted": False, "duration_us": 125000000},
            {"event": "finish", "judged": 1, "conformant": True, "interrupted": False, "duration_us": 5000},
            {"event": "finish", "judged": 0, "conformant": False, "interrupted": False, "duration_us": 2500000},
            {"event": "finish", "judged": 1, "conformant": False, "interrupted": True, "duration_us": 5},
            {"event": "finish", "judged": 1, "conformant": False, "interrupted": False, "stopped": "it is gone: " + HOSTILE})[number % 5]


def case_event(number, name, **more):
    outcome = OUTCOMES[number % 11]
    reason = {"skip": ("no method is mapped to echo: name one", "the framing cannot carry it")[number // 11 % 2],
              "blocked": "it stands on J2-4a, which is broken", "error": "no memory"}.get(outcome, "")
    ends = ({"kind": "open"}, {"kind": "exited", "status": 3}, {"kind": "signaled", "signal": 11}, {"kind": "closed"},
            {"kind": "ws-close", "code": 1002}, {"kind": "reset"}, {"kind": HOSTILE}, {"kind": "signaled", "signal": 77})
    level = ("MUST", "SHOULD", "OBSERVE")[number % 3]
    finding = {"rule": "J2-4.%da" % (number % 12), "level": level, "step": 0, "text": HOSTILE, "sentence": "what it asks"}
    return {"event": "ground" if number % 29 == 28 else "case", "id": name, "suite": "jsonrpc-2.0", "section": ("4.1", "10", "")[number % 3],
            "title": ("an id", HOSTILE)[number % 2], "rules": ["J2-4.%da" % (number % 12), "J2-5.1f"], "file": "jsonrpc-2.0/04 %.json", "line": number,
            "outcome": outcome, "expected": number % 7 == 6, **({"reason": reason} if reason else {}),
            "findings": ([], [finding], [finding, {**finding, "known": True, "rule": "HTTP-1"}])[number % 4 % 3],
            "observed": ({}, {"J2-5.1f": "code -32000"}, {"id": ["null", "1" + HOSTILE]})[number % 3],
            "exchange": {"messages": [{"dir": "sent", "connection": "a", "step": 0, "at_us": 0, "text": HOSTILE},
                                      {"dir": "received", "connection": "ab"[number % 2], "at_us": 412, "base64": "AAECgP8=", "length": 5000},
                                      {"dir": "received", "role": ("noise", "fence", "session")[number % 3], "text": "1"}],
                         "left_out": number % 3, "end": ends[number % 8], "isolated": True, "stderr": HOSTILE + "\n#| 1..9\n" * (number % 20)},
            "duration_us": (412, 70000000, 0)[number % 3], **more}


def rule_event(number):
    return {"event": "rule", "id": "J2-4.%da" % (number % 12), "level": ("MUST", "SHOULD", "OBSERVE")[number % 3], "specification": "jsonrpc-2.0",
            "section": "4.1", "title": "the id", "sentence": HOSTILE}


def lines(events):
    return "\n".join(map(json.dumps, events)).encode()


def report():
    """A short stream for each format and each way of asking for it."""
    for number in range(132):
        events = [[start_event(number), case_event(number, "a/b"), finish_event(number)],
                  [case_event(number, "a"), {"event": "later"}, case_event(number + 3, "a b")],
                  [start_event(number), rule_event(number), finish_event(number)],
                  [start_event(number), case_event(number, "a"), start_event(number + 1), case_event(number + 5, "b", rules=[]), finish_event(number)]]
        bits = (0, 1, 64, 128, 2, 16, 1 | 4 | 16, 4 | 8, 64, 0, 128 | 16)[number // 11 % 11]
        yield lines(events[number // 11 % 4]) + bytes([0, number % FORMATS or FORMATS, bits or 32, 1 + number])
    for number in range(FORMATS):
        yield lines([{"event": "case", "id": "a", "outcome": "crash", "rules": [], "findings": []}]) + bytes([0, number or FORMATS])
        yield lines([{"event": "case", "findings": [{"level": "SHOULD"}]}, finish_event(0)]) + bytes([0, number or FORMATS])
        yield lines([{"event": "start"}, {"event": "finish"}]) + bytes([0, number or FORMATS])
        yield b"no event" + bytes([0, number or FORMATS])
    yield from report_kept()


def two_runs():
    """Runs that have no case in common, as each format tells them."""
    for number in range(FORMATS):
        case = {"event": "case", "suite": "s", "outcome": "fail", "rules": ["r"], "findings": [{"rule": "r", "level": "MUST"}]}
        yield lines([{**case, "id": "a"}, {"event": "start"}, {**case, "id": "b"}, {"event": "finish"}]) + bytes([0, number or FORMATS])


# What viewers of reports would take for more than text, as a name, a title, a file and a finding.
TAKEN_FOR_MORE = ("{0}", "{{1}}", "{", "{{", "]( ", "[a](b)", "\\](", "%1", "%", "a b", "#", "?", "a&b", "\"", "\\", "\\#", "<", "\u00e9", "\u202e", "\n", " # SKIP", "-", "{9",
                  "]]>", "\\x41", "@a", "https://a.b", "1. a", "'", "$", "\x7f", "\ufeff")


def escaped():
    for number, text in enumerate(TAKEN_FOR_MORE):
        finding = {"rule": "R-" + text, "level": "MUST", "text": text + text + "0"}
        reported = {"event": "case", "id": "a" + text, "title": text + "b", "suite": "s" + text, "section": text, "file": ("f" + text) * (number % 2), "rules": ["R-" + text],
                    "outcome": "fail", "findings": [finding]}
        for form in (2, 4, 5):
            yield lines([reported, finish_event(0)]) + bytes([0, form])


def levels():
    """Rules whose level is said again and again, the worst of them first, in the middle and last."""
    words = ("MUST", "SHOULD", "OBSERVE", None)
    for number in range(4 ** 3):
        said = [words[number // 4 ** place % 4] for place in range(3)]
        events = []
        for place, level in enumerate(said):
            level = {"level": level} if level else {}
            events.append({"event": "case", "id": str(place), "outcome": "fail", "findings": [{"rule": "r", **level}]}
                          if (number + place) % 3 else {"event": "rule", "id": "r", **level})
        yield lines(events) + bytes([0, 4])


def many_rules():
    """More rules than a list has room for at first."""
    for count in (129, 257):
        names = ["r%d" % number for number in range(count)]
        findings = [{"rule": name, "level": "SHOULD", "text": name} for name in names[::3]]
        for form in (1, 4):
            yield lines([{"event": "case", "id": "a", "suite": "s", "outcome": "fail", "rules": names, "findings": findings},
                         {"event": "case", "id": "b", "suite": "s", "outcome": "fail", "rules": names[:1], "findings": findings[-1:]}]) + bytes([0, form])


def marked():
    """All texts of a run full of markup, in every format."""
    for form in range(2, 7):
        start = {**start_event(4), "profile": HOSTILE, "seed": HOSTILE, "started": HOSTILE, "suite": {"cases": 4, "rules": 1, "selected": 4}}
        start["target"] = {**start["target"], "transport": HOSTILE, "framing": HOSTILE}
        cases = [case_event(number, f"{number}/{HOSTILE}", exchange={}, section=HOSTILE, suite=HOSTILE, reason=HOSTILE, capability=HOSTILE, blocked_by=HOSTILE)
                 for number in (0, 5)]
        yield lines([start, rule_event(1), *cases, finish_event(4)]) + bytes([0, form])


def worst_first():
    """A run that breaks two rules, then one that breaks one of them, for badges."""
    for form in (7, 8):
        cases = [{"event": "case", "id": rule, "suite": "s", "outcome": "fail", "rules": [rule], "findings": [{"rule": rule, "level": "MUST"}]} for rule in "ab"]
        end = {"event": "finish", "judged": 1, "conformant": False, "interrupted": False}
        yield lines([{"event": "start"}, *cases, end, {"event": "start"}, cases[0], end]) + bytes([0, form])


def observed():
    """What was observed, under a name that hides something, in every format."""
    for form in range(1, FORMATS):
        yield lines([start_event(0), case_event(3, "a", observed={"n\x1b" + HOSTILE: "v" + HOSTILE}), finish_event(1)]) + bytes([0, form])


def short_of_room():
    """Reports of which one buffer or arena, any of the first, has too little room for a case with details."""
    case = {"event": "case", "id": "a", "suite": "s", "outcome": "fail", "rules": ["r"], "observed": {"n": "v"},
            "findings": [{"rule": "r", "level": "MUST", "text": "t" * 20, "step": 0}]}
    stream = lines([{"event": "start"}, case, {"event": "finish"}])
    for form in range(1, FORMATS):
        for which in range(1, 13):
            yield stream + bytes([0, form, 32, 1, which, 1 + which % 3 * 10])


def tally():
    """Runs of few and many cases (fuzz/target/tally.c: three bytes a case) that share rules, reasons and observations, in each format; with each
    duration, and after each list of cases."""
    for number in range(160):
        cases = 1 + number % 21
        made = bytes((at * 7 + k * 31 + number * 11 + (at * at + number) // 3) % 255 + 1 for at in range(cases) for k in range(3))
        if number % 5 == 0:  # alike, but for their names
            made = bytes([1 + number // 5, 1 + number % 7, 1 + number % 11]) * cases
        yield made + bytes([0, 1 + number % 4, 1 + number % 16, 1 + number % 14])
    sides = [(went, 1 + 4 * 3 * level) for went in (10, 208) for level in range(3)]  # failed, in the baseline or not, at each level, by one rule
    for one in sides:
        for other in sides:
            yield bytes([*one, 1, *other, 1]) + bytes([0, 4])
            yield bytes([*one, 1, *other, 1, *one, 1, 10, 5, 1]) + bytes([0, 4])
    for duration in range(1, 17):
        yield b"abc" + bytes([0, 3 + duration % 2, duration])
    for company in range(1, 16):
        for form in (2, 3):
            yield b"abcdef" + bytes([0, form, 1, company])


def report_kept():
    yield from many_causes()
    yield from short_of_room()
    yield from observed()
    yield from worst_first()
    yield from marked()
    yield from many_rules()
    yield from two_runs()
    yield from escaped()
    yield from levels()


def matrix():
    """Two or three streams, whose cases come out alike, better and worse."""
    for number in range(120):
        one, other = case_event(number, "a/b"), case_event(number * 7 + number // 11, "a/b")
        more = [case_event(number + 4, "c", findings=[])] if number % 3 == 0 else []
        events = [start_event(number), one, *more, finish_event(number), start_event(number + 1), rule_event(number), other]
        if number % 4 == 0:
            events = [start_event(number), {**one, "exchange": {}}, finish_event(0)]
        bits = (0, 32, 1, 2, 64, 128, 4, 32 | 1)[number // 8 % 8]
        yield lines(events) + bytes([0, number % SIDES or SIDES, bits or 16, 1 + number])
    for number in range(SIDES):
        yield b"{}" + bytes([0, number or SIDES])
    yield from matrix_kept()


def matrix_kept():
    yield from changes()
    yield from other_breaches()
    yield from families()
    for sentence in ("what it asks", "", None, "another"):
        for title in ("the id", "", None):
            rule = {"event": "rule", "id": "R-1", "level": "MUST", "section": "1", "sentence": sentence, "title": title}
            yield lines([start_event(1), rule, case_event(1, "a", rules=["R-1"], findings=[]), finish_event(1)]) + bytes([0, SIDES])


def changes():
    """Every outcome before every other, as each format of what changed tells it."""
    for number in range(11 * 11):
        sides = [{"event": "case", "id": "a", "outcome": OUTCOMES[n]} for n in (number // 11, number % 11)]
        yield lines([sides[0], {"event": "start"}, sides[1]]) + bytes([0, (2, 4, 6)[number % 3], 1])


def other_breaches():
    """Cases that are as wrong as before, by the same rules and by others, of each level."""
    levels = ("MUST", "SHOULD", "OBSERVE")
    for number in range(3 * 3 * 3):
        found = [[{"rule": "r", "level": levels[number % 3]}], [{"rule": "rs"[number // 3 % 2], "level": levels[number // 9]}]]
        sides = [{"event": "case", "id": "a", "outcome": ("fail", "warn")[number % 2], "findings": findings} for findings in found]
        yield lines([sides[0], {"event": "start"}, sides[1]]) + bytes([0, (2, 4, 6)[number % 3], 1])
        more = {"event": "case", "id": "a", "outcome": "fail", "findings": [{"rule": "r", "level": "MUST"}, *found[1]]}
        yield lines([more, {"event": "start"}, {**more, "findings": more["findings"][:1]}]) + bytes([0, (2, 4, 6)[number % 3], 1])


def families():
    """Rules of several specifications in one matrix."""
    for rules in (["A-1", "A-2", "B-1", "B-2"], ["A-1", "B-1", "B-2", "C-1", "C-2", "C-3", "D"], ["A"], ["A-1", "A-2"]):
        yield lines([{"event": "case", "id": "a", "suite": "s", "outcome": "fail", "rules": rules, "findings": [{"rule": rules[0], "level": "MUST"}]}]) + bytes([0, 8])


def many_causes():
    """More causes than a report shows examples of."""
    case = {"event": "case", "id": "c", "suite": "s", "outcome": "fail", "rules": ["r"],
            "findings": [{"rule": "r%d" % number, "level": "MUST", "text": "t%d" % number, "step": 0, "case": "c"} for number in range(31)],
            "exchange": {"messages": [{"dir": "sent", "step": 0, "text": "1"}, {"dir": "received", "step": 0, "text": "2"}]}}
    yield lines([start_event(0), case, finish_event(0)]) + bytes([0, 3])


def reading():
    """Events in which one member after the other is missing or of another kind, and streams in every order."""
    message = {"dir": "sent", "connection": "b", "step": 1, "at_us": 5, "text": "ab", "role": "", "length": 9}
    finding = {"rule": "r1", "level": "SHOULD", "text": "t", "sentence": "s", "came": "nothing", "step": 1, "known": False, "repeats": False,
               "expected": [{"kind": "message", "text": "e"}, {"kind": "alive", "text": "f"}]}
    case = {"event": "case", "id": "a/b", "suite": "s", "section": "4", "title": "t", "file": "f", "line": 3, "rules": ["r1", "r2", 5], "outcome": "fail",
            "expected": True, "reason": "r", "reason_code": "c", "capability": "p", "blocked_by": "r2", "unlock": "u", "findings": [finding],
            "observed": {"o": "x", "p": ["y", "z"], "q": 5}, "duration_us": 7, "sequence": [message],
            "exchange": {"messages": [message], "left_out": 2, "end": {"kind": "exited", "status": 3}, "http": {"status": 404}, "stderr": "e"}}
    start = {"event": "start", "schema": 2, "tool": {"version": "1"}, "role": "client", "profile": "p", "command": "c", "seed": "1", "started": "s",
             "strict": True, "shard": {"index": 1, "of": 2}, "suite": {"selected": 4},
             "target": {"name": "n", "words": "w", "transport": "t", "framing": "f", "implementation": {"name": "i", "version": "v", "language": "l"},
                        "looks_like": {"as": "a", "profile": "p"}}}
    finish = {"event": "finish", "judged": 1, "duration_us": 9, "interrupted": True, "conformant": True, "sessions_lost": 2, "only_in_company": 3,
              "stop": "mute", "stopped": "it is gone", "hint": "try", "note": "know", "counts": {"fail": 1}}
    rule = {"event": "rule", "id": "r1", "section": "4", "title": "t", "sentence": "s", "level": "OBSERVE"}
    short = {"event": "case", "rules": ["r1"], "outcome": "fail"}
    yield lines([{**case, "event": "ground"}, {"event": "later"}])
    for event in (start, case, finish, rule):
        yield lines([event])
        for name in event:
            yield lines([{k: v for k, v in event.items() if k != name}, {**event, name: -1}, {**event, name: [event[name]]}, {**event, name: None}])
    for outcome in OUTCOMES:
        for level in ("MUST", "SHOULD", "OBSERVE"):
            yield lines([{**case, "outcome": outcome, "findings": [{**finding, "level": level, "rule": rule}]} for rule in ("r1", "r2", "r3")])
        for counts in ({}, {outcome: 1}, {outcome: 2}, {"pass": 1}, {outcome: 0}, {outcome: "1"}):
            yield lines([start, {**case, "outcome": outcome}, {"event": "ground"}, {**finish, "counts": counts}, start])
    for count in range(9):
        yield lines([{**short, "exchange": {"messages": [{"dir": "received", "base64": digits[:count] + end, "length": 2} for end in ("", "=", "==", "*A", "A")]}}
                     for digits in ("QUJDRA/+", "zzz999++")])
    # For the choice of an example: messages of several steps, sent and received, some that belong to no case.
    for number in range(1 << 6):
        messages = [{"dir": ("sent", "received")[number >> k & 1], "step": (k * 3 + number) % 3, "role": ("", "noise", "", "fence")[(k + number) % 4],
                     "text": f"m{k}", "length": k} for k in range(6)]
        yield lines([{**short, "findings": [{"rule": "r1", "step": step}], "exchange": {"messages": messages}} for step in range(3)])
    for events in ([start, start], [case], [finish], [start, finish, finish], [start, finish, start, finish], [rule, start], [{"event": 5}], [start, {}]):
        yield lines([{**one, "counts": {}} if one is finish else one for one in events])


def report_files():
    """Streams with lines that are no events between, for each set of places."""
    event, rest = lines([case_event(0, "a", findings=[], exchange={})]), lines([start_event(1), finish_event(1)])
    for number in range(40):
        noise = (b"", b"[]\n", b"\r\n", b" {} \r\n", b"{\n", b"1")[number // 10 + number % 3]
        yield (event + b"\r\n" + noise + rest + b"\n" * (number % 2)) + bytes([0, number % 10 or 10, 1 + number % 3])
    for number in range(10):
        yield b"no event" + bytes([0, number or 10])


# Every byte between letters, every character of markup and of hiding, alone, doubled and at the edges, and what imitates an escape.
def safe():
    hiding = [0x80, 0x9F, 0xA0, 0xAD, 0xAE, 0x34F, 0x61C, 0x200B, 0x200F, 0x2027, 0x2028, 0x202E, 0x202F, 0x2060, 0x206F, 0xD7FF, 0xE000, 0xF8FF, 0xF900,
              0xFDD0, 0xFE0F, 0xFEFF, 0xFFFC, 0xFFFD, 0xFFFF, 0x10000, 0x1D173, 0x1FFFE, 0xE0000, 0x10FFFF]
    for byte in range(256):
        yield b"a" + bytes([byte]) + b"b" if byte else b"a\0b\0\1"
    for code in hiding:
        yield ("x" + chr(code) + "y").encode()
    for text in ("\\x41", "\\\\x41", "\\", "\\\\", "\\x", "a\\", "\\#", "# a", " #", "&amp;", "&#38;", "<b>\\xff</b>", "<i>", "</b>", "{0}", "{{0}}", "](", "[a](b)", "\\](", "a.b",
                 "1.5", "www.a.b", "- a", "+ a", "1. a", "* a *", "_a_", "`a`", "~~a~~", "a|b", "---", "===", "> a", "%25", "%", "{", "}", "${a}", "'", '"', "a-b/c", "-a", "a-", "/", "./", "\r\n", "\t",
                 "\u20ac" * 5, "\U0001f600" * 4, "\u00e9" * 9):
        yield text.encode()
        for cut in (1, 2, 3, 4, 5):
            yield text.encode() + bytes([0, cut, cut % 3 + 1])
    for broken in (b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xed\xbf\xbf", b"\xf5\x80\x80\x80", b"\xf4\x90\x80\x80", b"\x80", b"\\\xff", b"\\x\xff"):
        yield broken
        yield broken + b"x" + broken
        yield b"a" * 3 + broken + bytes([0, 4, 1])


SEEDS = {"safe": safe, "report": report, "matrix": matrix, "reading": reading, "report_files": report_files, "tally": tally}
KEPT = {"safe": safe, "reading": reading, "report": report_kept, "matrix": matrix_kept, "tally": tally}
