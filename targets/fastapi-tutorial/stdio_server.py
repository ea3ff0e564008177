# stdio_server.py
import sys, json

def handle(req):
    if req.get("method") == "paritosh/echo":
        return {"jsonrpc":"2.0","result": f"[Paritosh] {req['params']['message']}", "id": req.get("id")}
    return {"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}, "id": req.get("id")}

for line in sys.stdin:
    line = line.strip()
    if not line:
        continue
    try:
        req = json.loads(line)
        resp = handle(req)
        sys.stdout.write(json.dumps(resp) + "\n")
        sys.stdout.flush()
    except Exception:
        sys.stdout.write(json.dumps({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":None})+"\n")
        sys.stdout.flush()
