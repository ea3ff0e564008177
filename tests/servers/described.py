"""place_order(count, note): answers wrongly, with a bare number, for a count just outside of what its description allows. Only calls
with the right name and nearly the right params get there."""

import json
import sys


def is_request(message):
    return (isinstance(message, dict) and message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
            and isinstance(message.get("params", []), (list, dict)) and type(message.get("id")) in (type(None), int, float, str))


def error(code, text, own=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": text}, "id": own}


def answer(message):
    if not is_request(message):
        return error(-32600, "Invalid Request")
    if "id" not in message:
        return None
    if message["method"] != "place_order":
        return error(-32601, "Method not found", message["id"])
    params = message.get("params", [])
    params = params if isinstance(params, dict) else dict(zip(["count", "note"], params))
    if params.get("count") in (0, 6):
        return 6
    if type(params.get("count")) is not int or not 1 <= params["count"] <= 5:
        return error(-32602, "Invalid params", message["id"])
    return {"jsonrpc": "2.0", "result": params["count"], "id": message["id"]}


def respond(line):
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return error(-32700, "Parse error")
    if isinstance(message, list) and message:
        return [one for one in map(answer, message) if one is not None] or None
    return answer(message)


for line in sys.stdin.buffer:
    text = respond(line)
    if text is not None:
        print(json.dumps(text).replace("Infinity", "1e400"), flush=True)
