"""Executions a second of processor time: each target with libFuzzer and alone, beside cJSON's public fuzz target."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

import engines
import plug
from engines import ROOT, WORK, die, say

MAX_LEN = 512
REPEATS = 40
SHAPE = "cjson_shape"
# As the presets asan and fuzz build ours.
SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
UNTRACED = ["-fno-sanitize-coverage=trace-cmp,trace-div,trace-gep"]


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


def alone(program, folder):
    text, seconds = run([program, f"-repeat={REPEATS}", folder])
    return int(re.search(r"(\d+) executions", text).group(1)) / seconds


def with_libfuzzer(program, folder, limit):
    """What is found is kept in memory: on a disk, its files take a third of the time of a target that finds much."""
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as found:
        text, seconds = run([program, f"-max_total_time={limit}", "-seed=1", f"-max_len={MAX_LEN}",
                             "-reload=0", engines.SCHEDULE, "-print_final_stats=1", found, folder])
    return int(re.search(r"executed_units: (\d+)", text).group(1)) / seconds


def beside(words, folder, limit):
    """(name, alone, with libFuzzer) of a plug that is built as our targets are, and does nothing but parse and write."""
    source, *flags = shlex.split(words)
    source = pathlib.Path(source).resolve()
    if not source.is_file():
        die(f"there is no file {source}")
    out = engines.empty(WORK / "beside" / source.stem)
    archives = plug.libraries("parser")[1:]
    shape = [out / "shape.o", out / "fuzz.o", out / "driver.o", out / "hooks.o"]
    files = [ROOT / "fuzz" / "plug" / "shape.c", ROOT / "fuzz" / "fuzz.c", ROOT / "fuzz" / "driver.c", ROOT / "fuzz" / "mutator" / "hooks_libfuzzer.c"]
    for file, made in zip(files, shape):
        built = engines.run(["clang", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-O2", f"-I{ROOT}", *SANITIZED, "-c", file, "-o", made])
        if built.returncode != 0:
            die(built.stderr)
    for name, objects, engine in (("alone", shape[:3], []), ("fuzz", [*shape[:2], shape[3]], ["-fsanitize=fuzzer"])):
        covered = ["-fsanitize=fuzzer-no-link", *UNTRACED] if engine else []
        built = engines.run([*plug.compiler(source, *SANITIZED, *covered), source, *flags, *objects, *archives, *engine, "-pthread", "-lm",
                             "-o", out / name])
        if built.returncode != 0:
            die(f"{source} did not compile or link:\n{built.stderr}")
    return source.stem, alone(out / "alone", folder), with_libfuzzer(out / "fuzz", folder, limit)


def speed(names, limit, plugs=()):
    for engine in ("libfuzzer", "replay"):
        engines.build(engine, names)
        engines.run(["ninja", "-C", engines.folder_of(engine), "plug_cjson_shape"])
    rows = [(SHAPE, "json_read")] if program("libfuzzer", SHAPE).is_file() else []
    base = None
    say(f"{'target':15} {'alone':>9} {'libFuzzer':>9}   executions a second of processor time, inputs of at most "
        f"{MAX_LEN} bytes")
    for words in plugs:
        name, bare, fuzzed = beside(words, short_inputs("json_read"), limit)
        say(f"{name:15} {bare:9.0f} {fuzzed:9.0f}   built as ours are, without an oracle")
    for name, corpus in rows + [(name, name) for name in names]:
        folder = short_inputs(corpus)
        bare, fuzzed = alone(program("replay", name), folder), with_libfuzzer(program("libfuzzer", name), folder, limit)
        base = fuzzed if name == SHAPE else base
        share = f"   {fuzzed / base:5.2f} times {SHAPE}" if base is not None and name != SHAPE else ""
        say(f"{name:15} {bare:9.0f} {fuzzed:9.0f}{share}")
    return 0
