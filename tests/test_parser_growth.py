"""jrpcheck parser: growth is judged by processor time, so other work on the machine does not count."""

import shutil
import sys

import pytest
from test_parser import ADAPTER, events, run

# The work for a text of so many bytes, in milliseconds of processor time.
LINEAR = "len(text) / 16000"
QUADRATIC = "(len(text) / 64000) ** 2 * 4"
# The first rounds are disturbed, each less than the one before, and long texts more than short ones.
DISTURBED = "len(text) / 16000 * {0: (1, 1, 4, 16), 1: (1, 1, 3, 12)}.get(seen(text), (1,) * 4)[min(3, len(text) // 64000)]"
# The same for the shorter texts of a parser whose time grows with the square of the length.
HIDDEN = "(len(text) / 64000) ** 2 * 4 * {0: (6, 5, 1), 1: (4, 3, 1)}.get(seen(text), (1,) * 3)[min(2, len(text) // 128000)]"
# At first the third text takes so long that the fourth is not worth its time.
SLOW_ONCE = "(len(text) / 64000) ** 2 * 1.2 * (40 if seen(text) == 0 and len(text) in range(200000, 300000) else 1)"
BURN = """
import time
times = {}
def seen(text):
    times[len(text)] = times.get(len(text), -1) + 1
    return times[len(text)]
def burn(text):
    if text[:2] == b'["':
        end = time.process_time() + (%s) / 1000
        while time.process_time() < end:
            pass
"""
TAKES = "burn(text); send(b'a')"


def growth(*command):
    """The findings about the time for longer and longer strings."""
    done = run("parser", "--only", "parser-growth/string", "--report", "ndjson", *command, timeout=300)
    cases = [event for event in events(done) if event["event"] == "case"]
    assert [case["id"] for case in cases] == ["parser-growth/string"], done.stderr
    return [finding["text"] for finding in cases[0]["findings"] if finding["rule"] == "JP-growth"]


def adapter(work):
    return [sys.executable, "-c", BURN % work + ADAPTER % TAKES]


def test_time_that_grows_like_the_text_is_right():
    assert growth("--", *adapter(LINEAR)) == []


def test_time_that_grows_faster_is_found():
    assert "grows faster than the text" in growth("--", *adapter(QUADRATIC))[0]


def test_time_that_a_busy_machine_adds_is_no_growth():
    assert growth("--", *adapter(DISTURBED)) == []


def test_growth_that_a_busy_machine_hides_is_found():
    assert "grows faster than the text" in growth("--", *adapter(HIDDEN))[0]


def test_a_text_that_seemed_too_long_to_be_worth_its_time_is_sent_after_all():
    found = growth("--timeout", "2000", "--", *adapter(SLOW_ONCE))
    assert "1024004 bytes" in found[0]


def test_the_time_of_a_parser_within_a_script_counts():
    assert "grows faster than the text" in growth("--", "sh", "-c", '"$@"; exit $?', "sh", *adapter(QUADRATIC))[0]


# Starts faster than Python, whose start would outweigh the work for short texts. The longest text takes a second of processor
# time: within the time for an answer even where several others compute.
ONCE = "$end = clock() + (length($_) / 64000) ** 2 * 0.004; 1 while clock() < $end"


@pytest.mark.skipif(not shutil.which("perl"), reason="perl is not here")
def test_a_program_for_each_text_is_measured_by_its_processor_time():
    assert "grows faster than the text" in growth("--each", "--", "perl", "-MTime::HiRes=clock", "-0777", "-ne", ONCE)[0]
