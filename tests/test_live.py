"""jrpcheck fuzz: what it finds, what it never says, and what it does with bad input."""

import importlib
import json
import re
import resource
import shlex
import signal
import subprocess
import sys
import zlib

import pytest

from conftest import ROOT
from serving import free_port
from test_http import listening

PLANTED = [sys.executable, str(ROOT / "tests" / "servers" / "planted.py")]


def fuzz(run, *args, messages=1500, seed=1):
    return run("fuzz", "--messages", messages, "--seed", seed, *args)


@pytest.mark.parametrize("framing", ["line", "content-length"])
def test_nothing_is_held_against_the_reference(run, reference, framing):
    done = fuzz(run, "--framing", framing, "--", reference, "--stdio", "--framing", framing, messages=4000)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 findings" in done.stderr and "not confirmed" not in done.stderr


def test_nothing_is_held_against_a_server_of_another_make(run):
    done = fuzz(run, "--", *PLANTED)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 findings" in done.stderr


def test_a_finding_becomes_a_case_that_lints_fails_there_and_passes_on_the_reference(run, reference, tmp_path):
    faulty = ["--", reference, "--stdio", "--fault", "id-huge-null"]
    done = fuzz(run, "--strict", "--save", "findings", *faulty, messages=8000)
    assert done.returncode == 1 and "J2-4k" in done.stdout, done.stdout + done.stderr
    saved = list((tmp_path / "findings" / "fuzz").iterdir())
    assert saved
    repeat = next(shlex.split(line)[2:] for line in done.stdout.splitlines() if line.startswith("  repeat "))
    assert repeat[:3] == ["repro", "--cases", "findings"] and run(*repeat).returncode == 1, repeat
    assert run("lint", "findings").returncode == 0
    assert run("--strict", "--cases", "findings", *faulty).returncode == 1
    assert run("--strict", "--cases", "findings", "--", reference, "--stdio").returncode == 0
    case = json.loads(saved[0].read_text())["cases"][0]
    assert "get this wrong: " in case["why"], case
    assert len(case.get("send-text") or json.dumps(case["send"])) < 100, "made small"
    # A profile that accepts it: no finding.
    accepted = [{"error": {}, "id": None, "as": "observe:wide-id"}, {"result": {"$any": True}, "id": None, "as": "observe:wide-id"}]
    (tmp_path / "wide.json").write_text(json.dumps({
        "schema": 1, "profile": "wide", "title": "Wide ids", "url": "https://example.org/", "extends": "spec", "accept": [
            {"sends": ["wide-id"], "answers": accepted, "sentence": "A wide id comes back as null.", "source": "the manual"},
            {"sends": ["fractional-id"], "answers": accepted, "sentence": "A wide id comes back as null.", "source": "the manual"}]}))
    done = fuzz(run, "--profile", "wide.json", *faulty, messages=8000)
    assert done.returncode == 0 and "0 findings" in done.stderr, done.stdout + done.stderr


def test_the_smallest_inputs_written_by_hand_show_their_bugs(monkeypatch):
    for folder in ("servers", "bench"):
        monkeypatch.syspath_prepend(str(ROOT / "tests" / folder))
    planted, smallest = importlib.import_module("planted"), importlib.import_module("smallest")

    def die():
        raise SystemExit

    def answers(bug, text):
        server = planted.Planted(bug)
        try:
            return [server.answer(message.encode()) for message in text.split("\n")]
        except SystemExit:
            return "ended"

    monkeypatch.setattr(planted, "die", die)
    assert set(smallest.SMALLEST) <= set(planted.BUGS)
    for bug, text in smallest.SMALLEST.items():
        assert answers(bug, text) != answers(None, text), bug


@pytest.mark.parametrize("option, fault", [("--ws", "ws-fragments-refused"), ("--http", "http-notification-null")])
def test_how_a_message_travels_is_fuzzed_too(run, reference, option, fault):
    if "not in this build" in subprocess.run([reference, option, "x"], capture_output=True, text=True).stderr:
        pytest.skip("this build has no HTTP")
    with listening(reference, option, "127.0.0.1:0", "--fault", fault) as address:
        done = fuzz(run, "--save", "findings", address)
        assert done.returncode == 1 and "1 MUST rule broken" in done.stdout, done.stdout + done.stderr
        assert run("lint", "findings").returncode == 0
        assert run("--cases", "findings", address).returncode == 1


