import os
import sys
from importlib.metadata import version

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import requests
from driver import TIMEOUT, URL, Remote, Threaded, drive
from jsonrpcclient import Ok, notification, parse, request


class Driven:
    """What the library's own documentation shows: it makes the message and reads the answer, requests carries both."""

    session = None

    def connect(self):
        self.session = requests.Session()

    def close(self):
        if self.session:
            self.session.close()
        self.session = None

    def call(self, method, params):
        response = self.session.post(URL, json=request(method, params=params), timeout=TIMEOUT)
        parsed = parse(response.json())
        if isinstance(parsed, Ok):
            return parsed.result
        raise Remote(parsed.code, parsed.message, *([] if parsed.data is None else [parsed.data]))

    def notify(self, method, params):
        self.session.post(URL, json=notification(method, params=params), timeout=TIMEOUT)


drive(Threaded(Driven()), "jsonrpcclient", version("jsonrpcclient"), ["call", "notify", "by-name", "connect", "close"])
