"""The load bots' own limit: the same bots against canned answers, with no rules and no store.

What a run of `load` gives is only the server's when it is well below what this gives.
"""

import asyncio
import os
import select
import signal
from collections.abc import Awaitable, Callable
from typing import cast

import msgpack
import uvloop

from bench.bot import CONFIRMED, HELLO, NEW, SNAPSHOT, WELCOME
from bench.scripts import Script

START_SECONDS = 60.0


class CannedServer(asyncio.Protocol):
    """Answers a load bot's frames with the script's own events, one frame at a time."""

    def __init__(self, scripts: dict[bytes, Script]) -> None:
        self.scripts = scripts
        self.events: list[bytes] = []
        self.at = 0
        self.is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if not self.is_open:
            self.is_open = True
            self.transport.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
            return
        payload = data[6:]
        kind = payload[1]
        if kind == HELLO:
            self._answer(msgpack.packb([WELCOME]))
        elif kind == NEW:
            self.events, self.at = self.scripts[payload[-13:]].events, 0
            self._answer(msgpack.packb([SNAPSHOT]))
        elif self.at < len(self.events):
            self._answer(self.events[self.at])
            self.at += 1
        else:
            self._answer(msgpack.packb([CONFIRMED, 0]))

    def _answer(self, payload: bytes) -> None:
        self.transport.write(bytes((0x82, len(payload))) + payload)


def serve(scripts: list[Script], ready: int) -> None:
    """Run the canned server in this process until it is ended; write its port to a pipe."""

    async def serving() -> None:
        by_code = {script.code.encode(): script for script in scripts}
        server = await asyncio.get_running_loop().create_server(
            lambda: CannedServer(by_code), "127.0.0.1", 0, backlog=1024
        )
        os.write(ready, str(server.sockets[0].getsockname()[1]).encode())
        await server.serve_forever()

    uvloop.run(serving())


def ceiling(
    scripts: list[Script], run: Callable[[str, list[int]], Awaitable[bool]], cores: tuple[int, int]
) -> bool:
    """Run the bots against a canned server in another process, on the cores of a real run."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.sched_setaffinity(0, {cores[0]})
            serve(scripts, writer)
        finally:
            os._exit(1)
    os.close(writer)
    try:
        if not select.select([reader], [], [], START_SECONDS)[0]:
            raise RuntimeError("the canned server did not start")
        port = os.read(reader, 16).decode()
        os.sched_setaffinity(0, {cores[1]})
        print("against canned answers:")

        async def running() -> bool:
            return await run(f"http://127.0.0.1:{port}", [child])

        return uvloop.run(running())
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
