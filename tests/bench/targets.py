"""Seconds that the suite takes on real implementations, and what they went into, as a Markdown table.

usage: targets.py JRPCHECK [--jobs N] [NAME...]     of those that scripts/zoo has installed: all, or the ones named
       targets.py JRPCHECK --faults REFERENCE       of the reference server under faults that make the suite wait

The time of all workers by kind of wait, as the run itself accounts for it (`spent_ms` of the event `finish`): starting and
connecting until the first fence is answered; waiting for what came, the answers to fences included; for what did not come; for a
target that answers nothing any more; for processes that end; second looks; and searches for the cause of a failure. Workers
wait at the same time, so the kinds can come to more than the seconds of the run. What they wait for each other is left out.
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
COLUMNS = {"opening": ["opening"], "answers": ["answers", "fences"], "silence": ["silence"], "mute": ["mute"],
           "closing": ["closing"]}
PURPOSES = {"confirming": "confirming", "searching": "searching"}
FAULTS = ["parse-error-silent", "invalid-request-silent", "depth-silent", "hang-on-huge-exponent", "batch-crash", "parse-error-drop",
          "malformed-crash-later", "answers-late-by-one", "state-after-error", "inflight-swapped"]


def installed(names):
    for folder in sorted(path for path in (ROOT / "targets").iterdir() if (path / "target.json").is_file()):
        if (ZOO / folder.name / ".stamp").is_file() and (not names or folder.name in names):
            yield folder.name, folder / "target.json"


def measure(jrpcheck, target, options):
    """Seconds, cases with a verdict, and seconds by kind."""
    with tempfile.TemporaryDirectory() as folder:
        stream = pathlib.Path(folder) / "run.ndjson"
        began = time.monotonic()
        subprocess.run([jrpcheck, "run", "--quiet", *options, "--report", f"ndjson={stream}", *target],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600,
                       check=False)
        seconds = time.monotonic() - began
        finish = json.loads(stream.read_text(encoding="utf-8").split("\n")[-2])
    spent = finish["spent_ms"]
    by_kind = [sum(spent["cases"].get(kind, 0) for kind in kinds) / 1000 for kinds in COLUMNS.values()]
    by_purpose = [sum(ms for kind, ms in spent[purpose].items() if kind != "others") / 1000 for purpose in PURPOSES]
    return seconds, finish.get("judged", 0), by_kind + by_purpose


def main():
    jrpcheck, *rest = sys.argv[1:]
    if rest[:1] == ["--faults"]:
        options = []
        targets = [(fault, ["--", rest[1], "--fault", fault]) for fault in FAULTS]
    else:
        options = rest[:2] if rest[:1] == ["--jobs"] else []
        targets = [(name, [path]) for name, path in installed(rest[len(options):])]
    columns = [*COLUMNS, *PURPOSES]
    print("| target | judged | seconds | " + " | ".join(columns) + " |")
    print("|---|--:|--:|" + "--:|" * len(columns))
    all_seconds = []
    for name, target in targets:
        seconds, judged, spent = measure(jrpcheck, target, options)
        all_seconds.append(seconds)
        print(f"| {name} | {judged} | {seconds:.1f} | " + " | ".join(f"{value:.1f}" for value in spent) + " |", flush=True)
    if all_seconds:
        print(f"\nmedian {statistics.median(all_seconds):.1f} s, longest {max(all_seconds):.1f} s, "
              f"{len(all_seconds)} targets")


if __name__ == "__main__":
    main()
