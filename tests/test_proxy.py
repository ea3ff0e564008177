"""Proxies, certificates of other names, and tokens from the environment: through a tiny proxy on the loopback."""

import contextlib
import json
import os
import select
import socket
import ssl
import subprocess
import threading

import pytest
from serving import served
from test_http import PATIENCE, Mcp, _needs_http, listening  # noqa: F401

ONLY = ("--only", "call/unknown-method")


def pump(one, other):
    """Carries bytes between two sockets until one of them ends."""
    ends = {one: other, other: one}
    while True:
        for ready in select.select(list(ends), [], [])[0]:
            data = ready.recv(1 << 16)
            if not data:
                return
            ends[ready].sendall(data)


def forward(client, seen):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = client.recv(1 << 16)
        if not piece:
            return
        head += piece
    method, where, version = head.split(b"\r\n")[0].split()
    seen.append((method.decode(), where.decode()))
    host = where.split(b"/")[2] if method != b"CONNECT" else where
    name, port = host.rsplit(b":", 1)
    with socket.create_connection((name.decode(), int(port)), PATIENCE) as server:
        if method == b"CONNECT":
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            server.sendall(head)
        pump(client, server)


@pytest.fixture
def proxy():
    """The address of a proxy, and what it was asked for."""
    seen = []

    def serve(listener):
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=serve_one, args=(client,), daemon=True).start()

    def serve_one(client):
        with client, contextlib.suppress(OSError):
            forward(client, seen)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", seen


def run_with(jrpcheck, environment, *words):
    clean = {name: value for name, value in os.environ.items() if name.lower() not in ("no_proxy", "http_proxy", "https_proxy")}
    return subprocess.run([jrpcheck, *words], capture_output=True, text=True, timeout=PATIENCE * 3, env=clean | environment)


def test_http_goes_through_the_proxy_of_the_environment(jrpcheck, reference, proxy):
    address, seen = proxy
    with listening(reference, "--http", "127.0.0.1:0") as url:
        done = run_with(jrpcheck, {"http_proxy": address}, "--proxy", "env", *ONLY, url)
        assert done.returncode == 0, done.stderr
        assert ("POST", url) in seen
        before = len(seen)
        assert run_with(jrpcheck, {"http_proxy": address, "no_proxy": "127.0.0.1"}, "--proxy", "env", *ONLY, url).returncode == 0
        assert len(seen) == before


def test_websocket_goes_through_a_tunnel_of_the_proxy(jrpcheck, reference, proxy):
    address, seen = proxy
    with listening(reference, "--ws", "127.0.0.1:0") as url:
        done = run_with(jrpcheck, {"http_proxy": address}, "--proxy", "env", *ONLY, url)
    assert done.returncode == 0, done.stderr
    assert set(seen) == {("CONNECT", url.split("/")[2])}


def test_a_proxy_that_is_not_there_is_named(jrpcheck):
    done = run_with(jrpcheck, {}, "--proxy", "http://no-such-host.invalid:1", *ONLY, "http://127.0.0.1:1/")
    assert done.returncode == 3 and "the name of the proxy is not known" in done.stderr


@pytest.fixture(scope="module")
def other_name(tmp_path_factory):
    """A certificate of another host's name."""
    folder = tmp_path_factory.mktemp("tls")
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=other.example",
                        "-addext", "subjectAltName=DNS:other.example", "-keyout", folder / "key.pem", "-out",
                        folder / "cert.pem"], check=True, capture_output=True, timeout=PATIENCE)
    except FileNotFoundError:
        pytest.skip("there is no openssl to make a certificate")
    return folder


@contextlib.contextmanager
def over_tls(folder):
    """The reference server's stand-in behind TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    handler = type("Handler", (Mcp,), {"seen": []})
    with served(handler, context) as url:
        yield url


def test_a_certificate_of_another_name_is_told_from_an_unknown_authority(jrpcheck, other_name, proxy):
    with over_tls(other_name) as url:
        done = run_with(jrpcheck, {}, "--ca", other_name / "cert.pem", *ONLY, url)
        assert done.returncode == 3
        assert "127.0.0.1" in done.stderr and "subject name" in done.stderr and "--insecure" in done.stderr
        address, seen = proxy
        headers = ("--header", "Mcp-Session-Id: s")
        assert run_with(jrpcheck, {"https_proxy": address}, "--proxy", "env", "--insecure", *headers, *ONLY, url).returncode == 0
        assert set(seen) == {("CONNECT", url.split("/")[2])}, "TLS goes through a tunnel"


def test_a_token_comes_from_the_environment(jrpcheck, tmp_path):
    asked = []

    class Guarded(Mcp):
        seen = []

        def do_POST(self):
            asked.append(self.headers.get("Authorization"))
            super().do_POST()

    with served(Guarded) as url:
        target = tmp_path / "target.json"
        target.write_text(json.dumps({"schema": 1, "name": "guarded", "url": url, "headers": {
            "Authorization": "Bearer ${env:JRPC_TEST_TOKEN}", "Mcp-Session-Id": "s"}}))
        assert run_with(jrpcheck, {"JRPC_TEST_TOKEN": "secret"}, *ONLY, target).returncode == 0
        assert set(asked) == {"Bearer secret"}
        done = run_with(jrpcheck, {}, *ONLY, target)
        assert done.returncode == 2 and "the environment variable JRPC_TEST_TOKEN is not set" in done.stderr
