"""Building and running the targets with one engine or another."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import archive
import dictionary
import seeds

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(os.environ.get("JRPC_FUZZ_WORK", ROOT / "build" / "fuzz-work"))

# For each engine: the preset, and the compiler where the preset does not say.
ENGINES = {"libfuzzer": "fuzz", "afl++": "fuzz-afl", "replay": "asan"}
# Where the libraries lie that plugs link with (plug.py).
PLUG = "plug"
NEEDS = {"libfuzzer": [("clang", "clang")], "afl++": [("afl-clang-fast", "afl++"), ("afl-fuzz", "afl++")],
         "replay": [("cc", "gcc")]}


# As FUZZ_OPTION_BYTES of fuzz/fuzz.h.
OPTION_BYTES = 8


def say(text):
    print(text, flush=True)


def die(text):
    print(f"scripts/fuzz: {text}", file=sys.stderr)
    sys.exit(2)


def run(words, **more):
    """A program to its end, with what it printed."""
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, errors="replace", **more)


def empty(folder):
    """The folder, made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def targets():
    text = (ROOT / "fuzz" / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r"^ *jrpc_fuzz_target\((\w+)", text, re.M)


def claim(name):
    """The first sentence of the comment at the top of the target."""
    lines = (ROOT / "fuzz" / "target" / f"{name}.c").read_text(encoding="utf-8").splitlines()
    comment = " ".join(line[2:].strip() for line in lines[:6] if line.startswith("//"))
    return re.split(r"[:;.](?: |$)", comment)[0]


def corpus_archive(name):
    return ROOT / "corpus" / f"{name}.zip"


def corpus(name):
    """The folder with the inputs of the committed archive, unpacked where that has changed."""
    packed, folder = corpus_archive(name), WORK / "corpus" / name
    if not packed.is_file():
        return folder
    stamp = folder.with_suffix(".sha1")
    digest = hashlib.sha1(packed.read_bytes()).hexdigest()
    if not folder.is_dir() or not stamp.is_file() or stamp.read_text() != digest:
        archive.unpack(packed, folder)
        stamp.write_text(digest)
    return folder


def regressions(name):
    return ROOT / "corpus" / "regressions" / name


def files(folder):
    return sorted(p for p in folder.glob("*") if p.is_file() and not p.name.startswith(".")) if folder.is_dir() else []


def text_of(data):
    """An input without the options that may stand behind its last NUL byte (fuzz/fuzz.h)."""
    at = data.rfind(b"\0")
    return data[:at] if at >= 0 and len(data) - at - 1 <= OPTION_BYTES else data


def name_of(data):
    return hashlib.sha1(data).hexdigest()


def inputs(name):
    return [str(folder) for folder in (corpus(name), regressions(name)) if files(folder)]


def folder_of(engine):
    name = ENGINES.get(engine, engine)
    base = os.environ.get("JRPC_FUZZ_BUILD")
    return pathlib.Path(base) / name if base else ROOT / "build" / name


def program(engine, name):
    return folder_of(engine) / "fuzz" / f"fuzz_{name}"


# The bytes that malloc fills are written for nothing, up to a tenth of the time of a small input.
ASAN = "detect_leaks=1:handle_segv=2:allocator_may_return_null=1:max_malloc_fill_size=0"
# Weighing the corpus by rare features costs more than these targets do themselves, and finds nothing more.
SCHEDULE = "-entropic=0"
# Where an input is looked at once, every claim is tried that otherwise takes turns (fuzz/fuzz.h).
EVERY_CLAIM = {"JRPC_FUZZ_EVERY_CLAIM": "1"}


def environment(extra=None):
    env = dict(os.environ)
    env.setdefault("ASAN_OPTIONS", ASAN)
    symbolizer = shutil.which("llvm-symbolizer") or shutil.which("llvm-symbolizer-14")
    if symbolizer:
        env.setdefault("ASAN_SYMBOLIZER_PATH", symbolizer)
    env.update(extra or {})
    return env


def quiet():
    """For compilers: AFL++'s greets otherwise with each file."""
    return environment({"AFL_QUIET": "1"})


