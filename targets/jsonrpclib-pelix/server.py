"""A jsonrpclib-pelix server on HTTP, written as its README shows: python server.py PORT"""

import sys
import time

from jsonrpclib.SimpleJSONRPCServer import SimpleJSONRPCServer

took = 0


def subtract(minuend, subtrahend):
    return minuend - subtrahend


def sum_(*values):
    return sum(values)


def get_data():
    return ["hello", 5]


def effect(*_args, **_kwargs):
    global took
    took += 1


def echo(*args, **kwargs):
    return kwargs or list(args)


def fail():
    raise RuntimeError("the handler failed")


def slow(ms):
    time.sleep(ms / 1000)
    return ms


def count():
    return took


server = SimpleJSONRPCServer(("127.0.0.1", int(sys.argv[1])), logRequests=False)
for function in (subtract, get_data, echo, fail, slow, count):
    server.register_function(function)
server.register_function(sum_, "sum")
for name in ("update", "notify_hello", "notify_sum"):
    server.register_function(effect, name)
server.serve_forever()
