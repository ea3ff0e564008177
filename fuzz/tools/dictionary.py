#!/usr/bin/env python3
"""Writes a target's dictionary: what all targets share, and the words that most of the target's own seeds hold.

    fuzz/tools/dictionary.py SHARED.dict OUT.dict TARGET

SHARED.dict is made while building (tables.py).
"""

import collections
import pathlib
import re
import sys

import seeds
import tables

# Names and short Strings of JSON; names of headers, and words.
WORD = re.compile(rb'"[A-Za-z0-9$-][A-Za-z0-9$._/ +-]{0,27}"|[A-Za-z][A-Za-z0-9/_-]{2,27}:?')
MOST = 100


def words(target):
    count = collections.Counter()
    for data in seeds.SEEDS[target]():
        count.update(set(WORD.findall(data)))
    often = sorted((word for word in count if count[word] > 1), key=lambda word: (-count[word], word))
    return often[:MOST]


def write(shared, out, target):
    lines = pathlib.Path(shared).read_text(encoding="ascii").splitlines()
    lines += [tables.entry(word) for word in words(target)]
    pathlib.Path(out).write_text("\n".join(dict.fromkeys(lines)) + "\n", encoding="ascii")


if __name__ == "__main__":
    write(*sys.argv[1:])
