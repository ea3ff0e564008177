"""The image that the Dockerfile builds. No Docker is needed: its instructions are read, and those that can be are executed."""

import json
import os
import re
import shutil
import tarfile

import pytest

from conftest import ROOT, shell


def instructions():
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.M)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [tuple(line.split(None, 1)) for line in lines if line]


def test_the_image_is_pinned_small_and_runs_without_rights():
    steps = instructions()
    stages = [rest for word, rest in steps if word == "FROM"]
    assert len(stages) == 1 and re.fullmatch(r"debian:\d+-slim", stages[0])
    assert [rest for word, rest in steps if word == "USER"] == ["10001"]
    assert "10001" in next(rest for word, rest in steps if word == "RUN")
    assert json.loads(dict(steps)["ENTRYPOINT"]) == ["jrpcheck"]
    assert "ADD" not in dict(steps)
    for _, rest in (pair for pair in steps if pair[0] == "RUN" and "apt-get install" in pair[1]):
        assert "--no-install-recommends" in rest and "rm -rf /var/lib/apt/lists/*" in rest and "apt-get update" in rest
    assert (ROOT / ".dockerignore").read_text().split() == ["*", "!build/dist/*.tar.gz"]


def test_every_package_of_the_image_exists():
    packages = set()
    for word, rest in instructions():
        if word == "RUN" and "apt-get install" in rest:
            words = rest.split("--no-install-recommends")[1].split("&&")[0].split()
            packages |= {package for package in words if not package.startswith("/")}
    assert packages == {"ca-certificates"}  # and no compiler
    if shutil.which("apt-cache") is None:
        pytest.skip("there is no apt-cache here")
    known = set(re.findall(r"^Package: (\S+)$", shell(["apt-cache", "show", "bash", *packages], ROOT).stdout, re.M))
    if "bash" not in known:
        pytest.skip("there are no lists of packages here")
    assert packages - known == set()


def test_the_image_has_the_programs_where_the_archive_is_unpacked(tmp_path, jrpcheck):
    """The line of the Dockerfile, with an archive like a released one."""
    machine = os.uname().machine
    (tmp_path / "dist").mkdir()
    with tarfile.open(tmp_path / f"dist/jrpcheck-1.2.3-linux-{machine}.tar.gz", "w:gz") as archive:
        archive.add(jrpcheck, f"jrpcheck-1.2.3-linux-{machine}/bin/jrpcheck")
    steps = instructions()
    line = next(part for part in next(rest for word, rest in steps if word == "RUN").split("&&") if "tar " in part)
    local = tmp_path / "usr/local"
    local.mkdir(parents=True)
    done = shell(["sh", "-ec", line.replace("/dist/", f"{tmp_path}/dist/").replace("/usr/local", str(local))], tmp_path)
    assert done.returncode == 0, done.stderr
    done = shell([str(local / "bin/jrpcheck"), *json.loads(dict(steps)["CMD"])], tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("usage: jrpcheck")


def test_hadolint_finds_nothing_in_the_dockerfile():
    if shutil.which("hadolint") is None:
        pytest.skip("hadolint is not installed here")
    # Pinned Debian packages vanish from the archive with every point release.
    done = shell(["hadolint", "--ignore", "DL3008", str(ROOT / "Dockerfile")], ROOT)
    assert done.returncode == 0, done.stdout
