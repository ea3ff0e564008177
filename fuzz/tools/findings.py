"""What is made of findings: triage of crashes, coverage of the corpus, disagreements of parsers."""

import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import engines
from engines import ROOT, WORK, die, say

FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in (\S+) .*/(?:reference|harness|fuzz)/(\S+?):(\d+)", re.M)


def crash(program, path):
    """(signature, reason) of a crash, or None if the input does not crash."""
    done = subprocess.run([program, "-timeout=10", "-rss_limit_mb=2048", str(path)], capture_output=True, text=True,
                          errors="replace", env=engines.environment(engines.EVERY_CLAIM))
    if done.returncode == 0:
        return None
    frames = [f"{name} {place}" for name, place, _ in FRAME.findall(done.stderr)
              if name not in ("fuzz_fail", "LLVMFuzzerTestOneInput")]
    reason = re.search(r"this does not hold: (.*)|(ERROR: .*Sanitizer: [\w-]+|runtime error: .*|ERROR: libFuzzer: .*)",
                       done.stderr)
    text = next(group for group in reason.groups() if group) if reason else f"exit code {done.returncode}"
    return "|".join([re.sub(r"0x[0-9a-f]+|\d+", "N", text), *frames[:4]]), text


def triage(name, paths):
    program = engines.program("libfuzzer", name)
    groups = collections.defaultdict(list)
    for path in paths:
        if not path.is_file():
            die(f"there is no file {path}")
        found = crash(program, path)
        if found is None:
            say(f"{path}: does not crash")
        else:
            groups[found[0]].append((path.stat().st_size, path, found[1]))
    for signature, members in groups.items():
        size, path, reason = min(members)
        small = WORK / "triage.min"
        shutil.copyfile(path, small)
        subprocess.run([program, "-minimize_crash=1", "-max_total_time=20", f"-exact_artifact_path={small}", str(path)],
                       capture_output=True, env=engines.environment(engines.EVERY_CLAIM))
        again = crash(program, small)
        if again is None or again[0] != signature:
            shutil.copyfile(path, small)  # the smaller one is another bug
        data = small.read_bytes()
        folder = engines.regressions(name)
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / hashlib.sha1(data).hexdigest()
        kept.write_bytes(data)
        say(f"{len(members)} x {reason}")
        say(f"  {signature}")
        say(f"  {size} bytes -> {len(data)}: {kept.relative_to(ROOT)}")
        say(f"  again: {program} {kept.relative_to(ROOT)}")
        say("  now write a line on it into corpus/regressions/README.md")
    return 1 if groups else 0


MCDC = "-19"  # the first clang that counts it well
ROOMS = ("reference/base", "reference/json", "reference/rpc", "reference/wire", "harness/judge", "harness/suite", "harness/report")


def build_for_coverage(out, mcdc, units):
    # Without strict ANSI assert is a statement of GNU C: of the other form clang believes that nothing behind it is reached.
    flags = "-fprofile-instr-generate -fcoverage-mapping -U__STRICT_ANSI__" + (" -fcoverage-mcdc" if mcdc else "")
    made = subprocess.run(["cmake", "-S", str(ROOT), "-B", str(out), "-G", "Ninja", f"-DCMAKE_C_COMPILER=clang{MCDC if mcdc else ''}",
                           "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_FLAGS={flags}", f"-DJRPC_TESTS={'ON' if units else 'OFF'}",
                           "-DJRPC_FUZZ=replay", f"-DJRPC_HTTP={'ON' if units else 'OFF'}"], capture_output=True, text=True)
    wanted = ["fuzz/all", *([f"tests/unit/{room.rpartition('/')[2]}/all" for room in ROOMS] if units else [])]
    # Without this, programs that run during the build write their profiles into the current folder.
    env = dict(os.environ, LLVM_PROFILE_FILE=str(out / "build-%p.profraw"))
    if made.returncode != 0 or subprocess.run(["ninja", "-C", str(out), *wanted], capture_output=True, env=env).returncode != 0:
        die("the build for coverage failed")


