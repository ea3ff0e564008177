"""A pygls JSON-RPC server on standard input and output: features of a JsonRPCServer.

A feature gets the params as one object whose attributes are the members; an Array arrives as it is."""

import asyncio

from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCProtocol, default_converter
from pygls.server import JsonRPCServer

server = JsonRPCServer(JsonRPCProtocol, default_converter)
took = 0


def feature(name):
    return server.protocol.fm.feature(name)


@feature("subtract")
def subtract(params):
    minuend, subtrahend = (
        params if isinstance(params, list) else (params.minuend, params.subtrahend)
    )
    return minuend - subtrahend


@feature("sum")
def sum_(params):
    return sum(params)


@feature("get_data")
def get_data(_params):
    return ["hello", 5]


def effect(_params):
    global took
    took += 1


for name in ("update", "notify_hello", "notify_sum"):
    feature(name)(effect)


@feature("echo")
def echo(params):
    return params


@feature("fail")
def fail(_params):
    raise RuntimeError("the handler failed")


@feature("app_error")
def app_error(params):
    raise JsonRpcException("application error", params.code, params.data)


@feature("slow")
async def slow(params):
    await asyncio.sleep(params.ms / 1000)
    return params.ms


@feature("count")
def count(_params):
    return took


if __name__ == "__main__":
    server.start_io()
