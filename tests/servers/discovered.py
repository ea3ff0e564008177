#!/usr/bin/env python3
"""A server with the methods that section 7 names, one of them not as it prints them.

  negative   subtract takes its numbers the other way round, by position and by name
  order      subtract takes named params in the order of the members
  three      sum adds three numbers and refuses any other count
  no-null    a result of null is left out
  slow       every answer takes 300 ms
  one-value  echo takes one value and gives it back
  first-value  echo gives its first param back, however many there are
  resources  rpc.describe names the resources user and repo/issue
  boom       its only method, boom, always fails, and even its notification is answered
"""

import os
import sys
import time
from pathlib import Path

from quirk_core import Core, InvalidParams

MODE = sys.argv[1]


class Discovered(Core):
    def subtract(self, params):
        if MODE == "negative":
            return -super().subtract(params)
        if MODE == "order" and isinstance(params, dict):
            params = list(params.values())
        return super().subtract(params)

    def echo(self, params):
        if not isinstance(params, list) or not params or (MODE == "one-value" and len(params) != 1):
            raise InvalidParams
        return params[0]

    def describe(self, params):
        if "DESCRIBED" in os.environ:
            Path(os.environ["DESCRIBED"]).write_text("asked", encoding="utf-8")
        return {"resources": {"user": {"verbs": ["get"]}, "repo": {"verbs": [], "subresources": {"issue": {"verbs": ["get"]}}}}}

    def lookup(self, method):
        if MODE == "resources" and method == "rpc.describe":
            return self.describe
        if MODE == "boom":
            return super().lookup({"boom": "fail"}.get(method, "absent"))
        return self.echo if MODE in ("one-value", "first-value") and method == "echo" else super().lookup(method)

    def sum(self, params):
        if MODE == "three" and (not isinstance(params, list) or len(params) != 3):
            raise InvalidParams
        return super().sum(params)

    def is_notification(self, message):
        return super().is_notification(message) and not (MODE == "boom" and message["method"] == "boom")

    def success(self, result, identity):
        response = super().success(result, identity)
        if MODE == "no-null" and result is None:
            del response["result"]
        return response

    def answer(self, data):
        if MODE == "slow":
            time.sleep(0.3)
        return super().answer(data)


Discovered().serve()
