"""The pages in docs/: the files they show are written, their commands run, and what they print compared.

In a page, "```json file=NAME" is a file, and "```console" a session: "$ " begins a command (run by a shell in a folder
that holds the page's files), "# exits with N" behind it is its exit code, and what follows is what it prints. There
"…" stands for any text within a line, and a line of "…" alone for any lines. What comes after the last line shown is
not looked at.
"""

import os
import pathlib
import re
import subprocess

import pytest

from conftest import ROOT, build_folder

PAGES = sorted(path for path in (ROOT / "docs").glob("*.md") if "```console" in path.read_text(encoding="utf-8"))
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def sessions(page):
    """The commands of a page: (command, exit code or None, lines it is to print)."""
    for kind, _, text in blocks(page):
        if kind != "console":
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            code = re.search(r"\s+# exits with (\d+)$", command)
            yield command[:code.start()] if code else command, int(code.group(1)) if code else None, lines


def pattern(lines):
    """A regular expression for the lines a page shows."""
    parts = [r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n" for line in lines]
    return re.compile("".join(parts))


COMMANDS = [pytest.param(page, index, id=f"{page.stem}-{index + 1}")
            for page in PAGES for index, _ in enumerate(sessions(page))]


def test_pages_are_found():
    assert COMMANDS


@pytest.mark.parametrize("page, index", COMMANDS)
def test_a_command_prints_what_its_page_shows(page, index, tmp_path):
    for kind, name, text in blocks(page):
        if name:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    command, code, lines = list(sessions(page))[index]
    fuzzing = {}
    if "scripts/fuzz plug" in command:
        # With the libraries that are built already, and a folder of its own for what it writes.
        if not (build_folder() / "build.ninja").is_file():
            pytest.skip("this build was not made with ninja, which scripts/fuzz uses")
        (tmp_path / "builds").mkdir()
        (tmp_path / "builds" / "plug").symlink_to(build_folder())
        fuzzing = {"JRPC_FUZZ_BUILD": str(tmp_path / "builds"), "JRPC_FUZZ_WORK": str(tmp_path / "work")}
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": f"{build_folder()}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
             "JRPCHECK_ROOT": str(ROOT), **fuzzing})
    if code is not None:
        assert done.returncode == code, done.stdout + done.stderr
    printed = done.stdout + done.stderr
    assert pattern(lines).match(printed), f"{page.name}: $ {command}\n--- shown\n" + "\n".join(lines) + f"\n--- printed\n{printed}"


def test_links_between_pages_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "targets").glob("*/README.md")]:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" not in link:
                assert (page.parent / pathlib.PurePosixPath(link)).exists(), f"{page}: {link}"
