"""What a test waits for: the end of a process, or a line that a program writes. Each wait has a deadline."""

import os
import pathlib
import select
import sys
import time


def children_of(pid):
    """Not from /proc/PID/task/*/children, where the kernel may leave out a child while another one exits."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(folder.name))
    return found


def has_ended(pid, seconds=10):
    """Whether a process ends in that time, which need not be our child: the end of a killed one takes a moment."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], seconds)[0])
    finally:
        os.close(watched)


class Channel:
    """A FIFO to which programs write lines, and whose lines a test reads."""

    def __init__(self, path):
        os.mkfifo(path)
        self.path = path
        self.unread = b""
        # Opened for both, nobody waits for the other end to be opened.
        self.descriptor = os.open(path, os.O_RDWR)

    def close(self):
        os.close(self.descriptor)

    def line(self, seconds=20):
        deadline = time.monotonic() + seconds
        while b"\n" not in self.unread:
            assert select.select([self.descriptor], [], [], max(0, deadline - time.monotonic()))[0], f"no line within {seconds} s"
            self.unread += os.read(self.descriptor, 4096)
        line, self.unread = self.unread.split(b"\n", 1)
        return line.decode()


def mute_server(channel, ignored=()):
    """The command of a server that answers nothing, ignores these signals and announces its pid on the channel."""
    program = ("import os, signal\n"
               f"for name in {tuple(ignored)!r}: signal.signal(getattr(signal, name), signal.SIG_IGN)\n"
               f"open({str(channel.path)!r}, 'w').write(f'{{os.getpid()}}\\n')\n"
               "while True: signal.pause()\n")
    return [sys.executable, "-c", program]
