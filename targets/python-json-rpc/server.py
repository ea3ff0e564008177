"""A json-rpc server behind Flask, written as its documentation shows: python server.py PORT"""

import sys
import time

from flask import Flask
from jsonrpc.backend.flask import api
from jsonrpc.exceptions import JSONRPCDispatchException

took = 0


@api.dispatcher.add_method
def subtract(minuend, subtrahend):
    return minuend - subtrahend


@api.dispatcher.add_method(name="sum")
def sum_(*values):
    return sum(values)


@api.dispatcher.add_method
def get_data():
    return ["hello", 5]


def effect(*_args, **_kwargs):
    global took
    took += 1


for name in ("update", "notify_hello", "notify_sum"):
    api.dispatcher[name] = effect


@api.dispatcher.add_method
def echo(*args, **kwargs):
    return kwargs or list(args)


@api.dispatcher.add_method
def fail():
    raise RuntimeError("the handler failed")


@api.dispatcher.add_method
def app_error(code, data):
    raise JSONRPCDispatchException(code=code, message="application error", data=data)


@api.dispatcher.add_method
def slow(ms):
    time.sleep(ms / 1000)
    return ms


@api.dispatcher.add_method
def count():
    return took


app = Flask(__name__)
app.add_url_rule("/", "api", api.as_view(), methods=["POST"])

if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(sys.argv[1]))
