"""The FastAPI server of the JSON-RPC tutorial, written as the tutorial describes it: python server.py PORT

One endpoint, a table of methods, an envelope check; its own choices (malformed JSON is answered -32600, a batch
of notifications by an empty list, a notification by null) are kept on purpose."""

import sys

import uvicorn
from fastapi import FastAPI, Request

app = FastAPI()


def math_add(a: float, b: float) -> float:
    return a + b


def math_subtract(minuend: float, subtrahend: float) -> float:
    return minuend - subtrahend


def echo(message: str) -> str:
    return message


METHODS = {"math/add": math_add, "math/subtract": math_subtract, "echo": echo}


def success(result, request_id):
    return {"jsonrpc": "2.0", "result": result, "id": request_id}


def error(code, message, request_id, data=None):
    description = {"code": code, "message": message}
    if data is not None:
        description["data"] = data
    return {"jsonrpc": "2.0", "error": description, "id": request_id}


def call(method, params):
    function = METHODS.get(method)
    if not function:
        raise KeyError("Method not found")
    if isinstance(params, list):
        return function(*params)
    if isinstance(params, dict) or params is None:
        return function(**(params or {}))
    raise TypeError("Invalid params")


async def handle(message):
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or "method" not in message:
        return error(-32600, "Invalid Request", message.get("id", None))
    request_id, method = message.get("id", None), message.get("method")
    is_notification = "id" not in message
    try:
        result = call(method, message.get("params", None))
        return None if is_notification else success(result, request_id)
    except KeyError:
        return None if is_notification else error(-32601, "Method not found", request_id, {"method": method})
    except TypeError as problem:
        return None if is_notification else error(-32602, "Invalid params", request_id, {"details": str(problem)})
    except Exception as problem:
        return None if is_notification else error(-32603, "Internal Error", request_id, {"details": str(problem)})


@app.post("/rpc")
async def endpoint(request: Request):
    try:
        payload = await request.json()
    except Exception:
        return error(-32600, "Invalid Request", None)
    if isinstance(payload, list):
        answers = [await handle(item) for item in payload]
        return [answer for answer in answers if answer is not None]
    return await handle(payload)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
