"""Plugin of pytest: no test, and nothing that it sets up, waits forever.

A test that lasts longer than `LIMIT` fails with a traceback of where it waits, and what it started is killed. A file whose
threads do not end after the last test is ended with the traceback of each.
"""

import faulthandler
import os
import signal

import pytest
from waits import children_of

LIMIT = float(os.environ.get("JRPCHECK_TEST_LIMIT", "480"))  # seconds; scripts/test gives a whole file 900
AGAIN = 5  # seconds until it is interrupted again, as what cleans up may wait too
END = 60  # seconds for the threads that are left when all tests are done


def overdue(_number, _frame):
    for pid in children_of(os.getpid()):
        os.kill(pid, signal.SIGKILL)
    # Set only now, so that looking for children, however slow, is not interrupted itself.
    signal.setitimer(signal.ITIMER_REAL, AGAIN)
    pytest.fail(f"not done within {LIMIT:g} s")


def limited():
    before = signal.signal(signal.SIGALRM, overdue)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup():
    yield from limited()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call():
    yield from limited()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown():
    yield from limited()


def pytest_unconfigure():
    faulthandler.dump_traceback_later(END, exit=True)
