"""`scripts/fuzz plug`: a parser, dispatcher or decoder of the user's own beside ours, in one command.

The user's file is compiled with coverage and sanitizers, ours is not: the fuzzer looks for ways through the user's
code. First come the committed corpora, then texts that grow to a million brackets, digits and members, then
libFuzzer with the structure-aware mutator until the time is over; what is found is told at once, and nothing ends
the search but the time.
"""

import dataclasses
import os
import pathlib
import re
import resource
import subprocess
import time

import engines
import sizes
from engines import ROOT, WORK, die, say

# For each kind: the function that its plug defines, and whose corpora it starts from.
KINDS = {
    "parser": ("plug_parse", ["json_read", "json_roundtrip"]),
    "router": ("plug_answer", ["router", "message"]),
    "framing": ("plug_decoder_feed", ["framing"]),
}
# Behind the library of its kind.
LIBRARIES = ["fuzz-mutator", "jck-generate", "fuzz-models", "jrpc"]
CPP = (".cpp", ".cc", ".cxx")
SANITIZERS = ["-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
# What a text must get, in the words of each kind.
EXPECTED = {"parser": "accepted or refused", "router": "an answer, or none", "framing": "messages, or that the stream is broken"}
SLOW_SECONDS = 10  # of processor time
REPLAY_SECONDS = 60


@dataclasses.dataclass
class Plug:
    name: str
    kind: str
    program: pathlib.Path
    folder: pathlib.Path
    env: dict


def kind_of(source):
    text = source.read_text(encoding="utf-8", errors="replace")
    found = [kind for kind, (function, _) in KINDS.items() if re.search(rf"\b{function}\s*\(", text)]
    if len(found) != 1:
        names = ", ".join(f"{function} ({kind})" for kind, (function, _) in KINDS.items())
        die(f"{source} defines none of the functions of a plug, or several: {names}")
    return found[0]


def libraries(kind):
    """Ours, built once, without sanitizers."""
    folder = engines.folder_of(engines.PLUG)
    if not (folder / "build.ninja").is_file():
        made = engines.run(["cmake", "--preset", "release", "-B", folder, "-DJRPC_TESTS=OFF", "-DJRPC_HTTP=OFF"], cwd=ROOT)
        if made.returncode != 0:
            die(f"cmake failed:\n{made.stdout}{made.stderr}")
    names = [f"fuzz-plug-{kind}", *LIBRARIES]
    built = engines.run(["ninja", "-C", folder, *names])
    if built.returncode != 0:
        die(f"the build failed:\n{built.stdout[-6000:]}")
    return [next(folder.rglob(f"lib{name}.a")) for name in names]


def compiler(source, *flags):
    """What compiles a user's file: it finds our headers, and warns of nothing."""
    return ["clang++" if source.suffix in CPP else "clang", "-g", "-O2", "-w", *flags, f"-I{ROOT}", f"-I{ROOT / 'fuzz' / 'plug'}",
            f"-I{source.parent}"]


def compile_plug(source, kind, flags, folder):
    """The program; a file that does not compile is the user's to mend, and the compiler says where."""
    archives = libraries(kind)
    hooks = folder / "hooks.o"
    done = engines.run(["clang", "-std=c17", "-O2", f"-I{ROOT}", "-c", ROOT / "fuzz/mutator/hooks_libfuzzer.c", "-o", hooks])
    if done.returncode != 0:
        die(f"the mutator's hooks did not compile:\n{done.stderr}")
    program = folder / "plug"
    done = engines.run([*compiler(source, *SANITIZERS), source, *flags, hooks, *archives, "-fsanitize=fuzzer", "-pthread", "-lm",
                        "-o", program])
    if done.returncode != 0:
        die(f"{source} did not compile or link; what comes after -- goes to the compiler:\n{done.stderr}")
    return program


def environment(args, folder):
    extra = {"JRPC_PLUG_FINDS": str(folder / "disagreements"),
             "ASAN_OPTIONS": engines.ASAN + ":detect_stack_use_after_return=0"}
    if args.strict:
        extra["JRPC_PLUG_STRICT"] = "1"
    if args.allow:
        extra["JRPC_PLUG_ALLOW"] = args.allow
    return engines.environment(extra)


FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in (\S+) (\S+)$", re.M)
REASON = re.compile(r"ERROR: (?:AddressSanitizer|LeakSanitizer): (.*)|ERROR: libFuzzer: (.*)|(\S+: runtime error: .*)")


def crash_text(output, source):
    """(what happened, where in the user's code) from what a sanitizer wrote."""
    found = REASON.search(output)
    what = next(group for group in found.groups() if group) if found else "it ended without a word"
    what = re.sub(r" \(pc 0x.*| on (?:unknown )?address.*| at pc.*|==\d+==", "", what).strip()
    for function, place in FRAME.findall(output):
        if pathlib.Path(re.sub(r"(:\d+)+$", "", place)).name == source.name:
            return what, f"in {function}, {re.sub(r':[0-9]+$', '', place)}"
    inner = next((f"in {function}, {place}" for function, place in FRAME.findall(output)
                  if "/fuzz/" not in place and "compiler-rt" not in place and "/libc" not in place), "")
    return what, inner


class Findings:
    """What was found so far: told at once, a crash once for each place."""

    def __init__(self, plug, source):
        self.plug, self.source, self.crashes, self.reported = plug, source, set(), {}
        self.counted = self.tolerated = 0
        self.started = time.monotonic()

    def stamp(self):
        return f"[{time.monotonic() - self.started:5.1f} s]"

    def crash(self, output, data, shape):
        what, where = crash_text(output, self.source)
        # A recursion without an end is found in any function that takes part in it.
        key = what if what.startswith("stack-overflow") else (what, where)
        if key in self.crashes:
            return
        self.crashes.add(key)
        hangs = what.startswith("timeout")
        path = self.plug.folder / "crashes" / f"crash-{len(self.crashes)}"
        path.write_bytes(data)
        self.counted += 1
        shown = repr(data[:80])[2:-1] + (f"... ({len(data)} bytes)" if len(data) > 80 else "")
        say(f"{self.stamp()} FOUND a {'text that takes too long' if hangs else f'crash: {what}'}\n  text      {shown}\n"
            f"  expected  {EXPECTED[self.plug.kind]}{f' in {SLOW_SECONDS} seconds' if hangs else ''}{shape}\n"
            f"  came      {'nothing yet' if hangs else what}{', ' if where else ''}{where}\n  file      {path}")

    def disagreements(self):
        """Tells the classes that are new since the last time."""
        for path in engines.files(self.plug.folder / "disagreements"):
            if path.name in self.reported:
                continue
            text, counts = explain(self.plug, path, path.name)
            self.reported[path.name] = counts
            if counts:
                self.counted += 1
                say(f"{self.stamp()} FOUND {text}\n  file      {path}")
            else:
                self.tolerated += 1

    def grown(self, found, least, shape):
        """Reports the classes of one shape's examples. A class that was reported before is reported again if the smallest size does
        not show it: then the size is the cause."""
        for path in engines.files(found):
            first = self.plug.folder / "disagreements" / path.name
            long = first.with_name(f"{path.name}-long")
            if not first.exists():
                path.rename(first)
            elif path.read_bytes() != least and long.name not in self.reported:
                text, counts = explain(self.plug, path, path.name)
                if counts:
                    path.rename(long)
                    self.reported[long.name] = True
                    self.counted += 1
                    say(f"{self.stamp()} FOUND {text}\n  shape     {shape}\n  file      {long}")
        self.disagreements()


def explain(plug, path, name):
    """What the program says of an example of a class, and whether it counts."""
    env = {name: value for name, value in plug.env.items() if name != "JRPC_PLUG_FINDS"}
    done = engines.run([plug.program, path], env={**env, "JRPC_PLUG_EXPLAIN": "1"})
    lines = re.search(rf"^({re.escape(name)})( \(does not count\))?: .*\n(?:  \S.*\n| {{12}}.*\n)*", done.stderr, re.M)
    if not lines:
        return f"{name}, but not again: it depends on what was parsed before", True
    return lines.group(0).rstrip(), lines.group(2) is None


def run_limited(words, env, seconds):
    """(exit code, output); an exit code of None: it took too long."""
    try:
        done = engines.run(words, env=env, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + done.stderr


def is_slow(plug, path):
    """Whether a text alone takes the processor too long: other work on the machine must not make a finding."""
    words = [plug.program, "-rss_limit_mb=4096", f"-timeout={30 * SLOW_SECONDS}", path]
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=plug.env,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SLOW_SECONDS, SLOW_SECONDS)))
    return process.wait() != 0


