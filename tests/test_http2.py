"""HTTP/2, where the peer has it: nghttpx in front of the bundled server turns it into HTTP/1.1."""

import contextlib
import shutil
import subprocess

import pytest
from serving import free_port
from test_http import _needs_http, certificate, listening  # noqa: F401

NGHTTPX = shutil.which("nghttpx") or shutil.which("nghttpx", path="/usr/sbin")


@contextlib.contextmanager
def in_front_of(address, certificate, folder):  # noqa: F811
    """Gives the port on which HTTP/2 over TLS is spoken for the server at this address, and the access log."""
    port = free_port()
    log = folder / "access.log"
    backend = address.split("//")[1].strip("/").replace(":", ",")
    process = subprocess.Popen(
        [NGHTTPX, "--conf=/dev/null", f"--frontend=127.0.0.1,{port}", f"--backend={backend}", "--workers=1", "--no-ocsp",
         f"--accesslog-file={log}", "--errorlog-file=/dev/stderr", *certificate],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert any("Listening on" in line for line in process.stderr)
        yield port, log
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.mark.skipif(NGHTTPX is None, reason="nghttpx (Debian: nghttp2-proxy) is not installed: nobody here speaks HTTP/2")
def test_the_verdict_over_http_2_is_the_one_over_http_1(run, reference, certificate, tmp_path):  # noqa: F811
    with listening(reference, "--http", "127.0.0.1:0") as address:
        with in_front_of(address, [certificate / "key.pem", certificate / "cert.pem"], tmp_path) as (port, log):
            done = run("--insecure", "--suite", "jsonrpc-2.0", f"https://127.0.0.1:{port}/")
    assert done.returncode == 0, done.stdout + done.stderr
    spoken = [line for line in log.read_text().splitlines() if "HTTP/2" in line]
    assert len(spoken) > 400, "the exchange was not over HTTP/2"
