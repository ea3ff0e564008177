"""Takes the bytes of one read for one message: `all` of them, or their `first` line."""

import os
import sys

from quirk_core import Core

core = Core()
while data := os.read(0, 65536).strip():
    answer = core.answer(data if sys.argv[1] == "all" else data.split(b"\n")[0])
    if answer is not None:
        core.write(answer)
