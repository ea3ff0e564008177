"""jrpcheck compare: the same cases on several targets, and only where they differ."""

from test_http import METHODS, listening

MAPPED = [word for name in METHODS for word in ("--method", f"{name}={name}")]


def test_two_servers_that_behave_alike_do_not_differ(run, reference):
    with listening(reference, "--tcp", "127.0.0.1:0") as first, listening(reference, "--tcp", "127.0.0.1:0") as second:
        done = run("compare", "--suite", "jsonrpc-2.0", *MAPPED, first, second)
    assert done.returncode == 0, done.stdout
    [line] = done.stdout.splitlines()
    assert line.startswith("0 of ") and "differ between 2 targets" in line


def test_only_what_differs_is_printed_with_what_each_did(run, reference):
    fault = ("--fault", "batch-empty-silent")
    with listening(reference, "--tcp", "127.0.0.1:0") as first, \
            listening(reference, "--tcp", "127.0.0.1:0", *fault) as second:
        done = run("compare", "--only", "batch/empty*", "--only", "id/*", first, second)
    assert done.returncode == 1, done.stderr
    block = done.stdout.split("\n\n")[0].splitlines()
    assert block[0].startswith("batch/empty")
    assert f"    {first}: pass" in block and any(line.startswith(f"    {second}: fail: J2-6d") for line in block)
    assert "id/" not in done.stdout


def test_a_command_is_a_target_too_and_one_target_is_too_few(run, reference):
    with listening(reference, "--tcp", "127.0.0.1:0") as first:
        done = run("compare", "--only", "id/*", first, "--", reference, "--stdio")
    assert done.returncode == 0, done.stderr
    done = run("compare", "--", reference)
    assert done.returncode == 2 and "compare needs 2 to 16 targets" in done.stderr


def test_a_target_that_cannot_be_opened_is_named(run, reference):
    with listening(reference, "--tcp", "127.0.0.1:0") as first:
        done = run("compare", "--only", "id/*", first, "tcp://127.0.0.1:1")
    assert done.returncode == 3
    assert "tcp://127.0.0.1:1: cannot connect" in done.stderr


def test_the_suite_of_the_transport_is_compared_too(run, reference):
    with listening(reference, "--http", "127.0.0.1:0") as first, \
            listening(reference, "--http", "127.0.0.1:0", "--fault", "http-type-text") as second:
        done = run("compare", "--only", "HT-a", "--only", "batch/empty", first, second)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"    {second}: warn: HT-a" in done.stdout or f"    {second}: fail: HT-a" in done.stdout, done.stdout
    with listening(reference, "--tcp", "127.0.0.1:0") as first, listening(reference, "--tcp", "127.0.0.1:0") as second:
        done = run("compare", "--only", "framing-line/*", first, second)
    assert done.returncode == 0 and not done.stdout.startswith("0 of 0"), done.stdout + done.stderr


def test_methods_are_looked_for_unless_that_is_switched_off(run, reference):
    targets = f"{reference} --stdio", reference
    assert run("compare", "--only", "examples/positional-1", "--no-discover", *targets).stdout.startswith("0 of 0 cases")
    done = run("compare", "--only", "examples/positional-1", *targets)
    assert done.returncode == 0 and done.stdout.startswith("0 of 1 case"), done.stdout


def test_every_target_is_checked_before_the_first_one_is_started(run, reference, tmp_path):
    (tmp_path / "started").write_text(f"#!/bin/sh\necho yes > ran\nexec {reference}\n")
    (tmp_path / "started").chmod(0o755)
    done = run("compare", "--only", "id/*", "./started", "tcp://127.0.0.1:0")
    assert done.returncode == 2 and "port" in done.stderr and not (tmp_path / "ran").exists(), done.stderr


def test_servers_that_are_reached_differently_are_compared_by_what_both_can_show(run, reference):
    with listening(reference, "--http", "127.0.0.1:0") as first:
        done = run("compare", "--only", "batch/empty", first, reference)
        assert done.returncode == 0 and done.stdout.startswith("0 of 1 case"), done.stdout + done.stderr
        done = run("compare", "--only", "HT-a", first, reference)
    assert done.returncode == 2 and "transport-http" in done.stderr
