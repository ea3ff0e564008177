import os
import sys
from importlib.metadata import version

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import aiohttp
from driver import TIMEOUT, URL, Remote, drive
from pjrpc.client.backend.aiohttp import Client
from pjrpc.client.exceptions import JsonRpcError
from pjrpc.common import UNSET


def remote(error):
    return Remote(error.code, error.message, *([] if error.data is UNSET else [error.data]))


def shaped(params):
    return (params or [], {}) if isinstance(params, (list, type(None))) else ([], params)


class Driven:
    client = session = None

    async def connect(self):
        await self.close()
        self.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(TIMEOUT))
        self.client = Client(URL, session=self.session)

    async def close(self):
        if self.session:
            await self.session.close()

    async def call(self, method, params):
        by_position, by_name = shaped(params)
        try:
            return await self.client.call(method, *by_position, **by_name)
        except JsonRpcError as error:
            raise remote(error) from error

    async def notify(self, method, params):
        by_position, by_name = shaped(params)
        await self.client.notify(method, *by_position, **by_name)

    async def batch(self, requests):
        async with self.client.batch() as batch:
            for request in requests:
                by_position, by_name = shaped(request.get("params"))
                (batch.notify if request.get("notify") else batch.call)(request["method"], *by_position, **by_name)
        response = batch.get_response()
        if response is not None and response.is_error:
            raise remote(response.unwrap_error())
        answers = {answer.id: answer for answer in response or []}  # what get_results() does, one by one
        return [None if request.id is None else self.outcome(answers.get(request.id)) for request in batch.requests]

    @staticmethod
    def outcome(answer):
        if answer is None:
            return {"failed": "IdentityError: the response is missing"}
        return {"error": remote(answer.unwrap_error()).error} if answer.is_error else {"result": answer.unwrap_result()}


drive(Driven(), "pjrpc", version("pjrpc"), ["call", "notify", "batch", "by-name", "concurrent", "connect", "close"])
