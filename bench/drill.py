"""Bots that go on while things are killed, and the proof that nothing was lost or doubled.

It kills nothing itself and starts no server: `bench.faults` and the tests do.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import aiohttp

from bench.bot import Bot, choose_random
from engine.code import from_number
from engine.log import RECORD
from engine.move import FINISH, UNDO

LoadLog = Callable[[str], bytes]
"""Reads the log of a session from Redis."""


class Drill:
    """So many bots, each playing random moves in a session of its own."""

    def __init__(self, address: str, players: int, ruleset: str = "C") -> None:
        self.address, self.players, self.ruleset = address, players, ruleset
        self.played = 0
        self.bots: list[Bot] = []
        self._moved = asyncio.Condition()

    @property
    def reconnects(self) -> int:
        """How often all bots together had to come back."""
        return sum(bot.reconnects for bot in self.bots)

    @property
    def confirmed(self) -> int:
        """How many commands were in the log already when they were sent again."""
        return sum(bot.confirmed for bot in self.bots)

    async def reached(self, moves: int) -> None:
        """Wait until all bots together have played so many moves."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.played >= moves)

    async def run(self, moves: int, faults: Callable[["Drill"], Awaitable[None]]) -> None:
        """Let each bot play so many moves while `faults` does harm; both must come to an end.

        The first bot that sees something wrong ends it all with its exception in a group.
        """
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as http:
            self.bots = [
                Bot(self.address, http, patience=15, seed=number) for number in range(self.players)
            ]
            for number, bot in enumerate(self.bots):
                await bot.sign_in()
                await bot.connect()
                await bot.new_game(str(from_number(self.ruleset, number)))
            async with asyncio.TaskGroup() as group:
                for bot in self.bots:
                    group.create_task(self._play(bot, moves))
                group.create_task(_run(faults, self))
            for bot in self.bots:
                await bot.close()

    async def _play(self, bot: Bot, moves: int) -> None:
        for _ in range(moves):
            legal = [move for move in bot.legal if move != FINISH]
            is_back = not legal or (bot.version > 0 and bot.chance.random() < 0.05)
            move = UNDO if is_back and bot.flags & 1 else choose_random(legal, bot.chance)
            await bot.play_surely(move)
            self.played += 1
            async with self._moved:
                self._moved.notify_all()

    def differences(self, load_log: LoadLog) -> list[str]:
        """Compare each session's log in Redis with what its bot was told; nothing is right."""
        found = []
        for bot in self.bots:
            assert bot.game is not None
            stored, believed = actions(load_log(bot.session)), actions(bot.game.log)
            if stored != believed:
                found.append(f"{bot.session}: {_first_difference(stored, believed)}")
        return found


def actions(log: bytes) -> list[bytes]:
    """Return the three bytes of each command of a log, without its time."""
    return [log[at : at + 3] for at in range(0, len(log), RECORD)]


def _first_difference(stored: Sequence[bytes], believed: Sequence[bytes]) -> str:
    pairs = zip(stored, believed, strict=False)
    at = next((at for at, (one, two) in enumerate(pairs) if one != two), -1)
    return f"{len(stored)} stored, {len(believed)} acknowledged, first different at {at}"


async def _run(faults: Callable[[Drill], Awaitable[None]], drill: Drill) -> None:
    await faults(drill)
