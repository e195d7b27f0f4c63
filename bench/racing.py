"""Races of load players: rooms over raw sockets, and when whom reached GO and others' progress.

It decides nothing about a game: racers play scripts of the race's code, watchers only listen.
"""

import asyncio
import itertools
import os
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgpack

from bench.bot import EVENT, REFUSAL, SNAPSHOT, WELCOME
from bench.figures import Tally
from bench.player import CONNECT_SECONDS, Player, sign_in
from bench.racebot import DONE, JOIN, JOINED, LANES, MAKE, ROOM, RUNNING, START
from bench.raw_socket import RawSocket
from bench.scripts import Script

_REQUESTS = itertools.count()
_ARRAY_16 = 0xDC
GO_SECONDS = 30.0


@dataclass
class Watch:
    """What the sockets of races saw. All in seconds."""

    progress: list[float] = field(default_factory=list)
    """From sending a move until a rival or watcher was told of that many moves."""
    go_spreads: list[float] = field(default_factory=list)
    """From the first to the last board of a race."""
    go_late: list[float] = field(default_factory=list)
    """From GO until the last board of its race."""
    lanes: int = 0
    lanes_bytes: int = 0


class Racer(Player):
    """A connection in a room; with a seat it plays its script, paced by whoever moves it."""

    def __init__(self, socket: RawSocket, script: Script, tally: Tally, watch: Watch) -> None:
        super().__init__(socket, script, tally)
        self.watch = watch
        self.race: Race | None = None
        self.seat: int | None = None
        self.is_paced = True
        self.is_waiting = True
        self.dealt_at = 0.0
        self.go_at = 0
        self.dealt: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.answers: asyncio.Queue[list[Any]] = asyncio.Queue()

    def deal(self) -> None:
        """Greeted, or at the end of the script: there is nothing to ask for."""
        if not self.ready.done():
            self.ready.set_result(None)

    def move(self) -> None:
        """Send the next command of the script, and note when."""
        at = self.at
        super().move()
        if self.race is not None and self.seat is not None:
            self.race.note(self.seat, at, self.sent_at)

    def on_frame(self, payload: bytes) -> None:
        kind = payload[3] if payload[0] == _ARRAY_16 else payload[1]
        if kind == LANES:
            self.on_lanes(payload)
        elif kind in (EVENT, WELCOME):
            super().on_frame(payload)
        elif kind == SNAPSHOT:
            self.dealt_at = time.time()
            self.is_waiting = False
            self.at = 0
            if not self.dealt.done():
                self.dealt.set_result(None)
        elif kind == ROOM:
            message = msgpack.unpackb(payload)
            if message[7] == RUNNING:
                self.go_at = message[12]
        elif kind in (JOINED, DONE, REFUSAL):
            self.answers.put_nowait(msgpack.unpackb(payload))

    def on_lanes(self, payload: bytes) -> None:
        if not self.tally.is_counting or self.race is None:
            return
        self.watch.lanes += 1
        self.watch.lanes_bytes += len(payload)
        now = time.perf_counter()
        for row in msgpack.unpackb(payload)[2]:
            if row[0] != self.seat:
                self.race.seen(self, row[0], row[5], now)

    async def ask(self, *message: Any) -> list[Any]:
        """Send a command of rooms and wait for its answer; RuntimeError when it is refused."""
        self.socket.send(msgpack.packb(message))
        async with asyncio.timeout(CONNECT_SECONDS):
            answer = await self.answers.get()
        if answer[0] not in (JOINED, DONE):
            raise RuntimeError(f"{message} was answered with {answer}")
        return answer


class Race:
    """One race: who is in it, and when each lane's moves were sent."""

    def __init__(self, script: Script, tally: Tally, watch: Watch) -> None:
        self.script = script
        self.tally = tally
        self.watch = watch
        self.racers: list[Racer] = []
        self.watchers: list[Racer] = []
        self.counts = [msgpack.unpackb(event)[4] for event in script.events]
        self._sent: dict[int, list[tuple[int, float]]] = {}
        self._seen: dict[tuple[Racer, int], int] = {}

    def note(self, seat: int, at: int, sent_at: float) -> None:
        """A racer sent the command of this place in the script."""
        if at == 0 or self.counts[at] > self.counts[at - 1]:
            self._sent.setdefault(seat, []).append((self.counts[at], sent_at))

    def seen(self, viewer: Racer, seat: int, moves: int, now: float) -> None:
        """A viewer was told that a lane has so many moves."""
        sent = self._sent.get(seat, [])
        at = self._seen.get((viewer, seat), 0)
        while at < len(sent) and sent[at][0] <= moves:
            self.watch.progress.append(now - sent[at][1])
            at += 1
        self._seen[viewer, seat] = at

    async def gather(self, address: str, tokens: list[str], watchers: list[str]) -> None:
        """Make the room and fill it; the clients connect one after another, as friends do."""
        host = await self._enter(address, tokens[0])
        made = await host.ask(MAKE, request_id(), "Racer 0", ("C", self.script.code, 0))
        host.seat = made[3]
        self.racers.append(host)
        for number, token in enumerate(tokens[1:], 1):
            racer = await self._enter(address, token)
            joined = await racer.ask(JOIN, request_id(), made[2], f"Racer {number}", True)
            racer.seat = joined[3]
            self.racers.append(racer)
        for token in watchers:
            watcher = await self._enter(address, token)
            await watcher.ask(JOIN, request_id(), made[2], None, False)
            self.watchers.append(watcher)

    async def run(self) -> None:
        """Start, and wait until everybody has a board."""
        await self.racers[0].ask(START, True)
        async with asyncio.timeout(GO_SECONDS):
            await asyncio.gather(*(racer.dealt for racer in self.racers))
        dealt = [racer.dealt_at for racer in self.racers]
        self.watch.go_spreads.append(max(dealt) - min(dealt))
        self.watch.go_late.append(max(dealt) - self.racers[0].go_at / 1000)

    def stop(self) -> None:
        for one in (*self.racers, *self.watchers):
            one.stop()

    async def _enter(self, address: str, token: str) -> Racer:
        parts = urlsplit(address)
        async with asyncio.timeout(CONNECT_SECONDS):
            _, socket = await asyncio.get_running_loop().create_connection(
                lambda: RawSocket(parts.netloc, token), parts.hostname or "", parts.port or 80
            )
            await socket.opened
            racer = Racer(socket, self.script, self.tally, self.watch)
            racer.race = self
            racer.greet()
            await racer.ready
        return racer


def request_id() -> bytes:
    """A request id that no other process of this run makes."""
    return os.getpid().to_bytes(4, "big") + next(_REQUESTS).to_bytes(8, "big")


async def tokens_for(address: str, count: int) -> list[str]:
    """So many new players."""
    return [await asyncio.to_thread(sign_in, address) for _ in range(count)]