def test_what_a_client_that_leaves_early_does_to_others_is_found(run):
    port = free_port()
    server = shlex.join([sys.executable, str(ROOT / "tests" / "servers" / "shares_leftovers.py"), str(port)])
    done = fuzz(run, "--save", "findings", "--start", server, f"tcp://127.0.0.1:{port}", messages=16000)
    assert done.returncode == 1 and "1 finding" in done.stderr, done.stdout + done.stderr
    assert run("lint", "findings").returncode == 0
    assert run("--cases", "findings", "--start", server, f"tcp://127.0.0.1:{port}").returncode == 1


def test_clients_that_reset_their_connections_are_among_them(run, reference):
    port = free_port()
    server = shlex.join([str(reference), "--tcp", f"127.0.0.1:{port}", "--fault", "unread-answers-crash"])
    done = fuzz(run, "--start", server, f"tcp://127.0.0.1:{port}", messages=15000)
    assert done.returncode == 1 and "1 finding" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("fault", ["half-message-crash", "silent-visitor-crash"])
def test_what_clients_that_leave_without_a_whole_message_end_is_found(run, reference, fault):
    port = free_port()
    server = shlex.join([str(reference), "--tcp", f"127.0.0.1:{port}", "--fault", fault])
    done = fuzz(run, "--save", "findings", "--start", server, f"tcp://127.0.0.1:{port}", messages=20000)
    assert done.returncode == 1 and "CRASH" in done.stdout, done.stdout + done.stderr
    assert run("lint", "findings").returncode == 0
    assert run("--cases", "findings", "--start", server, f"tcp://127.0.0.1:{port}").returncode == 1


def test_a_server_over_http_is_sent_the_same_messages_whatever_connection_carries_them(run, reference):
    if "not in this build" in subprocess.run([reference, "--http", "x"], capture_output=True, text=True).stderr:
        pytest.skip("this build has no HTTP")
    with listening(reference, "--http", "127.0.0.1:0") as address:
        done = fuzz(run, address, messages=6000)
        assert done.returncode == 0 and "0 findings" in done.stderr and "not confirmed" not in done.stderr, done.stdout + done.stderr


def test_the_same_seed_sends_the_same_messages(run, reference, tmp_path):
    for folder in ("one", "two"):
        assert fuzz(run, "--corpus", folder, "--", reference, "--stdio").returncode == 0
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in ("one", "two"))
    assert one and one == two


def test_a_message_after_which_a_new_kind_of_line_is_logged_is_kept(run, tmp_path):
    done = fuzz(run, "--corpus", "corpus", "--", sys.executable, ROOT / "tests" / "servers" / "warns.py", messages=12000)
    assert done.returncode == 0, done.stdout + done.stderr
    kept = [path.read_bytes() for path in (tmp_path / "corpus").iterdir()]
    assert any(zlib.crc32(message) % 1500 == 7 for message in kept), len(kept)


def test_the_edges_of_an_instrumented_server_are_seen(run):
    done = fuzz(run, "--", sys.executable, ROOT / "tests" / "servers" / "instrumented.py", messages=300)
    edges = re.search(r"(\d+) edges of its code", done.stderr)
    assert edges and 8 < int(edges[1]) < 64, done.stdout + done.stderr


def test_described_methods_are_called_with_params_that_fit_or_nearly_do(run, tmp_path):
    params = [{"name": "count", "required": True, "schema": {"type": "integer", "minimum": 1, "maximum": 5}},
              {"name": "note", "schema": {"$ref": "#/components/schemas/Note"}}]
    (tmp_path / "service.json").write_text(json.dumps({
        "openrpc": "1.2.6", "info": {"title": "t", "version": "1"},
        "methods": [{"name": "place_order", "params": params, "result": {"name": "count", "schema": {"type": "integer"}}}],
        "components": {"schemas": {"Note": {"type": "string", "maxLength": 10}}}}))
    server = ["--", sys.executable, ROOT / "tests" / "servers" / "described.py"]
    done = fuzz(run, "--only", "J2-5*", "--openrpc", "service.json", *server, messages=400)
    assert done.returncode == 1 and '"place_order"' in done.stdout, done.stdout + done.stderr


