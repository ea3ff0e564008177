"""What others run in their continuous integration: action.yml, the GitLab template, docs/ci.md.

No runner and no Docker is needed: what they would execute is executed here, in the order and with the variables that
they would give it, against the bundled server."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

import pytest

from conftest import ROOT, shell
from serving import free_port

yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed here")

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
TEMPLATE = yaml.safe_load((ROOT / "ci/gitlab/jrpcheck.yml").read_text(encoding="utf-8"))
FAULT = "batch-empty-answered-with-array"  # breaks J2-6d: batch/empty


# --- a runner of composite actions, as small as this one needs -----------------------------------------------------

class Runner:
    """Runs the steps of action.yml; `lines` is what the log of the job would hold."""

    def __init__(self, folder, **inputs):
        self.folder = folder
        self.inputs = {name: str(member.get("default", "")) for name, member in ACTION["inputs"].items()}
        assert set(inputs) <= set(self.inputs)
        self.inputs.update(inputs)
        self.temp = folder / "runner-temp"
        self.temp.mkdir()
        self.outputs, self.lines, self.used, self.failed = {}, [], [], False

    def value(self, expression):
        text = expression.strip()
        if " || " in text:
            first, second = text.split(" || ")
            return self.value(first) or self.value(second)
        if text.startswith("format("):
            return f"{self.temp}/jrpcheck/bin/jrpcheck"
        known = {"github.action_path": str(ROOT), "runner.temp": str(self.temp)}
        if text in known:
            return known[text]
        kind, _, name = text.partition(".")
        if kind == "inputs":
            return self.inputs[name]
        step, output = re.fullmatch(r"steps\.(\w+)\.outputs\.([\w-]+)", text).groups()
        return self.outputs.get(step, {}).get(output, "")

    def expand(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: self.value(found.group(1)), str(text))

    def wanted(self, condition):
        if condition is None:
            return not self.failed
        always, _, rest = condition.rpartition("always() && ")
        name, sign, literal = re.fullmatch(r"inputs\.(\w+) (==|!=) '(.*)'", rest).groups()
        holds = (self.inputs[name] == literal) == (sign == "==")
        return holds and (bool(always) or condition.startswith("always()") or not self.failed)

    def step(self, step):
        if not self.wanted(step.get("if")):
            return
        if "uses" in step:
            self.used.append({key: self.expand(text) for key, text in step["with"].items()})
            return
        out, summary = self.temp / f"output-{step.get('id', 'x')}", self.temp / "summary"
        out.touch()
        env = {name: self.expand(text) for name, text in step.get("env", {}).items()}
        env.update(GITHUB_OUTPUT=str(out), GITHUB_STEP_SUMMARY=str(summary), RUNNER_TEMP=str(self.temp))
        # What "shell: bash" stands for.
        done = shell(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], self.folder, env)
        self.lines += done.stdout.split("\n") + done.stderr.split("\n")
        self.failed = self.failed or done.returncode != 0
        if step.get("id"):
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in out.read_text().splitlines())

    def run(self):
        for step in ACTION["runs"]["steps"]:
            self.step(step)
        return self

    @property
    def summary(self):
        return (self.temp / "summary").read_text() if (self.temp / "summary").exists() else ""

    def annotations(self):
        """What the runner takes for commands: nothing between stop-commands and its token."""
        found, stopped = [], None
        for line in (line.strip() for line in self.lines):
            if stopped is not None:
                stopped = None if line == f"::{stopped}::" else stopped
            elif line.startswith("::stop-commands::"):
                stopped = line.removeprefix("::stop-commands::")
            elif line.startswith("::") or "##[" in line:
                found.append(line)
        assert stopped is None
        return found


@pytest.fixture
def act(jrpcheck, tmp_path):
    def act(**inputs):
        return Runner(tmp_path, **{"program": jrpcheck, **inputs}).run()

    return act


# --- action.yml ------------------------------------------------------------------------------------------------

def test_the_action_is_a_composite_one_whose_parts_are_all_there():
    assert ACTION["runs"]["using"] == "composite" and ACTION["name"] and ACTION["description"]
    for member in ACTION["inputs"].values():
        assert set(member) == {"description", "default"} and isinstance(member["default"], str)
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert "run" not in step or step["shell"] == "bash"
        assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"])
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])


def test_no_input_is_ever_a_part_of_a_script():
    assert [step["run"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")] == []


def test_a_server_that_keeps_the_rules_passes_and_leaves_its_reports(act, reference, tmp_path):
    job = act(command=reference)
    assert not job.failed and job.annotations() == []
    assert job.outputs["check"] == {"exit-code": "0", "conformant": "true"}
    assert "CONFORMANT" in job.summary
    assert job.used == [{"name": "jrpcheck-report", "path": "jrpcheck-report", "if-no-files-found": "ignore"}]
    assert sorted(path.name for path in (tmp_path / "jrpcheck-report").iterdir()) == [
        "events.ndjson", "junit.xml", "report.html", "summary.md"]


def test_a_broken_rule_is_annotated_and_fails_the_job_behind_its_reports(act, reference):
    job = act(command=f"{reference} --fault {FAULT}", artifact="other", reports="out")
    assert job.failed
    assert job.outputs["check"] == {"exit-code": "1", "conformant": "false"}
    assert any(line.startswith("::error title=J2-6d MUST%3A ") for line in job.annotations())
    assert job.used == [{"name": "other", "path": "out", "if-no-files-found": "ignore"}]
    assert "J2-6d" in job.summary


def test_without_an_artifact_nothing_is_uploaded(act, reference):
    assert act(command=reference, artifact="").used == []


def baseline_of(run, path, *target):
    assert run("--baseline", path, "--update-baseline", *target).returncode == 0
    document = json.loads(path.read_text())
    for entry in document["entries"]:
        entry["reason"] = "known, and let pass for now"
    path.write_text(json.dumps(document))


def test_what_the_baseline_lists_does_not_fail_the_job_and_is_not_annotated(act, run, reference, tmp_path):
    baseline_of(run, tmp_path / "known.json", "--", reference, "--fault", FAULT)
    job = act(command=f"{reference} --fault {FAULT}", baseline="known.json")
    assert not job.failed
    assert [line for line in job.annotations() if line.startswith("::error")] == []


def test_a_stale_baseline_fails_the_job_and_says_so(act, run, reference, tmp_path):
    baseline_of(run, tmp_path / "known.json", "--", reference, "--fault", FAULT)
    job = act(command=reference, baseline="known.json")
    assert job.failed and job.outputs["check"]["exit-code"] == "4"
    assert job.annotations()[-1].startswith("::error title=jrpcheck::The baseline is stale")


def test_a_client_is_checked_by_its_driver(act, reference_client, tmp_path):
    (described,) = yaml.safe_load(blocks("yaml")[1])
    assert {"client", "transport"} < set(described["with"]) < set(ACTION["inputs"])
    job = act(client=f"{reference_client} --fault version-missing", transport="unix", options="--only client-call/result")
    assert job.failed and job.outputs["check"] == {"exit-code": "1", "conformant": "false"}
    assert [line.split("::")[1] for line in job.annotations()] == ["error title=CL-1 MUST%3A client-call/result"]
    assert "CL-1" in job.summary and failures(tmp_path / "jrpcheck-report/junit.xml") == {"client-call/result"}
    assert "--transport unix" in "\n".join(job.lines)


WRONG = [
    ({}, "name the server"),
    ({"command": "true", "client": "true"}, "name a server (command, url) or a client"),
    ({"command": "true", "transport": "http"}, "transport says how a client connects"),
    ({"client": "./no-such-driver", "options": "--start-timeout 2000"}, "exit code 3"),
    ({"command": "true", "strict": "maybe"}, "strict is 'maybe'"),
    ({"command": "true", "options": "--only 'x"}, "a quote without its end"),
    ({"command": "true", "options": "--nonsense"}, "exit code 2"),
    ({"command": "./no-such-server"}, "exit code 3"),
    ({"url": "tcp://127.0.0.1:1"}, "exit code 3"),
]


@pytest.mark.parametrize("inputs, sentence", WRONG, ids=[sentence for _, sentence in WRONG])
def test_what_is_no_verdict_fails_the_job_with_a_sentence(act, inputs, sentence):
    job = act(**inputs)
    assert job.failed and job.outputs["check"]["conformant"] == "false"
    assert len(job.annotations()) == 1 and sentence in job.annotations()[0]


def test_a_server_behind_a_url_is_started_first(act, reference):
    port = free_port()
    job = act(command=f"{reference} --tcp 127.0.0.1:{port}", url=f"tcp://127.0.0.1:{port}",
              options="--only 'call/**' --timeout 3000", methods="echo=echo\nsubtract=subtract\n", strict="true")
    assert not job.failed, "\n".join(job.lines)
    assert f"tcp://127.0.0.1:{port}" in "\n".join(job.lines)


def test_framing_reaches_the_server(act, reference):
    assert not act(command=f"{reference} --framing content-length", framing="content-length").failed


def test_nothing_in_an_input_is_executed_but_the_command(act, reference, tmp_path):
    evil = "$(touch pwned)`touch pwned`;touch pwned"
    act(command=reference, options=f"--only '{evil}'", baseline=evil, methods=f"echo={evil}", framing=evil)
    assert not (tmp_path / "pwned").exists()


LOUD = """import sys
for line in sys.stdin:
    sys.stdout.write('::error::gotcha\\n  ::add-mask::gotcha\\n##[error]gotcha\\n'
                     '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"\\\\n::warning::gotcha ##[error]gotcha"}}\\n')
    sys.stdout.flush()
