"""What a target is told before the first case and after the last: prelude and postlude."""

import json
import sys
import textwrap

SERVER = textwrap.dedent("""
    import json, sys
    received = []
    for line in sys.stdin:
        message = json.loads(line)
        received.append(message.get("method"))
        if "id" in message:
            answer = {"result": None} if message["method"] in ("hello", "bye") else {"error": {"code": -32601, "message": "no"}}
            print(json.dumps({"jsonrpc": "2.0", **answer, "id": message["id"]}), flush=True)
        if message["method"] == "exit":
            break
    open(sys.argv[1], "w").write(json.dumps(received))
""")


def test_good_bye_is_said_when_the_run_is_over(run, tmp_path):
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "target.json").write_text(json.dumps({
        "schema": 1, "name": "polite", "command": [sys.executable, "server.py", "received.json"], "cwd": str(tmp_path),
        "prelude": [{"send": {"jsonrpc": "2.0", "method": "hello", "id": "${id}"}, "expect": {"result": None}}],
        "postlude": [{"send": {"jsonrpc": "2.0", "method": "bye", "id": "${id}"}, "expect": {"result": None}},
                     {"send": {"jsonrpc": "2.0", "method": "exit"}}]}))
    done = run("--only", "id/string-empty", "--no-discover", "target.json")
    assert done.returncode == 0, done.stdout + done.stderr
    received = json.loads((tmp_path / "received.json").read_text())
    assert received[0] == "hello" and received[-2:] == ["bye", "exit"]


def test_a_target_that_does_not_answer_a_good_bye_is_not_waited_for(run, tmp_path):
    (tmp_path / "server.py").write_text(SERVER.replace('("hello", "bye")', '("hello",)').replace(
        'if "id" in message:', 'if "id" in message and message["method"] != "bye":'))
    (tmp_path / "target.json").write_text(json.dumps({
        "schema": 1, "name": "rude", "command": [sys.executable, "server.py", "received.json"], "cwd": str(tmp_path),
        "postlude": [{"send": {"jsonrpc": "2.0", "method": "bye", "id": "${id}"}, "expect": {"result": None}}]}))
    done = run("--only", "id/string-empty", "--no-discover", "target.json", timeout=30)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_target_that_refuses_the_prelude_is_not_judged_as_what_it_is_not(run, reference):
    done = run("--profile", "lsp", "--framing", "line", "--", reference)
    assert done.returncode == 3, done.stdout
    assert "step 1 of the prelude was refused" in done.stderr and "-32601" in done.stderr
