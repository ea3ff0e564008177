#!/usr/bin/env python3
"""A client of JSON-RPC 1.0 with its driver: right, or wrong in the way its argument names."""

import sys

import plain

MODE = sys.argv[1] if len(sys.argv) > 1 else "right"


class Client(plain.Client):
    def request(self, method, params, notify):
        if isinstance(params, dict) and MODE != "by-name":
            raise ValueError("JSON-RPC 1.0 has no named arguments")
        message, entry = super().request(method, params, notify)
        if MODE != "with-version":  # which is unusual, and right
            del message["jsonrpc"]
        message.setdefault("params", [])
        message.setdefault("id", None)
        if MODE == "params-left-out" and not message["params"]:
            del message["params"]
        if MODE == "one-bare" and len(message["params"]) == 1:
            message["params"] = message["params"][0]
        if MODE == "notification-without-id" and notify:
            del message["id"]
        if MODE == "notification-with-id" and notify:
            message["id"] = 0
        if MODE == "call-without-id" and not notify:
            message["id"] = None
        return message, entry

    def outcome(self, entry):
        super().outcome(entry)
        if "answer" not in entry:
            return {"failed": entry.get("failed", "time-out")}
        result, error = entry["answer"]["result"], entry["answer"]["error"]
        failed = error if MODE == "error-by-truth" else result is None if MODE == "error-by-result" else error is not None
        return {"error": {"code": 0, "message": str(error)}} if failed else {"result": result}


plain.Driver(Client).run()
