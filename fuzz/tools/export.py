"""`scripts/fuzz export`: a target's corpus as other fuzzers read it, without the options that only our targets know."""

import pathlib

import engines
import tables
from engines import say

# What Go's fuzzer reads: a file of its own form for each input.
GO = 'go test fuzz v1\n[]byte("{}")\n'


def go_text(data):
    return GO.replace("{}", "".join(f"\\x{byte:02x}" if not 0x20 <= byte < 0x7F or byte in b'"\\' else chr(byte)
                                    for byte in data))


def texts(name):
    found = {engines.text_of(path.read_bytes()) for folder in (engines.corpus(name), engines.regressions(name))
             for path in engines.files(folder)}
    return sorted(found)


def export(name, folder):
    folder = pathlib.Path(folder)
    plain, go = folder / "corpus", folder / "go"
    for made in (plain, go):
        made.mkdir(parents=True, exist_ok=True)
    for data in texts(name):
        (plain / engines.name_of(data)).write_bytes(data)
        (go / engines.name_of(data)).write_text(go_text(data), encoding="ascii")
    (folder / "jsonrpc.dict").write_text(tables.dictionary(tables.collect()), encoding="ascii")
    say(f"{len(texts(name))} inputs of {name}")
    say(f"  {plain}: a file each, for Atheris (python3 fuzz.py {plain}) and cargo-fuzz (cargo fuzz run TARGET {plain})")
    say(f"  {go}: the same for Go: copy them to testdata/fuzz/FuzzNAME, and run go test -fuzz=FuzzNAME")
    say(f"  {folder / 'jsonrpc.dict'}: words, for -dict= of all that are libFuzzer")
    return 0