"""


def test_what_a_server_writes_is_no_command_of_the_runner(act, tmp_path):
    (tmp_path / "loud.py").write_text(LOUD)
    job = act(command=f"{sys.executable} loud.py", options="--only 'call/**' --timeout 300")
    assert job.failed and any("gotcha" in line for line in job.lines)
    for line in job.annotations():
        assert re.match(r"::(error|warning) title=[^:,\r\n]*::", line)
        assert line.startswith(("::error title=", "::warning title=")) and not line.startswith("##")


def test_more_rules_than_github_shows_are_counted(tmp_path):
    events = [{"event": "case", "id": f"a/{i}", "title": "t", "outcome": "fail", "findings": [
        {"rule": f"R-{i}", "level": "MUST", "text": "100% wrong\nsecond line", "sentence": "A server, say: no."}]}
        for i in range(14)]
    stream = tmp_path / "events.ndjson"
    stream.write_text("".join(json.dumps(event) + "\n" for event in events) + '{"event": "case", "id"')
    done = shell([sys.executable, str(ROOT / "ci/annotate"), str(stream)], tmp_path)
    lines = done.stdout.splitlines()
    assert len(lines) == 10
    assert lines[0] == "::error title=R-0 MUST%3A a/0::A server, say: no.%0A100%25 wrong%0Asecond line"
    assert "5 more MUST rules" in lines[-1]


@pytest.fixture
def wheel(jrpcheck, tmp_path):
    """A wheel like a released one, with the programs of this build."""
    path = tmp_path / "jrpcheck-0.0.1-py3-none-any.whl"
    info = "jrpcheck-0.0.1.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for source in (ROOT / "packaging/python/jrpcheck").glob("*.py"):
            archive.write(source, f"jrpcheck/{source.name}")
        archive.write(jrpcheck, "jrpcheck/bin/jrpcheck")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: jrpcheck\nVersion: 0.0.1\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/entry_points.txt", "[console_scripts]\njrpcheck = jrpcheck.__main__:jrpcheck\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def offline(monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")


def test_the_action_installs_a_wheel_and_needs_no_compiler(tmp_path, reference, wheel, offline, monkeypatch):
    monkeypatch.setenv("CC", "/nonexistent/cc")
    job = Runner(tmp_path, command=reference, options="--only 'call/**'", package=str(wheel)).run()
    assert not job.failed, "\n".join(job.lines[-40:])
    assert (job.temp / "jrpcheck/bin/jrpcheck").exists()


def test_the_action_that_cannot_install_says_what(tmp_path, reference, offline):
    job = Runner(tmp_path, command=reference).run()
    version = re.search(r"project\(jrpcheck VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    assert job.failed
    assert any(line.startswith(f"::error title=jrpcheck::jrpcheck=={version} cannot be installed") for line in job.annotations())


def test_the_gitlab_template_installs_what_the_image_lacks(tmp_path, wheel, offline):
    shell([sys.executable, "-m", "venv", str(tmp_path / "image")], tmp_path)
    (tmp_path / "image/bin/sh").symlink_to("/bin/sh")
    env = {"PATH": str(tmp_path / "image/bin"), "JRPCHECK_PACKAGE": str(wheel)}
    lines = "\n".join(TEMPLATE[".jrpcheck"]["before_script"])
    done = shell(["/bin/sh", "-ec", lines], tmp_path, env)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "image/bin/jrpcheck").exists()
    assert shell(["/bin/sh", "-ec", lines], tmp_path, {**env, "JRPCHECK_PACKAGE": "/nonexistent.whl"}).returncode == 0


# --- a project of somebody else, with a server that breaks one rule ----------------------------------------------

@pytest.fixture
def project(jrpcheck, reference, tmp_path):
    """A folder with ./my-server, and an environment in which jrpcheck is installed."""
    server = tmp_path / "my-server"
    server.write_text(f"#!/bin/sh\nexec {shlex.quote(reference)} --fault {FAULT}\n")
    server.chmod(0o755)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/jrpcheck").symlink_to(jrpcheck)
    return tmp_path, {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}


def blocks(language):
    text = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def failures(path):
    return {case.get("name") for case in ElementTree.parse(path).iter("testcase")
            if case.find("failure") is not None or case.find("error") is not None}


@pytest.fixture
def accepted(project):
    """The project after the page's own way to begin: what is broken today is in the baseline."""
    folder, env = project
    done = shell(["sh", "-ec", blocks("sh")[0]], folder, env)
    assert done.returncode == 0, done.stderr
    path = folder / "jrpcheck-baseline.json"
    document = json.loads(path.read_text())
    assert "batch/empty" in {entry["case"] for entry in document["entries"]}
    for entry in document["entries"]:
        entry["reason"] = "known, and let pass for now"
    path.write_text(json.dumps(document))
    return folder, env


