"""A conformance suite for JSON-RPC 2.0: where its native programs and its case files are."""

import os

FOLDER = os.path.dirname(os.path.abspath(__file__))


def program(name="jrpcheck"):
    """The path of a program: jrpcheck or jrpc-reference."""
    return os.path.join(FOLDER, "bin", name)


def cases():
    """The folder of the case files, one folder a suite."""
    return os.path.join(FOLDER, "share", "jrpcheck", "cases")
