"""WebSocket: jrpc-reference behind it, jrpcheck in front of it, and servers that misbehave."""

import base64
import contextlib
import hashlib
import json
import pathlib
import socket
import sys
import threading

import pytest

from serving import free_port
from test_http import METHODS, ROOT, _needs_http, cases_of, events, listening, verdict_of  # noqa: F401

PATIENCE = 20
# Those of credentials need a server that asks for them: the fault matrix has one.
CASES = [case for case in cases_of("transport-websocket") if not case["id"].startswith("websocket-credential/")]
MAPPED = ["--suite", "transport-websocket", "--skip", "websocket-credential/**", *(word for name in METHODS for word in ("--method", f"{name}={name}"))]


@pytest.fixture(scope="module")
def faultless(jrpcheck, reference, tmp_path_factory):
    import subprocess

    folder = tmp_path_factory.mktemp("faultless")
    with listening(reference, "--ws", "127.0.0.1:0") as address:
        subprocess.run([jrpcheck, "--quiet", *MAPPED, "--report", f"ndjson={folder}/run.ndjson", address],
                       timeout=PATIENCE * 3, check=True)
    lines = (pathlib.Path(folder) / "run.ndjson").read_text().splitlines()
    return {event["id"]: event for event in map(json.loads, lines) if event["event"] == "case"}


def test_the_faultless_server_passes_every_case_of_websocket(faultless):
    named = {case["id"] for case in CASES}
    assert named <= set(faultless)
    assert {event["outcome"] for event in faultless.values()} <= {"pass", "observe"}


@pytest.mark.parametrize("case, fault", [(case["id"], fault) for case in CASES for fault in case["catches"]
                                         if not fault.endswith("-crash")])  # those want a server that is started again
def test_each_case_of_websocket_notices_the_faults_it_names(case, fault, faultless, reference, run, tmp_path):
    with listening(reference, "--ws", "127.0.0.1:0", "--fault", fault) as address:
        found = events(run, tmp_path, "--only", case, *MAPPED, "--timeout", "1000", address)[case]
    assert found["outcome"] not in ("skip", "blocked", "error")
    assert verdict_of(found) != verdict_of(faultless[case])
    rules = next(c["rules"] for c in CASES if c["id"] == case)
    if found["observed"] == faultless[case]["observed"]:
        # A target that is no longer heard is told under the rule for that, whichever the case names.
        assert {finding["rule"] for finding in found["findings"]} & {*rules, "SEC-b", "SEC-l"}


def request(address, **changes):
    headers = {"Host": "x", "Upgrade": "websocket", "Connection": "Upgrade",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
    headers |= {name.replace("_", "-"): value for name, value in changes.items()}
    text = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value is not None)
    host, port = address.split("/")[2].split(":")
    connection = socket.create_connection((host, int(port)), PATIENCE)
    connection.sendall(f"GET / HTTP/1.1\r\n{text}\r\n".encode())
    return connection


