"""One deviation that many cases show is reported only a few times, under few rules. What a server may do is not reported."""

import json
import shlex
import subprocess
import sys

import pytest

from conftest import ROOT
from serving import free_port

SERVERS = ROOT / "tests" / "servers"


def new_findings(stream):
    """The rule and the level of each finding of a run that is not marked as known."""
    events = [json.loads(line) for line in stream.read_text(encoding="utf-8").splitlines()]
    assert events[-1]["event"] == "finish"
    return [(finding["rule"], finding["level"]) for event in events if event["event"] in ("case", "ground")
            for finding in event["findings"] if not finding.get("known")]


def rules(findings, level="MUST"):
    return {rule for rule, of in findings if of == level}


@pytest.fixture
def over_stdio(run, tmp_path):
    def find(server, *arguments, only=()):
        stream = tmp_path / "run.ndjson"
        selected = [word for pattern in only for word in ("--only", pattern)]
        run("run", *selected, "--report", f"ndjson={stream}", "--", sys.executable, SERVERS / server, *arguments)
        return new_findings(stream)

    return find


@pytest.fixture
def over_port(jrpcheck, tmp_path):
    def find(server, scheme, only):
        port, stream = free_port(), tmp_path / "run.ndjson"
        selected = [word for pattern in only for word in ("--only", pattern)]
        subprocess.run([jrpcheck, "-q", *selected, "--report", f"ndjson={stream}",
                        "--start", shlex.join([sys.executable, str(SERVERS / server), str(port)]), f"{scheme}://127.0.0.1:{port}"],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        return new_findings(stream)

    return find


@pytest.mark.parametrize("what", ["all", "first"])
def test_a_server_that_takes_a_read_for_a_message_is_reported_under_few_rules(over_stdio, what):
    found = over_stdio("quirk_reads_are_messages.py", what,
                       only=["framing-line/**", "same-write/**", "concurrency/**", "in-flight/**", "alone/**", "notification/**", "names/**"])
    assert "J2-5a" in rules(found)
    assert len(rules(found)) <= 3 and len(found) <= 10


def test_a_wrong_result_in_a_batch_is_a_wrong_result(over_stdio):
    found = over_stdio("quirk_batch_results.py", only=["batch/**", "examples/**", "in-flight/**", "alone/**", "served/**"])
    assert rules(found) == {"J2-4.2a", "J2-7"}  # what section 7 prints is owed as it stands


def test_what_is_sent_after_a_line_that_is_too_long_may_get_no_answer(over_port):
    assert over_port("limits_lines.py", "tcp", ["in-flight/long-answers", "framing-line/**"]) == []


def test_a_body_that_is_too_long_may_be_refused_by_http_alone(over_port):
    assert over_port("limits_bodies.py", "http", ["size/**", "json-size/**", "id/string-**", "names/long**"]) == []
