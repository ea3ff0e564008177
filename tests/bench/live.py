"""Figures of `jrpcheck fuzz` as Markdown: the first three tables of reports/fuzz/live.md, or reports/fuzz/faults.md.

usage: live.py JRPCHECK REFERENCE [--messages N] [--alarms N] [--planted SECONDS]
       live.py JRPCHECK REFERENCE --faults SECONDS

Speed: N messages on the reference server over each transport, generated and judged. Then a bare loop sends the bytes of such
a run over the same transport and reads whatever comes, as fast as it can, for comparison.
False alarms: --alarms messages a transport. Planted: each bug of tests/servers/planted.py, for so many seconds, and how much longer the inputs
are than the smallest ones written by hand (smallest.py). Faults: each fault of the
reference server that messages over stdio can show, with --fault-messages messages (30,000 without it) and at most so many seconds, the first
seed, and then the second for those that the first does not find.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from serving import free_port  # noqa: E402
from smallest import size as smallest_size  # noqa: E402

PLANTED = [sys.executable, str(ROOT / "tests" / "servers" / "planted.py")]
WAYS = ["stdio", "unix", "tcp", "http", "websocket"]
LAST = b'{"jsonrpc":"2.0","method":"bare.last","id":"bare-last"}'
PATIENCE = 900
TURNS = 3
FUZZED = re.compile(r"fuzzed ([0-9.]+) s with seed \d+: (\d+) messages?, (\d+) ways? of answering, (\d+) findings?"
                    r"(?:, (\d+) suspicions?)?")


def reach(way, reference, folder):
    """How jrpcheck reaches the reference server that way, and the words that start it."""
    if way == "stdio":
        return ["--", reference, "--stdio"], [reference, "--stdio"]
    address = f"127.0.0.1:{free_port()}"
    option, url = {"unix": ("--unix", f"unix:{folder}/s"), "tcp": ("--tcp", f"tcp://{address}"),
                   "http": ("--http", f"http://{address}/"), "websocket": ("--ws", f"ws://{address}/")}[way]
    words = [reference, option, f"{folder}/s" if way == "unix" else address]
    return ["--start", shlex.join(words), url], words


def fuzz(jrpcheck, target, *options):
    done = subprocess.run([jrpcheck, "fuzz", "--seed", "1", *options, *target], capture_output=True, text=True, timeout=PATIENCE)
    seconds, messages, ways, findings, flaky = FUZZED.search(done.stderr).groups()
    # Seconds come with one decimal: 0.0 may be as much as 0.05.
    return max(float(seconds), 0.05), int(messages), int(ways), int(findings), int(flaky or 0), done


def recorded(jrpcheck, reference, messages, folder):
    """The messages of a run, each a line."""
    log = pathlib.Path(folder) / "sent"
    line = f"tee {shlex.quote(str(log))} | exec {shlex.quote(reference)} --stdio"
    fuzz(jrpcheck, ["--", "sh", "-c", line], "--messages", str(messages))
    return [line for line in log.read_bytes().split(b"\n") if line.strip()]


def pump(write, read, bytes_):
    """Writes all of it while reading, until the answer to the last message is there."""
    def send():
        with contextlib.suppress(OSError):
            write(bytes_)
    writer = threading.Thread(target=send, daemon=True)
    writer.start()
    tail = b""
    while b"bare-last" not in tail:
        got = read(1 << 16)
        if not got:
            raise OSError("the server left")
        tail = tail[-32:] + got
    writer.join(PATIENCE)


def connect(words, way, folder):
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    family, address = (socket.AF_UNIX, f"{folder}/s") if way == "unix" else (
        socket.AF_INET, ("127.0.0.1", int(words[-1].rsplit(":", 1)[1])))
    until = time.monotonic() + 10
    while True:
        end = socket.socket(family)
        try:
            end.connect(address)
            end.settimeout(60)
            return server, end
        except OSError:
            end.close()
            if time.monotonic() > until:
                server.kill()
                raise


def frame(payload):
    """A text frame of a client, with a mask that changes nothing."""
    length = len(payload)
    head = bytes([0x81, 0x80 | length]) if length < 126 else b"\x81\xfe" + length.to_bytes(2, "big") if length < 65536 else (
        b"\x81\xff" + length.to_bytes(8, "big"))
    return head + b"\0\0\0\0" + payload


def exchange(end, payload, rest):
    end.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(payload) + payload)
    while b"\r\n\r\n" not in rest:
        rest += end.recv(1 << 16)
    head, rest = rest.split(b"\r\n\r\n", 1)
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    length = int(length[1]) if length else 0
    while len(rest) < length:
        rest += end.recv(1 << 16)
    return rest[length:]


def bare(way, words, lines, folder):
    """Seconds that the bytes take, and how many messages they are."""
    if way == "stdio":
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            began = time.monotonic()
            pump(lambda data: (server.stdin.write(data), server.stdin.flush()), server.stdout.read1, b"\n".join([*lines, LAST, b""]))
            took = time.monotonic() - began
            server.stdin.close()
        return took, len(lines)
    if way == "websocket":
        lines = [line for line in lines if is_utf8(line)]
    server, end = connect(words, way, folder)
    try:
        if way == "websocket":
            end.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
            end.recv(1 << 16)
        began = time.monotonic()
        if way == "http":
            rest = b""
            for line in lines:
                rest = exchange(end, line, rest)
        else:
            data = b"".join(map(frame, [*lines, LAST])) if way == "websocket" else b"\n".join([*lines, LAST, b""])
            pump(end.sendall, end.recv, data)
        return time.monotonic() - began, len(lines)
    finally:
        end.close()
        server.terminate()
        server.wait(10)


def is_utf8(line):
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def used(who):
    spent = resource.getrusage(who)
    return spent.ru_utime + spent.ru_stime


def timed_bare(way, words, lines, folder):
    """Messages a second, and microseconds of processor time for each: the server's, and the loop's own."""
    before = used(resource.RUSAGE_SELF) + used(resource.RUSAGE_CHILDREN)
    took, sent = bare(way, words, lines, folder)
    return sent / took, (used(resource.RUSAGE_SELF) + used(resource.RUSAGE_CHILDREN) - before) * 1e6 / sent


def timed_fuzz(jrpcheck, target, messages):
    """The same for a run of jrpcheck and its server, not counting the cases before the first generated message."""
    began = used(resource.RUSAGE_CHILDREN)
    fuzz(jrpcheck, target, "--messages", "1")
    before = used(resource.RUSAGE_CHILDREN)
    seconds, count, *_ = fuzz(jrpcheck, target, "--messages", str(messages))
    return count / seconds, (used(resource.RUSAGE_CHILDREN) - before - (before - began)) * 1e6 / count


def speed_rows(jrpcheck, reference, messages):
    """Both take turns, and the medians count: other work on the machine changes from one second to the next."""
    with tempfile.TemporaryDirectory() as folder:
        lines = recorded(jrpcheck, reference, messages, folder)
        for way in WAYS:
            few = messages if way != "http" else messages // 10
            turns = []
            for _ in range(TURNS):
                target, words = reach(way, reference, folder)
                turns.append((*timed_bare(way, words, lines[:few], folder), *timed_fuzz(jrpcheck, target, few)))
            loop, loop_us, fuzzed, fuzzed_us = (statistics.median(column) for column in zip(*turns))
            yield (f"| {way} | {fuzzed / 1000:.1f} k | {loop / 1000:.1f} k | {fuzzed / loop:.2f} | {fuzzed_us:.1f} | {loop_us:.1f} | "
                   f"{loop_us / fuzzed_us:.2f} |")


def alarm_rows(jrpcheck, reference, messages):
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            seconds, count, ways, findings, flaky, _ = fuzz(jrpcheck, reach(way, reference, folder)[0], "--messages", str(messages))
            yield f"| {way} | {count} | {seconds:.0f} | {ways} | {findings} | {flaky} |"


def search(jrpcheck, bound, target, seconds=PATIENCE):
    """Seconds until the first finding (None: there was none), and the findings, those of ground cases too. After so many seconds the run
    is interrupted."""
    began = time.monotonic()
    first = None
    found = []
    command = [jrpcheck, "fuzz", *bound, "--report", "ndjson", "--strict", "--", *target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        timer = threading.Timer(seconds, run.send_signal, [signal.SIGINT])
        timer.start()
        for line in run.stdout:
            event = json.loads(line)
            if event["event"] in ("case", "ground") and event["outcome"] not in ("pass", "observe", "skip", "blocked"):
                first = first or time.monotonic() - began
                found.append(event)
        timer.cancel()
    return first, found


def size_of(event):
    return sum(len(message["text"].encode()) for message in event["exchange"]["messages"]
               if message["dir"] == "sent" and "role" not in message and "text" in message)


def planted_rows(jrpcheck, seconds):
    """A row for each bug; then how many are found, and the median of how much larger their inputs are than the smallest."""
    names = subprocess.run([*PLANTED, "--list"], capture_output=True, text=True, check=True).stdout.split()
    times = []
    found_count = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda name: search(jrpcheck, ["--seed", "1", "--time", f"{seconds}s"], [*PLANTED, "--bug", name]), names)
        for name, (first, found) in zip(names, results):
            when = "not found" if first is None else f"{first:.1f}"
            size, smallest = min(map(size_of, found), default=None), smallest_size(name)
            found_count += first is not None
            if size and smallest:
                times.append(size / smallest)
            yield f"| {name} | {when} | {size or ''} | {smallest or ''} | {len(found)} |"
    yield (f"\n{found_count} of {len(names)} are found. The inputs are {statistics.median(times):.2f} times as long as the smallest ones, in the "
           f"median; {sum(ratio <= 2 for ratio in times)} of {len(times)} are at most twice as long.")


# Methods that jrpcheck calls only where they are named.
NAMED = [option for name in ("fail", "app_error", "update", "count") for option in ("--method", f"{name}={name}")]


def search_fault(jrpcheck, reference, fault, messages, seconds):
    for seed in ("1", "2"):
        bound = ["--seed", seed, "--messages", str(messages), *NAMED]
        first, found = search(jrpcheck, bound, [reference, "--stdio", "--fault", fault], seconds)
        if first is not None:
            break
    return first, found


def fault_lines(jrpcheck, reference, messages, seconds):
    """A table of the faults that are found, then the names of those that are not."""
    listed = subprocess.run([reference, "--list-faults"], capture_output=True, text=True, check=True).stdout
    faults = [line.split("\t") for line in listed.splitlines()]
    faults = [fault for fault in faults if fault[1].split("-")[0] in ("J2", "JS", "SEC")]
    yield (f"{messages} messages over stdio each, at most {seconds} s; the second seed where the first finds nothing. `fail`, `app_error`, `update` "
           f"and `count` are named. {os.cpu_count()} at a time. `ground` says that the ground cases find it already.\n")
    yield "| fault | rule | seconds until reported | bytes of the smallest input | findings | |\n|---|---|--:|--:|--:|---|"
    missed = []
    by_fuzzing = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda fault: search_fault(jrpcheck, reference, fault[0], messages, seconds), faults)
        for (name, rule, *_), (first, found) in zip(faults, results):
            if first is None:
                missed.append((name, rule))
                continue
            ground = any(not event["id"].startswith("fuzz/") for event in found)
            by_fuzzing += not ground
            yield f"| {name} | {rule} | {first:.1f} | {min(map(size_of, found), default='')} | {len(found)} | {'ground' if ground else ''} |"
    yield f"\n{len(faults) - len(missed)} of {len(faults)} found, {by_fuzzing} of them by generated messages alone. Not found:\n"
    yield "\n".join(f"- `{name}` ({rule})" for name, rule in missed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jrpcheck")
    parser.add_argument("reference")
    parser.add_argument("--messages", type=int, default=100000, help="0: without the table of speed")
    parser.add_argument("--alarms", type=int, default=0)
    parser.add_argument("--planted", type=int, default=0)
    parser.add_argument("--faults", type=int, default=0)
    parser.add_argument("--fault-messages", type=int, default=30000)
    args = parser.parse_args()
    if args.faults:
        print("# Live fuzzing: faults of the reference server\n\n`tests/bench/live.py --faults` printed this table.\n")
        for line in fault_lines(args.jrpcheck, args.reference, args.fault_messages, args.faults):
            print(line, flush=True)
        return
    print(f"# Live fuzzing: what was measured\n\n`tests/bench/live.py` printed the first three tables, on {os.cpu_count()} cores shared "
          "with other work: compare figures only within one table. The other sections are written by hand.")
    if args.messages:
        print(f"\n## Speed\n\n{args.messages} messages (a tenth of them over HTTP), generated and judged, beside a bare loop that sends the bytes of "
          f"such a run over the same transport: the median of {TURNS} turns. Processor time is that of both processes together.\n\n"
          "| transport | fuzzed a second | bare loop | ratio | fuzzed: processor µs a message | bare loop | ratio |\n"
          "|---|--:|--:|--:|--:|--:|--:|")
        for row in speed_rows(args.jrpcheck, args.reference, args.messages):
            print(row, flush=True)
    if args.alarms:
        print("\n## False alarms\n\nOn the reference server, which keeps every rule.\n\n"
              "| transport | messages | seconds | ways of answering | findings | suspicions not confirmed |\n|---|--:|--:|--:|--:|--:|")
        for row in alarm_rows(args.jrpcheck, args.reference, args.alarms):
            print(row, flush=True)
    if args.planted:
        print(f"\n## Planted bugs\n\nServers of `tests/servers/planted.py`, at most {args.planted} s each, first seed, {os.cpu_count()} at a time.\n\n"
              "| bug | seconds until reported | bytes of the smallest input | written by hand | findings |\n|---|--:|--:|--:|--:|")
        for row in planted_rows(args.jrpcheck, args.planted):
            print(row, flush=True)


if __name__ == "__main__":
    main()
