"""The files that jrpcheck reads and writes: none is destroyed, none can hold it for ever."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest
from waits import has_ended, mute_server

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVERS = ROOT / "tests" / "servers"
RIGHT = [sys.executable, str(SERVERS / "right.py")]
ONE = ["--only", "batch/empty"]


@pytest.fixture
def stream(run, tmp_path):
    """The event stream of a short run."""
    path = tmp_path / "run.ndjson"
    assert run(*ONE, "--report", f"ndjson={path}", "--", *RIGHT).returncode == 0
    return path


def refuses(done, *paths_and_contents):
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "one file" in done.stderr or "cannot share" in done.stderr or "same file" in done.stderr
    for path, content in paths_and_contents:
        assert path.read_bytes() == content


@pytest.mark.parametrize("spelling", ["run.ndjson", "./run.ndjson", "link", "hard"])
@pytest.mark.parametrize("format", ["ndjson", "json"])
def test_a_report_is_not_written_over_the_stream_it_is_made_of(run, stream, tmp_path, format, spelling):
    (tmp_path / "link").symlink_to("run.ndjson")
    os.link(stream, tmp_path / "hard")
    content = stream.read_bytes()
    refuses(run("report", stream, "--report", f"{format}={spelling}"), (stream, content))
    other = tmp_path / "other.ndjson"
    other.write_bytes(content)
    refuses(run("report", "--since", stream, other, "--report", f"markdown={spelling}"), (stream, content))


def test_a_stream_on_standard_input_is_not_written_over_either(jrpcheck, stream, tmp_path):
    content = stream.read_bytes()
    with open(stream) as source:
        done = subprocess.run([jrpcheck, "report", "-", "--report", f"ndjson={stream}"], stdin=source, capture_output=True,
                              text=True, timeout=30)
    refuses(done, (stream, content))


def test_no_output_of_a_run_is_written_over_what_it_reads(run, tmp_path):
    server = tmp_path / "server.py"
    server.write_bytes((SERVERS / "right.py").read_bytes())
    target = tmp_path / "target.json"
    target.write_text(json.dumps({"schema": 1, "command": [sys.executable, str(server)]}))
    baseline = tmp_path / "known.json"
    assert run("--suite", "json", "--baseline", baseline, "--update-baseline", target).returncode in (0, 1)
    prelude = tmp_path / "prelude.json"
    prelude.write_text("[]")
    kept = [(path, path.read_bytes()) for path in (server, target, baseline, prelude)]
    for words in (
        ["--report", f"json={target}", target],
        ["--transcript", target, target],
        ["--report", f"ndjson={server}", "--", sys.executable, server],
        ["--report", f"json={server}", "--start", f"{sys.executable} {server}", "tcp://127.0.0.1:9"],
        ["--baseline", baseline, "--report", f"json={baseline}", target],
        ["--baseline", baseline, "--update-baseline", "--transcript", baseline, target],
        ["--prelude", prelude, "--transcript", prelude, target],
    ):
        refuses(run(*words), *kept)


def test_no_report_is_written_over_a_case_file(run, tmp_path):
    shutil.copytree(ROOT / "cases", tmp_path / "cases")
    path = tmp_path / "cases" / "jsonrpc-2.0" / "06-batch.json"
    content = path.read_bytes()
    refuses(run("--cases", "cases", *ONE, "--report", f"json={path}", "--", *RIGHT), (path, content))


def test_two_outputs_are_two_files(run, tmp_path):
    for words in (["--report", "json=x", "--report", "tap=./x"], ["--report", "json=x", "--transcript", f"{tmp_path}/x"]):
        refuses(run(*ONE, *words, "--", *RIGHT))
        assert not (tmp_path / "x").exists()
    done = run(*ONE, "--report", "json=/dev/null", "--transcript", "/dev/null", "--", *RIGHT)
    assert done.returncode == 0, done.stderr


def test_a_wrong_report_is_found_before_another_one_is_emptied(run, stream):
    content = stream.read_bytes()
    assert run(*ONE, "--report", f"ndjson={stream}", "--report", "pdf=y", "--", *RIGHT).returncode == 2
    assert stream.read_bytes() == content


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_descriptors_that_are_closed_at_start_are_no_trouble(jrpcheck, tmp_path, closed):
    def close():
        for number in closed:
            os.close(number)

    done = subprocess.run([jrpcheck, *ONE, "--report", "json=run.json", "--report", "console", "--transcript", "t", "--", *RIGHT],
                          cwd=tmp_path, preexec_fn=close, timeout=60)
    assert done.returncode == 0
    assert json.loads((tmp_path / "run.json").read_text())["runs"]
    assert (tmp_path / "t").read_text().startswith("response/basic: ") or "batch/empty: pass" in (tmp_path / "t").read_text()
    assert "CONFORMANT" not in (tmp_path / "t").read_text()


# Every place where a file can be named: a pipe that nobody writes to, and a device without end.
READERS = [
    ["report", "{}"],
    ["report", "--since", "{}", "/dev/null"],
    ["lint", "{}"],
    ["lint", "--faults", "{}"],
    ["--baseline", "{}", "--", "cat"],
    ["--prelude", "{}", "--", "cat"],
    ["--profile", "{}", "--", "cat"],
    ["{}.json"],
]


@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("kind", ["pipe", "zero", "folder"])
def test_what_is_no_file_is_refused_and_not_waited_for(run, tmp_path, words, kind):
    for name in ("f", "f.json"):
        if kind == "pipe":
            os.mkfifo(tmp_path / name)
        elif kind == "zero":
            (tmp_path / name).symlink_to("/dev/zero")
        else:
            (tmp_path / name).mkdir()
    if kind == "folder" and words[0] == "lint" and words[1] == "{}":
        return  # lint takes folders
    done = run(*(word.replace("{}", "./f") for word in words), timeout=10)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "f" in done.stderr + done.stdout and len(done.stderr.splitlines()) == 1 or words[0] == "lint"


def test_a_pipe_that_somebody_writes_to_is_read(jrpcheck, stream, tmp_path):
    done = subprocess.run(["bash", "-c", f"'{jrpcheck}' report <(cat {stream}) --report json=>(cat > got.json); wait $!; sync"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("option", ["--report=json=f", "--report=ndjson=f", "--transcript=f"])
def test_a_pipe_that_nobody_reads_from_is_refused(run, tmp_path, option):
    os.mkfifo(tmp_path / "f")
    done = run(*ONE, option, "--", *RIGHT, timeout=20)
    assert done.returncode == 2 and "nobody reads from this pipe" in done.stderr


def test_a_line_without_end_is_refused(jrpcheck, tmp_path):
    with subprocess.Popen(["head", "-c", "300000000", "/dev/zero"], stdout=subprocess.PIPE) as source:
        done = subprocess.run([jrpcheck, "report", "-"], stdin=source.stdout, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "too long" in done.stderr


@pytest.mark.parametrize("words", [
    ["--report", "ndjson=/dev/full"], ["--report", "json=/dev/full"], ["--transcript", "/dev/full"]])
def test_an_output_that_cannot_be_written_has_an_exit_code_of_its_own(run, words):
    done = run(*ONE, *words, "--", *RIGHT)
    assert done.returncode == 6, done.stderr
    assert "harness itself" not in done.stderr


def test_a_full_standard_output_and_a_reader_that_has_gone_are_no_fault_of_ours(jrpcheck):
    with open("/dev/full", "w") as full:
        for words in (["list"], ["--help"], [*ONE, "--", *RIGHT]):
            assert subprocess.run([jrpcheck, *words], stdout=full, stderr=subprocess.DEVNULL, timeout=60).returncode == 6
    source, sink = os.pipe()
    os.close(source)
    for words in (["list"], [*ONE, "--", *RIGHT]):
        assert subprocess.run([jrpcheck, *words], stdout=sink, stderr=subprocess.DEVNULL, timeout=60).returncode == 6
    os.close(sink)


@pytest.mark.parametrize("name", ["SIGHUP", "SIGQUIT", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("twice", [False, True])
def test_every_signal_that_ends_us_ends_the_server_and_leaves_no_part_of_a_file(jrpcheck, tmp_path, channel, name, twice):
    # Not inherited: a pytest that runs in the background has some of them ignored.
    process = subprocess.Popen(
        [jrpcheck, "--report", "html=run.html", "--report", "ndjson=run.ndjson", "--", *mute_server(channel)], cwd=tmp_path,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: [signal.signal(getattr(signal, n), signal.SIG_DFL) for n in ("SIGHUP", "SIGQUIT", "SIGTERM", "SIGINT")])
    try:
        pid = int(channel.line())
        process.send_signal(getattr(signal, name))
        if twice:
            process.send_signal(getattr(signal, name))
        assert process.wait(timeout=20) == 130
    finally:
        process.kill()
        process.wait()
    assert has_ended(pid)
    assert not [p for p in tmp_path.iterdir() if "part" in p.name or "new" in p.name]


def test_who_ignores_hangups_is_not_hung_up(jrpcheck, tmp_path, channel):
    process = subprocess.Popen([jrpcheck, "--", *mute_server(channel)], cwd=tmp_path, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    try:
        channel.line()
        process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
    finally:
        process.kill()
        process.wait()