def template_runs(folder, env, **variables):
    job = TEMPLATE[".jrpcheck"]
    assert set(variables) <= set(job["variables"])
    return shell(["sh", "-ec", "\n".join(job["script"])], folder, {**job["variables"], **variables, **env})


def test_the_gitlab_template_keeps_what_it_writes():
    assert list(TEMPLATE) == [".jrpcheck"]
    job = TEMPLATE[".jrpcheck"]
    assert job["image"]["entrypoint"] == [""] and job["artifacts"]["when"] == "always"
    written = set(re.findall(r"=(jrpcheck-report/\S+)", "\n".join(job["script"])))
    assert job["artifacts"]["reports"]["junit"] in written
    assert {path.split("/")[0] + "/" for path in written} == set(job["artifacts"]["paths"])


def test_the_gitlab_template_fails_with_the_server_and_passes_with_its_baseline(accepted):
    folder, env = accepted
    done = template_runs(folder, env, JRPCHECK_TARGET="-- ./my-server")
    assert done.returncode == 1 and failures(folder / "jrpcheck-report/junit.xml")
    described = yaml.safe_load(blocks("yaml")[2])["conformance"]
    assert described["extends"] in TEMPLATE
    done = template_runs(folder, env, **described["variables"])
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_gitlab_template_checks_a_client(project, reference_client):
    folder, env = project
    done = template_runs(folder, env, JRPCHECK_COMMAND="client", JRPCHECK_OPTIONS="--only client-call/result",
                         JRPCHECK_TARGET=f"-- {reference_client} --fault version-missing")
    assert done.returncode == 1, done.stdout + done.stderr
    assert failures(folder / "jrpcheck-report/junit.xml") == {"client-call/result"}


