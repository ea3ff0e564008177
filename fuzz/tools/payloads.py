"""The bytes that the cases send, read from cases/ with numbers as they are spelled there."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_BYTES = 2000


class Number(str):
    """A number as spelled."""


class Members(list):
    """An object as (name, value) pairs, duplicates kept."""

    def get(self, name, default=None):
        found = default
        for key, value in self:
            if key == name:
                found = value
        return found


def load(path):
    return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=Members,
                      parse_int=Number, parse_float=Number)


def quote(text):
    return json.dumps(text)


def variable(name):
    """A JSON spelling for ${name}."""
    if name.startswith("id:int"):
        return str(17 + len(name))
    if name.split(".")[0] == "id":
        return quote("a-" + name)
    return quote("no_such_method" if name == "absent" else name)


VARIABLE = re.compile(r"(?<!\$)\$\{([^}]*)\}")


def spell(value):
    if isinstance(value, Members):
        return "{" + ",".join(f"{quote(k)}:{spell(v)}" for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        whole = VARIABLE.fullmatch(value)
        return variable(whole.group(1)) if whole else quote(value.replace("$${", "${"))
    return {None: "null", True: "true", False: "false"}[value]


def bare(spelling):
    """A variable within a text: a String goes out without its quotes."""
    return spelling[1:-1] if spelling.startswith('"') else spelling


def textual(text):
    text = VARIABLE.sub(lambda m: bare(variable(m.group(1))), text)
    return text.replace("$${", "${").encode("utf-8", "surrogatepass")


def repeated(spec):
    part = {name: textual(spec.get(name, "")) for name in ("prefix", "unit", "middle", "close", "suffix")}
    times = spec.get("times", Number("1"))
    times = min(int(times), 400) if isinstance(times, Number) else 40  # a cell of a table, whatever it holds
    return part["prefix"] + part["unit"] * times + part["middle"] + part["close"] * times + part["suffix"]


def payload(step):
    """The bytes a step sends, or None."""
    for name, value in step:
        if name == "send":
            return spell(value).encode("utf-8", "surrogatepass")
        if name == "send-text" and isinstance(value, str):
            return textual(value)
        if name == "send-hex" and isinstance(value, str):
            return None if VARIABLE.search(value) else bytes.fromhex(value)
        if name == "send-repeat":
            return repeated(value)
    return None


def case_files():
    return sorted(p for p in (ROOT / "cases").glob("*/*.json")
                  if p.parent.name not in ("rules", "profiles", "schema"))


def steps_of(case):
    steps = case.get("steps")
    return [case] + [s for s in steps or [] if isinstance(s, Members)]


def cases():
    """Yields (folder name, file's head, case)."""
    for path in case_files():
        document = load(path)
        for case in document.get("cases", []):
            yield path.parent.name, document, case


def payloads():
    """Every distinct payload that is not too long, in order."""
    seen = {}
    for folder, _, case in cases():
        for step in steps_of(case):
            data = payload(step)
            if data is not None and len(data) <= MAX_BYTES:
                seen.setdefault(data, folder)
    return list(seen.items())


def with_cells(value, cells):
    """A value of a case with the cells of one row in place of ${row.NAME}."""
    if isinstance(value, Members):
        return Members((name, with_cells(part, cells)) for name, part in value)
    if isinstance(value, list):
        return [with_cells(part, cells) for part in value]
    if type(value) is str and value.startswith("${row.") and value[6:-1] in cells and value.endswith("}"):
        return cells[value[6:-1]]
    if type(value) is str:
        return re.sub(r"(?<!\$)\$\{row\.([^}]*)\}", lambda m: cells[m.group(1)] if isinstance(cells.get(m.group(1)), str) else m.group(0), value)
    return value


def rows():
    """Every distinct payload of a row of a table, that is not too long."""
    seen = {}
    for _, _, case in cases():
        table = case.get("table")
        columns = table.get("columns") if isinstance(table, Members) else None
        for row in (table.get("rows") or []) if columns else []:
            if not isinstance(row, list) or len(row) != len(columns):
                continue
            for step in steps_of(with_cells(case, dict(zip(columns, row)))):
                data = payload(step)
                if data is not None and len(data) <= MAX_BYTES:
                    seen.setdefault(data)
    return list(seen)


def largest(pattern, count):
    """The files of the tree with the most in them: lists that grow past every first size."""
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern), key=lambda path: (-path.stat().st_size, path))[:count]]


def texts():
    """Every distinct spelling of a payload in a case, its variables as they stand there, that is not too long."""
    seen = {}
    for _, _, case in cases():
        for step in steps_of(case):
            text = step.get("send-text")
            if isinstance(text, str) and "$" in text and len(text) <= MAX_BYTES:
                seen.setdefault(text)
    return list(seen)


def is_json(data):
    try:
        json.loads(data.decode("utf-8"), parse_constant=lambda name: 1 / 0)
    except (ValueError, RecursionError, ZeroDivisionError):
        return False
    return True