def replay(plug, findings, folders):
    """Every input of the folders; those that crash, and what there was no time for, are left out of what the fuzzer starts from.
    Returns how many."""
    paths = [path for folder in folders for path in engines.files(pathlib.Path(folder))]
    rest = list(paths)
    end = time.monotonic() + REPLAY_SECONDS
    while rest and time.monotonic() < end:
        code, output = run_limited([plug.program, f"-timeout={SLOW_SECONDS}", *rest], plug.env, 2 * REPLAY_SECONDS)
        running = re.findall(r"^Running: (.*)$", output, re.M)
        if code == 0 or not running:
            rest = []
            break
        failed, rest = rest[len(running) - 1], rest[len(running):]
        if "libFuzzer: timeout" not in output or is_slow(plug, failed):
            findings.crash(output, failed.read_bytes(), "")
            failed.unlink()
    for path in rest:
        path.unlink()
    findings.disagreements()
    return len(paths) - len(rest)


def probe(plug, findings, grown, largest):
    """Each shape in every size, a process a shape, until a size breaks it."""
    count = 0
    for name, text in grown.items():
        paths = []
        for size in [size for size in sizes.SIZES if size <= largest]:
            path = plug.folder / "probe" / str(size)
            path.write_bytes(text(size))
            paths.append(path)
        found = engines.empty(plug.folder / "grown")
        code, output = run_limited([plug.program, "-rss_limit_mb=4096", f"-timeout={SLOW_SECONDS}", *paths],
                                   {**plug.env, "JRPC_PLUG_FINDS": str(found)}, SLOW_SECONDS * len(paths))
        reached = max(1, len(re.findall(r"^Running: ", output, re.M)))
        count += reached
        slow = code is None or "libFuzzer: timeout" in output
        if code != 0 and (not slow or is_slow(plug, paths[reached - 1])):
            size = sizes.SIZES[reached - 1]
            output = output if code is not None else "ERROR: libFuzzer: timeout"
            findings.crash(output, paths[reached - 1].read_bytes(), f": {name}, {size:,} of them")
        findings.grown(found, paths[0].read_bytes(), name)
    return count


