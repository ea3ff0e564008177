"""Becomes one of the native programs: python -m jrpcheck, and the commands that the wheel installs."""

import errno
import os
import sys

from . import program

REASONS = {
    # The loader that the program names is missing, or the program itself.
    errno.ENOENT: "this installation is incomplete, or made for another C library; install it anew",
    errno.ENOEXEC: "it was built for another kind of processor ({0.machine}); install it anew on this machine",
    errno.EACCES: "it may not be executed there; is the file system mounted with noexec?",
}


def become(name):
    """Replaces this process by the program. Returns the exit code of a usage error where that cannot be done."""
    path = program(name)
    try:
        os.execv(path, [path] + sys.argv[1:])
    except OSError as error:
        reason = REASONS.get(error.errno, os.strerror(error.errno)).format(os.uname())
        sys.stderr.write(f"{name}: {path} cannot be started: {reason}\n")
        return 2


def jrpcheck():
    """The command jrpcheck."""
    return become("jrpcheck")


def jrpc_reference():
    """The command jrpc-reference."""
    return become("jrpc-reference")


if __name__ == "__main__":
    sys.exit(jrpcheck())
