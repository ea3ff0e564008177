import os
import sys
from importlib.metadata import version

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import aiohttp
from aiohttp_rpc import JSONRPCClient, JSONRPCRequest, WSJSONRPCClient
from aiohttp_rpc.errors import JSONRPCError, TransportError
from aiohttp_rpc.protocol import JSONRPCUnlinkedResults
from aiohttp_rpc.utils import get_random_id
from driver import TIMEOUT, URL, Remote, drive


def remote(error):
    return Remote(error.code, error.message, *([] if error.data is None else [error.data]))


def shaped(params):
    return {"kwargs": params} if isinstance(params, dict) else {"args": params or None}


class Driven:
    client = None

    async def connect(self):
        await self.close()
        if URL.startswith("ws"):
            self.client = WSJSONRPCClient(URL, timeout=TIMEOUT, timeout_for_data_receiving=TIMEOUT)
        else:
            self.client = JSONRPCClient(URL, timeout=aiohttp.ClientTimeout(TIMEOUT))
        await self.client.connect()

    async def close(self):
        if self.client:
            await self.client.disconnect()
            self.client = None

    async def call(self, method, params):
        args = [] if isinstance(params, dict) else params or []
        kwargs = params if isinstance(params, dict) else {}
        try:
            return await self.client.call(method, *args, **kwargs)
        except TransportError:  # the library's own
            raise
        except JSONRPCError as error:
            raise remote(error) from error

    async def notify(self, method, params):
        args = [] if isinstance(params, dict) else params or []
        kwargs = params if isinstance(params, dict) else {}
        await self.client.notify(method, *args, **kwargs)

    async def batch(self, requests):
        made = [JSONRPCRequest(method=r["method"], **shaped(r.get("params")), **({} if r.get("notify") else {"id": get_random_id()}))
                for r in requests]
        if all(request.is_notification for request in made):
            await self.client.batch_notify(*made)
            return [None for _ in made]
        try:
            results = await self.client.batch(*made)
        except JSONRPCError as error:
            raise remote(error) from error
        return [None if request.is_notification else self.outcome(value) for request, value in zip(made, results)]

    @staticmethod
    def outcome(value):
        if isinstance(value, JSONRPCUnlinkedResults):
            return {"failed": f"unlinked: {value}"}
        return {"error": remote(value).error} if isinstance(value, JSONRPCError) else {"result": value}


drive(Driven(), "aiohttp-rpc", version("aiohttp-rpc"),
      ["call", "notify", "batch", "by-name", "concurrent", "connect", "close"])
