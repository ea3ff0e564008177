"""Shows that the fuzzers can find bugs: plants each of fuzz/planted/*.patch in a copy of the tree.

A patch begins with lines `Bug: what is wrong` and `Target: which target must find it`.
"""

import re
import shutil

import engines
import hunt
from engines import ROOT, WORK, die, run, say

PLANTED = ROOT / "fuzz" / "planted"
NOT_COPIED = ("build", "corpus", "reports", "targets")


def read_patch(path):
    text = path.read_text(encoding="utf-8")
    fields = dict(re.findall(r"^(Bug|Target): (.+)$", text.split("\n---")[0], re.M))
    if set(fields) != {"Bug", "Target"} or fields["Target"] not in engines.targets():
        die(f"{path.name}: it must begin with Bug: and Target:, and name a target that there is")
    return fields


def copy_tree(tree):
    engines.empty(tree)
    for source in ROOT.iterdir():
        name = source.name
        if name in NOT_COPIED or name.startswith(".") and not name.startswith(".clang"):
            continue
        if source.is_dir():
            # With new times of change: what an earlier proof built may hold a planted bug.
            shutil.copytree(source, tree / name, copy_function=shutil.copy,
                            ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "node_modules"))
        elif source.is_file():
            shutil.copy(source, tree / name)
    (tree / "targets").mkdir()


def apply(tree, path, reverse=False):
    words = ["patch", "-p1", "--batch", "--quiet", "--fuzz=0", "-i", path] + (["-R"] if reverse else [])
    done = run(words, cwd=tree)
    if done.returncode != 0:
        die(f"{path.name} does not apply{' backwards' if reverse else ''}: write it anew\n{done.stdout}{done.stderr}")


def build(tree, out, name):
    done = run(["ninja", "-C", out, f"fuzz_{name}"], env=engines.quiet())
    if done.returncode != 0:
        die(f"a planted bug does not compile:\n{done.stdout[-3000:]}")
    return out / "fuzz" / f"fuzz_{name}"


ENGINES = {
    "libfuzzer": (hunt.by_libfuzzer, ["-DCMAKE_C_COMPILER=clang", "-DJRPC_FUZZ=libfuzzer"]),
    "afl++": (hunt.by_afl, ["-DCMAKE_C_COMPILER=afl-clang-fast", "-DJRPC_FUZZ=afl"]),
}


def configure(tree, out, engine):
    made = run(["cmake", "-S", tree, "-B", out, "-G", "Ninja", *ENGINES[engine][1], "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                "-DJRPC_TESTS=OFF", "-DJRPC_HTTP=OFF", "-DJRPC_SANITIZE=address,undefined"], env=engines.quiet())
    if made.returncode != 0:
        die(f"cmake failed:\n{made.stderr}")
    if engine == "afl++" and run(["ninja", "-C", out, "fuzz-afl-mutator"], env=engines.quiet()).returncode != 0:
        die("the mutator for AFL++ could not be built")


def prove(names, seconds, engine):
    engines.require_tools(engine)
    if not shutil.which("patch"):
        die("patch is not here: install the package patch")
    patches = sorted(PLANTED.glob("*.patch"))
    chosen = [p for p in patches if not names or p.stem in names]
    if not chosen or (names and len(chosen) != len(names)):
        die(f"no such planted bug; there are: {' '.join(p.stem for p in patches)}")
    tree, out = WORK / "planted-tree", WORK / f"planted-build-{engine}"
    copy_tree(tree)
    configure(tree, out, engine)
    poor = WORK / "poor-seed"
    poor.mkdir(parents=True, exist_ok=True)
    (poor / "seed").write_bytes(b'{"a":[1,"b"]}')
    missed = 0
    for path in chosen:
        fields = read_patch(path)
        name = fields["Target"]
        apply(tree, path)
        try:
            program = build(tree, out, name)
            # The corpus needs no engine: it is run once, by the one that can.
            replayed = engine == "libfuzzer" and hunt.once(program, engines.inputs(name)).found
            hunted = ENGINES[engine][0](program, poor, seconds) if seconds > 0 else hunt.Hunt(False, 0, 0, "not tried")
        finally:
            apply(tree, path, reverse=True)
        verdict = (f"after {hunted.executions} executions, {hunted.seconds:.0f} s: {hunted.what}" if hunted.found
                   else hunted.what or f"not within {seconds} s")
        corpus = "" if engine != "libfuzzer" else f"corpus {'yes' if replayed else 'no '}  "
        say(f"{'found ' if hunted.found or replayed else 'MISSED'} {path.stem:32} {name:14} {corpus}"
            f"{engine} from one poor seed {verdict}")
        missed += 0 if hunted.found or replayed else 1
    say(f"{len(chosen) - missed} of {len(chosen)} planted bugs found")
    return 1 if missed else 0