def run_for_coverage(out, names, units):
    """What was run: (programs, their profiles)."""
    programs, profiles = [], []

    def run_one(program, inputs, profile):
        programs.append(program)
        profiles.append(out / f"{profile}.profraw")
        subprocess.run([program, *inputs], capture_output=True, cwd=ROOT,
                       env=engines.environment({"LLVM_PROFILE_FILE": str(profiles[-1])}))

    for name in names:
        run_one(out / "fuzz" / f"fuzz_{name}", engines.inputs(name), name)
    for room in ROOMS if units else ():
        for program in engines.files(out / "unit" / room.rpartition("/")[2]):
            run_one(program, [], f"{program.parent.name}-{program.name}")
    return programs, profiles


def coverage(names, mcdc=False, units=False, missing=False):
    """Source coverage of the replay programs, and of the unit tests, as clang measures it; with conditions too where it can."""
    suffix = MCDC if mcdc else ""
    if mcdc and not shutil.which(f"clang{MCDC}"):
        die(f"clang{MCDC} is not here: install the packages clang{MCDC}, llvm{MCDC} and libclang-rt{MCDC}-dev")
    if not shutil.which(f"llvm-profdata{suffix}"):
        suffix = "-14" if shutil.which("llvm-profdata-14") else die("llvm-profdata is not here: install the package llvm")
    out = WORK / (("mcdc" if mcdc else "coverage") + ("-units" if units else ""))
    build_for_coverage(out, mcdc, units)
    programs, profiles = run_for_coverage(out, names, units)
    merged = str(out / "all.profdata")
    subprocess.run([f"llvm-profdata{suffix}", "merge", "-o", merged, *profiles], check=True)
    objects = [str(word) for program in programs for word in ("-object", program)][1:]
    common = [*objects, f"-instr-profile={merged}", *(str(ROOT / room) for room in ROOMS)]
    subprocess.run([f"llvm-cov{suffix}", "show", "-format=html", f"-output-dir={out / 'html'}", *common], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = subprocess.run([f"llvm-cov{suffix}", "export", *([] if missing else ["-summary-only"]), *common], check=True,
                          capture_output=True, text=True).stdout
    files = [entry for entry in json.loads(text)["data"][0]["files"] if entry["filename"].endswith(".c")]
    summarize(files)
    if missing:
        show_missing(files)
    say(f"HTML: {out / 'html' / 'index.html'}")
    return 0


def show_missing(files):
    """Each condition that was never shown to decide alone: file:line:column and the numbers of the conditions."""
    for entry in files:
        for line, column, *_, conditions in sorted(entry.get("mcdc_records", [])):
            never = [str(at + 1) for at, shown in enumerate(conditions) if not shown]
            if never:
                say(f"{entry['filename'][len(str(ROOT)) + 1:]}:{line}:{column}: {', '.join(never)} of {len(conditions)}")


def summarize(files):
    kinds = ("lines", "branches", "mcdc")
    sums = collections.defaultdict(lambda: dict.fromkeys(kinds, (0, 0)))
    for entry in files:
        path = entry["filename"]
        room = "/".join(path[len(str(ROOT)) + 1:].split("/")[:2])
        for kind in kinds:
            summary = entry["summary"].get(kind, {"covered": 0, "count": 0})
            for key in (room, f"{room}/{path.rsplit('/', 1)[1]}"):
                covered, count = sums[key][kind]
                sums[key][kind] = (covered + summary["covered"], count + summary["count"])
    counted = [kind for kind in kinds if any(row[kind][1] for row in sums.values())]
    for key in sorted(sums):
        indent = "  " if key.count("/") == 2 else ""
        shares = "  ".join(f"{kind} {100 * covered / max(count, 1):5.1f} %" if count else f"{kind}     -  "
                           for kind in counted for covered, count in [sums[key][kind]])
        say(f"{indent}{key:{42 - len(indent)}} {shares}")


def disagree(paths):
    """The table of every plug that was built, over the given files or the committed corpora of texts."""
    plugs = sorted((engines.folder_of("replay") / "fuzz").glob("plug_*"))
    if not plugs:
        die("no plug was built: install a parser's development package (libcjson-dev)")
    chosen = [str(p) for p in paths] or [*engines.inputs("json_read"), *engines.inputs("json_roundtrip")]
    for plug in plugs:
        done = subprocess.run([plug, *chosen], capture_output=True, text=True, errors="replace")
        say(re.sub(r"^\d+ inputs, .*\n", "", done.stdout, count=1).rstrip())
        if done.returncode != 0:
            sys.stderr.write(done.stderr)
            return 1
    return 0
