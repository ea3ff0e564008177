"""A python-lsp-jsonrpc server on standard input and output, written as the project's own example:
a MethodDispatcher (which passes params by name) between a stream reader and a stream writer."""

import sys
import time

from pylsp_jsonrpc import dispatchers, endpoint, streams
from pylsp_jsonrpc.exceptions import JsonRpcException


class Server(dispatchers.MethodDispatcher):
    def __init__(self):
        self.reader = streams.JsonRpcStreamReader(sys.stdin.buffer)
        self.writer = streams.JsonRpcStreamWriter(sys.stdout.buffer)
        self.endpoint = endpoint.Endpoint(self, self.writer.write)
        self.took = 0

    def start(self):
        self.reader.listen(self.endpoint.consume)

    def m_subtract(self, minuend, subtrahend):
        return minuend - subtrahend

    def m_get_data(self):
        return ["hello", 5]

    def m_update(self, **_params):
        self.took += 1

    def m_notify_hello(self, **_params):
        self.took += 1

    def m_notify_sum(self, **_params):
        self.took += 1

    def m_echo(self, **params):
        return params

    def m_fail(self):
        raise RuntimeError("the handler failed")

    def m_app_error(self, code, data):
        raise JsonRpcException("application error", code, data)

    def m_slow(self, ms):
        def later():
            time.sleep(ms / 1000)
            return ms

        return later

    def m_count(self):
        return self.took


if __name__ == "__main__":
    Server().start()
