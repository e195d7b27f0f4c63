"""One load player: plays a script over a raw socket and compares every answer, byte for byte.

It decides nothing and computes nothing while the clock runs; it must not print.
"""

import asyncio
import itertools
import json
import os
import time
import urllib.request
from urllib.parse import urlsplit

import msgpack

from bench.bot import EVENT, HELLO, NEW, PROTOCOL, SNAPSHOT, TYPED_CODE, WELCOME
from bench.figures import Tally
from bench.raw_socket import RawSocket
from bench.scripts import Script

CONNECT_SECONDS = 30.0
_REQUEST_IDS = itertools.count()
_ARRAY_16 = 0xDC


class Player:
    """One connection that plays its script again and again and compares every answer."""

    def __init__(self, socket: RawSocket, script: Script, tally: Tally) -> None:
        self.socket, self.script, self.tally = socket, script, tally
        self.at = 0
        self.sent_at = 0.0
        self.is_paced = False
        self.is_waiting = False
        self.is_stopped = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        socket.on_frame = self.on_frame
        socket.on_lost = self.on_lost

    def greet(self) -> None:
        """Say hello; the welcome is answered with a new session."""
        self.socket.send(msgpack.packb([HELLO, PROTOCOL, [], "load"]))

    def deal(self) -> None:
        """Ask for a new session on the script's code."""
        self.at = 0
        request = os.getpid().to_bytes(4, "big") + next(_REQUEST_IDS).to_bytes(8, "big")
        self.socket.send(msgpack.packb([NEW, request, TYPED_CODE, self.script.code]))

    def move(self) -> None:
        """Send the next command of the script."""
        self.sent_at = time.perf_counter()
        self.is_waiting = True
        self.socket.send(self.script.frames[self.at])

    def stop(self) -> None:
        """Leave: the loss of the connection is wanted from now on."""
        self.is_stopped = True
        self.socket.transport.close()

    def on_frame(self, payload: bytes) -> None:
        kind = payload[3] if payload[0] == _ARRAY_16 else payload[1]
        if kind == EVENT:
            self.on_event(payload)
        elif kind == WELCOME:
            self.deal()
        elif kind == SNAPSHOT:
            self.on_snapshot(payload)
        else:
            self.tally.wrong.append(f"{self.script.code}: {msgpack.unpackb(payload)}")
            if not self.ready.done():
                self.ready.set_exception(ConnectionError(self.tally.wrong[-1]))

    def on_snapshot(self, payload: bytes) -> None:
        self.tally.snapshot_sizes.append(len(payload))
        self.is_waiting = False
        if not self.ready.done():
            self.ready.set_result(None)
        elif not self.is_paced and not self.is_stopped:
            self.move()

    def on_event(self, payload: bytes) -> None:
        tally = self.tally
        if tally.is_counting:
            tally.latencies.append(time.perf_counter() - self.sent_at)
            tally.event_sizes.append(len(payload))
        if payload != self.script.events[self.at]:
            wanted = msgpack.unpackb(self.script.events[self.at])
            tally.wrong.append(f"{self.script.code}: {msgpack.unpackb(payload)} wanted {wanted}")
        self.at += 1
        self.is_waiting = False
        if self.is_stopped:
            return
        if self.at == len(self.script.frames):
            self.is_waiting = True
            self.deal()
        elif not self.is_paced:
            self.move()

    def on_lost(self, error: Exception | None) -> None:
        if not self.is_stopped:
            self.is_waiting = True  # nobody may write to it any more
            self.tally.closed.append(self.socket.close_code or 0)
        if not self.ready.done():
            self.ready.set_exception(error or ConnectionError("closed before the first snapshot"))


def sign_in(address: str) -> str:
    """Return the bearer token of a new player."""
    request = urllib.request.Request(
        f"{address}/api/player",
        data=b'{"token": true}',
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=CONNECT_SECONDS) as answer:
        return str(json.load(answer)["token"])


async def connect(address: str, token: str, script: Script, tally: Tally) -> Player:
    """Open a socket and a session; return when its first snapshot is there.

    Raises OSError (TimeoutError, ConnectionError) when that does not come in CONNECT_SECONDS.
    """
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or 80
    async with asyncio.timeout(CONNECT_SECONDS):
        _, socket = await asyncio.get_running_loop().create_connection(
            lambda: RawSocket(parts.netloc, token), host, port
        )
        await socket.opened
        player = Player(socket, script, tally)
        player.greet()
        await player.ready
    return player
