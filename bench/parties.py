"""Rooms of three bots that race once: one plays on, one gives up, one leaves; it checks nothing.

They bear it when workers are killed meanwhile, as the bots of `bench.rebuild` do.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import aiohttp

from bench.bot import ENDED, Bot, Refused, choose_homeward, choose_random
from bench.racebot import RaceBot

WAIT_SECONDS = 60.0
SETTINGS = ("R", None, 0)
LONGEST_RACE = 350


async def surely(
    bot: Bot, work: Callable[[], Awaitable[None]], back: Callable[[], Awaitable[None]]
) -> None:
    """Do something that may be done twice until it is done; `back` opens a new socket."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            try:
                return await work()
            except Refused as refused:
                if not refused.again:
                    raise
            except (OSError, aiohttp.ClientError):
                await back()
            await asyncio.sleep(bot.chance.uniform(0, 0.2))


async def connect_again(bot: Bot) -> None:
    """Open a new socket as soon as somebody answers."""
    await bot.close()
    while True:
        try:
            return await bot.connect()
        except (OSError, aiohttp.ClientError):
            await asyncio.sleep(bot.chance.uniform(0, 0.2))


class Party:
    """A room and its three bots; the first is the host."""

    def __init__(self, address: str, http: aiohttp.ClientSession, number: int) -> None:
        self.bots = [
            RaceBot(address, http, patience=20, seed=1000 * number + seat, name=f"Bot {seat}")
            for seat in range(3)
        ]
        self._room = ""

    async def arrive(self) -> None:
        """Sign in and connect."""
        for bot in self.bots:
            await bot.sign_in()
            await bot.connect()

    async def play(self) -> None:
        """Open a room, race once, and stay until the race is over."""
        host, second, third = self.bots
        await surely(host, self._open, lambda: connect_again(host))
        for bot in (second, third):
            await self._surely(bot, partial(bot.join, self._room))
            await self._surely(bot, bot.ready)
        await self._surely(host, self._start)
        await asyncio.gather(
            host.race(choose_homeward, LONGEST_RACE),
            second.race(choose_random, 12),
            self._leave(third, 8),
        )

    async def _open(self) -> None:
        self._room = await self.bots[0].make_room(SETTINGS)

    async def _start(self) -> None:
        try:
            await self.bots[0].start()
        except Refused as refused:
            if refused.code != "race_started":  # it was done, and the answer was lost
                raise

    async def _leave(self, bot: RaceBot, moves: int) -> None:
        await bot.dealt()
        for _ in range(moves):
            if bot.flags & ENDED or not bot.legal:
                break
            await bot.play_surely(choose_homeward(bot.legal, bot.chance))
        await bot.leave()

    async def _surely(self, bot: RaceBot, work: Callable[[], Awaitable[None]]) -> None:
        async def come_in() -> None:
            await connect_again(bot)
            await bot.join(self._room)

        await surely(bot, work, lambda: surely(bot, come_in, _nothing))


async def _nothing() -> None:
    """The work itself opens a new socket."""
