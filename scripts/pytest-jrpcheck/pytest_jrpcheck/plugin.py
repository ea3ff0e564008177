"""pytest --jrpcheck-target TARGET cases/SUITE: every case a test item, one run of jrpcheck a session. --jrpcheck-client for a client."""

import shlex

import pytest

from .harness import Harness, HarnessError, case_folder, find_program, target_words
from .items import Case, CaseFile


def pytest_addoption(parser):
    group = parser.getgroup("jrpcheck", "JSON-RPC conformance (jrpcheck)")
    group.addoption("--jrpcheck-target", metavar="TARGET",
                    help="what to test: '-- COMMAND ARGS', an address, a description or its name, as jrpcheck takes it")
    group.addoption("--jrpcheck-client", metavar="'DRIVER ARGS'",
                    help="the client to test, by the command of its driver, instead of a target")
    group.addoption("--jrpcheck-program", metavar="PATH", help="the program jrpcheck (default: the one on PATH)")
    group.addoption("--jrpcheck-args", metavar="'OPTIONS'", default="",
                    help="more options of jrpcheck run or client, such as '--jobs 4 --method echo=tools.echo'")
    group.addoption("--jrpcheck-baseline", metavar="FILE",
                    help="known failures, each with a reason: expected to fail, strictly")
    group.addoption("--jrpcheck-strict", action="store_true", help="a broken SHOULD fails its case too")


def pytest_configure(config):
    config.addinivalue_line("markers", "jrpcheck(*rules): a case of jrpcheck that tests these rules")
    config.jrpcheck = None
    server, client = config.getoption("jrpcheck_target"), config.getoption("jrpcheck_client")
    if server is None and client is None:
        return
    if server is not None and client is not None:
        raise pytest.UsageError("--jrpcheck-target names a server and --jrpcheck-client a client: a session tests one of them")
    try:
        verb, target = ("run", target_words(server)) if client is None else ("client", ["--", *shlex.split(client)])
        config.jrpcheck = Harness(find_program(config.getoption("jrpcheck_program")), verb, target,
                                  shlex.split(config.getoption("jrpcheck_args")),
                                  config.getoption("jrpcheck_baseline"))
    except (HarnessError, ValueError) as error:
        raise pytest.UsageError(str(error)) from error


def pytest_unconfigure(config):
    if getattr(config, "jrpcheck", None) is not None:
        config.jrpcheck.stop()


def pytest_collect_file(file_path, parent):
    harness = parent.config.jrpcheck
    folder = case_folder(file_path) if harness is not None and file_path.suffix == ".json" else None
    if folder is None or file_path.parent.name in ("rules", "profiles"):
        return None
    return CaseFile.from_parent(parent, path=file_path, folder=folder)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session):
    """Starts the one run, with the cases that were chosen."""
    items = [item for item in session.items if isinstance(item, Case)]
    if not items or session.config.option.collectonly:
        return
    folders = {item.folder for item in items}
    if len(folders) > 1:
        raise pytest.UsageError("the cases lie in several folders of cases; a session runs one: "
                                + ", ".join(sorted(map(str, folders))))
    session.config.jrpcheck.start(folders.pop(), [item.case for item in items])