@pytest.fixture
def priced(tmp_path):
    params = [{"name": "item", "required": True, "schema": {"type": "string", "maxLength": 5}},
              {"name": "count", "required": True, "schema": {"type": "integer"}}]
    path = tmp_path / "service.json"
    path.write_text(json.dumps({"openrpc": "1.2.6", "info": {"title": "t", "version": "1"},
                                "methods": [{"name": "price", "params": params, "result": {"name": "price", "schema": {}}}]}))
    return ["--openrpc", path.name, "--", sys.executable, str(ROOT / "tests" / "servers" / "unlike.py")]


@pytest.mark.parametrize("kind, found", [("order", "SHOULD J2-4m"), ("escapes", "MUST JS-spelling"), ("batch", "SHOULD J2-6j"), ("after", "SHOULD CON-c")])
def test_a_call_in_another_form_is_answered_alike(run, priced, kind, found):
    done = fuzz(run, "--strict", "--save", "findings", *priced, kind, messages=20000)
    assert done.returncode == 1 and found in done.stdout and "1 finding" in done.stderr, done.stdout + done.stderr
    assert run("lint", "findings").returncode == 0
    for server, code in [(kind, 1), ("right", 0)]:
        assert run("--strict", "--cases", "findings", *priced, server).returncode == code, server


@pytest.mark.parametrize("kind", ["right", "backwards", "counts", "turns", "chance"])
def test_results_that_differ_from_call_to_call_are_not_held_against_a_server(run, priced, kind):
    done = fuzz(run, "--strict", *priced, kind, messages=20000)
    assert done.returncode == 0 and "0 findings" in done.stderr, done.stdout + done.stderr


def test_tools_are_called_with_arguments_that_fit_or_nearly_do(run):
    server = ["--", sys.executable, ROOT / "tests" / "servers" / "described.py"]
    done = fuzz(run, "--only", "J2-5*", "--openrpc", "tools", *server, messages=4000)
    assert done.returncode == 1 and '"tools/call"' in done.stdout and '"place_order"' in done.stdout, done.stdout + done.stderr


def test_a_target_without_tools_is_named_in_one_sentence(run, reference):
    done = fuzz(run, "--openrpc", "tools", "--", reference, "--stdio", messages=10)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "tools" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("bug", ["every-fiftieth-silent", "every-three-hundredth-silent"])
def test_answers_that_go_missing_now_and_then_are_one_finding(run, bug):
    done = fuzz(run, "--", *PLANTED, "--bug", bug, messages=3000)
    assert done.returncode == 1 and "J2-5a" in done.stdout and "1 finding" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("bug, rule", [("every-seventh-batch-cut", "J2-6[bg]"), ("every-third-parse-error-invalid", "J2-5.1d"),
                                       ("every-fifth-number-id-null", "J2-4e"), ("names-over-fifty-refused", "J2-5.1f")])
def test_a_server_that_counts_one_kind_of_message_is_found(run, bug, rule):
    done = fuzz(run, "--strict", "--", *PLANTED, "--bug", bug, messages=1000)
    assert done.returncode == 1 and re.search(rf"^(MUST|SHOULD) {rule}", done.stdout, re.M), done.stdout + done.stderr


def test_a_method_that_fails_is_called_where_it_is_named(run, reference):
    server = ["--", reference, "--stdio", "--fault", "notification-internal-error-answered"]
    done = fuzz(run, "--strict", "--method", "fail=fail", *server, messages=6000)
    assert done.returncode == 1 and '"method":"fail"' in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("fault, rule", [("batch-answer-held", "J2-5a"), ("error-without-id-held", "J2-5(a|.1[de])"), ("full-read-waits", "J2-5(a|.1[de])")])
