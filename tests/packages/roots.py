"""Roots to install packages into: with nothing in them, or with a minimal Debian. They need root and mmdebstrap."""

import pathlib
import shutil
import subprocess

import pytest

from conftest import ROOT


def finished(*words, check=True, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", check=False,
                          **{"timeout": 900, "stdin": subprocess.DEVNULL, **options})
    assert not check or done.returncode == 0, f"{words}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed here")


class Root:
    """A root of its own: programs run in it see its files alone, and no network unless it is asked for."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def run(self, *words, check=True, network=False, user="0:0", **options):
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
        return finished("unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.folder}/proc", *([] if network else ["--net"]),
                        "chroot", f"--userspec={user}", self.folder, *words, check=check, env=environment, **options)

    def put(self, path):
        """Copies a file into the root and returns its path there."""
        (self.folder / "packages").mkdir(exist_ok=True)
        shutil.copy(path, self.folder / "packages")
        return f"/packages/{pathlib.Path(path).name}"


def empty_root(folder):
    """A root with nothing in it but what every system has: /proc, /tmp and two devices."""
    need("unshare", "mknod")
    for name in ("proc", "tmp", "dev"):
        (folder / name).mkdir(parents=True)
    (folder / "tmp").chmod(0o1777)
    for name, minor in (("urandom", "9"), ("null", "3")):
        finished("mknod", "-m", "666", folder / "dev" / name, "c", "1", minor)
    return Root(folder)


def debian_root(folder, suite, *packages):
    """A minimal Debian with these packages besides; kept in build/roots for the next time."""
    need("unshare", "mmdebstrap", "tar")
    kept = ROOT / "build/roots" / ("-".join([suite, *packages]) + ".tar")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        finished("mmdebstrap", "--variant=minbase", "--include=" + ",".join(packages), suite, f"{kept}.new", "--format=tar")
        pathlib.Path(f"{kept}.new").rename(kept)
    folder.mkdir()
    finished("tar", "-xf", kept, "-C", folder)
    return Root(folder)
