"""Runs a server whose standard input and output are two named pipes, or one end of a pair of sockets as a child process is given
by its parent, and passes the bytes on: over_ipc.py fifo|socketpair COMMAND..."""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading


def start_on_pair(command):
    ours, theirs = socket.socketpair()
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs)
    theirs.close()
    return child, ours.fileno(), ours.fileno(), lambda: ours.shutdown(socket.SHUT_WR)


def start_on_pipes(command):
    with tempfile.TemporaryDirectory() as folder:
        towards, back = (pathlib.Path(folder) / name for name in ("in", "out"))
        os.mkfifo(towards)
        os.mkfifo(back)
        child = subprocess.Popen(["sh", "-c", 'towards=$1 back=$2; shift 2; exec "$@" <"$towards" >"$back"', "sh", towards, back, *command])
        writing = os.open(towards, os.O_WRONLY)
        reading = os.open(back, os.O_RDONLY)
    return child, reading, writing, lambda: os.close(writing)


def copy(source, goal, ended):
    while data := os.read(source, 65536):
        while data:
            data = data[os.write(goal, data):]
    ended()


kind, *command = sys.argv[1:]
child, reading, writing, ended = (start_on_pipes if kind == "fifo" else start_on_pair)(command)
threading.Thread(target=copy, args=(0, writing, ended), daemon=True).start()
copy(reading, 1, lambda: None)
sys.exit(child.wait())
