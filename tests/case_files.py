"""The cases of the case files, with their tables expanded as harness/suite/load_table.c does it."""

import itertools
import json
import re


def fill(value, row):
    """A copy of a template's value with the cells of one row in the place of ${row.COLUMN}."""
    if isinstance(value, list):
        return [fill(one, row) for one in value]
    if isinstance(value, dict):
        return {fill(key, row): fill(one, row) for key, one in value.items()}
    if not isinstance(value, str):
        return value
    whole = re.fullmatch(r"\$\{row\.([^}]*)\}", value)
    if whole:
        return row[whole[1]]
    return re.sub(r"(?<!\$)\$\{row\.([^}]*)\}",
                  lambda found: row[found[1]] if isinstance(row[found[1]], str) else json.dumps(row[found[1]]), value)


def expand(case):
    """The cases that one element of "cases" stands for."""
    if "table" not in case:
        yield case
        return
    tables = case["table"] if isinstance(case["table"], list) else [case["table"]]
    template = {name: value for name, value in case.items() if name != "table"}
    columns = [name for table in tables for name in table["columns"]]
    for rows in itertools.product(*(table["rows"] for table in tables)):
        yield fill(template, dict(zip(columns, itertools.chain(*rows))))


def cases_of(path):
    """All cases of a file, in order."""
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        yield from expand(case)
