"""A Flask-JSONRPC server, written as its documentation shows: python server.py PORT"""

import sys
import time
from typing import Any

from flask import Flask
from flask_jsonrpc import JSONRPC
from flask_jsonrpc.exceptions import JSONRPCError

took = 0
app = Flask("application")
jsonrpc = JSONRPC(app, "/api")


class ApplicationError(JSONRPCError):
    message = "application error"
    status_code = 200


@jsonrpc.method("subtract")
def subtract(minuend: float, subtrahend: float) -> float:
    return minuend - subtrahend


@jsonrpc.method("get_data")
def get_data() -> list[Any]:
    return ["hello", 5]


@jsonrpc.method("update")
def update(_first: int, _second: int) -> None:
    global took
    took += 1


@jsonrpc.method("fail")
def fail() -> None:
    raise ValueError("the handler failed")


@jsonrpc.method("app_error")
def app_error(code: int, data: Any) -> None:
    raise ApplicationError(code=code, data=data)


@jsonrpc.method("slow")
def slow(ms: int) -> int:
    time.sleep(ms / 1000)
    return ms


@jsonrpc.method("count")
def count() -> int:
    return took


app.run("127.0.0.1", int(sys.argv[1]))
