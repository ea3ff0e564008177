"""HTTP and SSE: jrpc-reference behind HTTP, jrpcheck in front of it, and servers that misbehave."""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import socket
import ssl
import subprocess
import threading

import case_files
import fault_matrix
import pytest
from serving import free_port, served

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 20
METHODS = ("subtract sum get_data update notify_hello notify_sum echo fail app_error slow count push").split()
MAPPED = ["--suite", "transport-http", *(word for name in METHODS for word in ("--method", f"{name}={name}"))]


@pytest.fixture(scope="session", autouse=True)
def _needs_http(reference):
    if "not in this build" in subprocess.run([reference, "--http", "x"], capture_output=True, text=True).stderr:
        pytest.skip("this build has no HTTP")


@contextlib.contextmanager
def listening(reference, *options):
    """Runs the reference server and gives the address it prints."""
    with subprocess.Popen([reference, *options], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as server:
        try:
            yield server.stderr.readline().split()[-1]
        finally:
            server.terminate()
            assert server.wait(PATIENCE) == 0


@pytest.fixture
def address(reference):
    with listening(reference, "--http", "127.0.0.1:0") as address:
        yield address


def connect(address):
    return http.client.HTTPConnection(address.split("/")[2], timeout=PATIENCE)


def post(connection, body, **headers):
    connection.request("POST", "/", body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, answer.getheader("Content-Type"), answer.read()


CALL = b'{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}'


def test_calls_and_notifications_go_over_one_connection(address):
    connection = connect(address)
    assert post(connection, CALL) == (200, "application/json", b'{"jsonrpc":"2.0","result":3,"id":1}')
    local = connection.sock.getsockname()
    assert post(connection, b'{"jsonrpc":"2.0","method":"update"}') == (204, None, b"")
    status, _, body = post(connection, b"{")
    assert status == 200 and json.loads(body)["error"]["code"] == -32700
    assert connection.sock.getsockname() == local


def test_the_access_log_has_a_line_for_each_call_and_each_member_of_a_batch(reference, tmp_path):
    log = tmp_path / "access.ndjson"
    with listening(reference, "--http", "127.0.0.1:0", "--access-log", str(log)) as address:
        connection = connect(address)
        post(connection, CALL)
        post(connection, b'[{"jsonrpc":"2.0","method":"update"},{"jsonrpc":"2.0","method":"sum","params":[4],"id":"b"},1]')
        post(connection, b'{"bad\xff')
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line.get("method"), line.get("id"), line["response"] is None) for line in lines] == [
        ("sum", 1, False), ("update", None, True), ("sum", "b", False), (None, None, True), (None, None, False)]
    assert lines[0]["request"] == CALL.decode() and json.loads(lines[2]["response"])["result"] == 4
    assert {line["transport"] for line in lines} == {"http"} and {line["connection"] for line in lines} == {1}
    assert all(line["latency_us"] >= 0 for line in lines) and lines[4]["request"] == '{"bad\ufffd'


