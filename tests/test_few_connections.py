"""Servers that serve only a few connections at a time, as those with a pool of workers do, or only so many calls a second."""

import json
import shlex
import subprocess
import sys

from conftest import ROOT
from serving import free_port


def test_a_server_with_room_for_two_connections_is_not_accused(jrpcheck, tmp_path):
    port = free_port()
    server = shlex.join([sys.executable, str(ROOT / "tests" / "servers" / "two_connections.py"), str(port)])
    stream = tmp_path / "run.ndjson"
    done = subprocess.run([jrpcheck, "-q", "--jobs", "1", "--only", "connections/**", "--only", "in-flight/**", "--report", f"ndjson={stream}",
                           "--start", server, f"tcp://127.0.0.1:{port}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    cases = {case["id"]: case for case in map(json.loads, stream.read_text().splitlines()) if case["event"] == "case"}
    assert cases["connections/one-after-another"]["outcome"] == "pass"  # it opens two at a time
    assert cases["connections/half-message-left-behind"]["outcome"] == "skip"  # … and this one more


def test_a_server_that_limits_its_calls_is_not_accused(jrpcheck, tmp_path):
    port = free_port()
    server = shlex.join([sys.executable, str(ROOT / "tests" / "servers" / "limited.py"), str(port), "100"])
    done = subprocess.run([jrpcheck, "-q", "--only", "call/**", "--only", "batch/**", "--only", "id/**", "--only", "notification/**",
                           "--start", server, f"tcp://127.0.0.1:{port}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
