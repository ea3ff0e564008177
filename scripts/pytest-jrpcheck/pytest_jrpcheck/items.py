"""A case file as a tree of pytest nodes: file, section of a suite, case."""

import base64
import pathlib

import pytest

from .harness import HarnessError

BROKEN = {"fail", "crash", "hang", "stuck", "error"}


class Breach(Exception):
    """The target breaks a rule in a case; holds the event of the case."""


class KnownBreach(Breach):
    """A breach that the baseline expects."""


def is_breach(event, strict):
    """Whether a case speaks against the target: a broken MUST, with `strict` a broken SHOULD too."""
    levels = {"MUST", "SHOULD"} if strict else {"MUST"}
    return event["outcome"] in BROKEN or any(
        finding["level"] in levels and (not finding.get("known") or finding.get("repeats")) for finding in event["findings"])


class CaseFile(pytest.File):
    """One file of cases."""

    def collect(self):
        sections = {}
        harness = self.config.jrpcheck
        for case in harness.cases_below(self.folder):
            if pathlib.Path(case["file"]).resolve() == self.path.resolve():
                sections.setdefault(f'{case["suite"]}:{case["section"]}', []).append(case)
        for rule in {rule for cases in sections.values() for case in cases for rule in case["rules"]}:
            self.config.addinivalue_line("markers", f'{rule}: {harness.rules[rule]["title"]}')
        for name, cases in sections.items():
            yield Section.from_parent(self, name=name, cases=cases, folder=self.folder)

    @classmethod
    def from_parent(cls, parent, *, folder, **kw):
        node = super().from_parent(parent, **kw)
        node.folder = folder
        return node


class Section(pytest.Collector):
    """The cases of one section of a suite."""

    @classmethod
    def from_parent(cls, parent, *, cases, folder, **kw):
        node = super().from_parent(parent, **kw)
        node.cases = cases
        node.folder = folder
        return node

    def collect(self):
        for case in self.cases:
            yield Case.from_parent(self, name=case["id"], case=case, folder=self.folder)


class Case(pytest.Item):
    """One case."""

    @classmethod
    def from_parent(cls, parent, *, case, folder, **kw):
        node = super().from_parent(parent, **kw)
        node.case = case
        node.folder = folder
        node.mark()
        return node

    def mark(self):
        """Gives the item its rules as markers and properties, and what the baseline says."""
        self.add_marker(pytest.mark.jrpcheck(*self.case["rules"]))
        for rule in self.case["rules"]:
            self.add_marker(rule)
            self.user_properties.append(("rule", rule))
        self.user_properties.append(("suite", self.case["suite"]))
        self.user_properties.append(("section", self.case["section"]))
        reason = self.config.jrpcheck.known_failures.get(self.case["id"])
        if reason is not None:
            self.add_marker(pytest.mark.xfail(reason=reason, strict=True, raises=KnownBreach))

    def runtest(self):
        event = self.config.jrpcheck.event_of(self.case["id"])
        self.user_properties.append(("outcome", event["outcome"]))
        for name, value in event["observed"].items():
            self.user_properties.append((f"observed:{name}", str(value)))
        if event["outcome"] in ("skip", "blocked"):
            pytest.skip(f'{event["outcome"]}: {event.get("reason", "")}')
        if event["expected"]:
            raise KnownBreach(event)
        if is_breach(event, self.config.getoption("jrpcheck_strict")):
            raise Breach(event)
        for finding in event["findings"]:
            self.warn(pytest.PytestWarning(f'{finding["rule"]} {finding["level"]}: {finding["text"]}'))

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, Breach):
            return "\n".join([*reported(excinfo.value.args[0]), "  $ " + self.config.jrpcheck.repro(self.case["id"])])
        if isinstance(excinfo.value, HarnessError):
            return f"jrpcheck: {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.case["line"] - 1, self.case["id"]


def printable(text):
    """Text from a peer with everything escaped that a terminal would obey."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)


def reported(event):
    """What was wrong, as lines: the findings with their sentences, and the bytes both ways."""
    yield f'{event["outcome"]}: {event["title"]}'
    for finding in event["findings"]:
        yield f'  {finding["rule"]} {finding["level"]}  {finding.get("sentence", "")}'
        yield f'    {printable(finding["text"])}'
    for message in event.get("exchange", {}).get("messages", []):
        arrow = "→" if message["dir"] == "sent" else "←"
        text = message["text"] if "text" in message else repr(base64.b64decode(message["base64"]))[2:-1]
        yield f"  {arrow} {printable(text[:500])}{'…' if len(text) > 500 else ''}"
    end = event.get("exchange", {}).get("end", {"kind": "open"})
    if end["kind"] != "open":
        yield "  ends: " + ", ".join(f"{name} {value}" for name, value in end.items())