def require_tools(engine):
    for tool, package in NEEDS[engine]:
        if not shutil.which(tool):
            die(f"{tool} is not here: install the package {package} (scripts/setup --fuzz does)")
    if engine == "libfuzzer":
        probe = subprocess.run(["clang", "-fsanitize=fuzzer,address", "-x", "c", "-", "-o", os.devnull],
                               input="int LLVMFuzzerTestOneInput(const char *d, unsigned long n);\n"
                                     "int LLVMFuzzerTestOneInput(const char *d, unsigned long n)"
                                     "{ (void)d; (void)n; return 0; }\n",
                               capture_output=True, text=True)
        if probe.returncode != 0:
            version = subprocess.run(["clang", "-dumpversion"], capture_output=True, text=True).stdout.split(".")[0]
            die("clang cannot link with -fsanitize=fuzzer,address: install the package "
                f"libclang-rt-{version}-dev (scripts/setup --fuzz does)")


def build(engine, names=()):
    require_tools(engine)
    folder = folder_of(engine)
    if not (folder / "build.ninja").is_file():
        made = subprocess.run(["cmake", "--preset", ENGINES[engine], "-B", str(folder)], cwd=ROOT,
                              capture_output=True, text=True)
        if made.returncode != 0:
            sys.stderr.write(made.stdout + made.stderr)
            die("cmake failed")
    wanted = [f"fuzz_{name}" for name in names] or ["fuzz/all"]
    if engine == "afl++":
        wanted.append("fuzz-afl-mutator")
    done = subprocess.run(["ninja", "-C", str(folder), *wanted], capture_output=True, text=True,
                          env=quiet())
    if done.returncode != 0:
        sys.stderr.write(done.stdout[-6000:])
        die("the build failed")


