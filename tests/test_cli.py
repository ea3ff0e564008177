"""The command line of jrpcheck: what it says, and the exit code, for everything a user may do."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest
from waits import children_of, has_ended, mute_server

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVERS = ROOT / "tests" / "servers"
RIGHT = [sys.executable, str(SERVERS / "right.py")]
SUBTRACT = ["--method", "subtract=subtract"]
REPORT_OPTIONS = {"--since", "--links", "--report", "--color", "--quiet", "--verbose", "--max-examples", "--help", "--version"}


def events(text):
    # Not splitlines: the text of a message may hold other characters that end a line.
    return [json.loads(line) for line in text.split("\n") if line]


def cases_of(text):
    return [event for event in events(text) if event["event"] == "case"]


# Every wrong word: what it is answered with.
USAGE = [
    ([], "no target is named"),
    (["run"], "usage: jrpcheck [OPTIONS] TARGET"),
    (["--"], "there is no command after --"),
    (["--strct", "--", "cat"], "did you mean --strict?"),
    (["--nothing-like-it", "--", "cat"], "jrpcheck --help shows them all"),
    (["lsit"], 'did you mean "list"?'),
    (["jrpc3"], 'did you mean "jrpc2"?'),
    (["README.md", "--", "cat"], "are two targets"),
    (["tcp://127.0.0.1:1", "extra"], "a second target"),
    (["ftp://127.0.0.1/"], "has no scheme that is known"),
    (["tcp://127.0.0.1"], "write tcp://HOST:PORT"),
    (["nowhere.json"], "nowhere.json: cannot open the file"),
    (["--method", "ehco=e", "--", "cat"], 'did you mean "echo"?'),
    (["--method", "echo", "--", "cat"], "write CAPABILITY=METHOD"),
    (["--header", "K: V", "tcp://127.0.0.1:1"], "--header is for HTTP"),
    (["--start", "cat", "--", "cat"], "--start is for a server that jrpcheck then connects to"),
    (["--start", "'open", "tcp://127.0.0.1:1"], "a quote is left open"),
    (["--prelude", "nowhere.json", "--", "cat"], "nowhere.json: cannot open the file"),
    (["--suite", "jsonrpc-3.0", "--", "cat"], "known are"),
    (["--only", "batch/empti", "--", "cat"], 'did you mean "batch/empty"?'),
    (["--only", "batch/empty", "--skip", "batch/**", "--", "cat"], "no case is selected"),
    (["--cases", "nowhere", "--", "cat"], "--cases 'nowhere' is not a folder"),
    (["--report", "pdf", "--", "cat"], 'there is no report format "pdf"'),
    (["--report", "ndjson", "--report", "console", "--", "cat"], "cannot share standard output"),
    (["--report", "ndjson=/nonexistent/x", "--", "cat"], "/nonexistent/x"),
    (["--transcript", "/nonexistent/x", "--", "cat"], "the transcript: cannot write /nonexistent/x"),
    (["--baseline", "nowhere.json", "--", "cat"], "the baseline nowhere.json does not exist; to write the failures of this run into it, add --update-baseline --reason TEXT"),
    (["--update-baseline", "--", "cat"], "--update-baseline needs a file"),
    (["list", "words"], "jrpcheck list takes no arguments"),
    (["list", "--jobs", "2"], "jrpcheck list takes no --jobs"),
    (["explain"], "name one rule or one case"),
    (["explain", "J2-6dd"], 'did you mean "J2-6d"?'),
    (["repro"], "name a case and a target"),
    (["repro", "batch/empti", "--", "cat"], 'did you mean "batch/empty"?'),
    (["repro", "batch/empty"], "no target is named; write jrpcheck repro CASE -- ./my-server"),
    (["parser"], "no target is named; write jrpcheck parser -- ./my-adapter"),
    (["client"], "no target is named; write jrpcheck client -- ./my-driver"),
    (["fuzz"], "no target is named; write jrpcheck fuzz -- ./my-server"),
    (["report"], "no event stream is named"),
    (["report", "nowhere.ndjson"], "nowhere.ndjson: cannot open the file"),
    (["lint", "nowhere"], "there is no file or folder 'nowhere'"),
    (["lint", "--faults", "nowhere"], "nowhere: cannot open the file"),
]


@pytest.mark.parametrize("words, sentence", USAGE, ids=[" ".join(words) or "nothing" for words, _ in USAGE])
def test_an_off_word_gets_one_sentence_and_exit_code_2(run, words, sentence):
    done = run(*words)
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr
    assert all(line.startswith(("jrpcheck: ", "usage: ", "       ")) for line in done.stderr.splitlines())


def test_nothing_that_a_user_types_reaches_the_terminal_raw(run):
    for words in (["explain", "\x1b[31mred"], ["--\x1b[2J", "--", "cat"], ["\x1b]0;title\x07"], ["--only", "\x9b", "--", "cat"]):
        done = run(*words)
        assert done.returncode == 2
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.stderr)


@pytest.mark.parametrize("command", ["", "run", "list", "lint", "explain", "repro", "report"])
def test_help_is_there_for_every_command(run, command):
    done = run(*command.split(), "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: jrpcheck")
    assert "--help" in done.stdout and done.stderr == ""
    shown = set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z-]+)", done.stdout))
    if command == "report":
        assert shown == REPORT_OPTIONS
    if command == "":
        assert {"--suite", "--only", "--strict", "--framing", "--shard", "--update-baseline", "--faults"} <= shown


def test_version(run):
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"jrpcheck \d+\.\d+\.\d+\n", done.stdout)


def test_a_right_server_is_conformant(run):
    done = run(*SUBTRACT, "--method", "echo=echo", "--", *RIGHT)
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    assert re.search(r"(?m)^CONFORMANT", done.stdout)


def test_the_reference_server_is_conformant_over_a_socket_it_is_started_for(run, reference, tmp_path):
    socket = tmp_path / "socket"
    done = run("--start", f"'{reference}' --unix '{socket}'", "--framing=content-length", f"unix:{socket}")
    # The server speaks lines: with another framing it answers no call.
    assert done.returncode == 1, done.stdout
    assert "--framing" in done.stderr
    done = run("--start", f"'{reference}' --unix '{socket}'", f"unix:{socket}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_broken_rule_is_reported_with_bytes_and_a_line_that_reproduces_it(run, reference):
    done = run("--only", "batch/**", "--", reference, "--fault", "batch-empty-answered-with-array")
    assert done.returncode == 1
    assert "NOT CONFORMANT: 1 MUST rule broken" in done.stdout
    assert "\n  sent      []\n  came      []\n  expected  {" in done.stdout
    repeats = f"jrpcheck repro batch/empty -- {reference} --fault batch-empty-answered-with-array"
    assert f"\n  repeat    {repeats}\n" in done.stdout
    done = run("-v", "--only", "batch/**", "--", reference, "--fault", "batch-empty-answered-with-array")
    assert "→ []\n" in done.stdout and "← []\n" in done.stdout and f"$ {repeats}\n" in done.stdout


def test_repro_prints_the_bytes_and_a_shell_line_and_runs_the_case(run, reference):
    done = run("repro", "batch/empty", "--", reference, "--fault", "batch-empty-answered-with-array")
    assert done.returncode == 1
    assert "\n  send      []\n" in done.stdout
    assert "1 case: 0 passed, 1 failed" in done.stdout
    assert "ground" not in done.stdout
    line = re.search(r"(?m)^  (printf .*)$", done.stdout).group(1)
    answer = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=30, check=True)
    assert answer.stdout == "[]\n"
    assert run("repro", "batch/empty", "--", reference).returncode == 0


def test_repro_frames_the_bytes_as_the_target_wants_them(run, reference):
    done = run("repro", "parse/missing-value", "--framing", "content-length", "--",
               reference, "--framing", "content-length")
    assert done.returncode == 0, done.stdout + done.stderr
    line = re.search(r"(?m)^  (printf .*)$", done.stdout).group(1)
    assert line.startswith("printf 'Content-Length: ")
    answer = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=30, check=True)
    assert answer.stdout.startswith("Content-Length: ") and '"code":-32700' in answer.stdout


@pytest.mark.parametrize("case", ["json-utf8/latin1", "json-space/leading-before-batch"])
def test_repro_spells_every_byte(run, reference, case):
    done = run("repro", case, "--", reference)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"(?m)^  printf '.*\\\d\d\d", done.stdout)


def test_cat_is_told_to_be_an_echo(run):
    done = run("--", "cat")
    assert done.returncode == 1
    assert "sends back what it is sent, as cat does" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_program_that_ends_at_once_could_not_be_opened(run):
    done = run("--", "true")
    assert done.returncode == 3
    assert "exited with status 0" in done.stderr


def test_a_program_that_does_not_exist_could_not_be_opened(run):
    done = run("--", "/nonexistent")
    assert done.returncode == 3
    assert "cannot start '/nonexistent'" in done.stderr


def test_a_script_whose_interpreter_is_missing_is_reported_by_it(run, tmp_path):
    script = tmp_path / "server"
    script.write_text("#! /nonexistent/sh -e\n")
    script.chmod(0o755)
    done = run("--", script)
    assert done.returncode == 3 and len(done.stderr.splitlines()) == 1
    assert f"cannot start '{script}': its interpreter '/nonexistent/sh' is missing here" in done.stderr


def test_a_refused_connection_is_reported(run):
    done = run("tcp://127.0.0.1:1")
    assert done.returncode == 3
    assert "connection refused; is the server running" in done.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "ws://127.0.0.1:1/"])
def test_a_url_is_opened_or_the_build_says_that_it_cannot(run, url):
    done = run(url)
    if "this build has no" in done.stderr:
        assert done.returncode == 2
    else:
        assert done.returncode == 3, done.stderr
        assert "127.0.0.1:1" in done.stderr


def test_a_run_that_could_not_be_opened_keeps_its_reports(run, tmp_path):
    assert run("--report", "ndjson=out.ndjson", "--", "/nonexistent").returncode == 3
    reported = events((tmp_path / "out.ndjson").read_text())
    assert [event["event"] for event in reported if event["event"] != "rule"] == ["start", "finish"]
    assert reported[-1]["conformant"] is False and "/nonexistent" in reported[-1]["stopped"]


def test_a_server_that_answers_nothing_is_told_so_with_what_it_wrote_first(jrpcheck, tmp_path):
    # Both wait for the time a target has to start, so they wait together.
    running = [
        subprocess.Popen([jrpcheck, "--", sys.executable, str(SERVERS / "silent.py"), *words],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        for words in ([], ["INFO", "ready"])
    ]
    said = [process.communicate(timeout=60)[1] for process in running]
    assert [process.returncode for process in running] == [1, 1]
    assert all("answered no call" in words and "--framing" in words and "prelude" in words for words in said)
    assert 'it wrote "INFO ready" first' in said[1] and "it wrote" not in said[0]


def test_a_server_that_dies_is_started_again_and_the_run_goes_on(run):
    done = run("--report", "ndjson", "--only", "call/**", *SUBTRACT, "--", *RIGHT, "--die-on", "1.5")
    assert done.returncode in (0, 1)
    finish = events(done.stdout)[-1]
    assert finish["event"] == "finish" and finish["interrupted"] is False


def test_nothing_judged_is_exit_code_2(run):
    done = run("--only", "J2-4.1d", "--", *RIGHT)
    assert done.returncode == 2
    assert "nothing was judged: every selected case was skipped or blocked" in done.stderr


def test_standard_output_that_cannot_be_written_is_exit_code_6(jrpcheck, reference, tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run([jrpcheck, "--only", "batch/empty", "--", reference], stdout=full,
                              stderr=subprocess.PIPE, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 6
    assert "could not be written" in done.stderr


def test_a_broken_should_is_conformant_but_not_strictly_so(run, reference):
    words = ["--only", "batch/two-calls", "--", reference, "--fault", "batch-refused"]
    assert run(*words).returncode == 0
    assert run("--strict", *words).returncode == 1


def test_fail_fast_stops_behind_the_first_breach(run, reference):
    words = ["--report", "ndjson", "--", reference, "--fault", "parse-error-as-invalid-request"]
    whole = cases_of(run(*words).stdout)
    done = run("--fail-fast", *words)
    assert done.returncode == 1
    assert 0 < len(cases_of(done.stdout)) < len(whole)


def test_shards_together_are_the_whole(run, reference):
    words = ["--report", "ndjson", "--", reference]
    whole = sorted(event["id"] for event in cases_of(run(*words).stdout))
    parts = []
    for index in (1, 2, 3):
        part = cases_of(run(f"--shard={index}/3", *words).stdout)
        assert part
        parts += [event["id"] for event in part]
    assert sorted(parts) == whole


def test_a_seed_repeats_the_order_and_every_order_gives_the_same_outcomes(run, reference):
    def order(*words):
        reported = cases_of(run("--report", "ndjson", *words, "--", reference).stdout)
        return [(event["id"], event["outcome"]) for event in reported]

    plain, seven, again, eight = order(), order("--shuffle", "7"), order("--shuffle=7"), order("--shuffle", "8")
    assert seven == again
    assert seven != eight and seven != plain
    assert sorted(seven) == sorted(eight) == sorted(plain)
    assert sorted(order("--jobs", "4", "--shuffle", "9")) == sorted(plain)


def test_the_seed_that_is_printed_repeats_the_very_bytes(run, reference):
    first = run("--report", "ndjson", "--only", "id/**", "--", reference).stdout
    seed = events(first)[0]["seed"]
    again = run("--report", "ndjson", "--only", "id/**", "--shuffle", seed, "--", reference).stdout

    def sent(text):
        return {m["text"] for event in cases_of(text)
                for m in event.get("exchange", {"messages": []})["messages"]
                if m["dir"] == "sent" and "jrpcheck.absent" in m.get("text", "")}

    marks = [set(re.findall(r"jrpcheck\.absent\.\w+", " ".join(sent(text)))) for text in (first, again)]
    assert marks[0] == marks[1] and len(marks[0]) == 1


def test_repeat_runs_every_case_so_often(run, reference):
    reported = cases_of(run("--report", "ndjson", "--only", "batch/empty", "--repeat", "3", "--", reference).stdout)
    assert [event["id"] for event in reported] == ["batch/empty"] * 3


def test_several_reports_are_written_and_the_console_stays(run, reference, tmp_path):
    done = run("--report", "ndjson=a.ndjson", "--report", "console=b.txt", "--only", "batch/**", "--", reference)
    assert done.returncode == 0
    assert done.stdout == ""  # the console that was asked for stands for the other one
    assert "CONFORMANT" in (tmp_path / "b.txt").read_text()
    done = run("--report", "ndjson=a.ndjson", "--only", "batch/**", "--", reference)
    assert "CONFORMANT" in done.stdout
    assert events((tmp_path / "a.ndjson").read_text())[-1]["conformant"] is True


def test_a_kept_stream_makes_the_same_report(run, reference):
    words = ["--only", "batch/**", "--", reference, "--fault", "batch-empty-silent"]
    stream = run("--report", "ndjson=kept.ndjson", *words)
    again = run("report", "kept.ndjson")
    assert again.returncode == 0, again.stderr
    assert stream.stdout.startswith("NOT CONFORMANT") and again.stdout == stream.stdout


def test_a_file_that_is_no_stream_is_reported_with_its_line(run, tmp_path):
    (tmp_path / "x.ndjson").write_text('{"event":"start"}\nnonsense\n')
    done = run("report", "x.ndjson")
    assert done.returncode == 2
    assert "x.ndjson:2: " in done.stderr
    (tmp_path / "empty.ndjson").write_text("")
    assert "is empty" in run("report", "empty.ndjson").stderr


def test_a_transcript_holds_every_message(run, reference, tmp_path):
    run("--transcript", "t.txt", "--only", "batch/empty", "--", reference)
    text = (tmp_path / "t.txt").read_text()
    block = text[text.index("batch/empty: pass\n"):].splitlines()
    assert re.fullmatch(r"  a \+\d+us -> \[\]", block[1])
    assert re.fullmatch(r"  a \+\d+us <- .*-32600.*", block[2])
    assert "(fence)" in text


def test_colour_follows_the_option_and_the_environment(run, reference):
    words = ["--only", "batch/**", "--", reference, "--fault", "batch-empty-silent"]
    assert "\x1b[" not in run(*words).stdout
    assert "\x1b[" in run("--color", "always", *words).stdout
    assert "\x1b[" not in run("--color=never", *words).stdout


def test_a_bad_case_file_is_reported_with_its_place(run, reference, tmp_path):
    folder = tmp_path / "cases"
    shutil.copytree(ROOT / "cases", folder)
    batch = folder / "jsonrpc-2.0" / "06-batch.json"
    lines = batch.read_text().splitlines(keepends=True)
    lines[4] = lines[4].replace('"title"', '"titel"')
    batch.write_text("".join(lines))
    done = run("--cases", folder, "--", reference)
    assert done.returncode == 2
    assert re.search(r"06-batch\.json:5:\d+: .*titel.*did you mean \"title\"", done.stderr)
    assert done.stdout == ""


def test_data_is_found_where_the_environment_says(run, reference, tmp_path):
    shutil.copytree(ROOT / "cases" / "rules", tmp_path / "data" / "cases" / "rules")
    own = tmp_path / "data" / "cases" / "jsonrpc-2.0"
    own.mkdir()
    shutil.copy(ROOT / "cases" / "jsonrpc-2.0" / "06-batch.json", own)
    listed = run("list", env=dict(os.environ, JRPCHECK_DATA=str(tmp_path / "data"))).stdout.splitlines()
    assert listed and all(line.startswith("batch/") for line in listed)


def test_list_names_id_rules_and_title(run):
    done = run("list", "--only", "batch/empty")
    assert done.returncode == 0
    assert re.fullmatch(r"batch/empty +J2-6d\S* +an empty batch .*\n", done.stdout)
    everything = run("list").stdout.splitlines()
    assert len(everything) > 300
    assert len(run("list", "--suite", "json").stdout.splitlines()) < len(everything)
    assert re.search(r"(?m)^J2-6d +MUST +\S", run("list", "--rules").stdout)


def test_explain_tells_all_of_a_rule_and_of_a_case(run):
    rule = run("explain", "J2-6d").stdout
    assert rule.startswith("J2-6d  MUST  ")
    for word in ("sentence", "source", "batch/empty: ", "batch-empty-answered-with-array: "):
        assert word in rule
    case = run("explain", "batch/empty").stdout
    for word in ("title", "why", "\n  send      []\n", "expect", "J2-6d  MUST", "batch-empty-answered-with-array",
                 "06-batch.json:"):
        assert word in case


def start_streaming(jrpcheck, tmp_path, *words):
    return subprocess.Popen([jrpcheck, "--report", "ndjson", *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, cwd=tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_finishes_the_stream_and_ends_the_children(jrpcheck, reference, tmp_path, number):
    process = start_streaming(jrpcheck, tmp_path, "--repeat", "1000", "--jobs", "2", "--", reference)
    for _ in range(40):
        process.stdout.readline()
    children = children_of(process.pid)
    assert children
    process.send_signal(number)
    rest, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said == "jrpcheck: interrupted; the reports hold what was found until then\n"
    # What was buffered behind the lines read above is lost, so the rest may begin within a line.
    finish = json.loads(rest.rstrip("\n").split("\n")[-1])
    assert finish["event"] == "finish"
    assert finish["interrupted"] is True and finish["conformant"] is False
    assert all(has_ended(pid) for pid in children)


@pytest.fixture
def stubborn(channel):
    """A server that answers nothing and is ended by nothing short of SIGKILL; and a way to wait for its pid."""
    return mute_server(channel, ignored=["SIGTERM"]), lambda: int(channel.line())


def test_ctrl_c_before_the_first_answer_finishes_the_stream_too(jrpcheck, tmp_path, stubborn):
    words, pid = stubborn
    process = start_streaming(jrpcheck, tmp_path, "--", *words)
    child = pid()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert [event["event"] for event in events(out) if event["event"] != "rule"] == ["start", "finish"]
    assert events(out)[-1]["interrupted"] is True
    assert has_ended(child)


def test_a_second_ctrl_c_ends_at_once_with_the_children(jrpcheck, tmp_path, stubborn):
    words, pid = stubborn
    process = start_streaming(jrpcheck, tmp_path, "--", *words)
    child = pid()
    # The first signal finishes the stream; the child then has a second for each stage of its ending.
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert has_ended(child)


def test_an_interrupted_stream_is_reported_as_such(jrpcheck, run, reference, tmp_path):
    process = start_streaming(jrpcheck, tmp_path, "--repeat", "1000", "--", reference)
    lines = [process.stdout.readline()]
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()  # communicate() would lose what readline has buffered
    process.communicate(timeout=30)
    (tmp_path / "whole.ndjson").write_text("".join(lines) + rest)
    (tmp_path / "cut.ndjson").write_text("".join(lines))
    assert "interrupted" in run("report", "whole.ndjson").stdout.lower()
    assert "cut short" in run("report", "cut.ndjson").stdout.lower()


def test_list_json_tells_programs_every_case_and_every_rule(run, jrpcheck):
    cases = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert len(cases) == len(run("list").stdout.splitlines())
    assert len({case["id"] for case in cases}) == len(cases)
    for case in cases:
        text = pathlib.Path(case["file"]).read_text(encoding="utf-8").splitlines()
        assert case["rules"] and 1 <= case["line"] <= len(text)
    rules = {rule["id"]: rule for line in run("list", "--rules", "--json").stdout.splitlines()
             for rule in [json.loads(line)]}
    assert {rule for case in cases for rule in case["rules"]} <= set(rules)
    assert rules["J2-6d"]["level"] == "MUST" and rules["J2-6d"]["sentence"].endswith(".")
