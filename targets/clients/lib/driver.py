"""What the Python drivers share: commands come in, outcomes go out. docs/testing-a-client.md has the protocol."""

import asyncio
import json
import os
import sys
import threading

URL = os.environ["JRPCHECK_URL"]
TIMEOUT = int(os.environ.get("JRPCHECK_TIMEOUT", "5000")) / 1000


class Remote(Exception):
    """The server's own error, as the library hands it over."""

    def __init__(self, code, message, *data):
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data[0]} if data else {})}


def tell(line, lock=threading.Lock()):
    try:
        text = json.dumps(line, allow_nan=False)
    except ValueError:
        text = json.dumps({"tag": line.get("tag"), "unwritable": "NaN or Infinity"})
    with lock:
        print(text, flush=True)


def failed(error):
    return {"failed": f"{type(error).__name__}: {error}"}


async def carry_out(client, command):
    """What became of a command, as members of its line."""
    todo = getattr(client, command["do"])
    try:
        if command["do"] in ("connect", "close"):
            await todo()
            return {"result": None}
        if command["do"] == "batch":
            return {"list": await todo(command["list"])}
        value = await todo(command["method"], command.get("params"))
        return {"result": value if command["do"] == "call" else None}
    except Remote as error:
        return {"error": error.error}
    except Exception as error:  # whatever the library raises is what its caller gets
        return failed(error)


async def settle(client, command):
    tell({"tag": command["tag"], **await carry_out(client, command)})


async def commands(client):
    loop, lines, tasks = asyncio.get_running_loop(), asyncio.Queue(), set()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, "")

    threading.Thread(target=read, daemon=True).start()
    while line := await lines.get():
        command = json.loads(line)
        if command["do"] == "ping":
            tell({"tag": command["tag"], "result": command})
        else:
            task = asyncio.create_task(settle(client, command))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    os._exit(0)  # whatever is under way: nobody listens any more


def drive(client, name, version, can, **more):
    """Drives a client: an object with coroutines call(method, params), notify(method, params), batch(list), … for what it `can`."""
    tell({"driver": 1, "name": name, "version": version, "can": can, **more})
    asyncio.run(commands(client))


class Threaded:
    """Makes a driver's client of one whose functions wait: each runs in a thread of its own."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        function = getattr(self.client, name)

        async def run(*words):
            return await asyncio.to_thread(function, *words)
        return run
