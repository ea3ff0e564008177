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
