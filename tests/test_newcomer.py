"""What somebody meets who uses jrpcheck for the first time: wrong words, servers that are none, lines to paste."""

import http.server
import shlex
import shutil
import socket
import subprocess
import sys
import threading

import pytest

from serving import free_port, served
from test_cli import cases_of


def repeated(run, reference, scheme, *words):
    port = free_port()
    start = f"{reference} --{scheme} 127.0.0.1:{port}"
    done = run("repro", *words, "--start", start, f"{scheme}://127.0.0.1:{port}/")
    if "this build has no" in done.stderr:
        pytest.skip("built without HTTP")
    return done, start, port


def test_repro_of_a_case_over_http_is_a_line_of_curl_for_each_message(run, reference):
    done, start, port = repeated(run, reference, "http", "http/get", "--header", "X-Who: it's me")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.strip() for line in done.stdout.splitlines() if line.startswith("  printf ")]
    assert ["-X GET" in line for line in lines] == [True, False] and "-X POST" in lines[1]
    assert all(f"-H 'X-Who: it'\\''s me' --data-binary @- http://127.0.0.1:{port}/" in line for line in lines)
    if shutil.which("curl"):
        server = subprocess.Popen(start.split(), stderr=subprocess.PIPE, text=True)
        try:
            assert "listening" in server.stderr.readline()
            answer = subprocess.run(lines[1], shell=True, capture_output=True, text=True, timeout=60)
        finally:
            server.kill()
            server.wait()
        assert '"code":-32601' in answer.stdout, answer.stderr


def test_repro_of_a_case_over_websocket_runs_it_and_has_no_shell_line(run, reference):
    done, _, _ = repeated(run, reference, "ws", "batch/empty")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no shell command for WebSocket" in done.stdout


def test_the_line_that_repeats_a_case_is_as_strict_as_the_run(run, reference):
    target = ["--", str(reference), "--fault", "version-unchecked"]
    done = run("--strict", "--verbose", "--only", "version/1.0-string", *target)
    line = next(line.strip() for line in done.stdout.splitlines() if "$ jrpcheck repro version/" in line)
    words = line.removeprefix("$ jrpcheck ").split()
    assert words[:3] == ["repro", "version/1.0-string", "--strict"]
    assert done.returncode == run(*words).returncode == 1


def test_headers_are_refused_where_nothing_carries_them(run, reference):
    done = run("--header", "A: b", "--only", "batch/empty", "--", reference)
    assert done.returncode == 2 and "--header is for HTTP and WebSocket; nothing else carries headers" in done.stderr


def test_a_program_that_ends_at_once_is_reported_with_what_it_said_last(run):
    done = run("--", sys.executable, "-c", "import sys; sys.exit('Traceback' + '.' * 300 + '\\nno config: /etc/foo\\nsee --help')")
    assert done.returncode == 3
    assert "exited with status 1" in done.stderr
    assert done.stderr.endswith("; its last output: no config: /etc/foo see --help\n")
    trace = "TypeError: x is null\\n    at f (/s.js:3:5)\\n\\nNode.js v20.20.2"
    done = run("--", sys.executable, "-c", f"import sys; sys.exit('{trace}')")
    assert done.stderr.endswith("; its last output: TypeError: x is null\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("ends, sentence", [
    ("sys.exit('no config')", "the started command exited with status 1 before it could be reached; its last output: no config\n"),
    ("sys.exit()", "exited with status 0 before it could be reached; start the server in the foreground\n"),
    ("os.kill(os.getpid(), 9)", "the started command was ended by signal 9 before it could be reached\n"),
])
def test_a_started_command_that_ends_at_once_is_reported_with_what_it_said_last(run, ends, sentence):
    start = shlex.join([sys.executable, "-c", f"import os, sys; {ends}"])
    done = run("--only", "batch/empty", "--start", start, f"tcp://127.0.0.1:{free_port()}")
    assert done.returncode == 3 and done.stderr.endswith(sentence), done.stderr


def test_a_server_of_another_protocol_is_reported_with_what_it_wrote(run):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def greet():
            while True:
                try:
                    peer = listener.accept()[0]
                except OSError:
                    return
                peer.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
                peer.recv(4096)
                peer.close()
        threading.Thread(target=greet, daemon=True).start()
        done = run(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
        listener.shutdown(socket.SHUT_RDWR)
    assert done.returncode == 3
    assert "closed the connection" in done.stderr and 'it wrote "SSH-2.0-OpenSSH_9.2" first' in done.stderr


def test_an_http_server_that_answers_no_call_fails_and_does_not_hang(run, tmp_path):
    class Refusing(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_error(501)

        def log_message(self, *words):
            pass

    with served(Refusing) as url:
        done = run("--report", "ndjson=out.ndjson", url)
    if "this build has no" in done.stderr:
        pytest.skip("built without HTTP")
    assert done.returncode == 1 and "HTTP status 501" in done.stderr
    answer = (tmp_path / "out.ndjson").read_text()
    assert [case["outcome"] for case in cases_of(answer)] == ["fail"]


def test_a_report_that_cannot_be_written_is_named(run, reference):
    done = run("--report", "html=/dev/full", "--only", "batch/empty", "--", reference)
    assert done.returncode == 6
    assert "html=/dev/full: " in done.stderr and "could not be written" in done.stderr
