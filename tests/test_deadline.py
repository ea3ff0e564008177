"""No test waits forever: the plugin in deadline.py."""

import os
import pathlib
import subprocess
import sys

WAITS = """
import os, subprocess, threading

def test_a_fifo_that_nobody_opens(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "fifo").read_text()

def test_a_program_that_says_nothing():
    with subprocess.Popen(["tail", "-f", "/dev/null"], stdout=subprocess.PIPE) as silent:
        silent.stdout.readline()

def test_a_thread():
    threading.Event().wait()

def test_nothing():
    pass
"""


def test_a_wait_without_an_end_fails_with_its_place_and_the_next_test_runs(tmp_path):
    (tmp_path / "test_waits.py").write_text(WAITS)
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "deadline", "-p", "no:cacheprovider", "test_waits.py"],
                          env=dict(os.environ, JRPCHECK_TEST_LIMIT="1", PYTHONPATH=str(pathlib.Path(__file__).parent)),
                          cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "3 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    for place in ('(tmp_path / "fifo").read_text()', "silent.stdout.readline()", "threading.Event().wait()"):
        assert f">       {place}" in done.stdout or f">           {place}" in done.stdout, done.stdout
    assert "not done within 1 s" in done.stdout
