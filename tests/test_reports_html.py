"""The HTML reports, as a browser reads them: what they hold, and that nothing of a peer becomes markup."""

import base64
import hashlib
import html.parser
import json
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "unit" / "report" / "golden"
STREAMS = ["mixed", "hostile", "cut-short", "stopped", "conformant"]
VOID = {"meta", "link", "input", "br"}
TAGS = VOID | set(
    "html head title style body header main footer nav section div p h1 h2 h3 ul ol li dl dt dd a b i code span strong small "
    "details summary table thead tbody tr th td svg rect button script".split()
)
ATTRIBUTES = set(
    "lang charset http-equiv content name rel href class id role aria-label aria-pressed scope colspan tabindex title hidden "
    "type placeholder viewbox preserveaspectratio x width height data-is data-rules data-show data-filter data-group data-open".split()
)
# What would take over a page that lets it: ends of elements, handlers, addresses, and characters that hide.
PAYLOAD = (
    "\"'><img src=x onerror=\"document.title='owned'\"></script></style></title></details></table>"
    "<script>document.title='owned'</script><!-- javascript:alert(1) &lt; \\x41 \u202egnp \x1b[2J"
)


class Page(html.parser.HTMLParser):
    """Reads strictly: every element is known, closed in order, and holds known attributes."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.stack, self.elements, self.text, self.inside = [], [], [], {}
        self.feed(text)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attributes):
        assert tag in TAGS, tag
        for name, value in attributes:
            assert name in ATTRIBUTES, (tag, name)
            if name == "href":
                assert re.match(r"^(#|data:,$|[A-Za-z0-9_-][A-Za-z0-9._-]*\.html(#|$))", value), value
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID and not (tag == "rect"):
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if self.stack and self.stack[-1] == tag:
            self.stack.pop()

    def handle_endtag(self, tag):
        assert self.stack and self.stack[-1] == tag, (tag, self.stack[-3:])
        self.stack.pop()

    def handle_data(self, data):
        top = self.stack[-1] if self.stack else ""
        self.inside.setdefault(top, []).append(data)
        if top not in ("script", "style"):
            self.text.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data[:80]}")

    def all(self, tag, **wanted):
        wanted = {name.rstrip("_"): value for name, value in wanted.items()}
        return [attributes for name, attributes in self.elements
                if name == tag and all(attributes.get(key) == value for key, value in wanted.items())]

    def words(self):
        return re.sub(r"\s+", " ", "".join(self.text))


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.fixture
def made(run, tmp_path):
    """Makes an HTML report of streams; returns its path and its text."""

    def made(*streams, name="html", options=()):
        out = tmp_path / "out.html"
        done = run("report", *streams, "--report", f"{name}={out}", *options)
        # A stream without its end is reported as cut short, and said so.
        assert done.returncode == 0 or "the stream ends before the run did" in done.stderr, done.stderr
        assert done.stdout == ""
        return out, out.read_bytes().decode("utf-8")

    return made


FIXED = {"event", "outcome", "level", "dir", "kind", "role", "base64"}


def strings_of(event, found):
    """The event with every string replaced that a peer or a file could have written."""
    if isinstance(event, dict):
        return {found if key == "J2-4j" else key: strings_of(value, found) if key not in FIXED else value
                for key, value in event.items()}
    if isinstance(event, list):
        return [strings_of(value, found) for value in event]
    return found if isinstance(event, str) else event


@pytest.fixture
def hostile(tmp_path):
    """A stream in which every text is the payload, in cases of every outcome."""
    outcomes = "pass fail warn observe skip blocked ended stuck hang crash error".split()
    finding = {"rule": "r", "level": "MUST", "step": 0, "text": "t", "sentence": "s"}
    message = {"dir": "received", "connection": "a", "step": 0, "at_us": 1, "text": "t", "role": "noise"}
    events = [
        {"event": "start", "schema": 1, "tool": {"name": "jrpcheck", "version": "v"}, "suite": {"selected": len(outcomes)},
         "target": {"name": "n", "transport": "stdio", "framing": "line", "implementation": {"name": "n", "version": "v", "language": "l"}},
         "profile": "spec", "strict": False, "started": "s", "seed": "0"},
        {"event": "rule", "id": "r", "level": "MUST", "specification": "s", "section": "4", "title": "t", "sentence": "s"},
    ]
    for number, outcome in enumerate(outcomes):
        case = strings_of({
            "event": "case", "id": "i", "suite": "s", "section": "4", "title": "t", "file": "f", "line": 3, "rules": ["r"],
            "outcome": outcome, "expected": False, "reason": "r", "findings": [finding, {**finding, "level": "SHOULD"}],
            "observed": {"J2-4j": ["a", "b"], "other": "c"},
            "exchange": {"messages": [message, {**message, "dir": "sent", "role": "x"}], "end": {"kind": "exited", "status": 3}, "stderr": "e", "isolated": False},
            "duration_us": 5,
        }, PAYLOAD)
        case["id"] += str(number)
        events.append(case)
    events[0], events[1] = strings_of(events[0], PAYLOAD), strings_of(events[1], PAYLOAD)
    events.append({"event": "finish", "counts": {}, "judged": 9, "duration_us": 5, "interrupted": False, "conformant": False})
    path = tmp_path / "hostile.ndjson"
    path.write_text("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["html", "matrix"])
@pytest.mark.parametrize("stream", STREAMS)
def test_a_page_is_well_formed_and_fetches_nothing(made, stream, name):
    _, text = made(GOLDEN / f"{stream}.ndjson", name=name, options=["--links"] if name == "matrix" else [])
    page = Page(text)
    policy = next(meta["content"] for meta in page.all("meta") if "http-equiv" in meta)
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    assert len(page.all("style")) == len(page.all("script")) == 1
    assert f"'{digest(''.join(page.inside['style']))}'" in policy
    assert f"'{digest(''.join(page.inside['script']))}'" in policy
    assert len({a["id"] for _, a in page.elements if "id" in a}) == sum("id" in a for _, a in page.elements)


@pytest.mark.parametrize("name, options", [("html", []), ("matrix", []), ("matrix", ["--links"])])
def test_nothing_of_a_peer_becomes_markup(made, hostile, name, options):
    _, text = made(hostile, name=name, options=options)
    page = Page(text)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    assert page.all("img") == [] and len(page.all("script")) == 1
    # What it wrote is there to be read, spelled.
    assert "<img src=x onerror=\"document.title='owned'\">" in page.words()
    assert "\\x5cx41 \\xe2\\x80\\xaegnp \\x1b[2J" in page.words()


def test_what_changed_between_hostile_runs_stays_text(run, hostile, tmp_path):
    out = tmp_path / "since.html"
    done = run("report", "--since", GOLDEN / "mixed.ndjson", hostile, "--report", f"html={out}", "--report", "console", "--verbose")
    assert done.returncode == 0, done.stderr
    page = Page(out.read_text(encoding="utf-8"))
    assert len(page.all("script")) == 1 and "<img src=x" in page.words()
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout


def test_the_report_tells_the_verdict_the_rule_and_the_bytes(made):
    _, text = made(GOLDEN / "mixed.ndjson")
    page = Page(text)
    words = page.words()
    assert "Not conformant 2 MUST rules broken, 1 crash" in words
    assert "A server answers an empty Array by a single Invalid Request." in words
    block = re.search(r'<details class="fail"[^>]* id="c-batch/empty".*?</details>', text, re.DOTALL).group()
    assert '<li class="s">[]</li><li class="r">[]</li></ol>' in block
    assert "expected an error, got []" in block
    assert "<code>jrpcheck repro batch/empty --method sum=add -- ./server --stdio</code>" in block
    assert "fence" not in block
    crash = re.search(r'<details class="crash".*?</details>', text, re.DOTALL).group()
    # AP9b: a NUL is a character that does not show itself, 0xff is none.
    assert "<i>\\x00</i><b>\\xff</b>[… (100000 bytes in all)" in crash
    assert "the target was killed by signal 11 (SIGSEGV)" in crash
    assert "<li>line 0</li>" in crash and "<li>line 9</li>" in crash


def test_a_page_holds_the_lines_to_repeat_a_case_and_the_run_but_no_password(run, reference, tmp_path):
    server = subprocess.Popen([reference, "--http", "127.0.0.1:0", "--fault", "batch-empty-silent"],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        said = server.stderr.readline()
        if "not in this build" in said:
            pytest.skip("HTTP is not in this build, so no header is sent")
        address = said.split()[-1]
        out = tmp_path / "out.html"
        for words, in_full in [([], True), (["--header", "Authorization: Bearer secret"], False)]:
            done = run("--only", "batch/empty", "--timeout", "2000", *words, "--report", f"html={out}", address)
            assert done.returncode == 1, done.stderr
            text = out.read_text(encoding="utf-8")
            header = "" if in_full else "--header 'Authorization: ***' "
            assert f"<code>jrpcheck repro batch/empty --timeout 2000 {header}{address}</code>" in text
            assert f"<dt>Command</dt><dd><code>jrpcheck --only batch/empty --timeout 2000 {header}{address}</code></dd>" in text
            assert "secret" not in text
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_every_link_of_a_report_leads_somewhere(made):
    for stream in STREAMS:
        page = Page(made(GOLDEN / f"{stream}.ndjson")[1])
        ids = {attributes.get("id") for _, attributes in page.elements}
        for link in page.all("a"):
            assert link["href"][1:] in ids, link


def test_the_evidence_is_capped_and_the_report_says_so(made, tmp_path):
    case = {"event": "case", "suite": "s", "section": "1", "title": "t", "rules": ["R-1"], "outcome": "fail", "expected": False,
            "findings": [{"rule": "R-1", "level": "MUST", "step": 0, "text": "t"}], "observed": {}, "duration_us": 1}
    raw = {"dir": "received", "connection": "a", "step": 0, "at_us": 0, "base64": base64.b64encode(b"\xff" * 3000).decode()}
    stream = tmp_path / "large.ndjson"
    stream.write_text(json.dumps({"event": "start", "schema": 2}) + "\n" + "".join(
        json.dumps({**case, "id": f"c/{i}", "exchange": {"messages": [raw] * 30, "end": {"kind": "open"}}}) + "\n" for i in range(600)
    ))
    _, text = made(stream)
    assert len(text.encode()) <= 5_000_000
    assert "… and 6 more messages." in text
    assert "The bytes are left out: this report has shown its 3 MiB of them." in text
    Page(text)


def test_two_runs_in_one_report_are_told_apart(made):
    _, text = made(GOLDEN / "mixed.ndjson", GOLDEN / "conformant.ndjson")
    page = Page(text)
    assert len(page.all("h1")) == 2
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {"c-batch/empty", "s2-c"} <= set(ids)


def matrix_rows(text, table):
    """Row head → the classes and texts of its cells."""
    part = re.search(rf'<table class="{table}">(.*?)</table>', text, re.DOTALL).group(1)
    rows = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", part, re.DOTALL):
        cells = re.findall(r'<td class="([^"]*)"[^>]*>(.*?)</td>', row, re.DOTALL)
        head = re.search(r"<code>(.*?)</code>", row)
        if cells and head:
            rows[head.group(1)] = [(style, re.sub(r"<[^>]*>", "", text)) for style, text in cells]
    return rows


def test_the_matrix_puts_each_run_beside_the_others(made):
    _, text = made(GOLDEN / "mixed.ndjson", GOLDEN / "conformant.ndjson", name="matrix")
    rows = matrix_rows(text, "grid")
    assert rows["J2-6d"] == [("m", "2"), ("u", "·")]
    assert rows["J2-4a"][0] == ("s", "1")
    assert rows["J2-5a"][0] == ("d", "1")
    questions = re.search(r'<table class="grid words">.*?</table>', text, re.DOTALL).group()
    assert '<td class="v0">null ×1</td><td class="u">·</td>' in questions
    assert '<td class="v0">first ×1<br>last ×1</td>' in questions


def test_the_matrix_links_to_the_report_of_each_run_only_when_asked(made):
    streams = [GOLDEN / "mixed.ndjson"]
    plain = Page(made(*streams, name="matrix")[1])
    assert all(link["href"].startswith("#") for link in plain.all("a"))
    linked = Page(made(*streams, name="matrix", options=["--links"])[1])
    assert "-/server---stdio.html" not in {link["href"] for link in linked.all("a")}
    assert {"--server---stdio.html", "--server---stdio.html#r-J2-6d"} <= {link["href"] for link in linked.all("a")}


def test_the_matrix_tells_questions_on_which_runs_differ(made, tmp_path):
    def written(name, values):
        events = [{"event": "start", "target": {"name": name}}, {"event": "rule", "id": "R-1", "level": "OBSERVE", "title": "t", "sentence": "s"}]
        events += [{"event": "case", "id": f"q/{n}", "title": "t", "rules": ["R-1"], "outcome": outcome, "observed": {"R-1": value} if value else {}}
                   for n, (outcome, value) in enumerate(values)]
        path = tmp_path / f"{name}.ndjson"
        path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
        return path

    observe = "observe"
    first = written("first", [(observe, "a"), (observe, "a"), (observe, "a"), (observe, "a"), ("fail", None)])
    second = written("second", [(observe, "a"), (observe, "b"), ("pass", None), ("skip", None), (observe, "a")])
    _, text = made(first, second, name="matrix")
    rows = re.findall(r'<tr data-is="(differ|alike)"><th scope="row">t<span class="soft"><code>(.*?)</code>', text)
    assert rows == [("alike", "q/0"), ("differ", "q/1"), ("differ", "q/2"), ("alike", "q/3"), ("differ", "q/4")]
    assert '<td class="v0">a</td><td class="v1">b</td>' in text
    assert '<td class="v0">a</td><td class="k">✓</td>' in text
    assert '<td class="m">fail</td><td class="v0">a</td>' in text


def test_the_matrix_names_what_implementations_choose(run, reference, tmp_path, made):
    streams = []
    for fault in ["", "batch-refused", "version-unchecked"]:
        stream = tmp_path / f"{fault or 'none'}.ndjson"
        words = [reference, "--stdio"] + (["--fault", fault] if fault else [])
        run("--suite", "jsonrpc-2.0", "--report", f"ndjson={stream}", "--quiet", "--", *words)
        streams.append(stream)
    _, text = made(*streams, name="matrix")
    rows = matrix_rows(text, "grid")
    assert rows["J2-6a"][0][0] == "k" and rows["J2-6a"][1][0] == "s"
    assert rows["J2-4a"][0][0] in "ko" and rows["J2-4a"][2][0] == "s"
    # A rule that nobody breaks is shown with its sentence all the same.
    assert "A server answers every call with exactly one Response" in text
    Page(text)


@pytest.fixture(scope="session")
def chromium():
    for name in ["chromium", "chromium-browser", "google-chrome"]:
        if shutil.which(name):
            return shutil.which(name)
    pytest.skip("no chromium is installed, so no page is shown by a browser: apt-get install chromium")


@pytest.fixture
def browse(chromium, tmp_path):
    """Loads a page in a browser without a window; returns its document as it stands, and what the console said."""

    def browse(path, *options):
        done = subprocess.run(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
             f"--user-data-dir={tmp_path / 'profile'}", *options, "--dump-dom", path.as_uri()],
            capture_output=True, text=True, encoding="utf-8", timeout=120,
        )
        assert "<html" in done.stdout, done.stderr[-2000:]
        return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    return browse


@pytest.mark.parametrize("name", ["html", "matrix"])
def test_a_browser_runs_our_script_and_none_of_a_peers(made, browse, hostile, name):
    path, text = made(hostile, name=name)
    document, console = browse(path)
    assert console == []
    assert re.search(r"<title>(.*?)</title>", document, re.DOTALL).group(1) != "owned"
    # Our script ran: the tools show themselves.
    assert '<div class="tools" hidden=""' in text.replace("hidden>", 'hidden="">')
    assert '<div class="tools" hidden' not in document
    assert "<img" not in document


def test_a_browser_refuses_a_script_that_is_not_ours(made, browse, tmp_path):
    path, text = made(GOLDEN / "mixed.ndjson")
    (tmp_path / "changed.html").write_text(text.replace("</main>", "<script>document.title='owned'</script></main>", 1))
    document, console = browse(tmp_path / "changed.html")
    assert "<title>owned" not in document
    assert any("Content Security Policy" in line for line in console)


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(made, browse, run, reference, tmp_path, hostile, width):
    stream = tmp_path / "run.ndjson"
    run("--suite", "jsonrpc-2.0", "--report", f"ndjson={stream}", "--quiet", "--", reference, "--stdio", "--fault", "batch-crash")
    probe = "<script>document.title='wide:'+(document.documentElement.scrollWidth-innerWidth)</script>"
    long = tmp_path / "long.ndjson"
    long.write_text(hostile.read_text(encoding="utf-8").replace("gnp", "w" * 500), encoding="utf-8")
    for name, source in [("html", stream), ("matrix", stream), ("html", long), ("matrix", long)]:
        _, text = made(source, name=name)
        # The policy would refuse the probe.
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text).replace("</body>", probe + "</body>")
        path = tmp_path / f"{name}-{width}.html"
        path.write_text(text, encoding="utf-8")
        document, _ = browse(path, f"--window-size={width},900")
        over = int(re.search(r"<title>wide:(-?\d+)", document).group(1))
        assert over <= 0, (name, over)


def test_the_tools_show_what_is_asked_for(made, browse, tmp_path):
    """Presses a button, types words, follows a link, as a reader would; each step is named in the title."""
    probe = """<script>
    var root = document.querySelector('[data-filter]'), said = [];
    var tell = function () {
      said.push(Array.from(root.querySelectorAll('[data-is]')).filter(function (n) { return !n.hidden; })
        .map(function (n) { return n.querySelector('.id').textContent; }).join(' '));
    };
    var button = root.querySelector('[data-show=fail]'), search = root.querySelector('input');
    button.click(); tell();
    search.value = 'EMPTY batch'; search.dispatchEvent(new Event('input')); tell();
    search.value = 'nothing like it'; search.dispatchEvent(new Event('input')); tell();
    said.push(String(root.querySelector('.none').hidden));
    search.value = ''; button.click();
    search.value = 'j2-4a'; search.dispatchEvent(new Event('input')); tell();
    addEventListener('hashchange', function () {
      var node = document.getElementById('c-parse/deep');
      said.push(String(node.open && !node.hidden));
      document.title = 'said:' + said.join('|');
    });
    location.hash = '#c-parse/deep';
    </script>"""
    _, text = made(GOLDEN / "mixed.ndjson")
    # The policy would refuse the probe.
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text).replace("</body>", probe + "</body>")
    path = tmp_path / "probe.html"
    path.write_text(text, encoding="utf-8")
    document, _ = browse(path, "--virtual-time-budget=2000")
    said = re.search(r"<title>said:(.*?)</title>", document).group(1).split("|")
    assert said == ["id/fraction batch/empty batch/spaced", "batch/empty batch/spaced", "", "false", "version/one", "true"]


def luminance(color):
    parts = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return sum(weight * (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)
               for weight, part in zip((0.2126, 0.7152, 0.0722), parts))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground(scheme):
    """WCAG 2, level AA: at least 4.5 to 1, for every pair of colours that the style sheet puts together."""
    style = (ROOT / "harness" / "report" / "assets" / "page.css").read_text(encoding="utf-8")
    colors = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part.split("@media")[0])) for part in style.split("@media (prefers-color-scheme: dark)")]
    of = colors[0] if scheme == "light" else {**colors[0], **colors[1]}
    grounds = {name: ["paper", "card"] for name in ["ink", "soft", "none", "accent", "must", "should", "open", "ok", "dead"]}
    for name in ["must", "should", "open", "ok", "dead"]:
        grounds[name] = grounds[name] + [f"{name}-wash"]
    grounds["soft"] = grounds["soft"] + ["none-wash", "code"]
    grounds["ink"] = grounds["ink"] + [f"{name}-wash" for name in ["must", "should", "open", "ok", "dead", "none"]] + ["code"]
    for text, behind in [(text, behind) for text, all_behind in grounds.items() for behind in all_behind]:
        low, high = sorted([luminance(of[text]), luminance(of[behind])])
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, behind)
