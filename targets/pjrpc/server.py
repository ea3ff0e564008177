"""A pjrpc server on aiohttp, written as its documentation shows: python server.py PORT"""

import asyncio
import sys

import pjrpc.server
from aiohttp import web
from pjrpc.server.exceptions import JsonRpcError
from pjrpc.server.integration import aiohttp as integration

took = 0
methods = pjrpc.server.MethodRegistry()


@methods.add()
def subtract(minuend, subtrahend):
    return minuend - subtrahend


@methods.add()
def get_data():
    return ["hello", 5]


@methods.add()
def update(_first=None, _second=None):
    global took
    took += 1


@methods.add()
def fail():
    raise ValueError("the handler failed")


@methods.add()
def app_error(code, data):
    raise JsonRpcError(code=code, message="application error", data=data)


@methods.add()
async def slow(ms):
    await asyncio.sleep(ms / 1000)
    return ms


@methods.add()
def count():
    return took


application = integration.Application("/rpc")
application.add_methods(methods)
web.run_app(application.http_app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
