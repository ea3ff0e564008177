"""--jwt-secret: a new token for each message, as the engine port of an Ethereum node requires."""

import base64
import hashlib
import hmac
import http.server
import json
import time

import pytest
from serving import served

KEY = bytes(range(32))


class Engine(http.server.BaseHTTPRequestHandler):
    """Serves calls whose token is valid and was issued within a minute of now."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        valid = self.valid()
        answer = self.answer(json.loads(body)) if valid else b"invalid token" if self.headers["Authorization"] else b"missing token"
        self.send_response(200 if valid else 401)
        self.send_header("Content-Type", "application/json" if valid else "text/plain")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def valid(self):
        token = (self.headers["Authorization"] or "").removeprefix("Bearer ")
        signed, _, signature = token.rpartition(".")
        expected = base64.urlsafe_b64encode(hmac.new(KEY, signed.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
        if not signed or signature != expected:
            return False
        claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "==="))
        return abs(claims["iat"] - time.time()) < 60

    def answer(self, call):
        results = {"eth_chainId": "0x1", "eth_blockNumber": "0x0", "eth_getBlockByHash": None,
                   "engine_exchangeCapabilities": ["engine_newPayloadV1"]}
        method = call.get("method")
        rest = {"result": results[method]} if method in results else {"error": {"code": -32601, "message": "Method not found"}}
        return json.dumps({"jsonrpc": "2.0", "id": call.get("id"), **rest}).encode()

    def log_message(self, *words):
        pass


@pytest.fixture
def engine():
    with served(Engine) as url:
        yield url


@pytest.mark.parametrize("options, words", [
    (["--profile", "ethereum"], "name the file of the shared secret with --jwt-secret FILE: missing token"),
    ([], "this looks like an Ethereum node over HTTP: add --profile ethereum"),
])
def test_a_call_without_a_token_says_what_to_pass(run, engine, options, words):
    done = run("-q", *options, "--only", "call/unknown-method", "--start-timeout", "1000", engine)
    assert words in done.stdout + done.stderr, done.stdout + done.stderr


def test_the_engine_port_is_judged_with_a_new_token_for_each_message(run, engine, tmp_path):
    (tmp_path / "jwt.hex").write_text(KEY.hex() + "\n")
    done = run("--profile", "ethereum", "--suite", "ethereum", "--jwt-secret", "jwt.hex",
               engine, "--report", "ndjson=run.ndjson")
    events = [json.loads(line) for line in (tmp_path / "run.ndjson").read_text().split("\n")[:-1]]
    cases = {event["id"]: event["outcome"] for event in events if event["event"] == "case"}
    assert done.returncode == 0, done.stdout
    assert {name for name, outcome in cases.items() if outcome == "pass"} >= {
        "eth-quantity/chain-id", "eth-engine/token-none", "eth-engine/token-forged", "eth-engine/token-foreign",
        "eth-engine/token-unsigned", "eth-engine/token-expired", "eth-engine/token-with-claims", "eth-engine/capabilities"}
    # Methods that the engine port need not have are not tested.
    assert cases["eth-network/version"] == "skip" and cases["eth-sha3/text"] == "skip"
    # A token expires within a minute, so reports may show it; they never show the secret.
    assert KEY.hex() not in (tmp_path / "run.ndjson").read_text()


@pytest.mark.parametrize("text", ["", "0x1234", "z" * 64])
def test_a_file_without_a_secret(run, tmp_path, text):
    (tmp_path / "jwt.hex").write_text(text)
    done = run("--jwt-secret", "jwt.hex", "http://127.0.0.1:1/")
    assert done.returncode == 2 and "jwt.hex: a secret has 64 hexadecimal digits" in done.stderr, done.stderr