def write_seeds(names, folder=WORK / "seeds"):
    done = subprocess.run([sys.executable, "-B", str(ROOT / "fuzz" / "tools" / "seeds.py"), str(folder), *names],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        die("the seeds could not be written")
    if not names:
        say(done.stdout.strip())


def starting_folders(name):
    return [str(p) for p in (corpus(name), WORK / "seeds" / name, regressions(name)) if files(p)]


def dictionary_of(program):
    """The dictionary of a target, made anew beside what its build made for all."""
    name = pathlib.Path(program).name.removeprefix("fuzz_")
    out = WORK / "dict" / f"{name}.dict"
    out.parent.mkdir(parents=True, exist_ok=True)
    dictionary.write(pathlib.Path(program).parent / "jsonrpc.dict", out, name)
    return str(out)


STATUS = re.compile(r"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+) corp: (\d+)/\S+.*exec/s: (\d+)")


def libfuzzer_words(name, seconds, seed, max_len, found):
    crashes = WORK / "crashes" / name
    crashes.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    return [str(program("libfuzzer", name)), f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={max_len}",
            SCHEDULE, "-timeout=10", "-rss_limit_mb=2048", f"-dict={dictionary_of(program('libfuzzer', name))}", "-print_final_stats=1",
            f"-artifact_prefix={crashes}/", str(found), *starting_folders(name)]


def run_libfuzzer(args):
    """One process a job, each with its own seed, all on one corpus folder."""
    name = args.target
    found = WORK / "found" / name
    running = []
    for job in range(args.jobs):
        log = open(WORK / f"{name}-{job}.log", "w+", encoding="utf-8", errors="replace")
        words = libfuzzer_words(name, args.time, args.seed + job, args.max_len, found)
        words.insert(1, "-reload=1")
        running.append((subprocess.Popen(words, stdout=log, stderr=log, env=environment()), log.name))
    shown = None
    while any(process.poll() is None for process, _ in running):
        try:
            running[0][0].wait(timeout=1)
        except subprocess.TimeoutExpired:
            pass
        lines = pathlib.Path(running[0][1]).read_text(errors="replace").splitlines()
        status = next((m for m in map(STATUS.match, reversed(lines)) if m), None)
        if status and status.groups() != shown:
            shown = status.groups()
            say(f"{name}: {shown[0]} executions, {shown[5]} a second, {shown[2]} edges, corpus {shown[4]},"
                f" crashes {len(files(WORK / 'crashes' / name))}")
        if running[0][0].poll() is not None:
            for process, _ in running[1:]:
                process.wait()
    return report_crashes(name, [log for process, log in running if process.returncode != 0])


def report_crashes(name, logs):
    for log in logs:
        text = pathlib.Path(log).read_text(errors="replace")
        reason = re.search(r"^.*(?:this does not hold|ERROR: \w+Sanitizer|runtime error|ERROR: libFuzzer).*$", text, re.M)
        wrote = re.search(r"Test unit written to (\S+)", text)
        say(f"{name}: FOUND {reason.group(0).strip() if reason else 'a crash'}")
        say(f"  {wrote.group(1) if wrote else log}  (next: scripts/fuzz triage {name} FILE)")
    return 1 if logs else 0


def afl_environment(folder):
    """For afl-fuzz over a program of that folder, where the mutator lies too."""
    return environment({"AFL_CUSTOM_MUTATOR_LIBRARY": str(folder / "libfuzz-afl-mutator.so"),
                        "AFL_TRY_AFFINITY": "1", "AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1",
                        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_BENCH_UNTIL_CRASH": "1",
                        "ASAN_OPTIONS": "abort_on_error=1:symbolize=0:detect_leaks=0:handle_segv=2"})


def afl_words(program, seeds, shared, seconds, seed, max_len, role):
    return ["afl-fuzz", "-i", str(seeds), "-o", str(shared), *role, "-V", str(seconds), "-s", str(seed), "-G",
            str(max_len), "-m", "none", "-t", "1000+", "-x", dictionary_of(program), "--", str(program)]


def run_afl(args):
    """A main instance and, with more jobs, secondary ones that share its folder."""
    name = args.target
    shared = empty(WORK / "afl" / name)
    seeds = empty(WORK / "afl-in" / name)
    for folder in starting_folders(name):
        for path in files(pathlib.Path(folder)):
            if 0 < path.stat().st_size <= args.max_len:
                shutil.copyfile(path, seeds / path.name)
    folder = folder_of("afl++") / "fuzz"
    running = []
    for job in range(args.jobs):
        role = ["-M", "main"] if job == 0 else ["-S", f"second{job}"]
        words = afl_words(program("afl++", name), seeds, shared, args.time, args.seed + job, args.max_len, role)
        log = open(WORK / f"{name}-afl-{job}.log", "w", encoding="utf-8")
        running.append(subprocess.Popen(words, stdout=log, stderr=log, env=afl_environment(folder)))
    for process in running:
        process.wait()
    crashes = sorted(shared.glob("*/crashes/id*"))
    for stats in sorted(shared.glob("*/fuzzer_stats")):
        value = dict(line.split(":", 1) for line in stats.read_text().splitlines() if ":" in line)
        value = {key.strip(): text.strip() for key, text in value.items()}
        say(f"{name}: {value.get('execs_done')} executions, {value.get('execs_per_sec')} a second, "
            f"{value.get('edges_found')} edges, corpus {value.get('corpus_count')}, crashes {value.get('saved_crashes')}")
    if not list(shared.glob("*/fuzzer_stats")):
        die(f"afl-fuzz did not start: see {WORK / f'{name}-afl-0.log'}")
    for crash in crashes:
        say(f"  {crash}")
    return 1 if crashes else 0


def smoke(names, seconds):
    """From the committed corpus, two targets at a time."""
    waiting = list(names)
    running = {}
    failed = []
    while waiting or running:
        while waiting and len(running) < 2:
            name = waiting.pop(0)
            log = WORK / f"smoke-{name}.log"
            words = libfuzzer_words(name, seconds, 1, 2048, WORK / "found" / name)
            running[name] = subprocess.Popen(words, stdout=open(log, "w", encoding="utf-8"),
                                             stderr=subprocess.STDOUT, env=environment())
        name, process = next(iter(running.items()))
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            running[name] = running.pop(name)
            continue
        del running[name]
        log = WORK / f"smoke-{name}.log"
        status = [m for m in map(STATUS.match, log.read_text(errors="replace").splitlines()) if m]
        if status:
            last = status[-1].groups()
            say(f"{name:15} {last[0]} executions, {last[5]} a second, {last[2]} edges, corpus {last[4]}")
        if process.returncode != 0:
            failed.append(name)
            report_crashes(name, [log])
    return 1 if failed else 0


def minimize(name, max_len):
    """Replaces the committed corpus by the smallest set that reaches the same; returns what it came to."""
    out = empty(WORK / "minimal" / name)
    sources = [*starting_folders(name), *([str(WORK / "found" / name)] if files(WORK / "found" / name) else [])]
    before = sum(len(files(pathlib.Path(folder))) for folder in sources)
    done = subprocess.run([str(program("libfuzzer", name)), "-set_cover_merge=1", f"-max_len={max_len}", str(out),
                           *sources], capture_output=True, text=True, errors="replace", env=environment(EVERY_CLAIM))
    if done.returncode != 0 or not files(out):
        sys.stderr.write(done.stderr[-3000:])
        die(f"the corpus of {name} could not be merged")
    for data in seeds.KEPT.get(name, list)():
        (out / hashlib.sha1(data).hexdigest()).write_bytes(data)
    archive.pack([out], corpus_archive(name))
    kept = files(out)
    return before, len(kept), sum(path.stat().st_size for path in kept)
