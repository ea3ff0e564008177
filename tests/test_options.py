"""What users asked for: project files, headers and variables, client certificates, proxies, plans and more."""

import contextlib
import http.server
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import sys

import pytest
from serving import served

ROOT = pathlib.Path(__file__).resolve().parent.parent
RIGHT = ROOT / "tests" / "servers" / "right.py"
ONE = ["--only", "batch/empty"]


def events(path, kind):
    return [event for event in map(json.loads, path.read_text().split("\n")[:-1]) if event["event"] == kind]


@pytest.fixture
def project(tmp_path):
    """A folder with a server and a project file; returns what writes the file anew."""
    (tmp_path / "server.py").write_bytes(RIGHT.read_bytes())

    def write(**members):
        (tmp_path / "jrpcheck.json").write_text(json.dumps({"schema": 1, **members}))
        return tmp_path

    return write


@pytest.mark.parametrize("target", [[sys.executable, "server.py"], {"command": [sys.executable, "${here}/server.py"], "name": "mine"},
                                    "described.json"], ids=["command", "members", "file"])
def test_a_project_file_is_found_from_a_folder_below(run, project, target):
    folder = project(target=target, profile="strict", methods={"echo": "echo"}, reports=["ndjson=run.ndjson"])
    (folder / "described.json").write_text(json.dumps({"schema": 1, "command": [sys.executable, "${here}/server.py"]}))
    (folder / "src" / "deep").mkdir(parents=True)
    done = run(*ONE, cwd=folder / "src" / "deep")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"using the project file {folder}/jrpcheck.json" in done.stderr
    start = events(folder / "run.ndjson", "start")[0]
    assert start["profile"] == "strict"
    plan = run("--plan", cwd=folder).stdout
    assert "no method is mapped to sum" in plan and "no method is mapped to echo" not in plan
    # Whatever is named on the command line wins.
    done = run(*ONE, "--profile", "spec", "--report", "ndjson", cwd=folder)
    assert '"profile":"spec"' in done.stdout
    done = run(*ONE, "--", sys.executable, "server.py", cwd=folder)
    assert done.returncode == 0 and "project" not in done.stderr


def test_a_project_file_names_a_baseline_and_lines_to_repeat_name_the_project(run, project):
    folder = project(target=["jrpc-reference-that-is-none"], baseline="known.json")
    entry = {"case": "batch/empty", "outcome": "fail", "reason": "known"}
    (folder / "known.json").write_text(json.dumps({"schema": 1, "entries": [entry]}))
    project(target=[sys.executable, "server.py", "--no-batch"], baseline="known.json")
    done = run(*ONE, cwd=folder)
    assert done.returncode == 4 and "known.json" in done.stderr
    done = run("--only", "batch/two-calls", "--only", "J2-6a", cwd=folder)
    assert f"--project {folder}/jrpcheck.json" in done.stdout, done.stdout
    assert "batch/one-call" not in run("repro", "call/unknown-method", cwd=folder).stderr


WRONG = [({}, '"target"'), ({"target": 1}, '"target"'), ({"target": []}, "names no program"), ({"target": ["x"], "profil": "y"}, "did you mean"),
         ({"target": {"command": ["x"], "ur": "y"}}, '"ur"'), ({"target": ["x"], "reports": "json"}, "where an Array"),
         ({"target": ["x"], "methods": {"ecko": "x"}}, 'did you mean "echo"?'), ({"target": "nope"}, "there is no target nope"),
         ({"target": ["x"], "profile": "nope"}, 'nope'), ({"target": "tcp://h:0"}, "there is no port"),
         ({"command": ["x"]}, 'write "target": {"command": ...}')]


@pytest.mark.parametrize("members, sentence", WRONG, ids=[sentence for _, sentence in WRONG])
def test_what_is_wrong_in_a_project_file_is_reported_with_its_place(run, project, members, sentence):
    done = run(cwd=project(**members))
    assert done.returncode == 2 and sentence in done.stderr, done.stderr


def test_env_cwd_and_memory_reach_the_server(run, tmp_path):
    (tmp_path / "sub").mkdir()
    server = tmp_path / "server.py"
    server.write_text(f"import os, resource, sys\nsys.path.insert(0, {str(RIGHT.parent)!r})\n"
                      "open('seen', 'w').write(f\"{os.environ['A']} {resource.getrlimit(resource.RLIMIT_DATA)[0]}\")\n"
                      "import right\nright.main()\n")
    done = run(*ONE, "--env", "A=b c", "--cwd", "sub", "--memory", "500", "--", sys.executable, server)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "sub" / "seen").read_text() == f"b c {500 << 20}"


