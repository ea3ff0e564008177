# client.py
import requests

def rpc_call(url, method, params=None, id=1):
    payload = {"jsonrpc": "2.0", "method": method, "params": params, "id": id}
    r = requests.post(url, json=payload, timeout=10)
    r.raise_for_status()
    return r.json()

URL = "http://127.0.0.1:8000/rpc"

print(rpc_call(URL, "math/add", {"a": 2, "b": 3}, id=101))
print(rpc_call(URL, "paritosh/echo", {"message": "ready for JSON-RPC"}, id=102))
