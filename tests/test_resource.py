"""RO-JRPC on jrpc-reference: the README's messages as printed, every rule's refusal, and every fault."""

import base64
import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess

import pytest

from test_http import connect, listening, post
from test_reference import answers, ask, call, serve  # noqa: F401

ROOT = pathlib.Path(__file__).resolve().parent.parent

PRINTED = [
    {"jsonrpc": "2.0", "method": "user.get", "resource": "user", "target": "42", "verb": "get", "id": 1},
    {"jsonrpc": "2.0", "method": "repo.issue.get", "resource": "repo", "parent": "99", "subresource": "issue",
     "target": "7", "verb": "get", "id": 2},
    {"jsonrpc": "2.0", "result": {"id": "7", "repoId": "99", "title": "Fix null pointer", "state": "open"}, "id": 2},
    {"jsonrpc": "2.0", "method": "attachment.create", "resource": "attachment", "verb": "create",
     "params": {"filename": "report.pdf"}, "id": "req-001"},
    {"jsonrpc": "2.0", "method": "job.yield", "resource": "job", "verb": "yield", "target": "job-123",
     "result": {"status": "pending", "progress": 60, "stage": "scanning"}, "request_id": "req-001"},
    {"jsonrpc": "2.0", "method": "job.return", "resource": "job", "verb": "return", "target": "job-123",
     "result": {"status": "done", "attachmentId": "att-456"}, "request_id": "req-001"},
    {"jsonrpc": "2.0", "method": "session.yield", "resource": "session", "verb": "yield", "target": "session-9",
     "result": {"status": "pending", "content": "Thinking..."}},
    {"jsonrpc": "2.0", "method": "session.return", "resource": "session", "verb": "return", "target": "session-9",
     "result": {"status": "done", "content": "Here is your answer."}},
    {"jsonrpc": "2.0", "result": {"id": "42", "name": "Alice"}, "cache": {"max-age": 60}, "id": 1},
    {"jsonrpc": "2.0", "method": "user.get", "resource": "user", "verb": "get", "target": "42", "cache": "no-cache",
     "id": 1},
]
USER_GET, ISSUE_GET, ISSUE, ATTACHMENT, YIELD, RETURN, EVENT, LAST_EVENT, ALICE, FRESH_GET = PRINTED
ACCEPTED = {"jsonrpc": "2.0", "result": {"status": "accepted", "job": "job-123"}, "id": "req-001"}
STARTED = {"jsonrpc": "2.0", "result": {"status": "accepted", "session": "session-9"}, "id": "s"}


@pytest.fixture
def has_http(reference):
    if "not in this build" in subprocess.run([reference, "--http", "x"], capture_output=True, text=True).stderr:
        pytest.skip("this build has no HTTP")


# What each printed message gets when it is sent to a server, and the fixture's stream of events.
TALK = [(USER_GET, [ALICE]), (ISSUE_GET, [ISSUE]), (ISSUE, []), (ATTACHMENT, [ACCEPTED, YIELD, RETURN]), (YIELD, []),
        (RETURN, []), (EVENT, []), (LAST_EVENT, []), (ALICE, []), (FRESH_GET, [ALICE]),
        (call("session.start", id="s"), [STARTED, EVENT, LAST_EVENT])]
ASKED = [asked for asked, _ in TALK]
OWED = [owed for _, given in TALK for owed in given]


def test_the_printed_messages_get_the_printed_answers_over_stdio(reference):
    assert answers(reference, *ASKED) == OWED


def test_the_printed_messages_get_the_printed_answers_over_tcp(serve):
    server = serve("--tcp", "127.0.0.1:0")
    connection = server.connect(server.addresses[0])
    connection.sendall(b"".join(json.dumps(asked).encode() + b"\n" for asked in ASKED))
    with connection.makefile("rb") as stream:
        assert [json.loads(stream.readline()) for _ in OWED] == OWED
    connection.close()


@pytest.mark.usefixtures("has_http")
def test_the_printed_messages_get_the_printed_answers_as_events_over_http(reference):
    with listening(reference, "--http", "127.0.0.1:0") as address:
        with contextlib.closing(connect(address)) as connection:
            for asked, owed in TALK:
                status, _, body = post(connection, json.dumps(asked), Accept="text/event-stream")
                results = [json.loads(event.removeprefix(b"data: ")) for event in body.split(b"\n\n")[:-1]]
                assert (status, results) == (200 if owed else 204, owed)