def test_an_answer_that_waits_for_the_next_message_is_found(run, reference, fault, rule):
    done = fuzz(run, "--save", "findings", "--", reference, "--stdio", "--fault", fault, messages=12000)
    assert done.returncode == 1 and re.search(rf"^MUST {rule}", done.stdout, re.M), done.stdout + done.stderr
    assert run("lint", "findings").returncode == 0
    assert run("--cases", "findings", "--", reference, "--stdio", "--fault", fault).returncode == 1
    assert run("--cases", "findings", "--", reference, "--stdio").returncode == 0


@pytest.mark.parametrize("fault, rule", [("notification-run-twice", "J2-4.1d"), ("batch-notification-dropped", "J2-4.1d"),
                                         ("invalid-request-runs-handler", "J2-4n")])
def test_effects_are_counted_where_a_method_does(run, reference, fault, rule):
    methods = ["--method", "update=update", "--method", "count=count"]
    done = fuzz(run, "--strict", "--save", "findings", *methods, "--", reference, "--stdio", "--fault", fault, messages=20000)
    assert done.returncode == 1 and rule in done.stdout and "1 finding" in done.stderr, done.stdout + done.stderr
    assert run("lint", "findings").returncode == 0
    assert run("--strict", "--cases", "findings", *methods, "--", reference, "--stdio", "--fault", fault).returncode == 1
    assert run("--strict", "--cases", "findings", *methods, "--", reference, "--stdio").returncode == 0


@pytest.mark.parametrize("fault, rule", [("app-code-int16", "J2-5.1k"), ("data-dropped", "J2-5.1j"), ("failure-as-result", "J2-5.1h"),
                                         ("failure-undefined-code", "J2-5.1i"), ("method-caseless", "SEC-a"),
                                         ("method-dollar-silent", "J2-5a"), ("result-int32", "J2-4.2a")])
def test_what_a_method_must_give_and_what_names_must_not_do_is_judged(run, reference, fault, rule):
    names = [option for name in ("fail", "app_error") for option in ("--method", f"{name}={name}")]
    done = fuzz(run, "--strict", "--only", rule, *names, "--", reference, "--stdio", "--fault", fault, messages=40000)
    assert done.returncode == 1 and re.search(rf"^(MUST|SHOULD) {rule}", done.stdout, re.M), done.stdout + done.stderr


@pytest.mark.parametrize("fault", ["answer-1024-cut", "text-1024-cut"])
def test_answers_and_messages_that_fill_a_buffer_are_among_them(run, reference, fault):
    done = fuzz(run, "--", reference, "--stdio", "--fault", fault, messages=60000)
    assert done.returncode == 1 and "0 findings" not in done.stderr, done.stdout + done.stderr


def test_a_method_that_runs_under_the_beginning_of_its_name_is_found(run, reference):
    done = fuzz(run, "--", reference, "--stdio", "--fault", "method-abbreviated", messages=60000)
    assert done.returncode == 1 and "MUST SEC-a" in done.stdout, done.stdout + done.stderr


def test_a_process_that_ends_after_so_many_messages_is_found(run):
    done = fuzz(run, "--", sys.executable, ROOT / "tests" / "servers" / "state_dies_every_fortieth.py", messages=1000)
    assert done.returncode == 1 and "CRASH" in done.stdout and "1 finding" in done.stderr, done.stdout + done.stderr


def test_a_server_of_one_connection_after_the_other_is_fuzzed_over_one(run):
    port = free_port()
    server = [sys.executable, ROOT / "tests" / "servers" / "one_connection.py", port]
    done = fuzz(run, "--start-timeout", 1000, "--start", shlex.join(map(str, server)), f"tcp://127.0.0.1:{port}", messages=2500)
    assert done.returncode == 0 and "0 findings" in done.stderr and "not confirmed" not in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("rule", ["J2-4k", "SEC-e"])
def test_a_rule_without_a_ground_case_can_be_asked_for_alone(run, reference, rule):
    done = fuzz(run, "--only", rule, "--", reference, "--stdio", messages=100)
    assert done.returncode == 0 and "nothing was judged" not in done.stderr, done.stdout + done.stderr


def test_a_rule_that_does_not_exist_is_named_in_one_sentence(run, reference):
    done = fuzz(run, "--only", "J9-x", "--", reference, "--stdio", messages=100)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "J9-x" in done.stderr, done.stdout + done.stderr