def shown_figures(output):
    status = [m for m in map(engines.STATUS.match, output.splitlines()) if m]
    executed = re.search(r"executed_units: (\d+)", output)
    if executed:
        return int(executed.group(1)), int(status[-1].group(3)) if status else 0
    return (int(status[-1].group(1)), int(status[-1].group(3))) if status else (0, 0)


def fuzz(plug, findings, seconds, dictionary):
    """libFuzzer until the time is over, anew after each crash. Returns (executions, edges, crashes)."""
    total, edges, crashes = 0, 0, 0
    end = time.monotonic() + seconds
    crash_folder = plug.folder / "crashes"
    while end - time.monotonic() > 0.5:
        left = max(1, int(end - time.monotonic()))
        words = [plug.program, f"-max_total_time={left}", f"-seed={1 + crashes}", "-max_len=512", engines.SCHEDULE, "-timeout=10",
                 "-rss_limit_mb=2048", "-print_final_stats=1", f"-dict={dictionary}", f"-artifact_prefix={crash_folder}/raw-",
                 plug.folder / "found", plug.folder / "seeds"]
        log = plug.folder / "fuzz.log"
        with open(log, "w+", encoding="utf-8", errors="replace") as out:
            process = subprocess.Popen([str(word) for word in words], stdout=out, stderr=out, env=plug.env)
            while process.poll() is None:
                try:
                    process.wait(timeout=1)
                except subprocess.TimeoutExpired:
                    findings.disagreements()
        output = log.read_text(encoding="utf-8", errors="replace")
        executed, reached = shown_figures(output)
        total, edges = total + executed, max(edges, reached)
        findings.disagreements()
        if process.returncode == 0:
            break
        crashes += 1
        wrote = re.search(r"Test unit written to (\S+)", output)
        data = pathlib.Path(wrote.group(1)).read_bytes() if wrote else b""
        findings.crash(output, data, "")
    return total, edges, crashes