def head_of(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = connection.recv(1)
        assert piece, head
        head += piece
    return head


def test_the_handshake_answers_the_key_as_the_rfc_prints_it(reference):
    with listening(reference, "--ws", "127.0.0.1:0") as address, request(address) as connection:
        head = head_of(connection)
        assert head.startswith(b"HTTP/1.1 101 ") and b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head


@pytest.mark.parametrize("changes, status", [
    ({"Upgrade": None}, b"426"), ({"Upgrade": "h2c"}, b"426"), ({"Connection": "close"}, b"400"),
    ({"Sec_WebSocket_Key": None}, b"400"), ({"Sec_WebSocket_Version": "8"}, b"426"),
])
def test_a_wrong_handshake_is_refused(reference, changes, status):
    with listening(reference, "--ws", "127.0.0.1:0") as address, request(address, **changes) as connection:
        assert head_of(connection).split()[1] == status
        assert connection.recv(1) == b""


@pytest.mark.parametrize("frames, code", [
    (b"\x81\x02{}", 1002),                          # not masked
    (b"\xf1\x80\x00\x00\x00\x00", 1002),            # reserved bits
    (b"\x81\x81\x00\x00\x00\x00\xff", 1007),        # not UTF-8
    (b"\x88\x82\x00\x00\x00\x00\x03\xe8", 1000),    # a close
])
def test_a_broken_frame_is_answered_by_a_close_with_its_code(reference, frames, code):
    with listening(reference, "--ws", "127.0.0.1:0") as address, request(address) as connection:
        head_of(connection)
        connection.sendall(frames)
        answer = connection.recv(4)
        assert answer[0] == 0x88 and int.from_bytes(answer[2:4], "big") == code


def test_pages_of_other_origins_are_refused(reference, run):
    with listening(reference, "--ws", "127.0.0.1:0", "--origin", "https://one.example") as address:
        for origin, status in ((None, b"101"), ("https://one.example", b"101"), ("https://two.example", b"403")):
            with request(address, Origin=origin) as connection:
                assert head_of(connection).split()[1] == status
        only = ("--only", "call/unknown-method", address)
        assert run("--header", "Origin: https://one.example", *only).returncode == 0
        refused = run("--header", "Origin: https://two.example", *only)
        assert refused.returncode == 3 and "403 Forbidden" in refused.stderr


def test_an_idle_connection_is_closed_with_a_close(reference):
    with listening(reference, "--ws", "127.0.0.1:0", "--idle", "1") as address, request(address) as connection:
        head_of(connection)
        assert connection.recv(4) == b"\x88\x02\x03\xe8" and connection.recv(1) == b""


def test_a_message_over_the_limit_is_answered_by_a_close_that_says_so(reference):
    with listening(reference, "--ws", "127.0.0.1:0", "--max-message", "100") as address, request(address) as connection:
        head_of(connection)
        connection.sendall(b"\x81\xe5" + bytes(4) + b"a" * 101)
        assert connection.recv(4)[2:] == (1009).to_bytes(2, "big")


def test_a_connection_over_the_limit_waits_until_another_ends(reference):
    with listening(reference, "--ws", "127.0.0.1:0", "--max-connections", "1") as address:
        with request(address) as first, request(address) as second:
            head_of(first)
            second.settimeout(0.3)
            with pytest.raises(TimeoutError):
                second.recv(1)
            second.settimeout(PATIENCE)
            first.close()
            assert head_of(second).split()[1] == b"101"


def misbehaving(shake):
    """A server that answers the handshake with what `shake` makes of the key, and closes."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                with connection:
                    received = connection.recv(1 << 16)
                    if received:
                        key = received.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
                        connection.sendall(shake(key))
                        connection.recv(1 << 16)

    threading.Thread(target=serve, daemon=True).start()
    return server, f"ws://127.0.0.1:{server.getsockname()[1]}/rpc"


def accepted(key, rest=b""):
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    return (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + rest)


@pytest.mark.parametrize("shake, words", [
    (lambda key: b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "403 Forbidden"),
    (lambda key: b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "refused"),
    (lambda key: accepted(b"another key"), "Sec-WebSocket-Accept"),
    (lambda key: b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "SSH-2.0"),
    (lambda key: b"", "no answer to the handshake"),
    (lambda key: accepted(key), "ended before"),
    (lambda key: accepted(key, b"\x81\x82\x00\x00\x00\x00{}"), "ended before"),      # masked
    (lambda key: accepted(key, b"\x81\x7f\x7f" + b"\xff" * 7), "ended before"),     # oversize
    (lambda key: accepted(key, b"\x81\x7f\xff" + b"\xff" * 7), "breaks the protocol"),  # of no length
    (lambda key: accepted(key, b"\x81\x01\xff"), "no UTF-8"),
    (lambda key: accepted(key, b"\x83\x02{}"), "a reserved opcode"),
    (lambda key: accepted(key, b"\x01\x01{"), "ended before"),                      # closed in a message
])
def test_a_server_that_breaks_websocket_is_named_in_one_sentence(run, shake, words):
    server, url = misbehaving(shake)
    with server:
        done = run("--timeout", "2000", url)
    assert done.returncode in (1, 3)
    [sentence] = [line for line in done.stderr.splitlines() if line.startswith("jrpcheck: ")]
    assert words in sentence and (url in sentence or done.stdout.startswith("STOPPED"))
    broken = words == "a reserved opcode"
    assert (done.returncode == 1) == ("MUST WS-e, 1 case" in done.stdout) == broken


def test_a_refused_connection_names_the_address_as_it_was_written(run):
    done = run("ws://127.0.0.1:1/rpc")
    assert done.returncode == 3
    assert "cannot connect to ws://127.0.0.1:1/rpc: connection refused" in done.stderr


def mannered(manner, number):
    port = free_port()
    server = ROOT / "tests" / "servers" / "websocket_manners.py"
    return "--start", f"{sys.executable} {server} {port} {manner} {number}", f"ws://127.0.0.1:{port}/"


def accused(found):
    return {finding["rule"] for case in found.values() for finding in case["findings"] if finding["level"] != "OBSERVE"}


@pytest.mark.parametrize("manner, number", [("after", 20), ("answers", 10)])
def test_a_server_that_closes_connections_after_some_messages_is_not_accused(run, tmp_path, manner, number):
    suites = [word for name in ("jsonrpc-2.0", "transport-websocket") for word in ("--suite", name)]
    found = events(run, tmp_path, *suites, *mannered(manner, number))
    assert len(found) > 300 and accused(found) == set()
    outcomes = [case["outcome"] for case in found.values()]
    assert outcomes.count("pass") > 150
    cut = [case for case in found.values() if "closes each connection" in str(case.get("reason"))]
    assert 0 < len(cut) < 10


def test_a_close_in_the_place_of_an_answer_is_a_missing_answer(run, tmp_path):
    found = events(run, tmp_path, "--only", "alone/**", "--only", "params/**", *mannered("instead", -32600))
    assert accused(found) == {"J2-5.1e", "J2-5a"}  # the latter: a call whose params are null is answered


def test_a_server_that_pings_in_the_middle_of_our_frames_is_not_accused(run, tmp_path):
    suites = [word for name in ("jsonrpc-2.0", "transport-websocket") for word in ("--suite", name)]
    found = events(run, tmp_path, *suites, *mannered("pings", 1))
    assert len(found) > 300 and accused(found) == set()
    assert found["websocket/frame-in-pieces"]["outcome"] == "pass"
