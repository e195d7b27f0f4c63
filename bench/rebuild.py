"""The acceptance drill of leaderboards: games under kills, then all of it rebuilt from replays.

    python -m bench rebuild --games 500 --kills 12

Bots of different strength play ranked, daily, typed and random games over sockets, and parties of
three race in rooms, while workers are killed. Afterwards bench/witness.py works every board and
every statistic out of the logs alone, and both must be the same to the last row.
"""

import argparse
import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import redis
import uvloop

from bench import witness
from bench.bot import (
    DAILY,
    ENDED,
    RANDOM_DEAL,
    RANKED,
    TYPED_CODE,
    WON,
    Bot,
    choose_homeward,
    choose_random,
)
from bench.parties import Party, connect_again, surely
from bench.processes import Server
from engine.code import from_number, sealed
from engine.move import FINISH, PAUSE, RESIGN, RESUME, UNDO, Move

WAIT_SECONDS = 60.0
LONGEST_GAME = 350
LETTERS = "RRRCT"


@dataclass
class Contestant:
    """A player of some strength, 0 to 1, who plays one game after another."""

    bot: Bot
    strength: float
    games: int
    wins: dict[str, int] = field(default_factory=dict)
    """The sessions that it saw won, and how many moves were acknowledged."""

    @property
    def player(self) -> str:
        """The number of its player."""
        return self.bot.token.partition(".")[0]

    async def play(self, ended: Callable[[], Awaitable[None]]) -> None:
        """Play all games; `ended` hears of each one that is over for the bot."""
        for _ in range(self.games):
            await self._deal()
            await self._play_one()
            self.note_win()
            await ended()

    def note_win(self) -> None:
        """Remember that this bot saw its game won."""
        if self.bot.flags & WON:
            self.wins[self.bot.session] = self.bot.version

    async def _deal(self) -> None:
        chance = self.bot.chance
        letter = chance.choice(LETTERS)
        origin = chance.choice((RANKED, RANKED, DAILY, TYPED_CODE, RANDOM_DEAL))
        text = letter if origin != TYPED_CODE else _typed(letter, chance.randrange(3))
        request = os.urandom(12)
        await surely(
            self.bot,
            lambda: self.bot.new_game(text, origin, request),
            lambda: connect_again(self.bot),
        )

    async def _play_one(self) -> None:
        """A game by strength: the weak give up soon, the strong go on for long."""
        bot, chance = self.bot, self.bot.chance
        most = int(LONGEST_GAME * self.strength) + chance.randrange(1, 20)
        pauses_at = chance.randrange(most) if chance.random() < 0.15 else None
        for number in range(most):
            if bot.flags & ENDED or not bot.legal:
                break
            if number == pauses_at:
                await bot.play_surely(PAUSE)
                await bot.play_surely(RESUME)
            await bot.play_surely(self._choose(bot.legal))
            if bot.flags & 1 and chance.random() < 0.02:
                await bot.play_surely(UNDO)
        # Some are left as they are; a game nobody touches counts after a day, not here.
        if not bot.flags & ENDED and chance.random() < 0.8:
            await bot.play_surely(RESIGN)

    def _choose(self, legal: Sequence[Move]) -> Move:
        chance = self.bot.chance
        if chance.random() < self.strength:
            return choose_homeward(legal, chance)
        return choose_random([move for move in legal if move != FINISH] or legal, chance)


def _typed(letter: str, number: int) -> str:
    """One of a few codes, so that players meet on their boards."""
    if number == 0:
        return str(from_number(letter, 7))
    return str(sealed(letter, random.Random(f"{letter}{number}").randbytes(17)))


