"""Runs a listing of the tutorial with another server's address in it: run.py LISTING (JRPCHECK_URL, JRPCHECK_SERVER say where)"""

import json
import os
import pathlib
import sys

PRINTED = "http://127.0.0.1:8000/rpc"
STARTED = '["python", "stdio_server.py"]'

listing = pathlib.Path(__file__).with_name(sys.argv[1])
server = json.loads(os.environ.get("JRPCHECK_SERVER", "[]"))
text = listing.read_text(encoding="utf-8").replace(PRINTED, os.environ.get("JRPCHECK_URL", "")).replace(STARTED, repr(server))
exec(compile(text, str(listing), "exec"), {"__name__": "__main__"})
