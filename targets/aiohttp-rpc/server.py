"""An aiohttp-rpc server on HTTP and WebSocket, written as its README shows: python server.py PORT"""

import asyncio
import sys

import aiohttp_rpc
from aiohttp import web
from aiohttp_rpc.middlewares import DEFAULT_MIDDLEWARES

took = 0


def subtract(minuend, subtrahend):
    return minuend - subtrahend


def get_data():
    return ["hello", 5]


def effect(*_args):
    global took
    took += 1


def echo(*args, **kwargs):
    return kwargs or list(args)


def fail():
    raise ValueError("the handler failed")


def app_error(code, data):
    raise aiohttp_rpc.errors.JSONRPCError("application error", code=code, data=data)


async def slow(ms):
    await asyncio.sleep(ms / 1000)
    return ms


def count():
    return took


def total(*values):
    return sum(values)


methods = [subtract, get_data, echo, fail, app_error, slow, count, aiohttp_rpc.JSONRPCMethod(total, name="sum")]
methods += [aiohttp_rpc.JSONRPCMethod(effect, name=name) for name in ("update", "notify_hello", "notify_sum")]
over_http = aiohttp_rpc.JSONRPCServer(middlewares=DEFAULT_MIDDLEWARES)
over_websocket = aiohttp_rpc.WSJSONRPCServer(middlewares=DEFAULT_MIDDLEWARES)
over_http.add_methods(methods)
over_websocket.add_methods(methods)
app = web.Application()
app.router.add_routes([
    web.post("/rpc", over_http.handle_http_request),
    web.get("/ws", over_websocket.handle_http_request),
])
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
