"""The program jrpcheck, as the plugin uses it: asked once for its cases, run once for the session."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile


class HarnessError(Exception):
    """jrpcheck cannot be used, or ended before it told of a case; the text says why."""


def find_program(named):
    """The path of jrpcheck: as named, else what JRPCHECK names, else the one on PATH, of the same Python, or of this checkout."""
    if named or os.environ.get("JRPCHECK"):
        return named or os.environ["JRPCHECK"]
    on_path = shutil.which("jrpcheck")
    if on_path:
        return on_path
    try:
        import jrpcheck  # the wheel, whose commands need not be on PATH

        if pathlib.Path(jrpcheck.program()).exists():
            return jrpcheck.program()
    except (ImportError, AttributeError):
        pass
    root = pathlib.Path(__file__).resolve().parents[3]
    for preset in ("release", "dev"):
        program = root / "build" / preset / "jrpcheck"
        if program.exists():
            return str(program)
    raise HarnessError("there is no jrpcheck on PATH: build it, or name it with --jrpcheck-program")


def case_folder(file):
    """The folder of cases that a case file lies in: the nearest one above it that holds `rules`, else None."""
    for folder in pathlib.Path(file).resolve().parents:
        if (folder / "rules").is_dir():
            return folder
    return None


def target_words(target):
    """The words that name the target on jrpcheck's command line: "-- COMMAND ARGS" is split as a shell would."""
    return shlex.split(target) if target.startswith("-- ") else [target]


def read_baseline(path):
    """Case id to the reason why its failure is expected; empty without a baseline."""
    if not path:
        return {}
    try:
        entries = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["entries"]
        return {entry["case"]: entry.get("reason", "in the baseline") for entry in entries}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HarnessError(f"the baseline {path} cannot be read: {error}") from error


class Harness:
    """What a session knows of jrpcheck: where it is, what to test, and how far its one run has come."""

    def __init__(self, program, verb, target, arguments, baseline):
        """`verb` is what jrpcheck does, run or client; `target` the words that name what is tested."""
        self.program = program
        self.verb = verb
        self.target = target
        self.arguments = arguments
        self.baseline = baseline
        self.known_failures = read_baseline(baseline)
        self.rules = {}
        self._cases = {}
        self._told = {}
        self._words = shlex.join(target)
        self._process = None
        self._stderr = None
        self._ended = None

    def cases_below(self, folder):
        """The cases that jrpcheck knows in a folder, as dictionaries (see `jrpcheck list --json`)."""
        if folder not in self._cases:
            self._cases[folder] = self._list("--cases", str(folder))
            self.rules.update((rule["id"], rule) for rule in self._list("--rules", "--cases", str(folder)))
        return self._cases[folder]

    def _list(self, *options):
        command = [self.program, "list", "--json", *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        except OSError as error:
            raise HarnessError(f"cannot run '{self.program}': {error.strerror}") from error
        if done.returncode != 0:
            raise HarnessError(done.stderr.strip())
        return [json.loads(line) for line in done.stdout.splitlines()]

    def start(self, folder, cases):
        """Starts the run of these cases, all of one folder."""
        chosen = {case["id"] for case in cases}
        suites = sorted({case["suite"] for case in cases})
        command = [self.program, self.verb, "--cases", str(folder), "--report", "ndjson"]
        for suite in suites:
            command += ["--suite", suite]
        if any(case["suite"] in suites and case["id"] not in chosen for case in self.cases_below(folder)):
            for case in cases:
                command += ["--only", case["id"]]
        if self.baseline:
            command += ["--baseline", self.baseline]
        command += [*self.arguments, *self.target]
        self._stderr = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=self._stderr, text=True, encoding="utf-8")

    def repro(self, case_id):
        """A line for the shell that runs one case, with the options of this run."""
        return f"jrpcheck repro {shlex.quote(case_id)} {self._words}"

    def event_of(self, case_id):
        """The event of a case: waits until the run tells of it. HarnessError if the run ends without."""
        while case_id not in self._told and self._ended is None:
            line = self._process.stdout.readline()
            if not line:
                self._end()
                break
            event = json.loads(line)
            if event["event"] == "start":
                self._words = event["target"]["words"]
            elif event["event"] == "case":
                self._told[event["id"]] = event
        if case_id not in self._told:
            raise HarnessError(f"the run ended before this case: {self._ended}")
        return self._told[case_id]

    def _end(self):
        status = self._process.wait()
        self._stderr.seek(0)
        self._ended = self._stderr.read().strip() or f"jrpcheck exited with status {status}"

    def stop(self):
        """Ends a run that is still under way; harmless otherwise."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        if self._process is not None:
            self._process.stdout.close()
            self._stderr.close()