def test_a_server_that_wants_more_memory_than_it_may_have_does_not_get_it(run, tmp_path):
    server = tmp_path / "server.py"
    server.write_text(f"import sys\nsys.path.insert(0, {str(RIGHT.parent)!r})\nhoard = bytearray(300 << 20)\nimport right\nright.main()\n")
    assert run(*ONE, "--", sys.executable, server).returncode == 0
    done = run(*ONE, "--memory", "200", "--", sys.executable, server)
    assert done.returncode == 3 and "MemoryError" in done.stderr


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers every call with -32601, and keeps what it was asked."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        self.server.seen.append(self.headers)
        text = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            call = json.loads(text)
            answer = {"jsonrpc": "2.0", "error": {"code": -32601 if isinstance(call, dict) else -32600, "message": "no"},
                      "id": call.get("id") if isinstance(call, dict) else None}
        except ValueError:
            answer = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "no"}, "id": None}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def web():
    """Starts an HTTP server, over TLS with a context; returns its address and what it saw."""
    def start(context=None):
        seen = []
        return servers.enter_context(served(Echo, context, seen=seen)), seen

    with contextlib.ExitStack() as servers:
        yield start


def test_headers_come_from_files_and_from_the_environment(run, web, tmp_path):
    url, seen = web()
    (tmp_path / "headers").write_text("# who we are\n\nX-One: 1\r\nAuthorization: Bearer ${env:JCK_TOKEN}\n")
    done = run(*ONE, "--header", "X-Two: ${env:JCK_TWO} $${x}", "--header-file", "headers", url,
               env={**os.environ, "JCK_TOKEN": "s3cret", "JCK_TWO": "2"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert (seen[-1]["X-One"], seen[-1]["X-Two"], seen[-1]["Authorization"]) == ("1", "2 ${x}", "Bearer s3cret")
    assert "s3cret" not in done.stdout + done.stderr
    for words, sentence in ((["--header", "A: ${env:JCK_NOT_SET}"], "JCK_NOT_SET is not set"), (["--header", "A: ${x}"], "means nothing here"),
                            (["--header-file", "nowhere"], "cannot open"), (["--header-file", "bad"], "bad:2: ")):
        (tmp_path / "bad").write_text("A: b\nno header\n")
        done = run(*ONE, *words, url)
        assert done.returncode == 2 and sentence in done.stderr


def test_a_target_file_takes_variables_of_the_environment(run, tmp_path):
    (tmp_path / "t.json").write_text(json.dumps({"schema": 1, "command": [sys.executable, "${env:JCK_SERVER}"], "env": {"A": "${env:JCK_SERVER}"}}))
    assert run(*ONE, "t.json", env={**os.environ, "JCK_SERVER": str(RIGHT)}).returncode == 0
    done = run(*ONE, "t.json")
    assert done.returncode == 2 and "JCK_SERVER is not set" in done.stderr


def test_proxies_are_used_where_they_are_asked_for_only(run, web):
    url, seen = web()
    proxy, asked = web()
    clean = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    there = {**clean, "http_proxy": proxy}
    assert run(*ONE, url, env=there).returncode == 0 and seen and not asked
    assert run(*ONE, "--proxy", "env", url, env=there).returncode == 0 and asked
    del asked[:]
    assert run(*ONE, "--proxy", proxy, url, env=clean).returncode == 0 and asked
    refused = run(*ONE, "--proxy", "http://127.0.0.1:1", url, env=clean)
    assert refused.returncode == 3 and "through the proxy: connection refused" in refused.stderr, refused.stderr


@pytest.fixture
def certificates(tmp_path):
    """An authority that signs itself, which serves as the server's and as the client's certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificates of this test")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_a_server_that_wants_a_certificate_of_ours_gets_it(run, web, certificates):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    context.load_verify_locations(certificates / "cert.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    url, _ = web(context)
    assert run(*ONE, "--ca", "cert.pem", url).returncode == 3
    done = run(*ONE, "--ca", "cert.pem", "--cert", "cert.pem", "--key", "key.pem", url)
    assert done.returncode == 0, done.stdout + done.stderr
    (certificates / "both.pem").write_text((certificates / "cert.pem").read_text() + (certificates / "key.pem").read_text())
    assert run(*ONE, "--ca", "cert.pem", "--cert", "both.pem", url).returncode == 0
    done = run(*ONE, "--ca", "cert.pem", "--cert", "key.pem", url)
    assert done.returncode in (2, 3) and "--cert" in done.stderr


def test_the_line_of_curl_connects_as_we_do(run):
    words = ["--proxy", "http://p:1", "--insecure", "https://127.0.0.1:1/"]
    assert " --proxy http://p:1 " in run("repro", "batch/empty", *words).stdout
    assert " --noproxy '*' " in run("repro", "batch/empty", "http://127.0.0.1:1/").stdout


def test_the_line_of_curl_for_a_call_in_a_query_goes_to_the_streams_of_the_target(run, tmp_path):
    words = ["repro", "sse/query-plus", "--method", "token_stream=tell:by-name", "--header", "X-Team: a", "--insecure"]
    assert "no shell command: a target file says" in run(*words, "https://127.0.0.1:1/rpc").stdout
    (tmp_path / "t.json").write_text(json.dumps({"schema": 1, "name": "t", "url": "https://127.0.0.1:1/rpc",
                                                 "streams": "/stream"}))
    line = next(line for line in run(*words, "t.json").stdout.splitlines() if "curl" in line)
    assert " -H 'X-Team: a' -k 'https://127.0.0.1:1/stream?method=tell&id=" in line and "&message=%2B'" in line


def test_a_plan_starts_nothing(run, tmp_path):
    done = run("--plan", "--", "/nowhere/at/all")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(line.startswith("run   batch/empty  ") for line in lines)
    assert any(line.startswith("skip  ") and "no method is mapped to subtract" in line for line in lines)
    assert "would run" in done.stdout
    assert not list(tmp_path.iterdir())


def test_what_failed_is_run_again_alone(run, reference):
    done = run("--report", "ndjson=run.ndjson", "--", reference, "--fault", "batch-empty-silent")
    assert done.returncode == 1
    done = run("--only-failed", "run.ndjson", "--report", "ndjson", "--", reference)
    ran = {json.loads(line)["id"] for line in done.stdout.splitlines() if '"event":"case"' in line}
    assert done.returncode == 0 and "batch/empty" in ran and len(ran) < 10
    done = run("--only-failed", "run.ndjson", "--only", "batch/empty", "--report", "ndjson=fine.ndjson", "--", reference)
    assert done.returncode == 0
    done = run("--only-failed", "fine.ndjson", "--", reference)
    assert done.returncode == 2 and "no case failed" in done.stderr


def test_a_first_baseline_may_have_one_reason(run, reference):
    words = ["--suite", "jsonrpc-2.0", "--baseline", "known.json", "--", reference, "--fault", "batch-empty-silent"]
    assert run("--update-baseline", "--reason", "from before", *words).returncode == 0
    assert run(*words).returncode == 0


def test_a_reason_given_later_is_for_all_entries_that_lack_one(run, reference, tmp_path):
    words = ["--suite", "jsonrpc-2.0", "--baseline", "known.json", "--", reference, "--fault", "batch-empty-silent"]
    assert run("--update-baseline", *words).returncode == 0
    refused = run(*words)
    assert refused.returncode == 2 and "--update-baseline --reason TEXT" in refused.stderr
    written = json.loads((tmp_path / "known.json").read_text())
    written["entries"][0]["reason"] = "my own"
    del written["entries"][1]["reason"]
    (tmp_path / "known.json").write_text(json.dumps(written))
    assert run("--update-baseline", "--reason", "from before", *words).returncode == 0
    reasons = [entry["reason"] for entry in json.loads((tmp_path / "known.json").read_text())["entries"]]
    assert reasons[0] == "my own" and set(reasons[1:]) == {"from before"}
    assert run(*words).returncode == 0


def test_the_slowest_cases_are_listed(run, reference):
    done = run("--slowest", "3", "--only", "batch/*", "--", reference)
    assert done.returncode == 0
    times = [float(line.split()[0]) for line in done.stderr.splitlines() if " s  " in line]
    assert len(times) == 3 and times == sorted(times, reverse=True)


def test_compare_takes_commands_and_urls(run, reference):
    done = run("compare", "--only", "batch/empty", f"{reference} --stdio", f"{reference} --stdio --fault batch-empty-silent")
    assert done.returncode == 1 and "1 of 1 case differs" in done.stdout
    assert run("compare", "--only", "batch/empty", reference, "--", reference).returncode == 0


def test_the_first_answer_may_take_its_time(run, tmp_path):
    slow = tmp_path / "slow.py"
    # It reads its first message only after that time, as a server does that loads a model: a wait for nothing else.
    slow.write_text(f"import select, sys\nselect.select([], [], [], 0.5)\nsys.path.insert(0, {str(RIGHT.parent)!r})\n"
                    "import right\nright.main()\n")
    assert run(*ONE, "--timeout", "200", "--", sys.executable, slow).returncode == 0
    assert run(*ONE, "--start-timeout", "200", "--", sys.executable, slow).returncode == 1


@pytest.mark.parametrize("word, hint", [("./server.py", "jrpcheck -- python3 ./server.py"), ("./sevrer.py", "did you mean ./server.py?"),
                                        ("server.py", "jrpcheck -- python3 server.py"), ("./tool", "jrpcheck -- ./tool")])
def test_a_program_that_is_named_bare_gets_a_hint(run, tmp_path, word, hint):
    (tmp_path / "server.py").write_text("")
    (tmp_path / "tool").write_text("")
    os.chmod(tmp_path / "tool", 0o755)
    done = run(word)
    assert done.returncode == 2 and hint in done.stderr