def lay_seeds(plug, corpora):
    """Plain texts, because a plug does not know the options of our own targets. The corpus has texts that our own code treats differently;
    the seeds add texts that other code may treat differently."""
    folder = engines.empty(plug.folder / "seeds")
    engines.write_seeds(corpora)
    for name in corpora:
        for source in (engines.corpus(name), WORK / "seeds" / name, engines.regressions(name)):
            for path in engines.files(source):
                data = path.read_bytes() if plug.kind == "parser" else engines.text_of(path.read_bytes())
                (folder / engines.name_of(data)).write_bytes(data)
    return folder


def framing_of(plug):
    """Which framing the plug says that it decodes."""
    path = plug.folder / "probe" / "nothing"
    path.write_bytes(b"")
    _, output = run_limited([plug.program, path], plug.env, SLOW_SECONDS)
    found = re.search(r"^framing: (\S+)$", output, re.M)
    if not found or found.group(1) not in sizes.ENCODERS:
        die(f"plug_framing() names no framing that there is ({', '.join(sizes.ENCODERS)}):\n{output[:1000]}")
    return found.group(1)


def plug(args):
    source = args.file.resolve()
    if not source.is_file():
        die(f"there is no file {args.file}")
    engines.require_tools("libfuzzer")
    kind = kind_of(source)
    folder = engines.empty(WORK / "plug" / source.stem)
    for name in ("crashes", "disagreements", "found", "probe"):
        (folder / name).mkdir()
    program = compile_plug(source, kind, args.flags, folder)
    mine = Plug(source.stem, kind, program, folder, environment(args, folder))
    findings = Findings(mine, source)
    say(f"{source.name}: a {kind}, beside {'RFC 8259' if kind == 'parser' else 'our model'}; files in {folder}")
    replayed = replay(mine, findings, [lay_seeds(mine, KINDS[kind][1])])
    say(f"{findings.stamp()} {replayed} texts of the corpus")
    grown = {"parser": lambda: sizes.TEXTS, "router": lambda: sizes.REQUESTS,
             "framing": lambda: sizes.streams(framing_of(mine))}[kind]
    if args.probe >= sizes.SIZES[0]:
        probed = probe(mine, findings, grown(), args.probe)
        say(f"{findings.stamp()} {probed} texts of up to {args.probe:,} brackets, digits, members")
    dictionary = engines.folder_of(engines.PLUG) / "fuzz" / "jsonrpc.dict"
    executed, edges, crashes = fuzz(mine, findings, args.time, dictionary)
    again = f"; begun again after each of {crashes} crashes" if crashes > 1 else ""
    say(f"{findings.stamp()} {executed} texts of at most 512 bytes, {edges} edges of {source.name} reached{again}")
    open_ones = sorted(name for name, counted in findings.reported.items() if not counted)
    if open_ones:
        say(f"not counted: {', '.join(open_ones)} (allowed, or the specification leaves it open: --strict counts those)")
    say(f"{findings.counted} findings" if findings.counted != 1 else "1 finding")
    return 1 if findings.counted else 0