def test_a_version_that_is_echoed_is_one_finding(run):
    done = fuzz(run, "--only", "J2-5b", "--report", "ndjson", "--", *PLANTED, "--bug", "version-echoed", messages=6000)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    found = [event for event in events if event["event"] == "case" and event["outcome"] == "fail"]
    assert len(found) == 1, [event["findings"] for event in found]


def test_memory_that_only_batches_cost_is_found(run):
    done = fuzz(run, "--strict", "--only", "SEC-*", "--", *PLANTED, "--bug", "memory-of-batches-kept", messages=60000)
    assert done.returncode == 1 and "SEC-l" in done.stdout and "1 finding" in done.stderr, done.stdout + done.stderr


LATE = [sys.executable, ROOT / "tests" / "servers" / "late.py"]


def suspicions_of(stdout):
    events = [json.loads(line) for line in stdout.splitlines()]
    assert events[-1]["event"] == "finish" and not events[-1]["interrupted"] and "stop" not in events[-1], events[-1]
    return [event["observed"]["suspicion"] for event in events if "suspicion" in event.get("observed", {})]


def test_what_was_not_confirmed_in_time_is_kept_as_a_suspicion(run):
    # The full time for one answer is longer than the run and what it may take to confirm a finding.
    done = run("fuzz", "--time", "3s", "--seed", 1, "--timeout", 60000, "--report", "ndjson", "--", *LATE, "silent", 200)
    assert done.returncode == 0 and "0 findings, 1 suspicion not confirmed" in done.stderr, done.stdout + done.stderr
    assert len(suspicions_of(done.stdout)) == 1, done.stdout


def test_ground_cases_that_take_all_the_time_are_named(run):
    done = run("fuzz", "--time", "1s", "--timeout", 60000, "--", *LATE, "silent", 1)
    assert done.returncode == 1 and "(--time)" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("what", ["silent", "flood"])
def test_a_server_that_stops_answering_after_many_messages_is_found(run, what):
    done = fuzz(run, "--timeout", 1000, "--", *LATE, what, 200, messages=1600)
    assert done.returncode == 1 and ("HANG" in done.stdout or "J2-5a" in done.stdout), done.stdout + done.stderr


@pytest.mark.parametrize("what", ["fork", "stderr"])
def test_a_server_that_does_odd_things_beside_its_answers_is_not_accused(run, what):
    done = fuzz(run, "--", *LATE, what, 200, messages=600)
    assert done.returncode == 0 and "0 findings" in done.stderr, done.stdout + done.stderr


def test_a_server_that_answers_at_random_does_not_stop_the_run(run):
    done = fuzz(run, "--timeout", 1000, "--", *LATE, "random", 200, messages=1000)
    assert done.returncode in (0, 1) and "CRASH" not in done.stdout and "fuzzed" in done.stderr, done.stdout + done.stderr


def limited(size):
    # A write beyond the limit fails, as on a full disk.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("option", ["--save", "--corpus"])
def test_a_full_disk_is_named_and_what_was_found_is_reported(jrpcheck, reference, tmp_path, option):
    done = subprocess.run([jrpcheck, "fuzz", "--messages", "3000", "--seed", "1", option, "folder", "--",
                           reference, "--stdio", "--fault", "id-int32"], cwd=tmp_path, capture_output=True, text=True,
                          preexec_fn=lambda: limited(0))
    assert done.returncode == 6 and "J2-4e" in done.stdout and "folder" in done.stderr, done.stdout + done.stderr
    assert not [path for path in (tmp_path / "folder").rglob("*") if path.is_file()], "no file is left half written"


def test_numbers_read_as_doubles_are_no_suspicion(run):
    done = fuzz(run, "--", sys.executable, ROOT / "tests" / "servers" / "reads_doubles.py", messages=4000)
    assert done.returncode == 0 and "0 findings" in done.stderr and "not confirmed" not in done.stderr, done.stdout + done.stderr


def test_errors_that_quote_and_refused_fractions_are_not_accused(run):
    done = fuzz(run, "--strict", "--", sys.executable, ROOT / "tests" / "servers" / "quotes.py", messages=6000)
    assert done.returncode == 0 and "0 findings" in done.stderr, done.stdout + done.stderr


