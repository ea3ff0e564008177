"""Seconds that the suite takes on real implementations, and what they went into, as a Markdown table.

usage: targets.py JRPCHECK [--jobs N] [NAME...]     of those that scripts/zoo has installed: all, or the ones named

The time of a case goes to the kind of its outcome: what a silence, a crash or a hang costs. Cases of several workers
overlap, so the kinds can come to more than the seconds of the run, and what is not a case (starting, searching for the
company of a failure) is not in them.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(os.environ.get("JRPCHECK_DATA", pathlib.Path(__file__).resolve().parent.parent.parent))
ZOO = pathlib.Path(os.environ.get("JRPCHECK_ZOO", pathlib.Path(__file__).resolve().parent.parent.parent / ".zoo"))
KINDS = {"pass": "answers", "observe": "answers", "warn": "answers", "fail": "failures", "crash": "crashes",
         "ended": "crashes", "stuck": "mute", "hang": "mute"}
COLUMNS = ["answers", "failures", "crashes", "mute"]


def installed(names):
    for folder in sorted(path for path in (ROOT / "targets").iterdir() if (path / "target.json").is_file()):
        if (ZOO / folder.name / ".stamp").is_file() and (not names or folder.name in names):
            yield folder.name, folder / "target.json"


def measure(jrpcheck, path, options):
    """Seconds, cases with a verdict, and seconds by kind."""
    with tempfile.TemporaryDirectory() as folder:
        stream = pathlib.Path(folder) / "run.ndjson"
        began = time.monotonic()
        subprocess.run([jrpcheck, "run", "--quiet", *options, "--report", f"ndjson={stream}", path],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600,
                       check=False)
        seconds = time.monotonic() - began
        events = [json.loads(line) for line in stream.read_text(encoding="utf-8").split("\n") if line]
    spent = dict.fromkeys(COLUMNS, 0.0)
    for event in events:
        if event["event"] in ("case", "ground") and "duration_us" in event:
            spent[KINDS.get(event["outcome"], "answers")] += event["duration_us"] / 1e6
    return seconds, events[-1].get("judged", 0), spent


def main():
    jrpcheck, *rest = sys.argv[1:]
    options = rest[:2] if rest[:1] == ["--jobs"] else []
    names = rest[len(options):]
    print("| target | judged | seconds | " + " | ".join(f"in {column}" for column in COLUMNS) + " |")
    print("|---|--:|--:|" + "--:|" * len(COLUMNS))
    all_seconds = []
    for name, path in installed(names):
        seconds, judged, spent = measure(jrpcheck, path, options)
        all_seconds.append(seconds)
        print(f"| {name} | {judged} | {seconds:.1f} | " + " | ".join(f"{spent[c]:.1f}" for c in COLUMNS) + " |",
              flush=True)
    if all_seconds:
        print(f"\nmedian {statistics.median(all_seconds):.1f} s, longest {max(all_seconds):.1f} s, "
              f"{len(all_seconds)} targets")


if __name__ == "__main__":
    main()
