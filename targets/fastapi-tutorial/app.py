# app.py
from fastapi import FastAPI, Request
from pydantic import BaseModel
from typing import Any, Dict, Callable, Union, List
import uvicorn

app = FastAPI()

# --- Business methods (domain) ---
def math_add(a: float, b: float) -> float:
    return a + b

def math_subtract(a: float, b: float) -> float:
    return a - b

def paritosh_echo(message: str) -> str:
    return f"[Paritosh] {message}"

# --- Safe dispatcher (whitelist) ---
METHODS: Dict[str, Callable[..., Any]] = {
    "math/add": math_add,
    "math/subtract": math_subtract,
    "paritosh/echo": paritosh_echo,
}

# --- JSON-RPC helpers ---
def rpc_success(result: Any, req_id: Union[str, int, None]):
    return {"jsonrpc": "2.0", "result": result, "id": req_id}

def rpc_error(code: int, message: str, req_id: Union[str, int, None], data: Any = None):
    err = {"code": code, "message": message}
    if data is not None:
        err["data"] = data
    return {"jsonrpc": "2.0", "error": err, "id": req_id}

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

def call_method(method: str, params: Any):
    # Support both positional and named params
    fn = METHODS.get(method)
    if not fn:
        raise KeyError("Method not found")

    if isinstance(params, list):
        return fn(*params)
    elif isinstance(params, dict) or params is None:
        params = params or {}
        return fn(**params)
    else:
        raise TypeError("Invalid params")

@app.post("/rpc")
async def rpc_endpoint(req: Request):
    try:
        payload = await req.json()
    except Exception:
        # Malformed JSON; id unknown
        return rpc_error(INVALID_REQUEST, "Invalid Request", None)

    # Batch vs single
    if isinstance(payload, list):
        responses = []
        for item in payload:
            resp = await handle_single(item)
            if resp is not None:  # notifications (no id) produce no response
                responses.append(resp)
        return responses
    else:
        return await handle_single(payload)

async def handle_single(obj: Dict[str, Any]):
    # Validate envelope
    if not isinstance(obj, dict) or obj.get("jsonrpc") != "2.0" or "method" not in obj:
        return rpc_error(INVALID_REQUEST, "Invalid Request", obj.get("id", None))

    req_id = obj.get("id", None)
    method = obj.get("method")
    params = obj.get("params", None)

    # Notification: no id -> no response
    is_notification = ("id" not in obj)

    try:
        result = call_method(method, params)
        if is_notification:
            return None
        return rpc_success(result, req_id)
    except KeyError:
        if is_notification:
            return None
        return rpc_error(METHOD_NOT_FOUND, "Method not found", req_id, {"method": method})
    except TypeError as te:
        if is_notification:
            return None
        return rpc_error(INVALID_PARAMS, "Invalid params", req_id, {"details": str(te)})
    except Exception as ex:
        if is_notification:
            return None
        return rpc_error(INTERNAL_ERROR, "Internal Error", req_id, {"details": str(ex)})

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=8000)