@pytest.mark.usefixtures("has_http")
def test_over_http_without_events_a_call_gets_its_response_alone(reference):
    with listening(reference, "--http", "127.0.0.1:0") as address, \
            contextlib.closing(connect(address)) as connection:
        status, _, body = post(connection, json.dumps(ATTACHMENT))
        assert (status, json.loads(body)) == (200, ACCEPTED)


@pytest.mark.usefixtures("has_http")
def test_results_come_on_the_stream_of_the_session_where_one_is_open(reference):
    with listening(reference, "--http", "127.0.0.1:0", "--sessions") as address, \
            contextlib.closing(connect(address)) as connection, contextlib.closing(connect(address)) as stream:
        connection.request("POST", "/", json.dumps(call("count")))
        begun = connection.getresponse()
        begun.read()
        session = {"Mcp-Session-Id": begun.getheader("Mcp-Session-Id")}
        stream.request("GET", "/", headers={**session, "Accept": "text/event-stream"})
        events = stream.getresponse()
        connection.request("POST", "/", json.dumps(ATTACHMENT), session)
        assert json.loads(connection.getresponse().read()) == ACCEPTED
        lines = (events.readline() for _ in range(100))
        results = (json.loads(line.removeprefix(b"data: ")) for line in lines if line.startswith(b"data: "))
        assert [next(results), next(results)] == [YIELD, RETURN]


