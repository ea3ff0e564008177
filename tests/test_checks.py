"""The project's own checks find what they are there to find."""

import pathlib
import shutil
import subprocess

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"

TABLE = """
| Room | What it knows | May use |
|---|---|---|
| `reference/base` | the ground | |
| `reference/json` | stands on base | base |
| `reference/program` | a program | |
| `harness/judge` | stands on json | json |
"""


@pytest.fixture
def tree(tmp_path):
    """A small repository with rooms in order; returns a function that runs a check in it."""
    for name in ("check-includes", "check-source"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(SCRIPTS / name, tmp_path / "scripts" / name)
    files = {
        "ARCHITECTURE.md": TABLE,
        "reference/base/a.h": "",
        "reference/base/a.c": '#include "reference/base/a.h"\n',
        "reference/json/b.h": "",
        "reference/json/b.c": '#include <stdio.h>\n#include "reference/base/a.h"\n',
        "reference/program/s.h": "",
        "harness/judge/c.c": '#include "reference/json/b.h"\n',
    }
    for room in ("reference/base", "reference/json", "harness/judge"):
        files[f"{room}/README.md"] = "A room.\n"
    files["reference/base/CMakeLists.txt"] = "target_sources(jrpc PRIVATE a.c)\n"
    files["reference/json/CMakeLists.txt"] = "target_sources(jrpc PRIVATE b.c)\n"
    files["harness/judge/CMakeLists.txt"] = "target_sources(jck PRIVATE c.c)\n"
    for name, text in files.items():
        write(tmp_path, name, text)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    def run(check):
        return subprocess.run(
            [str(tmp_path / "scripts" / check)], capture_output=True, text=True, timeout=60
        )

    run.root = tmp_path
    return run


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("check", ["check-includes", "check-source"])
def test_a_tree_in_order_passes(tree, check):
    result = tree(check)
    assert (result.returncode, result.stderr) == (0, ""), result.stdout


@pytest.mark.parametrize(
    "name, text, finding",
    [
        ("reference/base/a.c", '\n#include "reference/json/b.h"\n',
         "reference/base/a.c:2: reference/base may not use reference/json"),
        ("harness/judge/c.c", '#include "reference/program/s.h"\n',
         "harness/judge/c.c:1: harness/judge may not use reference/program"),
        ("harness/judge/c.c", '#include "b.h"\n', 'c.c:1: "b.h" is not a file of the repository'),
        ("harness/judge/c.c", "#include <reference/json/b.h>\n", "write it in quotes"),
        ("harness/live/d.c", "", "harness/live: this room is not in the table"),
    ],
)
def test_an_include_that_the_table_does_not_allow_is_found(tree, name, text, finding):
    write(tree.root, name, text)
    result = tree("check-includes")
    assert result.returncode == 1
    assert finding in result.stdout


def test_files_of_a_room_that_call_each_other_are_found(tree):
    write(tree.root, "reference/base/a.c", "void jrpc_a_do(void) {\n    jrpc_d_do();\n}\n")
    write(tree.root, "reference/base/d.c", "void jrpc_d_do(void) {\n    jrpc_a_do();\n}\n")
    result = tree("check-includes")
    assert result.returncode == 1
    assert "reference/base/a.c: calls d.c, and calls lead back from there" in result.stdout
    assert "reference/base/d.c: calls a.c, and calls lead back from there" in result.stdout


@pytest.mark.parametrize(
    "row, replaced, finding",
    [
        ("stands on base | base |", "stands on base | base judge |",
         "reference/json may use harness/judge, which is not above it in the table: that would allow a cycle"),
        ("stands on json | json |", "stands on json | json jsn |",
         "harness/judge may use 'jsn', which is not a room"),
        ("stands on json | json |", "stands on json | base json |",
         "harness/judge may use reference/base by the table of ARCHITECTURE.md, but does not"),
    ],
)
def test_a_table_that_is_not_the_graph_is_found(tree, row, replaced, finding):
    write(tree.root, "ARCHITECTURE.md", TABLE.replace(row, replaced))
    result = tree("check-includes")
    assert result.returncode == 1
    assert finding in result.stdout


@pytest.mark.parametrize(
    "name, text, finding",
    [
        ("reference/base/a.c", "\nvoid f(char *a) { strcpy (a, a); }\n", "a.c:2: strcpy() is banned"),
        ("reference/base/a.c", "/* one\n" + "TO" + "DO */\n", "a.c:2: a left-over"),
        ("reference/base/a.c", "\n" * 501, "501 lines"),
        ("reference/base/lost.c", "", "lost.c:1: no CMakeLists.txt names this file"),
        ("reference/wire/w.c", "", "reference/wire:0: a room without a README.md"),
    ],
)
def test_a_source_file_against_the_rules_is_found(tree, name, text, finding):
    write(tree.root, name, text)
    result = tree("check-source")
    assert result.returncode == 1
    assert finding in result.stdout


@pytest.mark.parametrize(
    "text",
    ['// strcpy(a, b) is banned\n', 'const char *s = "strcat(a, b)";\n', "my_strcpy(a, b);\n",
     "cJSON_GetObjectItemCaseSensitive(a, b);\n", "int c = '\"'; /* gets( */\n"],
)
def test_a_banned_name_that_is_no_call_is_no_finding(tree, text):
    write(tree.root, "reference/base/a.c", text)
    assert tree("check-source").returncode == 0