def test_rubbish_in_the_corpus_is_passed_over(run, reference, tmp_path):
    corpus = tmp_path / "corpus"
    (corpus / "folder").mkdir(parents=True)
    (corpus / "long").write_bytes(b"x" * 100000)
    (corpus / "empty").write_bytes(b"")
    (corpus / "bytes").write_bytes(bytes(range(256)))
    (corpus / "nowhere").symlink_to("/nonexistent")
    assert fuzz(run, "--corpus", "corpus", "--", reference, "--stdio", messages=500).returncode == 0


def test_a_folder_that_cannot_be_used_is_named_in_one_sentence(run, reference, tmp_path):
    (tmp_path / "file").write_text("")
    for option in ("--corpus", "--save"):
        done = fuzz(run, option, "file", "--", reference, "--stdio", messages=10)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and option in done.stderr, done.stderr


@pytest.mark.parametrize("target", ["tcp://192.0.2.1:4000", "http://example.org/rpc", "ws://127.0.0.1.example.org/",
                                    "http://localhost@example.org/"])
def test_a_stranger_is_not_fuzzed(run, target):
    done = run("fuzz", target)
    assert done.returncode == 2 and "another machine" in done.stderr and "--i-may-fuzz" in done.stderr
    assert "192.0.2.1" in done.stderr or "example.org" in done.stderr


def test_a_stranger_is_fuzzed_under_the_name_that_is_allowed(run, reference):
    port = free_port()
    server = ["--start", shlex.join([str(reference), "--tcp", f"127.0.0.1:{port}"]), f"tcp://0.0.0.0:{port}"]
    refused = fuzz(run, "--i-may-fuzz", "0.0.0.1", *server, messages=300)
    assert refused.returncode == 2 and "add --i-may-fuzz 0.0.0.0" in refused.stderr, refused.stdout + refused.stderr
    allowed = fuzz(run, "--i-may-fuzz", "0.0.0.0", *server, messages=300)
    assert allowed.returncode == 0 and "0 findings" in allowed.stderr, allowed.stdout + allowed.stderr


def test_servers_at_work_are_not_fuzzed(run, tmp_path):
    done = run("fuzz", "--profile", "http-production", "http://127.0.0.1:1/")
    assert done.returncode == 2 and "not fuzzed" in done.stderr
    (tmp_path / "ours.json").write_text('{"schema": 1, "profile": "ours", "title": "Ours", "extends": "http-production"}')
    done = run("fuzz", "--profile", "./ours.json", "http://127.0.0.1:1/")
    assert done.returncode == 2 and "the profile ours extends http-production" in done.stderr, done.stderr


@pytest.mark.parametrize("options, lines", [((), 1), (("-q",), 0)])
def test_a_finding_is_shown_as_it_is_confirmed(run, reference, options, lines):
    done = fuzz(run, "--only", "J2-4e", *options, "--", reference, "--stdio", "--fault", "id-int32", messages=3000)
    shown = [line for line in done.stderr.splitlines() if line.startswith("MUST J2-4e: expected id ")]
    assert done.returncode == 1 and len(shown) == lines and all("; sent: {" in line for line in shown), done.stdout + done.stderr


def test_an_interruption_keeps_what_was_found(jrpcheck, reference, tmp_path):
    process = subprocess.Popen([jrpcheck, "fuzz", "--time", "10m", "--seed", "1", "--save", "findings", "--report", "ndjson",
                                "--", reference, "--stdio", "--fault", "id-int32"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with process:
        events = []
        for line in process.stdout:
            events.append(json.loads(line))
            if events[-1].get("suite") == "fuzz" and events[-1]["event"] == "case":
                process.send_signal(signal.SIGINT)
                break
        events += [json.loads(line) for line in process.stdout]
        assert process.wait(60) == 130
    # Not before: a finding is in the stream a moment before its file is written.
    assert list((tmp_path / "findings" / "fuzz").iterdir())
    assert events[-1]["event"] == "finish" and events[-1]["interrupted"]
    assert any(event["event"] == "case" and event["suite"] == "fuzz" for event in events)
