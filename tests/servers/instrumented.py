"""Answers every call alike. What distinguishes messages shows only in the map that instrumented programs write into: an edge for
each number of params together with the type of the first."""

import ctypes
import os
import sys

from quirk_core import Core, MethodNotFound, Number

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
ADDRESS = LIBC.shmat(int(os.environ["__AFL_SHM_ID"]), None, 0)
if ADDRESS in (None, ctypes.c_void_p(-1).value):
    sys.exit("no map")
EDGES = (ctypes.c_uint8 * int(os.environ["AFL_MAP_SIZE"])).from_address(ADDRESS)
EDGES[0] = 1
TYPES = [type(None), bool, int, Number, str, list, dict]


class Instrumented(Core):
    def run(self, message):
        params = message.get("params")
        if isinstance(params, list) and params:
            EDGES[1 + 8 * min(len(params), 7) + TYPES.index(type(params[0]))] = 1
        raise MethodNotFound(message["method"])


Instrumented().serve()
