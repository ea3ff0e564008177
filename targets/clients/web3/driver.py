import os
import sys
from importlib.metadata import version

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from driver import TIMEOUT, URL, Remote, Threaded, drive
from web3 import HTTPProvider


def outcome(response):
    """What the manager of web3.py makes of a response: an error first, then the result."""
    if response.get("error") is not None:
        error = response["error"]
        raise Remote(error["code"], error["message"], *([error["data"]] if "data" in error else []))
    return response["result"]


def settled(response):
    try:
        return {"result": outcome(response)}
    except Remote as error:
        return {"error": error.error}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


class Driven:
    provider = HTTPProvider(URL, request_kwargs={"timeout": TIMEOUT}, exception_retry_configuration=None)

    def call(self, method, params):
        return outcome(self.provider.make_request(method, params))

    def batch(self, requests):
        if any(request.get("notify") for request in requests):
            raise ValueError("the library writes no notifications")
        responses = self.provider.make_batch_request([(request["method"], request.get("params")) for request in requests])
        if isinstance(responses, dict):  # one error for the whole
            outcome(responses)
        return [settled(response) for response in responses]


drive(Threaded(Driven()), "web3.py", version("web3"), ["call", "batch", "by-name", "concurrent"])