class Drill:
    """So many games by so many contestants, with something killed after each part of them."""

    def __init__(self, address: str, games: int, players: int, parties: int = 0) -> None:
        self.address, self.games, self.players, self.parties = address, games, players, parties
        self.contestants: list[Contestant] = []
        self.ended = 0
        self._changed = asyncio.Condition()

    async def run(self, kills: int, kill: Callable[[], Awaitable[None]]) -> None:
        """Play everything while `kill` is called so often, at even distances."""
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
            for number in range(self.players):
                bot = Bot(self.address, http, patience=20, seed=number)
                await bot.sign_in()
                await bot.connect()
                games = self.games // self.players + (number < self.games % self.players)
                strength = (number % 4) / 3
                self.contestants.append(Contestant(bot, strength, games))
            soloists = list(self.contestants)
            parties = [Party(self.address, http, number) for number in range(self.parties)]
            for party in parties:
                await party.arrive()
                self.contestants += [Contestant(bot, 0, 1) for bot in party.bots]
            async with asyncio.TaskGroup() as group:
                for contestant in soloists:
                    group.create_task(contestant.play(self._note))
                for party in parties:
                    group.create_task(party.play())
                group.create_task(self._kill(kills, kill))
            for contestant in self.contestants[len(soloists) :]:
                contestant.note_win()
            for contestant in self.contestants:
                await contestant.bot.close()

    async def _note(self) -> None:
        async with self._changed:
            self.ended += 1
            self._changed.notify_all()

    async def _kill(self, kills: int, kill: Callable[[], Awaitable[None]]) -> None:
        for number in range(kills):
            least = (number + 1) * self.games // (kills + 1)
            async with self._changed:
                while self.ended < least:
                    await self._changed.wait()
            await kill()

    async def differences(self, store: witness.Store) -> list[str]:
        """Everything in which the server and the replays do not agree, in words."""
        async with asyncio.timeout(WAIT_SECONDS):
            while store.zcard("yukon:ending"):  # noqa: ASYNC110 - another process empties it
                await asyncio.sleep(0.1)
        sessions = witness.read_sessions(store)
        wrong = witness.differences_of_boards(sessions, store)
        seen = {one.name: one for one in sessions}
        async with aiohttp.ClientSession() as http:
            for contestant in self.contestants:
                player = contestant.player
                key = f"yukon:player:{{{player}}}:counted"
                counted = [name.decode() for name in store.zrange(key, 0, -1)]
                wanted, odd = witness.statistics_of(player, sessions, counted)
                wrong += odd
                told = await self._told(http, contestant, "/api/me/statistics")
                if told["rulesets"] != wanted:
                    wrong.append(f"{player}: the statistics are not those of the replays")
                wrong += [
                    f"{player}: {name} was seen won and is not"
                    for name in contestant.wins
                    if not seen[name].won
                ]
        return wrong + await self._pages(sessions)

    async def _pages(self, sessions: list[witness.Session]) -> list[str]:
        """The boards of all time over HTTP, page by page, held against the replays."""
        wanted = witness.rebuild(sessions)
        figures = {one.name: one for one in sessions}
        wrong = []
        async with aiohttp.ClientSession() as http:
            for (name, order), rows in wanted.items():
                letter, _, window = name.partition(":")
                if window != "all":
                    continue
                told = await self._rows(http, f"/api/boards/{letter}/all/{order}")
                made = [
                    [place, player, one.time, one.ranked, one.moves, one.won, one.ended]
                    for place, (player, session) in enumerate(rows, 1)
                    for one in (figures[session],)
                ]
                if told != made:
                    wrong.append(f"{name} by {order} is told otherwise over HTTP")
        return wrong

    async def _rows(self, http: aiohttp.ClientSession, path: str) -> list[list[Any]]:
        names = ("place", "player", "time", "score", "moves", "won", "ended")
        rows: list[list[Any]] = []
        cursor = ""
        while True:
            async with http.get(f"{self.address}{path}{cursor}") as answer:
                page = await answer.json()
            rows += [[row[name] for name in names] for row in page["rows"]]
            if page["next"] is None:
                return rows
            cursor = f"?cursor={page['next']}"

    async def _told(self, http: aiohttp.ClientSession, contestant: Contestant, path: str) -> Any:
        headers = {"Authorization": f"Bearer {contestant.bot.token}"}
        async with http.get(f"{self.address}{path}", headers=headers) as answer:
            answer.raise_for_status()
            return await answer.json()


async def run(server: Server, given: argparse.Namespace) -> bool:
    """Run the drill; True when everything is as the replays say."""
    drill = Drill(server.address, given.games, given.players, given.parties)

    async def kill() -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            while not (workers := server.workers_now()):  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.05)
        os.kill(workers[0], signal.SIGKILL)
        print(f"after {drill.ended} games: killed worker {workers[0]}", flush=True)

    began = time.perf_counter()
    await drill.run(given.kills, kill)
    seconds = time.perf_counter() - began
    reconnects = sum(contestant.bot.reconnects for contestant in drill.contestants)
    wins = sum(len(contestant.wins) for contestant in drill.contestants)
    print(f"{drill.ended} games in {seconds:.0f} s, {wins} seen won, {reconnects} reconnects")
    with redis.Redis.from_url(f"unix://{server.redis_socket}") as store:
        differences = await drill.differences(store)
        boards = witness.stored_boards(store)
    rows = sum(map(len, boards.values()))
    print(f"{len(boards)} boards with {rows} rows, {len(drill.contestants)} players' statistics")
    print(f"differences: {len(differences)}")
    for difference in differences[:10]:
        print("  " + difference)
    return not differences


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, run, and return 0 when nothing differs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench rebuild", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--players", type=int, default=25)
    parser.add_argument("--parties", type=int, default=10, help="races of three beside")
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    with Server(given.workers, log_level="info") as server:
        return 0 if uvloop.run(run(server, given)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
