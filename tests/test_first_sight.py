"""What a user meets first: a summary that is read in ten seconds, whatever the server."""

import re
import subprocess

import pytest

from conftest import ROOT
from serving import free_port

LINES = 60
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = "jrpcheck -- python3 examples/usual-mistakes/server.py"


def plain(line):
    """Without what differs from run to run: ids, seeds, times and counts."""
    line = re.sub(r"(jck-|absent\.)[0-9a-f]{8}", r"\1X", line)
    return re.sub(r"\d+ min \d+ s|[\d.]+ (s|ms)\b", "T", re.sub(r"\d+(?! min| s| ms|\.\d+ s)", "N", line))


def shown():
    """The lines of the README: None stands for any lines."""
    block = re.search(r"^\$ " + re.escape(COMMAND) + r"\n(.*?)^```$", README, re.MULTILINE | re.DOTALL).group(1)
    return [None if line == "…" else line for line in block.splitlines()]


@pytest.fixture(scope="module")
def first(jrpcheck):
    return subprocess.run(
        [jrpcheck, "--jobs", "6", "--color", "never", "--", "python3", "examples/usual-mistakes/server.py"],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=170, stdin=subprocess.DEVNULL)


def shape(line):
    """What of a line a change to the suite leaves alone: counts of things may come and go with it."""
    line = plain(line).replace(" --jobs N", "")
    if line.startswith(("NOT CONFORMANT", "N cases:", "Not judged", "  N need", "  N depend")):
        return re.split(r"[:,]", line)[0]
    return re.sub(r"^(\w+(?: [\w.-]+)?), N cases?[^:]*:", r"\1:", line)


def test_the_readme_shows_what_is_printed(first):
    assert first.returncode == 1, first.stderr
    printed = [shape(line) for line in first.stdout.splitlines()]
    at = 0
    anywhere = False
    for line in shown():
        if line is None:
            anywhere = True
            continue
        if anywhere and not line:
            continue
        wanted = shape(line)
        assert wanted in printed[at:], f"not printed, or in another order: {line}\n" + first.stdout
        found = printed.index(wanted, at)
        assert anywhere or found == at, f"there is more before: {line}\n" + first.stdout
        at, anywhere = found + 1, False


def test_the_first_sight_is_short(first):
    lines = first.stdout.splitlines()
    assert len(lines) <= LINES and lines[0].startswith("NOT CONFORMANT: ")
    assert lines[-1].startswith("The whole report: ")
    assert "\r" not in first.stdout and "\033" not in first.stdout
    for word in ("ground case", "stands on", "mute", "DOWN"):
        assert word not in first.stdout


def faults(reference):
    listed = subprocess.run([reference, "--list-faults"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


@pytest.mark.parametrize("part", range(4))
def test_every_kind_of_fault_is_reported_in_few_lines(run, reference, part):
    # One in forty: each takes a run of the whole suite, or as much of it as there is time for.
    for fault in faults(reference)[part * 40::160]:
        done = run("--jobs", "4", "--timeout", "500", "--max-time", "20", "--", reference, "--fault", fault)
        assert len(done.stdout.splitlines()) <= LINES, (fault, done.stdout)
        assert done.stdout.splitlines()[0].split(":")[0] in ("CONFORMANT", "NOT CONFORMANT") or done.returncode in (1, 3), fault


WEB = """import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        text = b'{"error":"no such method"}'
        self.send_response(404)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def test_the_status_of_an_answer_over_http_is_shown_where_it_is_not_200(run, tmp_path):
    (tmp_path / "web.py").write_text(WEB)
    port = free_port()
    done = run("--start", f"python3 web.py {port}", "--only", "response/*", f"http://127.0.0.1:{port}/")
    assert '  came      {"error":"no such method"} (HTTP status 404)' in done.stdout, done.stdout + done.stderr
    done = run("-vv", "--start", f"python3 web.py {port}", "--only", "response/*", f"http://127.0.0.1:{port}/")
    assert "←  " not in done.stdout and "not part of the case" not in done.stdout, done.stdout


def test_the_example_has_one_right_answer_where_there_is_such_a_case(run, tmp_path):
    # Every error lacks its id: cases that accept several answers are shorter, but say less.
    (tmp_path / "server.py").write_text(
        "import sys\nfor line in sys.stdin: print('{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\"}}', flush=True)\n")
    done = run("--only", "response/*", "--only", "json-empty/*", "--", "python3", "server.py")
    block = done.stdout.split("MUST J2-5f,")[1].split("\n\n")[0]
    assert "other answer" not in block, done.stdout


def test_a_case_that_is_repeated_is_shown_whole(run, reference):
    done = run("repro", "batch/empty", "--", reference)
    assert done.returncode == 0 and "The whole report" not in done.stdout, done.stdout
