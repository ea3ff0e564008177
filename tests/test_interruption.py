"""Interrupted in any state, jrpcheck ends at once with 130 and takes what it started with it."""

import contextlib
import json
import pathlib
import shlex
import signal
import socket
import subprocess
import time

import pytest
from serving import free_port
from waits import has_ended, mute_server

SOON = 5  # seconds; every wait below would last 15 and more without the signal


def start(jrpcheck, words, folder):
    return subprocess.Popen([jrpcheck, *words], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))


def interrupt(process, number=signal.SIGINT):
    began = time.monotonic()
    process.send_signal(number)
    try:
        _, stderr = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130, stderr
    assert time.monotonic() - began < SOON


def is_watching(pid):
    """Whether all signals that are watched are blocked by now: then jrpcheck is past its beginning."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    blocked = int(status.split("SigBlk:")[1].split()[0], 16)
    return bool(blocked & 1 << (signal.SIGINT - 1))


@pytest.fixture
def full_port():
    """A port that is listened on and whose queue is full, so that connecting to it takes for ever."""
    with socket.socket() as listener, contextlib.ExitStack() as waiting:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            other = waiting.enter_context(socket.socket())
            other.setblocking(False)
            other.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_while_connecting(jrpcheck, tmp_path, full_port, number):
    process = start(jrpcheck, [f"tcp://127.0.0.1:{full_port}"], tmp_path)
    while not is_watching(process.pid):
        assert not has_ended(process.pid, seconds=0.01)
    interrupt(process, number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_while_a_started_server_does_not_listen_yet(jrpcheck, tmp_path, channel, number):
    process = start(jrpcheck, ["--start", shlex.join(mute_server(channel)), f"tcp://127.0.0.1:{free_port()}"], tmp_path)
    server = int(channel.line())
    interrupt(process, number)
    assert has_ended(server, seconds=0), "the server that was started is still there"


def test_while_a_started_server_has_not_said_that_it_is_ready(jrpcheck, tmp_path, channel):
    (tmp_path / "target.json").write_text(json.dumps({
        "schema": 1, "name": "mute", "url": f"tcp://127.0.0.1:{free_port()}",
        "start": mute_server(channel), "ready": {"line": "listening"}}))
    process = start(jrpcheck, ["target.json"], tmp_path)
    server = int(channel.line())
    interrupt(process)
    assert has_ended(server, seconds=0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_in_the_middle_of_a_run(jrpcheck, reference, tmp_path, channel, number):
    words = ["--quiet", "--report", "ndjson=run.ndjson", "--", reference, "--delay", "20", "--access-log", str(channel.path)]
    process = start(jrpcheck, words, tmp_path)
    for _ in range(20):
        channel.line()
    interrupt(process, number)
    last = json.loads((tmp_path / "run.ndjson").read_text(encoding="utf-8").rstrip("\n").split("\n")[-1])
    assert (last["event"], last["interrupted"], last["conformant"]) == ("finish", True, False)


def test_while_a_server_answers_nothing(jrpcheck, tmp_path, channel):
    process = start(jrpcheck, ["--", *mute_server(channel)], tmp_path)
    server = int(channel.line())
    interrupt(process)
    assert has_ended(server, seconds=0)


def test_while_a_case_is_shrunk(jrpcheck, reference, tmp_path, channel):
    """What was found until then is kept: the first form that failed, or a smaller one."""
    words = ["shrink", "batch/twenty-calls", "--save", "found/mine/case.json", "--", reference, "--stdio",
             "--fault", "batch-third-call-dropped", "--delay", "50", "--access-log", str(channel.path)]
    process = start(jrpcheck, words, tmp_path)
    for call in ("n19", "n00"):  # the last of the first try, and the first of the second
        while not json.loads(channel.line()).get("id", "").endswith(call):
            pass
    interrupt(process)
    (case,) = json.loads((tmp_path / "found" / "mine" / "case.json").read_text())["cases"]
    assert case["rules"][0] == "J2-6b"
