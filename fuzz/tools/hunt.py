"""One engine, one program: runs until something is found or the time is over."""

import dataclasses
import re
import time

import engines
from engines import WORK, empty, run

REASON = re.compile(r"this does not hold: (.*)|ERROR: (AddressSanitizer: [\w-]+|LeakSanitizer)|"
                    r"runtime error: (.*)|ERROR: (libFuzzer: \w+)")
MAX_LEN = 512
WHOLE_LEN = 1 << 20


@dataclasses.dataclass
class Hunt:
    found: bool
    executions: int
    seconds: float
    what: str


def reason(text):
    found = REASON.search(text)
    return next((group for group in found.groups() if group), "") if found else ""


def libfuzzer(program, folders, limit, env, max_len=MAX_LEN):
    scratch = empty(WORK / "prove-found")
    started = time.monotonic()
    done = run([program, limit, "-seed=1", f"-max_len={max_len}", engines.SCHEDULE, "-timeout=10", "-rss_limit_mb=2048",
                "-print_final_stats=1", f"-artifact_prefix={scratch}/", scratch, *folders], env=env)
    executed = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    return Hunt(done.returncode != 0, int(executed.group(1)) if executed else 0, time.monotonic() - started,
                reason(done.stderr))


def once(program, folders):
    """Every input of the folders, whole, each by every claim."""
    return libfuzzer(program, folders, "-runs=0", engines.environment(engines.EVERY_CLAIM), WHOLE_LEN)


def by_libfuzzer(program, seed_folder, seconds):
    return libfuzzer(program, [seed_folder], f"-max_total_time={seconds}", engines.environment())


def by_afl(program, seed_folder, seconds):
    shared = empty(WORK / "prove-afl")
    folder = program.parent
    env = engines.afl_environment(folder)
    started = time.monotonic()
    # AFL++ takes no seed that crashes.
    for path in engines.files(seed_folder):
        done = run([program, path], env=env)
        if done.returncode != 0:
            return Hunt(True, 1, time.monotonic() - started, reason(done.stderr) or "a crash")
    done = run(engines.afl_words(program, seed_folder, shared, seconds, 1, MAX_LEN, ["-M", "main"]), env=env)
    took = time.monotonic() - started
    crashes = sorted(shared.glob("main/crashes/id*"))
    stats = shared / "main" / "fuzzer_stats"
    if not stats.is_file():
        return Hunt(False, 0, took, "afl-fuzz did not start")
    executed = re.search(r"execs_done\s*: (\d+)", stats.read_text())
    # AFL++ does not say what a crash was: the program does.
    again = reason(run([program, crashes[0]], env=env).stderr) or "a crash" if crashes else ""
    return Hunt(bool(crashes), int(executed.group(1)) if executed else 0, took, again)
