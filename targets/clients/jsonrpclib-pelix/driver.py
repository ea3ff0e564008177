import os
import sys
from importlib.metadata import version

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import socket

import jsonrpclib
from driver import TIMEOUT, URL, Remote, Threaded, drive
from jsonrpclib.jsonrpc import AppError, MultiCall, ProtocolError

socket.setdefaulttimeout(TIMEOUT)  # the library has no time-out of its own


def shaped(params):
    return ([], params) if isinstance(params, dict) else (params or [], {})


def remote(error):
    """A ProtocolError holds (code, message), or (code, message, data) for errors of the application."""
    words = error.args[0]
    if not isinstance(words, tuple):
        raise error
    return Remote(*words) if isinstance(error, AppError) and len(words) > 2 and words[2] is not None else Remote(*words[:2])


class Driven:
    proxy = None

    def connect(self):
        self.close()
        self.proxy = jsonrpclib.ServerProxy(URL)

    def close(self):
        if self.proxy:
            self.proxy("close")()
        self.proxy = None

    def call(self, method, params):
        by_position, by_name = shaped(params)
        try:
            return getattr(self.proxy, method)(*by_position, **by_name)
        except ProtocolError as error:
            raise remote(error) from error

    def notify(self, method, params):
        by_position, by_name = shaped(params)
        getattr(self.proxy._notify, method)(*by_position, **by_name)

    def batch(self, requests):
        batch = MultiCall(self.proxy)
        for request in requests:
            by_position, by_name = shaped(request.get("params"))
            getattr(batch._notify if request.get("notify") else batch, request["method"])(*by_position, **by_name)
        results, outcomes = batch(), []
        at = 0  # results come in the order of the answer
        for request in requests:
            if request.get("notify"):
                outcomes.append(None)
                continue
            try:
                outcomes.append({"result": results[at]})
            except ProtocolError as error:
                outcomes.append({"error": remote(error).error})
            except Exception as error:
                outcomes.append({"failed": f"{type(error).__name__}: {error}"})
            at += 1
        return outcomes


drive(Threaded(Driven()), "jsonrpclib-pelix", version("jsonrpclib-pelix"),
      ["call", "notify", "batch", "by-name", "connect", "close"])
