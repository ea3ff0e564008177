"""jrpcheck parser: the protocol of adapters, bad adapters, and the adapters that the documentation prints."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("JRPCHECK_BUILD") or ROOT / "build" / "dev").resolve()
JRPCHECK, PARSER = BUILD / "jrpcheck", BUILD / "jrpc-reference-parser"
CONFORMANT, BROKEN, USAGE, UNOPENED = 0, 1, 2, 3
ADAPTER = """
import json, struct, sys
read, write = sys.stdin.buffer.read, sys.stdout.buffer.write
def send(answer):
    write(struct.pack(">I", len(answer)) + answer)
    sys.stdout.buffer.flush()
while head := read(4):
    text = read(struct.unpack(">I", head)[0])
    %s
"""
RIGHT = """
    try:
        value = json.loads(text.decode(), parse_constant=lambda word: [][0])
        answer = b"A" + json.dumps(value).encode()
    except (ValueError, RecursionError, IndexError) as error:
        answer = b"R" + str(error).encode()
"""
# Answers the first text of all and does something else with the next one: what is waited for then is short, and a
# slow start of the interpreter does not count as silence.
FIRST = "send(b'a') if text == b'[]' else %s"


def run(*words, timeout=60):
    return subprocess.run([JRPCHECK, *words], capture_output=True, text=True, errors="replace", timeout=timeout,
                          stdin=subprocess.DEVNULL)


def python(body):
    return ["--", sys.executable, "-c", ADAPTER % body]


def events(done):
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def test_the_reference_parser_is_right_and_named():
    done = run("parser", "--report", "ndjson", "--skip", "parser-growth/**", "--", PARSER)
    reported = events(done)
    assert done.returncode == CONFORMANT, done.stderr
    assert reported[0]["target"]["implementation"]["name"] == "libjrpc"
    assert {event["outcome"] for event in reported if event["event"] == "case"} == {"pass", "observe"}
    assert reported[-1]["only_in_company"] == 0


@pytest.mark.parametrize("body, sentence", [
    ("break", "ended with status 0"),
    ("sys.exit(9)", "ended with status 9"),
    (FIRST % "None", "did not answer within"),
    ("send(b'')", "an answer is empty"),
    ("send(b'X')", "another byte than A, a, R or I"),
    ("send(b'a1')", "an answer 'a' is followed by a text"),
    ("send(b'a'); send(b'a')", "a text that it was not sent"),
    ("(write(b'\\0\\0\\0\\1a' * (1 + (text == b'[1,2]'))), sys.stdout.flush())", "a text that it was not sent"),
    (FIRST % "(write(b'Reading a text\\n'), sys.stdout.flush())", "only frames"),
    ("send(b'a'); send(b'I{}')", "names itself"),
    ("send(b'a' if text != b'[' else b''), None", "an answer is empty"),
])
def test_a_bad_adapter_is_reported_in_one_sentence(body, sentence):
    done = run("parser", "--timeout", "500", *python(body))
    assert done.returncode in (BROKEN, UNOPENED)
    assert sentence in done.stderr and len(done.stderr.strip().splitlines()) <= 2, done.stderr


@pytest.mark.parametrize("body, shown", [
    (FIRST % "(sys.stderr.write('one\\ntwo\\t\\n'), sys.stderr.flush(), sys.exit(9))", "; its last output: one two"),
    (FIRST % "(sys.stderr.write('loading'), sys.stderr.flush(), None)[2]", "flush it; its last output: loading"),
    (FIRST % "(write(b'hello world\\n'), sys.stdout.flush())", "; it wrote: hello world\\x0a"),
    (FIRST % "(write(b'\\xffello'), sys.stdout.flush())", "; it wrote: \\xffello"),
])
def test_what_a_bad_adapter_wrote_is_shown(body, shown):
    done = run("parser", "--timeout", "500", *python(body))
    assert shown in done.stderr, done.stderr


def test_a_program_that_does_not_exist_is_reported():
    done = run("parser", "--", "./no-such-adapter")
    assert done.returncode == UNOPENED and "no-such-adapter" in done.stderr


def test_a_crash_is_found_alone_and_the_rest_goes_on():
    body = "os = __import__('os'); os._exit(7) if b'1e400' in text else None" + RIGHT + "    send(answer)"
    done = run("parser", "--report", "ndjson", "--only", "parser-number*/**", *python(body))
    reported = {event["id"]: event for event in events(done) if event["event"] == "case"}
    crashed = {name for name, event in reported.items() if event["outcome"] == "crash"}
    assert crashed == {"parser-number-open/beyond-double", "parser-number-open/beyond-double-negative"}
    assert "status 7" in reported["parser-number-open/beyond-double"]["findings"][0]["text"]
    assert reported["parser-number/pi"]["outcome"] == "pass" and done.returncode == BROKEN


def test_a_hang_is_found_alone_and_the_rest_goes_on():
    body = "(lambda: [None for _ in iter(int, 1)])() if text == b'[7e0]' else None" + RIGHT + "    send(answer)"
    done = run("parser", "--timeout", "1000", "--report", "ndjson", "--only", "parser-number/exponent*", *python(body))
    reported = {event["id"]: event["outcome"] for event in events(done) if event["event"] == "case"}
    assert {name for name, outcome in reported.items() if outcome == "hang"} == {"parser-number/exponent-zero"}
    assert reported["parser-number/exponent-zeros"] == reported["parser-number/exponent"] == "pass"


@pytest.mark.parametrize("words", [[], ["{}"]])
def test_a_program_can_be_started_for_each_text(words, tmp_path):
    program = tmp_path / "each.py"
    program.write_text("import json, sys\n"
                       "data = open(sys.argv[1], 'rb').read() if sys.argv[1:] else sys.stdin.buffer.read()\n"
                       "try: json.loads(data.decode())\nexcept ValueError: sys.exit(1)\n")
    done = run("parser", "--each", "--report", "ndjson", "--only", "parser-nothing/*", "--only", "parser-array/one",
               "--only", "parser-nan/top", "--", sys.executable, str(program), *words)
    reported = {event["id"]: event["outcome"] for event in events(done) if event["event"] == "case"}
    assert reported == {"parser-nothing/empty": "pass", "parser-nothing/space": "pass", "parser-nothing/line-feed": "pass",
                        "parser-nothing/tabs": "pass", "parser-array/one": "pass", "parser-nan/top": "warn"}


def test_parser_cases_are_not_run_against_servers():
    done = run("--suite", "json-parser", "--", BUILD / "jrpc-reference", "--stdio")
    assert done.returncode == USAGE and "jrpcheck parser" in done.stderr


def test_one_case_can_be_repeated():
    done = run("repro", "parser-comma/trailing-array", "--", PARSER, "--fault", "accepts-trailing-comma")
    assert "[1,]" in done.stdout and "A[1]" in done.stdout


def reported_against(other, *words):
    """The disagreements of the target with another parser: text → (outcome, whose fault it is, findings)."""
    done = run("parser", "--report", "ndjson", "--against", other, *words)
    reported = [event for event in events(done) if event["event"] == "case" and "disagreement" in event["observed"]]
    assert done.returncode in (CONFORMANT, BROKEN), done.stderr
    return done, {event["exchange"]["messages"][0]["text"]: (event["outcome"], event["observed"]["disagreement"], event["findings"])
                  for event in reported}


def test_a_parser_agrees_with_itself():
    done, reported = reported_against(str(PARSER), "--fuzz", "--texts", "3000", "--", PARSER)
    assert reported == {} and done.returncode == CONFORMANT


@pytest.mark.parametrize("mine, other, text, outcome, whose", [
    ("accepts-nan", None, "NaN", "warn", "the target breaks JP-nan"),
    (None, "accepts-nan", "NaN", "observe", "{other} breaks JP-nan"),
    ("rounds", None, "[0.1]", "observe", "left open by JP-range"),
    ("cuts-at-nul", "keeps-last", '["\\u0000"]', "fail", "the target breaks JP-string"),
    ("keeps-first", "keeps-last", '{"":1,"":2}', "observe", "left open by JP-dup"),
    ("crash-on-empty", None, "", "crash", "the target breaks JP-alive"),
])
def test_it_is_reported_whose_fault_a_disagreement_is(mine, other, text, outcome, whose):
    other = f"{PARSER} --fault {other}" if other else str(PARSER)
    done, reported = reported_against(other, "--skip", "parser-depth/**", "--skip", "parser-size/**", "--", PARSER, *(["--fault", mine] if mine else []))
    assert text in reported, list(reported)
    assert reported[text][0] == outcome and whose.format(other=other) in reported[text][1]
    assert done.returncode == (CONFORMANT if outcome in ("observe", "warn") else BROKEN)


def test_generated_texts_on_which_parsers_disagree_are_made_small():
    _, reported = reported_against(f"{PARSER} --fault accepts-hex", "--fuzz", "--texts", "20000", "--seed", "5", "--", PARSER, "--fault", "refuses-duplicates")
    assert "breaks JP-" in reported["0x"][1], list(reported)
    assert any(seen == "left open by JP-dup" for _, seen, *_ in reported.values()), list(reported)
    assert len(reported) < 8 and all(len(text) < 20 for text in reported), list(reported)


def several(*faults):
    """Words for --against: the reference parser with each fault."""
    return [word for fault in faults for word in ("--against", f"{PARSER} --fault {fault}")]


def test_several_parsers_are_compared_at_once():
    """Who does what is said once for all of them, with the answer of each."""
    done = run("parser", "--report", "ndjson", *several("accepts-nan", "accepts-nan", "keeps-first"), "--only", "parser-nan/top",
               "--only", "parser-duplicate*/**", "--", PARSER)
    start, *cases, finish = [event for event in events(done) if event["event"] != "rule"]
    assert [other["name"].split()[-1] for other in start["against"]] == ["accepts-nan", "accepts-nan", "keeps-first"]
    assert done.returncode == CONFORMANT and finish["conformant"], done.stderr
    seen = {case["exchange"]["messages"][0]["text"]: case for case in cases if "disagreement" in case["observed"]}
    assert seen["NaN"]["observed"]["disagreement"].count("JP-nan") == 1 and " break JP-nan" in seen["NaN"]["observed"]["disagreement"]
    answers = [(message["connection"], message["text"][0]) for message in seen["NaN"]["exchange"]["messages"] if message["dir"] == "received"]
    assert answers == [("a", "R"), ("b", "A"), ("c", "A"), ("d", "R")]
    assert any(case["observed"]["disagreement"] == "left open by JP-dup" for case in seen.values())
    counted = cases[-1]["observed"]
    assert counted["texts-read-differently-by-b"] == counted["texts-read-differently-by-c"] == "1"
    assert int(counted["texts-read-differently-by-d"]) == int(counted["texts-read-differently"]) - 1 > 0


def test_what_the_target_breaks_is_held_beside_what_each_other_did():
    done = run("parser", *several("accepts-nan"), str(PARSER), f"{PARSER} --fault rounds", "--only", "parser-nan/top", "--",
               PARSER, "--fault", "accepts-nan")
    assert f"Compared with b: {PARSER} --fault accepts-nan, c: {PARSER}, d: {PARSER} --fault rounds\n" in done.stdout, done.stdout
    assert f"; {PARSER} --fault accepts-nan: reads it as 0; {PARSER}, {PARSER} --fault rounds: refuses it\n" in done.stdout, done.stdout


def test_the_target_may_be_the_second_of_several_files(tmp_path):
    """`--against A B C`, as one writes a list: B is the target, A and C are compared with it."""
    files = []
    for name, words in (("a", []), ("b", ["--fault", "accepts-nan"]), ("c", [])):
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps({"schema": 1, "name": name, "command": [str(PARSER), *words]}), encoding="utf-8")
    done = run("parser", "--strict", "--report", "ndjson", "--only", "parser-nan/top", "--against", *files)
    start = events(done)[0]
    assert start["target"]["name"] == "b" and [other["name"] for other in start["against"]] == ["a", "c"]
    assert done.returncode == BROKEN and start["command"].endswith(f"--against {files[0]} {files[1]} {files[2]}")


def test_combinations_of_what_several_parsers_do_are_not_reported():
    """Each trait of each parser once, whatever else the same text shows."""
    done = run("parser", "--report", "ndjson", "--fuzz", "--texts", "20000", "--seed", "5", *several("accepts-hex", "accepts-nan", "keeps-first"),
               "--", PARSER, "--fault", "refuses-duplicates")
    reported = [event["observed"]["disagreement"] for event in events(done) if event["event"] == "case" and "disagreement" in event["observed"]]
    assert 3 <= len(reported) < 12, reported


@pytest.mark.parametrize("words, sentence", [
    (["--against", "A"], "no target is named; write jrpcheck parser"),
    ([*["--against", "true"] * 26, "--", "true"], "26 parsers are too many to compare with; at most 25 can be named"),
    (["--against", "/bin/true", "tcp://127.0.0.1:9", "--", "true"], "through an adapter that jrpcheck starts"),
    (["A", "--", "true"], "are two targets; name only one"),
])
def test_wrong_words_about_several_parsers_are_explained(words, sentence):
    done = run("parser", *words)
    assert done.returncode == USAGE and sentence in done.stderr, done.stderr


def test_what_the_text_leaves_open_is_not_held_against_a_parser_that_is_fuzzed():
    done = run("parser", "--fuzz", "--texts", "20000", "--seed", "1", "--", PARSER, "--fault", "refuses-duplicates")
    assert done.returncode == CONFORMANT and "jrpcheck repro" not in done.stdout, done.stdout


def printed(language):
    text = (ROOT / "docs" / "testing-a-parser.md").read_text(encoding="utf-8")
    return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]


@pytest.mark.parametrize("language, tool", [("python", sys.executable), ("js", "node"), ("go", "go"), ("ruby", "ruby")])
def test_the_adapters_of_the_documentation_work(language, tool, tmp_path):
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} here")
    source = tmp_path / {"python": "adapter.py", "js": "adapter.js", "go": "main.go", "ruby": "adapter.rb"}[language]
    source.write_text(printed(language), encoding="utf-8")
    command = [tool, str(source)]
    if language == "go":
        built = tmp_path / "adapter"
        subprocess.run(["go", "build", "-o", built, source], check=True, timeout=300,
                       env={**os.environ, "GO111MODULE": "off"})
        command = [str(built)]
    done = run("parser", "--report", "ndjson", "--only", "parser-comma/*", "--only", "parser-number/*",
               "--only", "parser-string/*", "--", *command)
    reported = [event for event in events(done) if event["event"] == "case"]
    assert len(reported) > 60 and {event["outcome"] for event in reported} == {"pass"}, done.stdout[-2000:]
