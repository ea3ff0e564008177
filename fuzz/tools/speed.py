"""Executions a second of processor time: each target with libFuzzer and alone, beside cJSON's public fuzz target."""

import os
import re
import shutil
import subprocess

import engines
from engines import WORK, die, say

MAX_LEN = 512
REPEATS = 40
SHAPE = "cjson_shape"


def run(words):
    """(standard output and error, processor seconds) of a program that must end well."""
    process = subprocess.Popen([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", env=engines.environment())
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        die(f"{words[0]} found something or could not run:\n{text[-2000:]}")
    return text, usage.ru_utime + usage.ru_stime


def short_inputs(name):
    folder = engines.empty(WORK / "speed" / name)
    for path in engines.files(engines.corpus(name)):
        if path.stat().st_size <= MAX_LEN:
            shutil.copyfile(path, folder / path.name)
    return folder


def program(engine, name):
    return engines.folder_of(engine) / "fuzz" / ("plug_cjson_shape" if name == SHAPE else f"fuzz_{name}")


def alone(name, folder):
    text, seconds = run([program("replay", name), f"-repeat={REPEATS}", folder])
    return int(re.search(r"(\d+) executions", text).group(1)) / seconds


def with_libfuzzer(name, folder, limit):
    text, seconds = run([program("libfuzzer", name), f"-max_total_time={limit}", "-seed=1", f"-max_len={MAX_LEN}",
                         "-reload=0", engines.SCHEDULE, "-print_final_stats=1", folder])
    return int(re.search(r"executed_units: (\d+)", text).group(1)) / seconds


def speed(names, limit):
    for engine in ("libfuzzer", "replay"):
        engines.build(engine, names)
        engines.run(["ninja", "-C", engines.folder_of(engine), "plug_cjson_shape"])
    rows = [(SHAPE, "json_read")] if program("libfuzzer", SHAPE).is_file() else []
    base = None
    say(f"{'target':15} {'alone':>9} {'libFuzzer':>9}   executions a second of processor time, inputs of at most "
        f"{MAX_LEN} bytes")
    for name, corpus in rows + [(name, name) for name in names]:
        folder = short_inputs(corpus)
        bare, fuzzed = alone(name, folder), with_libfuzzer(name, folder, limit)
        base = fuzzed if name == SHAPE else base
        beside = f"   {fuzzed / base:5.2f} times {SHAPE}" if base is not None and name != SHAPE else ""
        say(f"{name:15} {bare:9.0f} {fuzzed:9.0f}{beside}")
    return 0
