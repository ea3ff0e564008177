"""Wrong uses: each is refused with exit code 2 and one sentence, before anything is started or connected to."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAT = ["--", "cat"]

URLS = [
    "http://", "http:///x", "http://:80/", "http://[::1:9/", "http://[::1/", "http://[]:9/", "http://[::g]:9/", "http://[1]/",
    "http://[::1]x:9/", "http://[::1]:/", "http://[::1]:0/", "http://[::1]:99999/", "http://h:0/", "http://h:/", "http://h:65536/",
    "http://h:abc/", "http://h:80:80/", "http://h:-1/", "http://h:+80/", "http://h:8 0/", "http://h :80/", "http://h/a b", "http://h\t/",
    "http://h/\n", "http://h/\x01", "http://h\x7f/", " http://h/", "http://a@:9/", "http://a@b@/", "http://a:b@h:x/", "http://h^/",
    "http://h|/", "http://<h>/", "http://h\"/", "http://{h}/", "http://h\\x/", "https://", "https:///", "https://h:0", "ws://", "ws:///x",
    "ws://h:0/", "ws://h:x/", "wss://[::1", "wss:///", "tcp://", "tcp://h", "tcp://:80", "tcp://h:", "tcp://h:0", "tcp://h:80:80",
    "tcp://127.0.0.1:abc", "tcp://127.0.0.1:http", "tcp://h:80/", "tcp://h:80/x", "tcp://[::1]", "tcp://[::1]:", "tcp://[::1:80",
    "tcp://::1:80", "tcp://h:99999", "tcp://h:65536", "tcp://h:80 ", "tcp:// h:80", "tcp://h:8.0", "tcp://h:0x50", "tcp://h:18446744073709551617",
    "unix:", "unix://", "unix:" + "x" * 108, "unix:a\nb", "unix:\x1b[2J", "ftp://h/", "file:///etc/passwd", "gopher://h", "://h", "x://",
    "mailto://a", "HTTP:///", "TCP://h", "Unix:", "WS://h:0",
]

WORDS = [
    [], ["--"], ["--", ""], ["run"], ["run", "--"], ["-"], [""], ["  "], ["---"], ["-x", *CAT], ["-f"], ["-f", *CAT], ["-qq", *CAT], ["--=x"],
    ["--="], ["--report"], ["--report", *CAT], ["--report=", *CAT], ["--report", "", *CAT], ["--report", "json=", *CAT], ["--report", "=x", *CAT],
    ["--report", "JSON=x", *CAT], ["--report", "json=a", "--report", "html=a", *CAT], ["--strict=yes", *CAT], ["--quiet=1", *CAT],
    ["--help=x"], ["--versoin"], ["--timeout", "0", *CAT], ["--timeout", "-1", *CAT], ["--timeout", "1.5", *CAT], ["--timeout", "1e3", *CAT],
    ["--timeout", "5 s", *CAT], ["--timeout", "", *CAT], ["--timeout", " 5", *CAT], ["--timeout", "99999999999999999999", *CAT],
    ["--jobs", "0", *CAT], ["--jobs", "65", *CAT], ["--jobs", "two", *CAT], ["--repeat", "0", *CAT], ["--repeat", "10001", *CAT],
    ["--shard", "0/2", *CAT], ["--shard", "3/2", *CAT], ["--shard", "1", *CAT], ["--shard", "/2", *CAT], ["--shard", "1/", *CAT],
    ["--shard", "1/0", *CAT], ["--shard", "1/2/3", *CAT], ["--shard", "1/100001", *CAT], ["--shuffle", "x", *CAT], ["--shuffle", "-1", *CAT],
    ["--shuffle", "18446744073709551616", *CAT], ["--framing", "lines", *CAT], ["--framing", "", *CAT], ["--color", "sometimes", *CAT],
    ["--method", "echo", *CAT], ["--method", "=x", *CAT], ["--method", "echo=", *CAT], ["--method", "nope=x", *CAT], ["--header", "x", "http://h/"],
    ["--header", ": x", "http://h/"], ["--header", "A: b\nC: d", "http://h/"], ["--header", "", "http://h/"], ["--start", "", "tcp://h:1"],
    ["--start", "  ", "tcp://h:1"], ["--start", "'x", "tcp://h:1"], ["--start", '"x', "tcp://h:1"], ["--prelude", "nowhere", *CAT],
    ["--profile", "nope", *CAT], ["--profile", "", *CAT], ["--profile", "./nope.json", *CAT], ["--suite", "nope", *CAT], ["--suite", "", *CAT],
    ["--only", "nope", *CAT], ["--only", "", *CAT], ["--skip", "nope", *CAT], ["--skip", "**", *CAT], ["--skip", "json", "--skip", "jsonrpc-2.0", "--skip", "transport-framing", *CAT],
    ["--only", "[", *CAT], ["--baseline", "nowhere", *CAT], ["--update-baseline", *CAT], ["--baseline", "x", "--update-baseline", "--only", "J2-6d", *CAT],
    ["--baseline", "x", "--update-baseline", "--fail-fast", *CAT], ["--baseline", "x", "--update-baseline", "--shard", "1/2", *CAT],
    ["--transcript", "/nonexistent/x", *CAT], ["--transcript", ".", *CAT], ["--report", "json=.", *CAT], ["--report", "json=/nonexistent/x", *CAT],
    ["--cases", "nowhere", *CAT], ["--cases", "/dev/null", *CAT], ["--cases", "/", *CAT], ["--since", "x", *CAT], ["--links", *CAT], ["--rules", *CAT],
    ["--json", *CAT], ["--man", *CAT], ["--faults", "x", *CAT], ["-q", "-v", *CAT], ["cat"], ["./nothing.py"], ["nothing.json"], ["/"], ["."],
    ["tcp://h:1", "tcp://h:2"], ["tcp://h:1", "--", "cat"], ["--framing", "line", "http://127.0.0.1:1/"], ["--framing", "length32", "ws://127.0.0.1:1/"],
    ["--insecure", "http://127.0.0.1:1/"], ["--insecure", "ws://127.0.0.1:1/"], ["--insecure", "tcp://127.0.0.1:1"], ["--insecure", *CAT],
    ["--ca", "x", "http://127.0.0.1:1/"], ["--ca", "x", *CAT], ["--header", "A: b", "tcp://127.0.0.1:1"], ["--header", "A: b", *CAT],
    ["--start", "cat", *CAT], ["list", "x"], ["list", "--", "x"], ["list", "--jobs", "1"], ["list", "--only", "nope"], ["list", "--suite", "nope"],
    ["list", "--rules", "--only", "J2-6d"], ["list", "--rules", "--suite", "json"], ["list", "--profile", "nope"], ["lint", "nowhere"],
    ["lint", "--", "x"], ["lint", "--only", "x"], ["lint", "/dev/null"], ["explain"], ["explain", "a", "b"], ["explain", "J2-6dd"], ["explain", ""],
    ["explain", "J2-6d", "--", "x"], ["repro"], ["repro", "batch/empty"], ["repro", "nope", *CAT], ["repro", "batch/empty", "a", "b"],
    ["repro", "batch/empty", "tcp://h:0"], ["report"], ["report", "nowhere"], ["report", "."], ["report", "--", "x"], ["report", "--since", "x"],
    ["report", "--since", "a", "b", "c"], ["report", "--links", "/dev/null"], ["report", "--jobs", "1"], ["report", "/dev/null", "--report", "pdf"],
    ["compare"], ["compare", "tcp://h:1"], ["compare", *CAT], ["compare", "nope", "nope2"], ["compare", "tcp://h:0", "tcp://h:1"],
    ["help", "nope"], ["help", "list", "extra"], ["help", "--man", "list"], ["help", "list", "--", "x"], ["help", "--jobs", "1"],
    ["--header", "A B: c", "http://h/"], ["--header", '{"a": b', "http://h/"], ["--ca", __file__, "https://127.0.0.1:1/"],
    ["--cert", __file__, "https://127.0.0.1:1/"], ["parser", "--texts", "10", *CAT], ["parser", "--time", "5s", *CAT],
    ["parser", "--seed", "4", *CAT], ["parser", "--only", "J2-6d", *CAT], ["fuzz", "--corpus", "/dev/null", *CAT],
    ["fuzz", "--save", "/dev/null", *CAT], ["shrink", "nope.ndjson", *CAT], ["compare", "cat -u", "tcp://h:0"],
    ["hlep"], ["Run", *CAT], ["--only", "batch/empty", "--only", "nope", *CAT], ["\x1b[31m"], ["--\xff", *CAT], ["--report", "json=\x00"[:-1], *CAT],
]


@pytest.mark.parametrize("url", URLS, ids=[f"url-{i}" for i in range(len(URLS))])
def test_a_url_that_is_none_is_refused_before_anything_runs(run, url):
    done = run(url)
    assert done.returncode == 2, (url, done.stdout, done.stderr)
    assert done.stdout == "" and done.stderr.startswith("jrpcheck: ") and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", WORDS, ids=[f"words-{i}" for i in range(len(WORDS))])
def test_wrong_words_are_refused_before_anything_runs(run, tmp_path, words):
    done = run(*words)
    assert done.returncode == 2, (words, done.returncode, done.stdout, done.stderr)
    assert done.stdout == "" or words[0] == "lint", done.stdout
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("usage: ", "       "))]
    assert 1 <= len(lines) <= 2 or words[0] == "lint" or "--cases" in words, done.stderr
    assert all(line.startswith("jrpcheck: ") for line in lines)
    assert not any(byte < " " or byte == "\x7f" for line in lines for byte in line)
    assert not list(tmp_path.iterdir())


def test_there_are_as_many_as_promised():
    assert len(URLS) + len(WORDS) >= 200


@pytest.mark.parametrize("url", ["http://[::1]:1/", "HTTP://127.0.0.1:1/", "http://a:b@127.0.0.1:1/", "http://[fe80::1%25lo]:1/", "http://127.0.0.1:1?x=/",
                                 "Tcp://127.0.0.1:1", "tcp://[::1]:1", "UNIX:/nowhere", "unix:///nowhere", "unix:/no where", "ws://127.0.0.1:1"])
def test_a_url_that_is_one_is_tried(run, url):
    done = run("--only", "batch/empty", url)
    assert done.returncode == 3, (url, done.stdout, done.stderr)


@pytest.mark.parametrize("value", ["/nowhere", "/dev/null"])
def test_a_data_folder_that_is_not_there_is_reported(run, value):
    for words in (["list"], ["lint"], ["explain", "J2-6d"], ["--", "cat"]):
        done = run(*words, env={**os.environ, "JRPCHECK_DATA": value})
        assert done.returncode == 2 and "JRPCHECK_DATA" in done.stderr
    assert run("help", env={**os.environ, "JRPCHECK_DATA": value}).returncode == 0
    assert run("list", "--rules", env={**os.environ, "JRPCHECK_DATA": ""}).returncode == 0


@pytest.fixture
def mine(tmp_path):
    """A folder with one suite and one rule of its own."""
    (tmp_path / "mine" / "rules").mkdir(parents=True)
    (tmp_path / "mine" / "own").mkdir()
    rule = {"id": "M-1", "section": "1", "level": "M", "title": "t", "sentence": "s", "source": "q"}
    (tmp_path / "mine" / "rules" / "own.json").write_text(json.dumps(
        {"schema": 1, "specification": "own", "title": "t", "url": "https://example.org/", "rules": [rule]}))

    def write(count):
        cases = [{"id": f"own/c{i}", "title": "t", "rules": ["M-1"], "catches": ["batch-empty-silent"],
                  "send": {"jsonrpc": "2.0", "method": "${absent}", "id": "${id}"}, "expect": {"error": {"code": -32601}}} for i in range(count)]
        (tmp_path / "mine" / "own" / "a.json").write_text(json.dumps({"schema": 1, "suite": "own", "section": "1", "title": "t", "cases": cases},
                                                                      indent=1))
        return tmp_path / "mine"

    return write


def test_cases_of_ones_own_run_without_naming_their_suite(run, mine, reference):
    done = run("--cases", mine(3), "--report", "ndjson", "--", reference)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count('"event":"case"') == 3


def test_ten_thousand_cases_are_checked_in_no_more_than_linear_time(run, mine):
    done = run("lint", mine(10000), timeout=15)
    assert done.returncode == 0 and "10000 cases" in done.stdout


def test_a_suite_may_be_chosen_by_its_name(run):
    done = run("list", "--only", "transport-http")
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 10
    assert run("list", "--suite", "transport-http").stdout == done.stdout


def test_a_baseline_without_reasons_is_reported_once(run, tmp_path):
    entries = [{"case": name, "outcome": "fail", **more} for name, more in
               [("batch/empty", {}), ("response/null-result", {"reason": ""}), ("examples/named-3", {"reason": "known"})]]
    (tmp_path / "known.json").write_text(json.dumps({"schema": 1, "entries": entries}))
    done = run("--baseline", "known.json", *CAT)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "2 entries have no" in done.stderr and "--reason" in done.stderr


def test_a_rule_in_a_baseline_that_is_none_is_reported(run, tmp_path):
    entry = {"case": "batch/empty", "outcome": "fail", "reason": "x", "rules": ["J2-6dd"]}
    (tmp_path / "known.json").write_text(json.dumps({"schema": 1, "entries": [entry]}))
    done = run("--baseline", "known.json", *CAT)
    assert done.returncode == 2 and 'did you mean "J2-6d"?' in done.stderr


@pytest.mark.parametrize("limit", ["ulimit -n 6", "ulimit -n 8"])
def test_too_few_files_are_reported_with_the_remedy(jrpcheck, reference, limit):
    done = subprocess.run(["sh", "-c", f"{limit}; exec {jrpcheck} --only batch/empty -- {reference}"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 3 and "ulimit -n" in done.stderr


def test_a_limit_on_the_size_of_files_is_reported(jrpcheck, reference, tmp_path):
    words = f"ulimit -f 1; exec {jrpcheck} --report ndjson=x --only 'batch/*' -- {reference}"
    done = subprocess.run(["sh", "-c", words], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert done.returncode == 6, done.stderr


def test_a_script_without_its_interpreter_is_reported(run, tmp_path):
    (tmp_path / "server").write_text("#!/nowhere/python\n")
    os.chmod(tmp_path / "server", 0o755)
    done = run("--", "./server")
    assert done.returncode == 3 and "/nowhere/python" in done.stderr


def test_a_file_that_is_named_like_a_program_is_reported(run, tmp_path):
    (tmp_path / "server.py").write_text("")
    done = run("--", "server.py")
    assert done.returncode == 3 and "write ./ before its name" in done.stderr


@pytest.mark.parametrize("words, sentence", [
    (["--profile", "mpc", "--", "cat"], 'did you mean "mcp"?'),
    (["--only", "batch", "--", "cat"], 'did you mean "batch/*"?'),
    (["rnu", "--", "cat"], 'did you mean "run"?'),
    (["help", "lits"], 'did you mean "list"?'),
    (["--quite", "--", "cat"], "did you mean --quiet?"),
    ([""], "the target is empty"),
    (["compare", "--", "cat", "--", "cat"], "put each command with its arguments in quotes"),
    (["parser", "--only", "J2-6d", "--", "cat"], "this command does not run the suite json"),
    (["parser", "--texts", "9", "--", "cat"], "add --fuzz"),
    (["shrink", "nope.ndjson", "--", "cat"], "there is no file nope.ndjson"),
])
def test_a_slip_of_the_keys_is_answered_with_what_was_meant(run, words, sentence):
    done = run(*words)
    assert done.returncode == 2 and sentence in done.stderr, done.stderr


def test_an_address_in_a_sentence_keeps_its_colon_when_its_token_is_masked(run):
    done = run("--only", "call/*", "http://127.0.0.1:1/rpc?token=hidden")
    assert "rpc?token=***: connection refused" in done.stderr and "hidden" not in done.stdout + done.stderr


def test_a_secret_for_tokens_is_refused_where_nothing_carries_them(run, tmp_path):
    (tmp_path / "secret").write_text("0" * 64)
    done = run("--jwt-secret", "secret", *CAT)
    assert done.returncode == 2 and "--jwt-secret is for HTTP and WebSocket" in done.stderr


@pytest.mark.parametrize("command", ["parser", "client"])
def test_a_project_file_names_a_server_and_nothing_else(run, tmp_path, command):
    (tmp_path / "jrpcheck.json").write_text('{"schema": 1, "target": ["cat"]}')
    done = run(command)
    assert done.returncode == 2 and "no target is named" in done.stderr, done.stderr


def test_a_project_file_is_checked_as_one(run, tmp_path, reference):
    project = {"schema": 1, "target": [reference, "--stdio"], "profile": "strict", "methods": {"echo": "echo"}, "reports": ["console"]}
    (tmp_path / "jrpcheck.json").write_text(json.dumps(project))
    done = run("lint", "jrpcheck.json")
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "jrpcheck.json").write_text(json.dumps({**project, "report": []}))
    done = run("lint", "jrpcheck.json")
    assert done.returncode == 2 and 'jrpcheck.json:1:' in done.stdout and '"report"' in done.stdout, done.stdout


def test_a_secret_in_the_environment_is_in_no_line_that_repeats_a_case(run, reference):
    done = run("repro", "batch/empty", "--env", "API_TOKEN=verysecret", "--", reference)
    assert done.returncode == 0 and "verysecret" not in done.stdout + done.stderr and "API_TOKEN=***" in done.stdout


def test_a_full_disk_takes_precedence_over_what_was_found(jrpcheck, reference):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([jrpcheck, "compare", "--only", "batch/empty", f"{reference} --stdio", f"{reference} --fault batch-empty-silent"],
                              stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 6 and "could not be written" in done.stderr, done.stderr
