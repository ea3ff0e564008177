"""jrpc-reference-client: the driver protocol over every transport, and its faults against a server of a few lines."""

import contextlib
import json
import os
import socket
import subprocess

import pytest

from conftest import build_folder
from serving import free_port

CLIENT = build_folder() / "jrpc-reference-client"
SERVER = build_folder() / "jrpc-reference"
PATIENCE = 20
CAN = ["call", "notify", "batch", "by-name", "concurrent", "connect", "close", "reports", "resources"]


class Driver:
    """A driver under way: commands in, outcomes out."""

    def __init__(self, url, *options, framing="line", timeout=5000, **environment):
        env = {**os.environ, "JRPCHECK_FRAMING": framing, "JRPCHECK_TIMEOUT": str(timeout), **environment}
        if url is not None:
            env["JRPCHECK_URL"] = url
        self.process = subprocess.Popen([CLIENT, *options], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.greeting = self.line()
        self.tag = 0

    def line(self):
        text = self.process.stdout.readline()
        return json.loads(text) if text else None

    def tell(self, do, **members):
        self.tag += 1
        self.process.stdin.write(json.dumps({"do": do, "tag": self.tag, **members}).encode() + b"\n")
        self.process.stdin.flush()
        return self.tag

    def ask(self, do, **members):
        """What became of a command; events before it are left out."""
        tag = self.tell(do, **members)
        return self.outcome(tag)

    def outcome(self, tag):
        while (line := self.line()) is not None:
            if line.get("tag") == tag:
                return {name: value for name, value in line.items() if name != "tag"}
        return None

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return self.process.wait(PATIENCE), rest

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


@pytest.fixture(scope="module")
def addresses(tmp_path_factory):
    """The reference server on every transport at once."""
    path = tmp_path_factory.mktemp("client") / "socket"
    words = [SERVER, "--tcp", "127.0.0.1:0", "--unix", path]
    if subprocess.run([SERVER, "--http", "x"], capture_output=True, check=False).stderr.find(b"without") < 0:
        words += ["--http", "127.0.0.1:0", "--ws", "127.0.0.1:0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        found = {}
        for _ in range((len(words) - 1) // 2):
            url = server.stderr.readline().split("listening on ")[1].strip()
            found[url.split(":")[0]] = url
        yield found
        server.terminate()


@pytest.mark.parametrize("transport", ["tcp", "unix", "http", "ws"])
def test_every_command_works_over_every_transport(addresses, transport):
    if transport not in addresses:
        pytest.skip("this build has no HTTP")
    with Driver(addresses[transport]) as driver:
        can = [word for word in CAN if transport != "http" or word != "concurrent"]
        assert driver.greeting["driver"] == 1 and driver.greeting["can"] == can
        assert driver.ask("ping") == {"result": "pong"}
        assert driver.ask("connect") == {"result": None}
        assert driver.ask("call", method="subtract", params=[42, 23]) == {"result": 19}
        assert driver.ask("call", method="subtract", params={"subtrahend": 23, "minuend": 42}) == {"result": 19}
        assert driver.ask("call", method="get_data") == {"result": ["hello", 5]}
        assert driver.ask("notify", method="update", params=[1]) == {"result": None}
        assert driver.ask("call", method="nothing")["error"]["code"] == -32601
        batch = [{"method": "sum", "params": [1, 2, 4]}, {"notify": True, "method": "update"}, {"method": "nothing"}]
        first, second, third = driver.ask("batch", list=batch)["list"]
        assert first == {"result": 7} and second is None and third["error"]["code"] == -32601
        assert driver.ask("batch", list=[{"notify": True, "method": "update"}]) == {"list": [None]}
        assert "failed" in driver.ask("batch", list=[])
        assert "failed" in driver.ask("call", method="m", params=7)
        assert driver.ask("close") == {"result": None}
        assert "failed" in driver.ask("call", method="get_data")
        assert driver.ask("connect") == {"result": None}
        assert driver.ask("call", method="echo", params=[1]) == {"result": [1]}
        assert driver.end() == (0, b"")


@pytest.mark.parametrize("framing", ["line", "content-length", "concatenated", "length32"])
def test_a_server_that_is_started_speaks_every_framing(framing):
    words = json.dumps([str(SERVER), "--framing", framing])
    with Driver(None, "--start", framing=framing, JRPCHECK_SERVER=words) as driver:
        assert driver.ask("call", method="subtract", params=[42, 23]) == {"result": 19}
        assert driver.end() == (0, b"")


def test_commands_under_way_end_in_the_order_of_their_answers(addresses):
    with Driver(addresses["tcp"]) as driver:
        slow = driver.tell("call", method="no_such_thing_yet_slow")
        fast = driver.tell("ping")
        assert {driver.line()["tag"], driver.line()["tag"]} == {slow, fast}


@pytest.mark.parametrize("line", [b"rubbish", b"{}", b'{"do":"call"}', b"[]", b""])
def test_a_command_that_cannot_be_read_ends_nothing(addresses, line):
    with Driver(addresses["unix"]) as driver:
        driver.process.stdin.write(line + b"\n")
        assert driver.ask("ping") == {"result": "pong"}
        assert "failed" in driver.ask("fly")
        assert "failed" in driver.ask("call")
        assert "failed" in driver.ask("batch")


def test_nobody_there_is_a_failure_and_not_the_end():
    with Driver(f"tcp://127.0.0.1:{free_port()}") as driver:
        assert "refused" in driver.ask("connect")["failed"]
        assert "refused" in driver.ask("call", method="m")["failed"]
        assert driver.end() == (0, b"")


@pytest.mark.parametrize("words, status, expected", [
    (["--fault"], 2, "needs a name"), (["--fault", "x"], 2, "no fault 'x'"), (["--fly"], 2, "unknown option"),
    ([], 2, "JRPCHECK_URL"), (["--start"], 2, "JRPCHECK_SERVER"), (["--help"], 0, "usage"), (["--version"], 0, "0.")])
def test_the_command_line_is_read(words, status, expected):
    env = {name: value for name, value in os.environ.items() if not name.startswith("JRPCHECK_")}
    done = subprocess.run([CLIENT, *words], env=env, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == status and expected in done.stdout + done.stderr


# --- faults -----------------------------------------------------------------------------------------------------

class Listener:
    """A server by hand: hears lines of a client and says what it is told to."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(PATIENCE)
        self.url = "tcp://127.0.0.1:%d" % self.socket.getsockname()[1]
        self.peer = self.file = None

    def accept(self):
        self.peer, _ = self.socket.accept()
        self.peer.settimeout(PATIENCE)
        self.file = self.peer.makefile("rb")

    def hear(self):
        return json.loads(self.file.readline())

    def say(self, *messages):
        self.peer.sendall(b"".join(
            (message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n" for message in messages))

    def close(self):
        for end in (self.file, self.peer, self.socket):
            if end is not None:
                end.close()


@pytest.fixture
def listener():
    there = Listener()
    yield there
    there.close()


def result(value, number):
    return {"jsonrpc": "2.0", "result": value, "id": number}


def test_a_right_client_survives_what_no_client_asked_for(listener):
    with Driver(listener.url) as driver:
        tag = driver.tell("call", method="m")
        listener.accept()
        number = listener.hear()["id"]
        listener.say(b"", b"log line", b"[]", b"7", b"[" * 10000, result(1, 77), result(1, str(number)), result(1, None),
                     {"jsonrpc": "2.0", "method": "hello", "params": [1]}, result("right", number), result("late", number))
        assert driver.line() == {"event": "notification", "method": "hello", "params": [1]}
        assert driver.outcome(tag) == {"result": "right"}
        listener.say({"jsonrpc": "2.0", "method": "ask", "id": "s"})
        assert listener.hear() == {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "s"}
        assert driver.line() == {"event": "request", "method": "ask"}
        assert driver.end() == (0, b"")


def test_calls_under_way_end_with_the_connection_and_the_next_one_opens_another(listener):
    with Driver(listener.url) as driver:
        tag = driver.tell("call", method="m")
        listener.accept()
        listener.hear()
        listener.peer.shutdown(socket.SHUT_RDWR)
        listener.file.close()
        listener.peer.close()
        assert "closed" in driver.outcome(tag)["failed"]
        tag = driver.tell("call", method="m")
        listener.accept()
        listener.say(result(5, listener.hear()["id"]))
        assert driver.outcome(tag) == {"result": 5}


def test_a_batch_refused_by_one_error_gives_it_to_every_call(listener):
    with Driver(listener.url) as driver:
        tag = driver.tell("batch", list=[{"method": "a"}, {"method": "b"}])
        listener.accept()
        listener.hear()
        listener.say({"jsonrpc": "2.0", "error": {"code": -32600, "message": "no"}, "id": None})
        assert driver.outcome(tag) == {"list": [{"error": {"code": -32600, "message": "no"}}] * 2}


def heard_by(listener, fault, do="call", **members):
    with Driver(listener.url, "--fault", fault, timeout=300) as driver:
        driver.tell(do, **members)
        listener.accept()
        return listener.hear()


@pytest.mark.parametrize("fault, do, members, wrong", [
    ("version-missing", "call", {"method": "m"}, {"method": "m", "id": 1}),
    ("params-scalar", "call", {"method": "m", "params": [5]}, {"jsonrpc": "2.0", "method": "m", "params": 5, "id": 1}),
    ("id-in-notification", "notify", {"method": "m"}, {"jsonrpc": "2.0", "method": "m", "id": 700}),
    ("batch-empty-sent", "batch", {"list": []}, []),
    ("params-integers-rounded", "call", {"method": "m", "params": [2**53 + 1]},
     {"jsonrpc": "2.0", "method": "m", "params": [2**53], "id": 1}),
])
def test_a_fault_shows_on_the_wire(listener, fault, do, members, wrong):
    assert heard_by(listener, fault, do, **members) == wrong


@pytest.mark.parametrize("fault, answer, outcome", [
    ("error-data-lost", {"jsonrpc": "2.0", "error": {"code": 1, "message": "", "data": 0}, "id": 1},
     {"error": {"code": 1, "message": ""}}),
    ("integers-rounded", result(2**53 + 1, 1), {"result": 2**53}),
    ("id-string-as-number", result(1, "1"), {"result": 1}),
    ("crash-notification", {"jsonrpc": "2.0", "method": "m"}, None),
])
def test_a_fault_shows_to_the_caller(listener, fault, answer, outcome):
    with Driver(listener.url, "--fault", fault, timeout=300) as driver:
        tag = driver.tell("call", method="m")
        listener.accept()
        listener.hear()
        listener.say(answer)
        assert driver.outcome(tag) == outcome


def test_faults_have_names_rules_and_words_of_their_own():
    listed = subprocess.run([CLIENT, "--list-faults"], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in listed.splitlines()]
    assert all(len(row) == 3 for row in rows) and len(rows) >= 100
    assert len({row[0] for row in rows}) == len({row[2] for row in rows}) == len(rows)
