#!/usr/bin/env python3
"""The committed corpora: one archive a target, the same bytes for the same inputs.

  archive.py pack FOLDER... FILE.zip   writes the files of the folders into an archive
  archive.py unpack FILE.zip FOLDER    lays them out in a folder, made anew

An archive is corpus/NAME.zip, in the form that OSS-Fuzz takes as a seed corpus: a file an input, named by the
SHA-1 of its content, sorted by name. Times and modes are fixed and nothing is compressed: the bytes depend on
the inputs alone, and version control packs what two versions of an archive have in common.
"""

import hashlib
import pathlib
import shutil
import sys
import zipfile

EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(folders, path):
    """Writes every file below the folders, once for each content, into an archive."""
    contents = {p.read_bytes() for folder in folders for p in pathlib.Path(folder).rglob("*") if p.is_file()}
    path = pathlib.Path(path)
    part = path.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted((hashlib.sha1(data).hexdigest(), data) for data in contents):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3  # Unix, wherever it is written
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    part.replace(path)


def unpack(path, folder):
    """Lays an archive's inputs out in a folder, which holds nothing else afterwards."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            # A name with a folder in it would leave the folder.
            (folder / pathlib.PurePosixPath(entry.filename).name).write_bytes(archive.read(entry))


def main(words):
    if len(words) >= 3 and words[0] == "pack":
        pack(words[1:-1], words[-1])
    elif len(words) == 3 and words[0] == "unpack":
        unpack(words[1], words[2])
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
