"""Interrupted in any state, jrpcheck ends at once with 130 and takes what it started with it."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import pytest

SOON = 5  # seconds; every wait below would last 15 and more without the signal


def interrupt(jrpcheck, words, folder, number=signal.SIGINT, ready=lambda: True):
    process = subprocess.Popen([jrpcheck, *words], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    deadline = time.monotonic() + 10
    while not (ready() and is_waiting(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)  # the period of the observation
    began = time.monotonic()
    process.send_signal(number)
    try:
        _, stderr = process.communicate(timeout=30)
    finally:
        process.kill()
    return process.returncode, time.monotonic() - began, stderr


def is_waiting(pid):
    """Whether all signals that are watched are blocked by now: then jrpcheck is past its beginning."""
    with contextlib.suppress(OSError):
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        blocked = int(status.split("SigBlk:")[1].split()[0], 16)
        return bool(blocked & 1 << (signal.SIGINT - 1))
    return False


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
    code, seconds, stderr = interrupt(jrpcheck, [f"tcp://127.0.0.1:{full_port}"], tmp_path, number)
    assert code == 130, stderr
    assert seconds < SOON


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


SLEEPER = "import os,time; open('pid','w').write(str(os.getpid())); time.sleep(60)"


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def pid_written(tmp_path):
    file = tmp_path / "pid"
    return lambda: file.exists() and file.read_text() != ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_while_a_started_server_does_not_listen_yet(jrpcheck, tmp_path, number):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    words = ["--start", f"{sys.executable} sleeper.py", f"tcp://127.0.0.1:{free_port()}"]
    code, seconds, stderr = interrupt(jrpcheck, words, tmp_path, number, pid_written(tmp_path))
    assert code == 130, stderr
    assert seconds < SOON
    assert not is_alive(int((tmp_path / "pid").read_text())), "the server that was started is still there"


def test_while_a_started_server_has_not_said_that_it_is_ready(jrpcheck, tmp_path):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    (tmp_path / "target.json").write_text(json.dumps({
        "schema": 1, "name": "sleeper", "url": f"tcp://127.0.0.1:{free_port()}",
        "start": [sys.executable, "sleeper.py"], "ready": {"line": "listening"}}))
    code, seconds, stderr = interrupt(jrpcheck, ["target.json"], tmp_path, signal.SIGINT, pid_written(tmp_path))
    assert code == 130, stderr
    assert seconds < SOON
    assert not is_alive(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_in_the_middle_of_a_run(jrpcheck, reference, tmp_path, number):
    log = tmp_path / "log"
    words = ["--quiet", "--report", "ndjson=run.ndjson", "--", str(reference), "--delay", "20", "--access-log", str(log)]
    code, seconds, stderr = interrupt(jrpcheck, words, tmp_path, number,
                                      lambda: log.exists() and len(log.read_bytes().splitlines()) > 20)
    assert code == 130, stderr
    assert seconds < SOON
    last = json.loads((tmp_path / "run.ndjson").read_text(encoding="utf-8").rstrip("\n").split("\n")[-1])
    assert (last["event"], last["interrupted"], last["conformant"]) == ("finish", True, False)


def test_while_a_server_answers_nothing(jrpcheck, tmp_path):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    code, seconds, stderr = interrupt(jrpcheck, ["--", sys.executable, "sleeper.py"], tmp_path, signal.SIGINT,
                                      pid_written(tmp_path))
    assert code == 130, stderr
    assert seconds < SOON
    assert not is_alive(int((tmp_path / "pid").read_text()))
