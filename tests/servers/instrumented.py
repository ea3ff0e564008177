"""Answers every call alike. What distinguishes messages shows only in the map that instrumented programs write into: an edge for
each number of params together with the type of the first."""

import ctypes
import json
import os
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
ADDRESS = LIBC.shmat(int(os.environ["__AFL_SHM_ID"]), None, 0)
if ADDRESS in (None, ctypes.c_void_p(-1).value):
    sys.exit("no map")
EDGES = (ctypes.c_uint8 * int(os.environ["AFL_MAP_SIZE"])).from_address(ADDRESS)
EDGES[0] = 1
TYPES = [type(None), bool, int, float, str, list, dict]


def is_request(message):
    return (isinstance(message, dict) and message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
            and isinstance(message.get("params", []), (list, dict)) and type(message.get("id")) in (type(None), int, float, str))


def answer(message):
    if not is_request(message):
        return {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}
    params = message.get("params")
    if isinstance(params, list) and params:
        EDGES[1 + 8 * min(len(params), 7) + TYPES.index(type(params[0]))] = 1
    if "id" not in message:
        return None
    return {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": message["id"]}


def respond(line):
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": None}
    if isinstance(message, list) and message:
        return [one for one in map(answer, message) if one is not None] or None
    return answer(message)


sys.set_int_max_str_digits(0)
for line in sys.stdin.buffer:
    text = respond(line)
    if text is not None:
        print(json.dumps(text).replace("Infinity", "1e400"), flush=True)