def test_the_workflow_of_the_page_passes_with_its_baseline(accepted, jrpcheck):
    folder, _ = accepted
    steps = yaml.safe_load(blocks("yaml")[0])["jobs"]["jrpcheck"]["steps"]
    inputs = steps[-1]["with"]
    inputs["methods"] = inputs["methods"].replace("math.minus", "subtract").replace("tools.echo", "echo")
    job = Runner(folder, **{**inputs, "program": jrpcheck}).run()
    assert not job.failed, "\n".join(job.lines[-40:])


def test_every_input_in_the_page_is_one_of_the_action():
    text = (ROOT / "docs/ci.md").read_text().split("## GitHub")[1].split("## GitLab")[0]
    rows = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", "".join(rows))) == set(ACTION["inputs"])
    assert set(re.findall(r"`([\w-]+)`", text.split("Outputs:")[1].split(".")[0])) == set(ACTION["outputs"])


def test_the_shell_part_of_the_jenkinsfile_passes_with_its_baseline(accepted):
    folder, env = accepted
    (pipeline,) = blocks("groovy")
    (script,) = re.findall(r"sh '''\n(.*?)'''", pipeline, re.S)
    done = shell(["sh", "-xe", "-c", script.replace("\\\\", "\\")], folder, env)
    assert done.returncode == 0, done.stderr
    (junit,) = re.findall(r"junit '(.*)'", pipeline)
    assert ElementTree.parse(folder / junit).getroot().tag == "testsuites"
    assert pipeline.count("{") == pipeline.count("}")


