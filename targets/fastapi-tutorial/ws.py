# ws.py
from fastapi import FastAPI, WebSocket
import json

app = FastAPI()

@app.websocket("/rpc/ws")
async def rpc_ws(ws: WebSocket):
    await ws.accept()
    try:
        while True:
            raw = await ws.receive_text()
            req = json.loads(raw)
            # Minimal echo behavior for demo
            if req.get("jsonrpc") == "2.0" and "id" in req:
                await ws.send_text(json.dumps({"jsonrpc": "2.0", "result": {"echo": req}, "id": req["id"]}))
    except Exception:
        await ws.close()
