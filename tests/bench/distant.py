#!/usr/bin/env python3
"""Seconds that the suite takes with its defaults on a right server that is far away, as a Markdown table.

  tests/bench/distant.py JRPCHECK JRPC-REFERENCE [--rtt MS]

A proxy in this process passes bytes on after half of that time (default 100), in order, in both directions, and a connection
counts as opened after all of it; so both new connections and answers cost what they cost over a network.
"""

import asyncio
import collections
import contextlib
import json
import pathlib
import sys
import tempfile
import time

RUN_SECONDS = 300


async def pass_on(reader, writer, seconds, opened):
    """Each piece is written so many seconds after it came, counted from `opened` for what came before; the end of the input ends
    the output."""
    loop = asyncio.get_running_loop()
    pieces = collections.deque()

    def write():
        piece = pieces.popleft()
        if not piece:
            writer.close()
        elif not writer.is_closing():
            writer.write(piece)

    piece = b"-"
    while piece:
        try:
            piece = await reader.read(65536)
        except ConnectionError:
            piece = b""
        pieces.append(piece)
        loop.call_at(max(loop.time(), opened) + seconds, write)


async def measure(jrpcheck, reference, rtt_s, transport):
    server = await asyncio.create_subprocess_exec(reference, f"--{transport}", "127.0.0.1:0", stderr=asyncio.subprocess.PIPE)
    port = int((await server.stderr.readline()).split()[-1].decode().rstrip("/").rsplit(":", 1)[1].split("/")[0])

    async def serve(reader, writer):
        opened = asyncio.get_running_loop().time() + rtt_s
        there, back = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(asyncio.CancelledError):  # the end of the measurement
            await asyncio.gather(pass_on(reader, back, rtt_s / 2, opened), pass_on(there, writer, rtt_s / 2, opened))

    proxy = await asyncio.start_server(serve, "127.0.0.1", 0)
    address = f"{'http' if transport == 'http' else 'tcp'}://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
    with tempfile.TemporaryDirectory() as folder:
        stream = pathlib.Path(folder) / "run.ndjson"
        began = time.monotonic()
        run = await asyncio.create_subprocess_exec(jrpcheck, "--quiet", "--report", f"ndjson={stream}", address,
                                                   stdout=asyncio.subprocess.DEVNULL)
        code = await asyncio.wait_for(run.wait(), RUN_SECONDS)
        seconds = time.monotonic() - began
        finish = json.loads(stream.read_text(encoding="utf-8").split("\n")[-2])
    proxy.close()
    server.terminate()
    await server.wait()
    spent = {kind: ms for kind, ms in finish["spent_ms"]["cases"].items() if kind in ("opening", "answers", "silence", "fences")}
    kinds = ", ".join(f"{kind} {ms / 1000:.1f}" for kind, ms in spent.items())
    print(f"| {transport} | {finish['judged']} | {seconds:.1f} | {kinds} | {code} |", flush=True)


def main():
    jrpcheck, reference, *rest = sys.argv[1:]
    rtt_s = (int(rest[1]) if rest[:1] == ["--rtt"] else 100) / 1000
    print("| transport | judged | seconds | of all workers together | exit |\n|---|--:|--:|---|--:|")
    for transport in ("http", "tcp"):
        asyncio.run(measure(jrpcheck, reference, rtt_s, transport))


if __name__ == "__main__":
    main()
