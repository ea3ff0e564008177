"""The same case, the same verdict: the suites on jrpc-reference over every transport and framing."""

import json
import pathlib
import subprocess

import pytest

from fault_matrix import DECLARES, METHODS
from test_http import PATIENCE, listening

FOLDER = pathlib.Path(__file__).resolve().parent
LIST = FOLDER / "not-carried.json"
DESCRIPTION = {
    "schema": 1, "name": "jrpc-reference", "declares": DECLARES, "methods": METHODS,
}
FRAMINGS = ["line", "content-length", "concatenated", "length32"]
WAYS = {
    **{f"stdio {framing}": ("--stdio", "--framing", framing) for framing in FRAMINGS},
    **{f"tcp {framing}": ("--tcp", "127.0.0.1:0", "--framing", framing) for framing in FRAMINGS},
    "unix line": ("--unix",),
    "http": ("--http", "127.0.0.1:0"),
    "http events": ("--http", "127.0.0.1:0"),
    "websocket": ("--ws", "127.0.0.1:0"),
}
SHAPE = ("outcome", "observed")


def ask(jrpcheck, folder, reached, *words):
    """Runs on a target that is reached so: only a file can declare what the security cases need."""
    target = folder / "target.json"
    target.write_text(json.dumps(DESCRIPTION | reached), encoding="utf-8")
    done = subprocess.run([jrpcheck, "--quiet", "--suite", "jsonrpc-2.0", "--suite", "json", "--suite", "ro-jrpc-1.0",
                           "--report", f"ndjson={folder}/run.ndjson", *words, target],
                          capture_output=True, text=True, timeout=PATIENCE * 10)
    assert done.returncode == 0, done.stderr
    events = map(json.loads, (folder / "run.ndjson").read_bytes().rstrip().split(b"\n"))
    return {event["id"]: event for event in events if event["event"] == "case"}


def run_over(way, jrpcheck, reference, folder):
    options = WAYS[way]
    framing = [word for word in options if word in FRAMINGS]
    said = {"framing": framing[0]} if framing else {}
    if way == "http events":
        said["headers"] = {"Accept": "text/event-stream"}
    if way.startswith("stdio"):
        return ask(jrpcheck, folder, said | {"command": [reference, *options]})
    if way.startswith("unix"):
        options = (*options, str(folder / "s"))
    with listening(reference, *options) as address:
        return ask(jrpcheck, folder, said | {"url": address})


@pytest.fixture(scope="module")
def over(jrpcheck, reference, tmp_path_factory):
    if "not in this build" in subprocess.run([reference, "--http", "x"], capture_output=True, text=True).stderr:
        pytest.skip("this build has no HTTP")
    return {way: run_over(way, jrpcheck, reference, tmp_path_factory.mktemp("run")) for way in WAYS}


def not_carried(events):
    return sorted(name for name, event in events.items() if event["outcome"] == "skip")


def test_what_a_transport_or_framing_cannot_carry_is_the_committed_list(over):
    found = {way: not_carried(events) for way, events in over.items()}
    assert found == json.loads(LIST.read_text()), "tests/test_transports.py --write makes the list anew"


@pytest.mark.parametrize("way", WAYS)
def test_each_case_has_the_same_outcome_over_every_transport_that_carries_it(way, over):
    first = over["tcp line"]
    assert set(over[way]) == set(first)
    differing = {}
    for name, event in over[way].items():
        shapes = [{key: one.get(key) for key in SHAPE} for one in (first[name], event)]
        if "skip" not in (first[name]["outcome"], event["outcome"]) and shapes[0] != shapes[1]:
            differing[name] = shapes
    assert not differing


@pytest.mark.parametrize("way", ["tcp line", "http", "websocket"])
def test_several_jobs_on_one_server_judge_as_one_does(way, over, jrpcheck, reference, tmp_path):
    with listening(reference, *WAYS[way]) as address:
        together = ask(jrpcheck, tmp_path, {"url": address}, "--jobs", "4")
    assert {name: event["outcome"] for name, event in together.items()} == {
        name: event["outcome"] for name, event in over[way].items()}


if __name__ == "__main__":
    import sys
    import tempfile

    from conftest import build_folder

    programs = [str(build_folder() / name) for name in ("jrpcheck", "jrpc-reference")]
    if sys.argv[1:] == ["--write"]:
        found = {}
        for way in WAYS:
            with tempfile.TemporaryDirectory() as folder:
                found[way] = not_carried(run_over(way, *programs, pathlib.Path(folder)))
        LIST.write_text(json.dumps(found, indent=1) + "\n")


def test_a_length_that_counts_characters_is_a_wrong_length_and_not_wrong_json(run, reference):
    server = ["--", reference, "--framing", "content-length", "--fault", "answer-length-counts-characters"]
    done = run("--framing", "content-length", "--only", "id/**", "-q", *server)
    assert "MUST FR-b" in done.stdout and "J2-5j" not in done.stdout, done.stdout + done.stderr