def test_the_makefile_passes_with_its_baseline_and_fails_without(accepted):
    if shutil.which("make") is None:
        pytest.skip("make is not installed here")
    folder, env = accepted
    (folder / "Makefile").write_text(blocks("make")[0])
    done = shell(["make", "conformance"], folder, env)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "jrpcheck-baseline.json").write_text('{"schema": 1, "target": "t", "entries": []}')
    assert shell(["make", "conformance"], folder, env).returncode == 2  # make's own, for an error in a recipe


def test_the_parts_of_a_run_make_one_report(run, reference, tmp_path):
    parts = []
    for index in (1, 2):
        parts.append(tmp_path / f"part-{index}")
        assert run("--shard", f"{index}/2", "--report", f"ndjson={parts[-1]}", "--", reference).returncode == 0
    assert run("report", *parts, "--report", "junit=all.xml").returncode == 0
    cases = [case for case in ElementTree.parse(tmp_path / "all.xml").iter("testcase")]
    whole = run("--report", "junit", "--", reference).stdout
    assert len(cases) == len(list(ElementTree.fromstring(whole.encode()).iter("testcase")))


# --- form ----------------------------------------------------------------------------------------------------------

def test_every_script_part_is_sound():
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed here")
    parts = [("bash", step["run"]) for step in ACTION["runs"]["steps"] if "run" in step]
    parts += [("sh", "\n".join(TEMPLATE[".jrpcheck"]["script"]))]
    parts += [("sh", block) for block in blocks("sh")]
    parts += [("sh", "\n".join(TEMPLATE[".jrpcheck"]["before_script"]))]
    parts += [("bash", (ROOT / name).read_text()) for name in ("ci/github", "ci/install")]
    for dialect, part in parts:
        # What comes from the environment is told there, not here.
        done = subprocess.run(["shellcheck", "-s", dialect, "-e", "SC2154", "-"], input=part, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_every_link_of_the_page_leads_somewhere():
    for page in ("docs/ci.md", "ci/README.md", "examples/README.md", "packaging/README.md"):
        path = ROOT / page
        for link in re.findall(r"\]\((?!http)([^)#]+)", path.read_text()):
            assert (path.parent / link).exists(), f"{page}: {link}"