def test_the_access_log_names_answers_that_were_lost(reference, tmp_path):
    log = tmp_path / "access.ndjson"
    server = subprocess.Popen([reference, "--stdio", "--access-log", log], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdout.close()
    server.communicate(CALL + b"\n", timeout=PATIENCE)
    (line,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert line["lost"] is True and line["id"] == 1 and json.loads(line["response"])["result"] == 3


def test_other_methods_are_refused_and_named(address):
    connection = connect(address)
    connection.request("GET", "/")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Allow")) == (405, "POST")


def test_events_carry_pushes_where_nothing_else_is_accepted(address):
    call = b'{"jsonrpc":"2.0","method":"push","params":{"a":1},"id":7}'
    status, kind, body = post(connect(address), call, Accept="text/event-stream")
    assert (status, kind) == (200, "text/event-stream")
    assert body == (b'data: {"jsonrpc":"2.0","method":"push.note","params":{"a":1}}\n\n'
                    b'data: {"jsonrpc":"2.0","result":null,"id":7}\n\n')
    status, kind, body = post(connect(address), call, Accept="application/json, text/event-stream")
    assert (kind, json.loads(body)) == ("application/json", {"jsonrpc": "2.0", "result": None, "id": 7})


def ask(address, method="POST", body=None, **headers):
    """One request; its status, headers and body."""
    connection = connect(address)
    connection.request(method, "/", body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer


def test_pages_of_other_origins_are_refused(reference):
    with listening(reference, "--http", "127.0.0.1:0", "--origin", "https://one.example",
                   "--origin", "https://two.example") as address:
        assert ask(address, body=CALL, Origin="https://two.example")[0] == 200
        assert ask(address, body=CALL, Origin="https://three.example")[0] == 403
        assert ask(address, body=CALL)[0] == 200, "what sends no Origin is not a browser"


def test_messages_over_the_limit_get_an_invalid_request_and_413(reference):
    with listening(reference, "--http", "127.0.0.1:0", "--max-message", "1000") as address:
        status, _, answer = ask(address, body=b'{"params":"' + b"a" * 1000)
        assert status == 413 and json.loads(answer.read())["error"]["code"] == -32600
        assert ask(address, body=CALL)[0] == 200


def test_an_idle_connection_is_closed(reference):
    with listening(reference, "--http", "127.0.0.1:0", "--idle", "1") as address:
        connection = connect(address)
        post(connection, CALL)
        assert connection.sock.recv(1) == b""


def test_a_connection_over_the_limit_is_not_served(reference):
    with listening(reference, "--http", "127.0.0.1:0", "--max-connections", "2") as address:
        kept = [connect(address) for _ in range(2)]
        for connection in kept:
            post(connection, CALL)
        refused = connect(address)
        refused.timeout = 0.5
        with pytest.raises(OSError):
            post(refused, CALL)
        for connection in kept:
            connection.close()


class Mcp(http.server.BaseHTTPRequestHandler):
    """A server as the Model Context Protocol has it: nothing without a session, whose id its first answer carries."""

    protocol_version = "HTTP/1.1"
    seen = None

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((message.get("method"), self.headers.get("Mcp-Session-Id"), self.headers.get("X-Version")))
        text, status, more = b"", 202, ""
        if "id" in message:
            outcome = {"error": {"code": -32601, "message": "no"}}
            if message["method"] == "initialize":
                outcome = {"result": {"version": 'one "two"'}}
                more = f"mcp-session-id: s-{len(self.seen)}\r\n"
            text = json.dumps({"jsonrpc": "2.0", **outcome, "id": message["id"]}).encode()
            status = 200
        if not more and not self.headers.get("Mcp-Session-Id"):
            text, status = b"", 400
        self.wfile.write(f"HTTP/1.1 {status} X\r\n{more}Content-Type: application/json\r\n"
                         f"Content-Length: {len(text)}\r\n\r\n".encode() + text)

    def do_GET(self):
        self.send_error(405)

    def log_message(self, *_args):
        pass


def start_words(reference, *options):
    # The port is chosen by the system once and then named: nothing else listens there meanwhile.
    port = free_port()
    words = " ".join([reference, "--http", f"127.0.0.1:{port}", *options])
    return ["--start", words, f"http://127.0.0.1:{port}/"]


def cases_of(*suites):
    for suite in suites:
        for path in sorted((ROOT / "cases" / suite).glob("*.json")):
            yield from case_files.cases_of(path)


def described(way, folder, reference, *options, **members):
    """A description of the reference server as a way of the fault matrix has it, with these options of its own."""
    more, further = fault_matrix.FURTHER[way]
    target = folder / f"{way}.json"
    target.write_text(json.dumps({
        "schema": 1, "name": way, "start": [str(reference), "--http", "127.0.0.1:${port}", *more, *options],
        "url": "http://127.0.0.1:${port}/", **members, **further}))
    return target


def in_sessions(folder, reference, *options):
    """A description of the reference server with sessions: their id is captured, their stream listened to."""
    return described("http, sessions", folder, reference, *options, methods={"push": "push", "get_data": "get_data"})


def ways_of(case, folder, reference, *options):
    """The words that bring a case of HTTP to the server."""
    if case == "sse/beside":
        return ["--suite", "transport-sse", in_sessions(folder, reference, *options)]
    if case.startswith("sse/"):
        return ["--suite", "transport-sse", described("http, events", folder, reference, *options)]
    if case.startswith("credential/"):
        return ["--suite", "transport-http", described("http, credentials", folder, reference, *options,
                                                       methods=fault_matrix.METHODS, declares=fault_matrix.DECLARES)]
    return [*MAPPED, *start_words(reference, *options)]


def events(run, tmp_path, *args):
    done = run("--report", f"ndjson={tmp_path}/run.ndjson", "--quiet", *args)
    assert done.returncode in (0, 1), done.stderr
    lines = (tmp_path / "run.ndjson").read_text().splitlines()
    return {event["id"]: event for event in map(json.loads, lines) if event["event"] in ("case", "ground")}


def verdict_of(event):
    return {"outcome": event["outcome"], "observed": event.get("observed"),
            "findings": sorted((f["rule"], f["level"]) for f in event.get("findings", []))}


@pytest.fixture(scope="session")
def faultless(reference, jrpcheck, tmp_path_factory):
    folder = tmp_path_factory.mktemp("faultless")
    found = {}
    for words in (["--skip", "credential/**", *ways_of("http/**", folder, reference)],
                  ["--only", "credential/**", *ways_of("credential/**", folder, reference)],
                  ["--only", "sse/beside", *ways_of("sse/beside", folder, reference)],
                  ["--skip", "sse/beside", *ways_of("sse/**", folder, reference)]):
        subprocess.run([jrpcheck, "--quiet", "--report", f"ndjson={folder}/run.ndjson", *words],
                       timeout=PATIENCE * 3, check=True)
        lines = (folder / "run.ndjson").read_text().splitlines()
        found |= {event["id"]: event for event in map(json.loads, lines) if event["event"] == "case"}
    return found


def test_the_faultless_server_passes_every_case_of_http(faultless):
    named = {case["id"] for case in cases_of("transport-http", "transport-sse")}
    assert named <= set(faultless)
    wrong = {name: event["outcome"] for name, event in faultless.items()
             if name in named and event["outcome"] not in ("pass", "observe")}
    assert not wrong


@pytest.mark.parametrize("case, fault", [(case["id"], fault) for case in cases_of("transport-http", "transport-sse")
                                         for fault in case["catches"]
                                         if not fault.endswith("-crash")])  # those want a server that is started again
def test_each_case_of_http_notices_the_faults_it_names(case, fault, faultless, reference, run, tmp_path):
    found = events(run, tmp_path, "--only", case, "--timeout", "1000",
                   *ways_of(case, tmp_path, reference, "--fault", fault))[case]
    assert found["outcome"] not in ("skip", "blocked", "error")
    assert verdict_of(found) != verdict_of(faultless[case])
    rules = next(c["rules"] for c in cases_of("transport-http", "transport-sse") if c["id"] == case)
    levels = {rule["id"]: rule["level"] for path in (ROOT / "cases" / "rules").glob("*.json")
              for rule in json.loads(path.read_text())["rules"]}
    if levels[rules[0]] != "O" and found["observed"] == faultless[case]["observed"]:
        assert {finding["rule"] for finding in found["findings"]} & fault_matrix.rules_against(rules, found["outcome"])


def misbehaving(answer):
    """A server that writes these bytes for whatever it is sent, and closes."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                with connection:
                    if connection.recv(1 << 16):
                        connection.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return server, f"http://127.0.0.1:{server.getsockname()[1]}/rpc"


@pytest.mark.parametrize("answer, words", [
    (b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "credentials are missing"),
    (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "credentials"),
    (b"HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nWWW-Authenticate: Bearer realm=\"x\"\r\n"
     b"Content-Length: 25\r\n\r\n{\"error\":\"invalid_token\"}", "asks for credentials, Bearer realm"),
    (b"HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{\"detail\":\"Not authenticated\"}",
     "credentials"),
    (b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", "redirect"),
    (b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>no</p>", "check the URL"),
    (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>hi</p>", "<p>hi</p>"),
    (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"jsonrpc\"", "status 200"),
    (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00", "status 200"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"js", "status 200"),
    (b"SSH-2.0-OpenSSH_9.2\r\n", ""),
    (b"", ""),
])
def test_a_server_that_is_none_is_named_in_one_sentence(run, answer, words):
    server, url = misbehaving(answer)
    with server:
        done = run("--timeout", "2000", url)
    locked_out = b" 401 " in answer or b" 403 " in answer
    assert done.returncode == (3 if locked_out or not words or words == "SSH" else 1), done.stdout
    [sentence] = [line for line in done.stderr.splitlines() if line.startswith("jrpcheck: ")]
    assert words in sentence


@pytest.mark.parametrize("url, words", [
    ("http://127.0.0.1:1/", "connection refused"),
    ("http://no-such-host.invalid/", "host name is not known"),
    ("https://127.0.0.1:{port}/", "TLS"),
    ("http://", "nothing comes after the scheme"),
    ("ftp://localhost/", "no scheme that is known"),
])
def test_a_server_that_cannot_be_reached_is_said_so(run, address, url, words):
    done = run("--timeout", "2000", url.format(port=address.rstrip("/").split(":")[-1]))
    assert done.returncode in (2, 3)
    assert words in done.stderr


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A certificate for 127.0.0.1 that nobody has signed but itself."""
    folder = tmp_path_factory.mktemp("tls")
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=jrpcheck",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
                       check=True, capture_output=True, timeout=PATIENCE)
    except FileNotFoundError:
        pytest.skip("there is no openssl to make a certificate")
    return folder


@pytest.fixture
def over_tls(certificate):
    """A server behind TLS that answers every call with -32601, with or without the right credentials."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = {"jsonrpc": "2.0", "error": {"code": -32601, "message": "no"}, "id": json.loads(body).get("id")}
            allowed = self.headers.get("Authorization") in (None, "Bearer right")
            text = json.dumps(answer).encode() if allowed else b""
            self.wfile.write(b"HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                             % (200 if allowed else 401, len(text), text))

        def log_message(self, *_args):
            pass

    with served(Handler, context) as url:
        yield url


def test_a_certificate_is_checked_unless_told_otherwise(run, over_tls, certificate):
    only = ("--only", "call/unknown-method", over_tls)
    done = run(*only)
    assert done.returncode == 3
    assert "--ca FILE" in done.stderr and "--insecure" in done.stderr
    assert run("--insecure", *only).returncode == 0
    assert run("--ca", certificate / "cert.pem", *only).returncode == 0
    assert run("--ca", certificate / "key.pem", *only).returncode in (2, 3)


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "CURL_CA_BUNDLE"])
def test_the_environment_names_certificates_to_trust(run, over_tls, certificate, variable):
    def trusting(file, *words):
        others = {name: value for name, value in os.environ.items() if name not in ("SSL_CERT_FILE", "CURL_CA_BUNDLE")}
        return run(*words, "--only", "call/unknown-method", over_tls, env={**others, variable: str(file)})

    assert trusting(certificate / "cert.pem").returncode == 0
    missing = trusting("/nonexistent/cert.pem")
    assert missing.returncode in (2, 3)
    assert len(missing.stderr.splitlines()) == 1 and "TLS has no certificates to trust" in missing.stderr
    assert variable in missing.stderr
    assert trusting("/nonexistent/cert.pem", "--ca", certificate / "cert.pem").returncode == 0


def test_headers_go_with_every_message(run, over_tls):
    only = ("--insecure", "--only", "call/unknown-method", over_tls)
    assert run("--header", "Authorization: Bearer right", *only).returncode == 0
    done = run("--header", "Authorization: Bearer wrong", *only)
    assert done.returncode == 3 and "credentials are missing or wrong" in done.stderr


def one_at_a_time():
    """A server that serves one connection at a time, to its end, as small servers do."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve_one(stream):
        while stream.readline().startswith(b"POST"):
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            text = stream.read(length)
            if text.startswith(b"{") and b'"id"' in text:
                call = json.loads(text)
                answer = {"result": True} if call["method"] == "slow" else {"error": {"code": -32601, "message": "no"}}
                answer["id"] = call["id"]
            else:
                answer = {"error": {"code": -32700, "message": "no"}, "id": None}
            body = json.dumps({"jsonrpc": "2.0", **answer}).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            stream.write(head.encode() + body)
            stream.flush()

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                with connection, connection.makefile("rwb") as stream, contextlib.suppress(OSError):
                    serve_one(stream)

    threading.Thread(target=serve, daemon=True).start()
    return server, f"http://127.0.0.1:{server.getsockname()[1]}/"


def test_a_client_that_leaves_has_sent_its_call_and_frees_the_server(run):
    server, url = one_at_a_time()
    with server:
        done = run("--only", "connections/left-before-the-answer", "--method", "slow=slow", "--timeout", "3000",
                   "--no-discover", url)
    assert "hang" not in done.stdout and "stuck" not in done.stdout, done.stdout
    assert done.returncode == 0 or "serves fewer connections" in done.stdout, done.stdout


class OpenStream(http.server.BaseHTTPRequestHandler):
    """Answers POST as it should, and GET by a stream of events that never brings one."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32601, "message": "no"}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.flush()
        self.rfile.read(1)  # until the client leaves

    def log_message(self, *_args):
        pass


def test_a_stream_of_events_that_stays_open_is_what_get_gets(run):
    with served(OpenStream) as url:
        done = run("--only", "http/get", "--timeout", "2000", "--report", "ndjson=out.ndjson", url)
    assert done.returncode == 0, done.stdout
    assert "1 observed" in done.stdout, done.stdout
