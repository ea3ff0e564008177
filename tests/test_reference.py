"""jrpc-reference as a program: its streams, sockets, framings, methods, ends and faults."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 20

NEXT = "kotlinx.rpc.jsonrpc.internal.nextFlowValue"
CANCEL = "kotlinx.rpc.jsonrpc.internal.cancelFlow"

FRAMES = {
    "line": lambda text: text + b"\n",
    "content-length": lambda text: b"Content-Length: %d\r\n\r\n%s" % (len(text), text),
    "concatenated": lambda text: text,
    "length32": lambda text: len(text).to_bytes(4, "big") + text,
}


def ask(reference, text, *options):
    done = subprocess.run([reference, *options], input=text, capture_output=True, timeout=PATIENCE)
    return done


def answers(reference, *messages, options=()):
    text = b"".join(m if isinstance(m, bytes) else json.dumps(m).encode() + b"\n" for m in messages)
    done = ask(reference, text, *options)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(method, params=None, id="i"):
    message = {"jsonrpc": "2.0", "method": method, "id": id}
    return message if params is None else {**message, "params": params}


def outcome(reference, method, params=None):
    [answer] = answers(reference, call(method, params))
    assert answer["jsonrpc"] == "2.0" and answer["id"] == "i"
    return answer.get("error", {}).get("code", answer.get("result"))


@pytest.mark.parametrize("method, params, expected", [
    ("subtract", [42, 23], 19),
    ("subtract", {"subtrahend": 23, "minuend": 42}, 19),
    ("subtract", [9007199254740993, 1], 9007199254740992),
    ("subtract", [-(2**63), 1], -32602),
    ("subtract", [1.5, 1], -32602),
    ("subtract", [1], -32602),
    ("sum", [1, 2, 4], 7),
    ("sum", [], 0),
    ("sum", ["1"], -32602),
    ("sum", {"a": 1}, -32602),
    ("get_data", None, ["hello", 5]),
    ("get_data", [1], -32602),
    ("count", None, 0),
    ("echo", None, None),
    ("echo", {"a": [None, "\u0000é"]}, {"a": [None, "\u0000é"]}),
    ("fail", [1], -32603),
    ("app_error", [7], 7),
    ("app_error", ["7"], -32602),
    ("slow", [1], None),
    ("slow", [60001], -32602),
    ("slow", [-1], -32602),
    ("push", None, -1),
    ("optional", [1, "b"], [1, "b"]),
    ("optional", {"b": None, "a": 1}, [1, None]),
    ("optional", [1], [1, None]),
    ("optional", {"a": 1}, [1, None]),
    ("optional", {"b": 1}, -32602),
    ("optional", [1, 2, 3], -32602),
    ("denied", None, -32001),
    ("denied", {"a": 1}, -32001),
    ("nonce", ["n", 2**40], True),
    ("nonce", ["n", 0], -32002),
    ("nonce", {"timestamp": 2**40, "nonce": "n" * 64}, True),
    ("nonce", ["n" * 65, 2**40], -32602),
    ("nonce", ["", 2**40], -32602),
    ("nonce", ["n", "now"], -32602),
    ("nonce", ["n"], -32602),
    ("signed", ["m"], -32003),
    ("signed", ["m", 7], -32003),
    ("signed", [7, "m"], -32602),
    ("flow", [1], -32602),
    (NEXT, [1], -32001),
    (NEXT, [-1], -32001),
    (NEXT, ["1"], -32602),
    (CANCEL, [1], None),
    (CANCEL, ["1"], -32602),
    ("stream", [0], None),
    ("stream", [-1], -32602),
    ("stream", [10001], -32602),
    ("nothing", None, -32601),
    ("rpc.nothing", None, -32601),
])
def test_each_method_does_what_the_fixture_contract_says(reference, method, params, expected):
    if method == "push":
        note, answer = answers(reference, call("push", {"a": 1}))
        assert note == {"jsonrpc": "2.0", "method": "push.note", "params": {"a": 1}}
        assert answer["result"] is None
    else:
        assert outcome(reference, method, params) == expected


def test_an_application_error_arrives_as_it_was_ordered(reference):
    [answer] = answers(reference, call("app_error", {"code": -5, "message": "no", "data": [1, {"a": None}]}))
    assert answer["error"] == {"code": -5, "message": "no", "data": [1, {"a": None}]}


def test_echo_keeps_the_spelling_of_numbers_and_strings(reference):
    done = ask(reference, b'{"jsonrpc":"2.0","method":"echo","params":[1.50,1E400,"\\u0041\\/"],"id":1e2}\n')
    assert done.stdout == b'{"jsonrpc":"2.0","result":[1.50,1E400,"\\u0041\\/"],"id":1e2}\n'


def test_effects_are_counted_once_each(reference):
    notes = [{"jsonrpc": "2.0", "method": m} for m in ("update", "notify_hello", "notify_sum", "nothing")]
    [answer] = answers(reference, *notes, [notes[0], notes[1]], call("count"))
    assert answer["result"] == 5


def results(reference, *calls):
    """The result or error code of each call, all on one connection."""
    return [answer.get("error", {}).get("code", answer.get("result")) for answer in answers(reference, *calls)]


def signature(message):
    """As reference/server/README.md says."""
    state = 0xcbf29ce484222325
    for byte in (message + "jrpc-reference shared text").encode():
        state = (state ^ byte) * 0x100000001b3 % 2**64
    return f"{state:016x}"


def test_a_denied_call_or_notification_has_no_effect(reference):
    note = {"jsonrpc": "2.0", "method": "denied"}
    assert results(reference, note, call("denied"), call("count")) == [-32001, 0]


def test_a_nonce_is_accepted_once_with_a_timestamp_of_the_last_five_minutes(reference):
    now = int(time.time())
    asked = [("a", now), ("a", now), ("a", now + 1), ("b", now), ("b\u0000", now), ("c", now - 400), ("c", now - 200)]
    assert results(reference, *(call("nonce", list(one)) for one in asked)) == [
        True, -32002, -32002, True, True, -32002, True]


def test_more_nonces_than_can_be_remembered_are_refused(reference):
    asked = [call("nonce", [f"n{number}", 2**40]) for number in range(1025)]
    assert results(reference, *asked, asked[0]) == [True] * 1024 + [-32002] * 2


def test_one_of_many_connections_gets_a_nonce_accepted(serve):
    server = serve("--tcp", "127.0.0.1:0")
    connections = [server.connect(server.addresses[0]) for _ in range(16)]
    for connection in connections:
        connection.sendall(json.dumps(call("nonce", ["same", 2**40])).encode() + b"\n")
    heard = [json.loads(connection.makefile("rb").readline()) for connection in connections]
    assert sorted("result" in answer for answer in heard) == [False] * 15 + [True]
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("message", ["", "pay 1", "\u00e9\U0001d11e\u0000"])
def test_a_rightly_signed_call_and_no_other_takes_effect(reference, message):
    right = signature(message)
    assert results(reference, call("signed", [message, right]), call("count"),
                   call("signed", {"signature": right, "message": message + " "}), call("signed", [message]),
                   call("signed", [message, right.replace(right[0], "g")]), call("count")) == [
                       True, 1, -32003, -32003, -32003, 1]


def test_sign_gives_what_signed_takes(reference):
    assert results(reference, call("sign", ["pay 1"]), call("signed", ["pay 1", signature("pay 1")]), call("sign", [7])) == [
        signature("pay 1"), True, -32602]


def test_a_flow_gives_three_values_and_ends(reference):
    steps = [call(NEXT, [1])] * 4
    assert results(reference, call("flow"), *steps, steps[0]) == [1, 0, 1, 2, -32001, -32001]


def test_flows_are_apart_and_a_cancelled_one_gives_nothing_more(reference):
    assert results(reference, call("flow"), call("flow"), call(NEXT, {"id": 1}), call(NEXT, [2]), call(NEXT, [1]),
                   call(CANCEL, [1]), call(CANCEL, [1]), call(NEXT, [1]), call(NEXT, [2]), call("flow")) == [
                       1, 2, 0, 0, 1, None, None, -32001, 1, 3]


def test_the_oldest_flow_makes_room_for_a_new_one(reference):
    flows = [call("flow")] * 257
    assert results(reference, *flows, call(NEXT, [1]), call(NEXT, [2]), call(NEXT, [257])) == [
        *range(1, 258), -32001, 0, 0]


def test_stream_sends_its_items_in_order_before_its_answer(reference):
    *items, answer = answers(reference, call("stream", [3]))
    assert items == [{"jsonrpc": "2.0", "method": "stream.item", "params": [number]} for number in range(3)]
    assert answer == {"jsonrpc": "2.0", "result": None, "id": "i"}


@pytest.mark.parametrize("framing", FRAMES)
def test_every_framing_answers_everything_that_was_read_before_the_end(reference, framing):
    frame = FRAMES[framing]
    text = b"".join(frame(json.dumps(call("echo", [i], i)).encode()) for i in range(50))
    expected = b"".join(frame(b'{"jsonrpc":"2.0","result":[%d],"id":%d}' % (i, i)) for i in range(50))
    done = ask(reference, text, "--framing", framing)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")


def test_a_last_line_without_a_line_feed_is_answered(reference):
    [answer] = answers(reference, json.dumps(call("count")).encode())
    assert answer["result"] == 0


def test_text_that_is_no_json_is_a_parse_error_and_the_next_message_is_served(reference):
    first, second = answers(reference, b'{"jsonrpc"\n', call("count"))
    assert first == {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": None}
    assert second["result"] == 0


def test_deep_nesting_is_refused_and_the_next_message_is_served(reference):
    first, second = answers(reference, b"[" * 100000 + b"\n", call("count"))
    assert first["error"]["code"] == -32700
    assert second["result"] == 0


def test_a_message_over_64_mib_is_refused_and_the_next_one_served(reference):
    first, second = answers(reference, b'"' + b"x" * (65 << 20) + b'"\n', call("count"))
    assert first == {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}
    assert second["result"] == 0


class Server:
    """A reference server on sockets, with the addresses that it printed."""

    def __init__(self, reference, *options):
        listeners = sum(option in ("--tcp", "--unix") for option in options)
        self.process = subprocess.Popen([reference, *options], stderr=subprocess.PIPE, text=True)
        self.addresses = [self.process.stderr.readline().removeprefix("listening on ").strip() for _ in range(listeners)]

    def connect(self, address):
        kind, _, rest = address.partition(":")
        if kind == "unix":
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(rest)
        else:
            host, port = re.fullmatch(r"//\[?(.*?)\]?:(\d+)", rest).groups()
            connection = socket.create_connection((host, int(port)))
        connection.settimeout(PATIENCE)
        return connection

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.process.stderr.close()
        return status


@pytest.fixture
def serve(reference):
    servers = []

    def serve(*options):
        servers.append(Server(reference, *options))
        return servers[-1]

    yield serve
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
        server.process.stderr.close()


def exchange(connection, *messages):
    connection.sendall(b"".join(json.dumps(m).encode() + b"\n" for m in messages))
    with connection.makefile("rb") as stream:
        return [json.loads(stream.readline()) for _ in messages]


def test_several_listeners_serve_at_once_and_share_their_effects(serve, tmp_path):
    server = serve("--tcp", "127.0.0.1:0", "--unix", str(tmp_path / "socket"), "--tcp", "127.0.0.1:0")
    assert len(set(server.addresses)) == 3
    connections = [server.connect(address) for address in server.addresses * 5]
    for number, connection in enumerate(connections):
        [answer] = exchange(connection, call("update", None, number))
        assert answer["id"] == number
    [answer] = exchange(connections[0], call("count"))
    assert answer["result"] == len(connections)
    for connection in connections:
        connection.close()
    assert server.end() == 0
    assert not (tmp_path / "socket").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_orderly_also_in_the_middle_of_a_slow_call(serve, number):
    server = serve("--tcp", "127.0.0.1:0")
    connection = server.connect(server.addresses[0])
    connection.sendall(json.dumps(call("slow", [60000])).encode() + b"\n")
    [answer] = exchange(server.connect(server.addresses[0]), call("count"))
    assert answer["result"] == 0
    assert server.end(number) == 0
    connection.close()


def test_a_client_that_leaves_before_its_answer_harms_nobody(serve):
    server = serve("--tcp", "127.0.0.1:0")
    for _ in range(20):
        connection = server.connect(server.addresses[0])
        connection.sendall(json.dumps(call("echo", ["x" * 100000])).encode() + b"\n" + b"[" * 10)
        connection.close()
    [answer] = exchange(server.connect(server.addresses[0]), call("count"))
    assert answer["result"] == 0
    assert server.end() == 0


def test_a_signal_ends_a_server_on_stdio_that_waits_for_input(reference):
    process = subprocess.Popen([reference], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(json.dumps(call("count")).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"] == 0
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    process.communicate()


def test_a_reader_that_goes_away_ends_the_server_without_a_signal(reference):
    process = subprocess.Popen([reference], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write(json.dumps(call("count")).encode() + b"\n")
    process.stdin.flush()
    assert process.wait(PATIENCE) == 0
    process.stdin.close()


def test_a_port_in_use_gets_one_sentence_and_exit_3(reference, serve):
    server = serve("--tcp", "127.0.0.1:0")
    port = server.addresses[0].rpartition(":")[2]
    done = ask(reference, b"", "--tcp", f"127.0.0.1:{port}")
    assert done.returncode == 3
    assert done.stderr.startswith(f"jrpc-reference: cannot listen on 127.0.0.1:{port}: ".encode())
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("options, named", [
    (["--fault", "nosuch"], "--list-faults"), (["--nosuch"], "--nosuch"), (["--framing", "x"], "content-length"),
])
def test_a_bad_word_is_exit_2_and_one_sentence(reference, options, named):
    done = ask(reference, b"", *options)
    assert done.returncode == 2
    assert done.stdout == b""
    assert named in done.stderr.decode() and done.stderr.count(b"\n") == 1


def faults(reference):
    lines = ask(reference, b"", "--list-faults").stdout.decode().splitlines()
    return [line.split("\t") for line in lines]


def test_faults_are_listed_name_first_each_once(reference):
    rows = faults(reference)
    assert all(len(row) == 3 and all(row) for row in rows)
    names = [row[0] for row in rows]
    assert len(names) > 250 and len(set(names)) == len(names)


def test_the_rule_of_each_fault_is_in_the_catalogue(reference):
    known = {
        rule["id"] for path in (ROOT / "cases" / "rules").glob("*.json")
        for rule in json.loads(path.read_text())["rules"]
    }
    assert {row[1] for row in faults(reference)} <= known


ORDINARY = [
    call("subtract", [5, 3], "a-1"), call("get_data", None, "a-2"), {"jsonrpc": "2.0", "method": "update"},
    call("echo", {"b": "text", "a": [True, False, "x"]}, "a-3"),
]


def test_a_fault_leaves_ordinary_calls_alone_unless_it_is_about_them(reference):
    text = b"".join(json.dumps(m).encode() + b"\n" for m in ORDINARY)
    # A server of MCP refuses some of these calls by itself, with a fault or without.
    right = {habit: ask(reference, text, *(["--as", habit] if habit else [])).stdout
             for habit in ("mcp-2026-07-28", "mcp", "lsp", "")}
    changed = {row[0] for row in faults(reference) if ask(reference, text, "--fault", row[0]).stdout
               != right[next(habit for habit in right if row[0].startswith(habit))]}
    about = {row[0] for row in faults(reference) if row[1].startswith((
        "J2-4.", "J2-5", "J2-4e", "J2-4m", "J2-7", "CON-", "FR-", "SEC-", "JS-", "MCP-3a", "LSP-1b", "LSP-1d", "LSP-6a"))}
    assert changed <= about
    # Most are about something rarer than this.
    assert len(changed) < 45, sorted(changed)


@pytest.mark.parametrize("fault, message, expected", [
    ("id-number-as-string", call("count", None, 7), {"jsonrpc": "2.0", "result": 0, "id": "7"}),
    ("code-as-string", call("no", None, 7),
     {"jsonrpc": "2.0", "error": {"code": "-32601", "message": "Method not found"}, "id": 7}),
    ("params-swapped", call("subtract", [5, 3], 7), {"jsonrpc": "2.0", "result": -2, "id": 7}),
    ("batch-of-one-bare", [call("count", None, 7)], {"jsonrpc": "2.0", "result": 0, "id": 7}),
    ("lenient-trailing-comma", b'{"jsonrpc":"2.0","method":"count","id":7,}\n',
     {"jsonrpc": "2.0", "result": 0, "id": 7}),
    ("denied-served", call("denied", None, 7), {"jsonrpc": "2.0", "result": True, "id": 7}),
    ("stale-accepted", call("nonce", ["n", 0], 7), {"jsonrpc": "2.0", "result": True, "id": 7}),
    ("signature-unchecked", call("signed", ["m"], 7), {"jsonrpc": "2.0", "result": True, "id": 7}),
    ("v1-result-omitted", {"method": "no", "id": 7},
     {"error": {"code": -32601, "message": "Method not found"}, "id": 7}),
])
def test_a_fault_gets_its_one_thing_wrong(reference, fault, message, expected):
    assert answers(reference, message, options=["--fault", fault]) == [expected]


def open_two(serve, fault):
    server = serve("--tcp", "127.0.0.1:0", "--fault", fault)
    connections = []
    for number in range(2):
        connections.append(server.connect(server.addresses[0]))
        # Its answer shows that the server has the connection: they are opened in this order.
        assert exchange(connections[-1], call("count", None, number))[0]["id"] == number
    return server, connections


def test_crossed_connections_answer_on_the_one_opened_last(serve):
    _, (first, last) = open_two(serve, "connection-crossed")
    [own] = exchange(last, call("count", None, "own"))
    assert own["id"] == "own"
    first.sendall(json.dumps(call("count", None, "other")).encode() + b"\n")
    assert json.loads(last.makefile("rb").readline())["id"] == "other"


def test_an_id_in_use_on_another_connection_is_dropped(serve):
    _, (first, last) = open_two(serve, "connection-ids-shared")
    first.sendall(json.dumps(call("count", None, 1)).encode() + b"\n")
    assert exchange(first, call("count", None, "next"))[0]["id"] == "next"


@pytest.mark.parametrize("fault, act", [
    ("connection-end-closes-all", lambda one: one.close()),
    ("connection-error-closes-all", lambda one: one.sendall(b"x\n")),
    ("connection-left-closes-all",
     lambda one: (one.sendall(json.dumps(call("slow", [1])).encode() + b"\n"), one.close())),
])
def test_a_fault_of_one_connection_closes_the_other(serve, fault, act):
    _, (one, other) = open_two(serve, fault)
    act(one)
    assert other.recv(1) == b""


def test_faults_can_be_combined(reference):
    options = ["--fault", "response-version-missing", "--fault", "id-number-as-string"]
    assert answers(reference, call("count", None, 7), options=options) == [{"result": 0, "id": "7"}]


@pytest.mark.skipif(os.name != "posix", reason="aborts are signals there")
def test_a_crashing_fault_dies_of_a_signal(reference):
    done = ask(reference, b"x\n", "--fault", "parse-error-crash")
    assert done.returncode == -signal.SIGABRT
