"""A bot that races: joins a room by its link or code, plays when the boards are dealt, sees places.

    python -m bench.racebot http://127.0.0.1:8080/r/abcdefghijklmnop     by the link
    python -m bench.racebot http://127.0.0.1:8080 BCD-FGH                by the six letters

It speaks only what docs/protocol.md and docs/protocol-rooms.md say, as bench/bot.py does.
"""

import argparse
import asyncio
import os
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgpack

from bench.bot import ENDED, Bot, Policy, Refused, choose_homeward
from engine.move import RESIGN

MAKE, JOIN, READY, START = 20, 21, 22, 23
LEAVE = 27
ROOM, LANES, STANDINGS, CLOSED, JOINED, BOARD, EVENING, DONE = range(80, 88)
LOBBY, COUNTDOWN, RUNNING, FINISHED = range(4)
ENDED_BY_OTHERS = {"race_over", "no_session"}
"""What a move is refused with when the race ended meanwhile, before or after a reconnect."""
SEALED_CLASSIC = ("C", None, 0)


@dataclass
class RaceBot(Bot):
    """A bot in a room: `room`, `lanes` (by seat) and `standings` are what it was told last."""

    name: str = "Bot"
    seat: int | None = None
    room: list[Any] = field(default_factory=list)
    lanes: dict[int, list[Any]] = field(default_factory=dict)
    standings: list[Any] = field(default_factory=list)
    is_dealt: bool = False
    closed_for: str = ""

    async def make_room(self, settings: tuple[Any, ...] = SEALED_CLASSIC) -> str:
        """Open a room as its host; its id."""
        request = msgpack.packb([MAKE, os.urandom(12), self.name, settings])
        joined = await self.ask(request, JOINED)
        return str(joined[2])

    async def join(self, room: str) -> None:
        """Take a seat in a room named by its id or code, or come back to it."""
        request = msgpack.packb([JOIN, os.urandom(12), room, self.name, True])
        await self.ask(request, JOINED)

    async def ready(self) -> None:
        """Say that the race may start."""
        await self.ask(msgpack.packb([READY, True]), DONE)

    async def start(self) -> None:
        """As the host: start, whoever is ready."""
        await self.ask(msgpack.packb([START, True]), DONE)

    async def race(self, policy: Policy, most: int, pause: float = 0.0) -> list[Any]:
        """Wait for the board, play by a policy, give up when at a loss; the standings' rows.

        `pause` is how long it thinks about a move, in seconds.
        """
        await self.dealt()
        try:
            await self._play_race(policy, most, pause)
        except Refused as refused:
            if refused.code not in ENDED_BY_OTHERS:
                raise
        while not self.standings:
            await self._hear()
        rows: list[Any] = self.standings[5]
        return rows

    async def dealt(self) -> None:
        """Wait for the board."""
        while not self.is_dealt:
            await self._hear()

    async def leave(self) -> None:
        """Give the seat up for good; the lane keeps what it has reached."""
        while not self.closed_for:
            try:
                await self.ask(msgpack.packb([LEAVE]), CLOSED)
            except ConnectionError:
                if not self.closed_for:
                    await self._come_back()

    async def _play_race(self, policy: Policy, most: int, pause: float) -> None:
        for _ in range(most):
            if self.flags & ENDED or not self.legal or self.standings:
                break
            await asyncio.sleep(pause)
            await self.play_surely(policy(self.legal, self.chance))
        if not self.flags & ENDED and not self.standings:
            await self.play_surely(RESIGN)

    async def _hear(self) -> None:
        """Take in one message, and come back when the connection is lost."""
        try:
            await self._receive()
        except ConnectionError:
            if self.closed_for:
                raise
            await self._come_back()

    async def _come_back(self) -> None:
        """Connect and join again, as often as it takes; the seat and the board are still there."""
        self.reconnects += 1
        async with asyncio.timeout(60.0):
            while True:
                try:
                    await self.close()
                    await self.connect()
                    await self.join(self.room[1])
                except (OSError, aiohttp.ClientError):
                    pass  # no worker there yet
                except Refused as refused:
                    if not refused.again:
                        raise
                else:
                    return
                await asyncio.sleep(self.chance.uniform(0, 0.2))

    async def _reconnect(self, version: int) -> None:
        """Come back to the room; the board comes by itself while the race runs."""
        is_running = self.room[7] == RUNNING
        self.is_dealt = False
        await self._come_back()
        while is_running and not self.is_dealt and not self.standings:
            await self._receive()

    async def _receive(self) -> list[Any]:
        message = await super()._receive()
        match message[0]:
            case 80:
                self.room = message
            case 81:
                self.lanes |= {row[0]: row for row in message[2]}
            case 82:
                self.standings = message
            case 83:
                self.closed_for = message[1]
                raise ConnectionError(f"the room is closed: {message[1]}")
            case 84:
                self.seat = message[3]
            case 65:
                self._take_snapshot(message)
                self.is_dealt = True
        return message


def read_link(link: str, code: str | None) -> tuple[str, str]:
    """The server's address and the room in a link, or in an address and a code."""
    parts = urlsplit(link)
    room = code or parts.path.removeprefix("/r/").strip("/")
    if not parts.scheme or not room:
        raise SystemExit("give the link of a room, or the server's address and a room code")
    return f"{parts.scheme}://{parts.netloc}", room


async def run(given: argparse.Namespace) -> None:
    """Join, be ready, race once, say how it went."""
    address, room = read_link(given.link, given.code)
    async with aiohttp.ClientSession() as http:
        bot = RaceBot(address, http, patience=3600.0, name=given.name)
        await bot.sign_in()
        await bot.connect()
        await bot.join(room)
        await bot.ready()
        print(f"in room {bot.room[3]} on seat {bot.seat}, ready", flush=True)
        for place, _, name, outcome, milliseconds, ranked, moves, _ in await bot.race(
            choose_homeward, given.moves, given.pause
        ):
            time = "" if milliseconds is None else f" in {milliseconds / 1000:.1f} s"
            ending = ("won", "gave up", "left", "no move left", "out of time")[outcome]
            print(f"{place}. {name}: {ending}{time}, score {ranked}, {moves} moves")
        await bot.close()


def main() -> None:
    """Read the arguments and race."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.racebot", description=__doc__.splitlines()[0]
    )
    parser.add_argument("link", help="the link of a room, or the server's address")
    parser.add_argument("code", nargs="?", help="the room's code, with an address")
    parser.add_argument("--name", default="Bot")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds before each move")
    parser.add_argument("--moves", type=int, default=300, help="then it gives up")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