@pytest.mark.usefixtures("has_http")
def test_the_printed_messages_get_the_printed_answers_over_websocket(reference):
    with listening(reference, "--ws", "127.0.0.1:0") as address:
        host, _, port = address.removeprefix("ws://").rstrip("/").rpartition(":")
        with socket.create_connection((host, int(port)), 20) as connection:
            key = base64.b64encode(os.urandom(16)).decode()
            connection.sendall((f"GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
            stream = connection.makefile("rb")
            assert stream.readline().startswith(b"HTTP/1.1 101 ")
            while stream.readline().strip():
                pass
            for asked in ASKED:
                text = json.dumps(asked).encode()
                length = bytes([128 + len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
                connection.sendall(b"\x81" + length + bytes(4) + text)

            def message():
                first, length = stream.read(2)
                assert first == 0x81
                return json.loads(stream.read(int.from_bytes(stream.read(2), "big") if length == 126 else length))

            assert [message() for _ in OWED] == OWED


def structured(method, id="i", **members):
    """A structured message whose method is given and whose names are taken from it, unless members say otherwise."""
    names = method.split(".")
    made = {"jsonrpc": "2.0", "method": method, "resource": names[0], "verb": names[-1]}
    if len(names) == 3:
        made["subresource"] = names[1]
    made.update(members)
    if id is not None:
        made["id"] = id
    return {name: value for name, value in made.items() if value is not ...}


LONG = "n" * (1 << 20)
ODD = [None, True, 7, 1.5, [], {}, ["user"], {"a": 1}]
WRONG = [
    *[structured("user.get", target="1", **{name: value}) for name in ("resource", "verb") for value in [*ODD, ""]],
    *[structured("repo.issue.get", target="1", parent="2", subresource=value) for value in [*ODD, ""]],
    *[structured("user.get", target=value) for value in (None, True, [], {}, ["1"])],
    *[structured("repo.issue.get", target="1", parent=value) for value in (None, False, [], {}, ["1"])],
    structured("user.get", target="1", verb=...),
    structured("user.get", target="1", resource=...),
    structured("user.get", target="1", subresource="issue", resource=..., verb=...),
    structured("user.get", target="1", parent="2", resource=..., verb=...),
    structured("user.get", target="1", parent="2"),
    structured("user.get", target="1", verb="list"),
    structured("user.get", target="1", resource="repo"),
    structured("user.get", target="1", resource="User"),
    structured("User.get", target="1", resource="user"),
    structured("user.get", target="1", resource="user\0"),
    structured("user.get", target="1", verb="get\0"),
    structured("user.get", target="1", verb="\U0001d11e"),
    structured("user.get", target="1", verb="g"),
    structured("user.get", target="1", resource=LONG),
    structured("user.get", target="1", verb=LONG),
    structured("user.get", target="1", subresource=LONG),
    structured("user.1.get", target="1", subresource=...),
    structured("repo.get", target="1", subresource="issue"),
    structured("repo.issue.get", target="1", subresource=...),
    structured("repo.issue.get", target="1", resource="repo.issue", subresource=...),
    structured("repo.issue.get", target="1", verb="issue.get", subresource=...),
    structured("rpc.describe", resource="user"),
    structured("job.yield"),
    structured("job.return", result={"status": "done"}),
]


def name_of(message):
    return json.dumps(message)[:120]


@pytest.mark.parametrize("message", WRONG, ids=name_of)
def test_what_breaks_a_rule_is_an_invalid_request_that_says_why_and_runs_nothing(reference, message):
    note = {**{name: value for name, value in message.items() if name != "id"},
            "params": {"name": "Eve", "filename": "f"}}
    single, batch, after, effects = answers(reference, message, note, [note, {**message, "id": 2.5}], USER_GET,
                                            call("count"))
    assert set(single) == {"jsonrpc", "error", "id"} and single["id"] == "i"
    assert (single["error"]["code"], single["error"]["message"]) == (-32600, "Invalid Request")
    assert single["error"]["data"].endswith(("String", "Number", "resource`", "verb`", "subresource`", "dots", "dot",
                                             "messages"))
    assert [one["id"] for one in batch] == [2.5] and batch[0]["error"] == single["error"]
    assert after == ALICE
    assert effects["result"] == 0


@pytest.mark.parametrize("message, expected", [
    (structured("user.get", target=42), {"id": 42, "name": "Alice"}),
    (structured("user.get", target=1.50), {"id": 1.5, "name": "Alice"}),
    (structured("user.get", target=""), {"id": "", "name": "Alice"}),
    (structured("user.get", target="\0\U0001d11e."), {"id": "\0\U0001d11e.", "name": "Alice"}),
    (structured("user.get", target=LONG), {"id": LONG, "name": "Alice"}),
    (structured("user.get", resource=..., verb=..., target="1"), {"id": "1", "name": "Alice"}),
    (call("user.get", {"target": "1"}), {"id": "1", "name": "Alice"}),
    (structured("user.get", target="1", params={"target": "2"}), {"id": "1", "name": "Alice"}),
    (structured("user.get", target="1", cache=7, meta={"role": "admin"}, request_id=[]), {"id": "1", "name": "Alice"}),
    (call("user.get"), -32602),
    (call("user.get", ["1"]), -32602),
    (call("user.get", {"target": None}), -32602),
    (call("user.create"), {"id": "99"}),
    (structured("user.create", params={"name": "Bob", "\0": [1.0]}), {"id": "99", "name": "Bob", "\0": [1.0]}),
    (structured("user.create", params={"id": 5}), {"id": 5}),
    (structured("user.create", params=[]), -32602),
    (call("user.list"), [{"id": "1", "name": "Alice"}, {"id": "2", "name": "Bob"}]),
    (structured("user.update", target=7, params={"name": "Bo"}), {"id": 7, "name": "Bo"}),
    (structured("user.update", target=7, params={"name": 8}), -32602),
    (structured("user.update", target=7, params={"name": "n" * 300}), -32602),
    (structured("user.update", target="t" * 65, params={"name": "n"}), -32602),
    (structured("user.delete", target="42"), -32001),
    (structured("user.delete", target="42", meta={"role": "admin"}, params={"meta": {"role": "admin"}}), -32001),
    (structured("user.delete"), -32001),
    (call("user.delete", {"target": "42"}), -32001),
    (call("user.delete", ["42"]), -32001),
    (structured("repo.get", target="1"), {"id": "1", "name": "repo"}),
    (call("repo.issue.get", {"target": "7", "parent": 99}),
     {"id": "7", "repoId": 99, "title": "Fix null pointer", "state": "open"}),
    (structured("repo.issue.get", target="7"), -32602),
    (structured("repo.issue.delete", target="7", parent="99"), -32001),
    (call("repo.issue.delete", {"target": "7", "parent": 99}), -32001),
    (structured("project.task.list", parent=5), [{"id": "1", "projectId": 5}]),
    (call("project.task.list"), -32602),
    (structured("attachment.create", params={}), -32602),
    (structured("user.fly"), -32601),
    (structured("nothing.at.all"), -32601),
    (structured("\U0001d11e.get"), -32601),
    (structured("user\0.get"), -32601),
    (structured(LONG + ".get"), -32601),
    (call("USER.GET", {"target": "1"}), -32601),
    (structured("USER.GET", target="1"), -32601),
    (structured("rpc.get"), -32601),
    (call("job.yield"), -32601),
    (call("rpc.describe", [1]), -32602),
], ids=lambda value: name_of(value) if isinstance(value, dict) and "jsonrpc" in value else "")
def test_each_route_does_what_the_fixture_contract_says(reference, message, expected):
    [answer] = answers(reference, message)
    assert answer["jsonrpc"] == "2.0" and answer["id"] == "i"
    assert answer.get("error", {}).get("code", answer.get("result")) == expected
    assert answer.get("cache") == ({"max-age": 60} if message["method"] == "user.get" and "result" in answer else None)


@pytest.mark.parametrize("message", [call("rpc.describe"), structured("rpc.describe"), call("rpc.describe", {})])
def test_describe_tells_every_route_in_the_order_of_registration(reference, message):
    [answer] = answers(reference, message)
    assert answer["result"] == {"extension": "ro-jrpc", "version": "1.0", "resources": {
        "user": {"verbs": ["get", "create", "list", "update", "delete"]},
        "repo": {"verbs": ["get"], "subresources": {"issue": {"verbs": ["get", "delete"]}}},
        "project": {"subresources": {"task": {"verbs": ["list"]}}},
        "attachment": {"verbs": ["create"]},
        "session": {"verbs": ["start"]},
        "tool": {"verbs": ["execute"]}}}


def test_results_follow_the_whole_batch_and_carry_the_spelling_of_each_id(reference):
    text = json.dumps([structured("attachment.create", "ID1", params={"filename": "a"}),
                       structured("attachment.create", None, params={"filename": "b"}),
                       structured("attachment.create", "ID2", params={"filename": "c", "fail": True})])
    text = text.replace('"ID1"', "1.0e1").replace('"ID2"', '"\\u0041"')
    batch, *results = ask(reference, text.encode()).stdout.splitlines()
    assert [one["result"]["job"] for one in json.loads(batch)] == ["job-123", "job-125"]
    assert [(one["target"], one["verb"], one["result"]["status"]) for one in map(json.loads, results)] == [
        ("job-123", "yield", "pending"), ("job-123", "return", "done"),
        ("job-125", "yield", "pending"), ("job-125", "return", "error")]
    assert [b'"request_id":1.0e1' in one for one in results] == [True, True, False, False]
    assert [b'"request_id":"\\u0041"' in one for one in results] == [False, False, True, True]


def test_an_update_is_seen_by_the_next_get_of_that_target_and_no_other(reference):
    note = structured("user.update", None, target=5, params={"name": "Bo\0"})
    gets = [structured("user.get", target=target) for target in (5, "5", 6)]
    assert [one["result"]["name"] for one in answers(reference, note, *gets)] == ["Bo\0", "Alice", "Alice"]


def test_more_users_than_are_remembered_push_out_the_oldest(reference):
    updates = [structured("user.update", None, target=number, params={"name": "Bo"}) for number in range(257)]
    gets = [structured("user.get", target=target) for target in (0, 1, 256)]
    assert [one["result"]["name"] for one in answers(reference, *updates, *gets)] == ["Alice", "Bo", "Bo"]


def test_the_example_of_the_readme_compiles_and_prints_what_it_says(tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("there is no compiler")
    blocks = re.findall(r"```(\w*)\n(.*?)```", (ROOT / "reference" / "rpc" / "README.md").read_text(), re.DOTALL)
    program, printed = blocks[0][1], blocks[1][1]
    (tmp_path / "example.c").write_text(program)
    # The room's sources rather than the built library, which may hold a sanitizer.
    sources = [str(path) for room in ("base", "json", "rpc") for path in (ROOT / "reference" / room).glob("*.c")]
    subprocess.run(["cc", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}",
                    tmp_path / "example.c", *sources, "-lpthread", "-o", tmp_path / "example"], check=True)
    assert subprocess.run([tmp_path / "example"], capture_output=True, text=True, check=True).stdout == printed


# Messages by what they ask, in this order on one connection.
PROBES = {
    "get": USER_GET,
    "get-number": structured("user.get", 7, target=42),
    "get-other": structured("user.get", target="43"),
    "get-fresh": FRESH_GET,
    "get-plain": call("user.get", {"target": "44"}),
    "get-note": structured("user.get", None, target="42"),
    "issue": ISSUE_GET,
    "issue-plain": call("repo.issue.get", {"target": "7", "parent": "99"}),
    "create": structured("user.create", params={"name": "Bob"}),
    "verb-alone": structured("user.get", target="1", resource=...),
    "resource-alone": structured("user.get", target="1", verb=...),
    "type": structured("user.get", target="1", resource=7),
    "empty": structured("user.get", target="1", verb=""),
    "target-type": structured("user.get", target={"a": 1}),
    "parent-type": structured("repo.issue.get", target="1", parent=[1]),
    "mismatch": structured("user.get", target="1", verb="list"),
    "method-short": structured("repo.get", target="1", subresource="issue", parent="2"),
    "method-target": structured("user.1.get", target="1", subresource=...),
    "method-target-last": structured("user.get.1", target=1, subresource=..., verb="get"),
    "subresource-alone": structured("user.get", target="1", subresource="issue", resource=..., verb=...),
    "parent-alone": structured("user.get", target="1", parent="2", resource=..., verb=...),
    "parent-without": structured("user.get", target="1", parent="2"),
    "dots": structured("repo.issue.get", target="1", resource="repo.issue", subresource=...),
    "describe": call("rpc.describe"),
    "case": structured("User.Get", target="1"),
    "yield": structured("job.yield"),
    "return-plain": call("job.return"),
    "result": YIELD,
    "stale": [structured("user.get", target="u"), structured("user.update", target="u", params={"name": "Una"}),
              structured("user.get", target="u", cache="no-cache")],
    "attachment": structured("attachment.create", params={"filename": "f"}),
    "attachment-number": structured("attachment.create", 8, params={"filename": "f"}),
    "attachment-fails": structured("attachment.create", params={"filename": "f", "fail": True}),
    "session": structured("session.start"),
    "delete": structured("user.delete", target="1"),
    "delete-plain": call("user.delete", {"target": "2"}),
    "delete-meta": structured("user.delete", target="3", meta={"role": "admin"}),
    "deleted": [structured("user.get", target=target) for target in "123"],
    "delete-issue": structured("repo.issue.delete", target="7", parent="99"),
    "delete-issue-plain": call("repo.issue.delete", {"target": "7", "parent": "99"}),
}
GETS = {"get", "get-number", "get-other", "get-fresh"}
JOBS = {"attachment", "attachment-number", "attachment-fails"}
FAULTS = {
    "ro-plain-refused": {"get-plain", "issue-plain", "delete-plain", "delete-issue-plain"},
    "ro-plain-other-handler": {"get-plain", "issue-plain", "delete-plain", "delete-issue-plain"},
    "ro-verb-alone-served": {"verb-alone"},
    "ro-resource-alone-served": {"resource-alone"},
    "ro-field-types-unchecked": {"type"},
    "ro-empty-name-served": {"empty"},
    "ro-target-type-unchecked": {"target-type", "parent-type"},
    "ro-mismatch-by-method": {"mismatch"},
    "ro-mismatch-by-fields": {"mismatch"},
    "ro-dots-served": {"dots"},
    "ro-subresource-method-unchecked": {"method-short"},
    "ro-target-in-method-served": {"method-target", "method-target-last"},
    "ro-subresource-alone-served": {"subresource-alone"},
    "ro-parent-alone-served": {"parent-alone", "parent-without"},
    "ro-target-lost": GETS | {"issue", "stale", "deleted"},
    "ro-parent-as-target": {"issue"},
    "ro-params-lost": JOBS | {"create", "stale"},
    "ro-subresource-ignored": {"issue", "delete-issue"},
    "ro-notification-answered": {"get-note"},
    "ro-describe-missing": {"describe"},
    "ro-denied-served": {"delete", "delete-meta", "deleted", "delete-issue"},
    "ro-denied-plain-served": {"delete-plain", "deleted", "delete-issue-plain"},
    "ro-denied-subresource-served": {"delete-issue", "delete-issue-plain"},
    "ro-denied-has-effect": {"deleted"},
    "ro-meta-trusted": {"delete-meta", "deleted"},
    "ro-no-cache-refused": {"get-fresh", "stale"},
    "ro-no-cache-stale": {"stale"},
    "ro-cache-shape": GETS | {"get-plain", "stale", "deleted"},
    "ro-max-age-negative": GETS | {"get-plain", "stale", "deleted"},
    "ro-cache-required": {"get", "get-number", "get-other", "issue", "stale", "deleted"},
    "ro-cache-keys-mixed": {"get-number", "get-other", "stale", "deleted"},
    "ro-case-folded": {"case"},
    "ro-yield-callable": {"yield", "return-plain"},
    "ro-result-without-method": JOBS | {"session"},
    "ro-result-with-id": JOBS | {"session"},
    "ro-status-unknown": JOBS | {"session"},
    "ro-yield-done": JOBS | {"session"},
    "ro-after-return": {"attachment", "attachment-number", "session"},
    "ro-after-error": {"attachment-fails"},
    "ro-request-id-type": {"attachment-number"},
    "ro-session-request-id": {"session"},
    "ro-yield-without-return": JOBS | {"session"},
    "ro-result-answered": {"result"},
    "ro-results-instead-of-response": JOBS,
    "ro-response-twice": JOBS,
}


@functools.cache
def answers_to_probes(reference, *options):
    """What comes back for each probe."""
    messages = []
    for name, probe in PROBES.items():
        messages += probe if isinstance(probe, list) else [probe]
        messages.append(call("echo", [name], "fence"))
    text = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    found, heard = {}, []
    for line in ask(reference, text, *options).stdout.splitlines():
        message = json.loads(line)
        if message.get("id") == "fence":
            found[message["result"][0]] = heard
            heard = []
        else:
            heard.append(message)
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_changes_what_it_says_and_nothing_else(reference, fault):
    right, wrong = answers_to_probes(reference), answers_to_probes(reference, "--fault", fault)
    assert {name for name in PROBES if right[name] != wrong[name]} == FAULTS[fault]


# Seen only by several messages, or with other options: the cases of the suite show them (tests/fault_matrix.py).
ELSEWHERE = {
    "ro-results-elsewhere",
    "ro-cache-keys-shared", "ro-create-without-id", "ro-denied-whole-resource",
    "ro-describe-incomplete", "ro-meta-as-target", "ro-return-pending", "ro-status-missing",
    "ro-update-elsewhere"
}


def test_every_fault_of_routing_is_among_them(reference):
    listed = subprocess.run([reference, "--list-faults"], capture_output=True, text=True).stdout.splitlines()
    named = {line.split("\t")[0] for line in listed if line.startswith("ro-")}
    assert named == {*FAULTS, *ELSEWHERE}


def test_results_elsewhere_go_to_the_connection_opened_last(serve):
    server = serve("--tcp", "127.0.0.1:0", "--fault", "ro-results-elsewhere")
    opened = []
    for _ in range(2):
        connection = server.connect(server.addresses[0])
        connection.sendall(json.dumps(call("count")).encode() + b"\n")
        assert json.loads(connection.makefile("rb").readline())["result"] == 0  # so that the one is open before the next
        opened.append(connection)
    first, last = opened
    first.sendall(json.dumps(ATTACHMENT).encode() + b"\n")
    assert json.loads(first.makefile("rb").readline()) == ACCEPTED
    with last.makefile("rb") as stream:
        assert [json.loads(stream.readline()) for _ in range(2)] == [YIELD, RETURN]
    first.close()
    last.close()
