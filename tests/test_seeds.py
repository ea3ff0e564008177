"""docs/seeds.json: every statement of the texts that the suite follows names what there is, or says why it does not."""

import fnmatch
import json
import pathlib
import subprocess
import sys

import pytest

from case_files import cases_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = json.loads((ROOT / "docs" / "seeds.json").read_text(encoding="utf-8"))["texts"]
STATEMENTS = [(text["text"], one) for text in TEXTS for one in text["statements"]]


@pytest.fixture(scope="module")
def known(reference):
    files = [path for path in (ROOT / "cases").glob("*/*.json") if path.parent.name != "profiles"]
    rules = {rule["id"] for path in files if path.parent.name == "rules" for rule in json.loads(path.read_text())["rules"]}
    cases = {case["id"] for path in files if path.parent.name != "rules" for case in cases_of(path)}
    faults = set()
    for program in (reference, reference + "-client"):
        listed = subprocess.run([program, "--list-faults"], capture_output=True, text=True, check=True, timeout=10).stdout
        faults |= {line.split("\t")[0] for line in listed.splitlines()}
    return rules, cases, faults


def test_every_name_is_that_of_a_rule_a_case_a_fault_or_a_file(known):
    rules, cases, faults = known
    gone = [(text, one["n"], name) for text, one in STATEMENTS for name in one.get("proved", []) + one.get("in part", [])
            if name not in rules | cases | faults and not fnmatch.filter(cases, name) and not (ROOT / name).exists()]
    assert not gone


def test_every_statement_is_proved_or_says_why_not():
    assert len(STATEMENTS) == 412
    for text, one in STATEMENTS:
        states = [state for state in ("proved", "open", "why") if one.get(state)]
        assert len(states) == 1, (text, one["n"], states)
        assert "in part" not in one or "open" in one, (text, one["n"])


def test_the_page_is_what_the_script_writes():
    done = subprocess.run([sys.executable, ROOT / "scripts" / "seeds", "--check"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
