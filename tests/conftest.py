"""What every test of the real programs shares: where they are and how to run them.

The programs are looked for in the build folder named by JRPCHECK_BUILD, else in build/dev, else build/release.
"""

import os
import pathlib
import signal
import subprocess

import pytest
from waits import Channel

pytest_plugins = ["deadline"]

# A shell that starts a command in the background lets it ignore the interrupt, and all that it starts with it.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build_folder():
    named = os.environ.get("JRPCHECK_BUILD")
    folders = [pathlib.Path(named)] if named else [ROOT / "build" / "dev", ROOT / "build" / "release"]
    for folder in folders:
        if (folder / "jrpcheck").exists() and (folder / "jrpc-reference").exists():
            return folder.resolve()
    names = " or ".join(str(folder) for folder in folders)
    pytest.exit(f"jrpcheck and jrpc-reference are not built in {names}: run scripts/test --quick", 2)


def shell(words, folder, env=None, timeout=300):
    """A finished process of these words in a folder, with these variables added to the environment."""
    return subprocess.run(words, cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, text=True,
                          encoding="utf-8", errors="replace", timeout=timeout, stdin=subprocess.DEVNULL, check=False)


@pytest.fixture(scope="session")
def jrpcheck():
    """The path of the suite's program."""
    return str(build_folder() / "jrpcheck")


@pytest.fixture(scope="session")
def reference():
    """The path of the bundled reference server."""
    return str(build_folder() / "jrpc-reference")


@pytest.fixture(scope="session")
def reference_client():
    """The path of the bundled client."""
    return str(build_folder() / "jrpc-reference-client")


@pytest.fixture
def run(jrpcheck, tmp_path):
    """Runs jrpcheck in an empty folder and returns the finished process, with stdout and stderr as text."""

    def run(*args, timeout=240, **kwargs):
        return subprocess.run(
            [jrpcheck, *map(str, args)], capture_output=True, text=True, encoding="utf-8",
            errors="surrogateescape", timeout=timeout, cwd=kwargs.pop("cwd", tmp_path),
            stdin=subprocess.DEVNULL, **kwargs,
        )

    return run


@pytest.fixture
def channel(tmp_path):
    """A FIFO for what the programs of a test announce."""
    channel = Channel(tmp_path / "channel")
    yield channel
    channel.close()
