# sse.py (mount alongside FastAPI app)
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
import asyncio
import json

app = FastAPI()

@app.get("/rpc/stream")
async def rpc_stream(method: str, message: str, id: int = 1):
    # A toy method: stream characters as "tokens"
    async def event_generator():
        # First, announce start (optional)
        yield f"data: {json.dumps({'jsonrpc':'2.0','result':'', 'id': id, 'event':'start'})}\n\n"
        for ch in message:
            await asyncio.sleep(0.05)  # simulate latency
            yield f"data: {json.dumps({'jsonrpc':'2.0','result': ch, 'id': id})}\n\n"
        yield "data: [DONE]\n\n"

    return StreamingResponse(event_generator(), media_type="text/event-stream")
