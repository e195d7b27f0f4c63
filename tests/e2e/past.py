"""A past for a player of a browser test: whole games played in a moment, over another socket."""

import asyncio
import json
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from playwright.sync_api import BrowserContext

from bench.bot import Bot
from engine.game import Game
from engine.move import RESIGN

PLAYS = Path(__file__).parent.parent / "engine" / "vectors" / "plays.jsonl"


def won_play(letter: str) -> tuple[str, list[str]]:
    """The shortest recorded win of a ruleset: its code and its commands."""
    plays = [json.loads(line) for line in PLAYS.read_text().splitlines()]
    games = [
        (play["code"], play["moves"].split())
        for play in plays
        if play["code"].startswith(f"YU1-{letter}-") and play["checks"][-1]["won"]
    ]
    return min(games, key=lambda game: len(game[1]))


@dataclass
class Past:
    """Plays games for a player who is known by `token`; each answer is the game's session."""

    address: str
    token: str

    @classmethod
    def of(cls, context: BrowserContext, address: str) -> "Past":
        """That of the player whom a browser is."""
        cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
        return cls(address, cookies["yukon_player"])

    @classmethod
    def of_somebody(cls, address: str, name: str) -> "Past":
        """That of a new player with a name."""

        async def make() -> str:
            async with aiohttp.ClientSession() as http:
                bot = Bot(address, http)
                await bot.sign_in()
                headers = {"Authorization": f"Bearer {bot.token}"}
                path = f"{address}/api/player"
                async with http.patch(path, json={"name": name}, headers=headers) as answer:
                    answer.raise_for_status()
                return bot.token

        return cls(address, run(make()))

    def win(self, letter: str = "C") -> str:
        """Win the shortest recorded game of a ruleset."""
        code, commands = won_play(letter)
        return self.play(code, commands)

    def play(self, code: str, commands: list[str]) -> str:
        """Play commands of a code's game, in the one-line form."""

        async def work(bot: Bot) -> None:
            await bot.new_game(code)
            assert bot.game is not None
            for text in commands:
                await bot.play(bot.game.read(text))

        return self._with_bot(work)

    def go_on(self, session: str, commands: list[str]) -> str:
        """Play commands in a game that was begun elsewhere with a code."""

        async def work(bot: Bot) -> None:
            await bot.open_session(session)
            game = Game(won_play("C")[0])
            for text in commands:
                move = game.read(text)
                await bot.play(move)
                game.play(move, game.last_ms)

        return self._with_bot(work)

    def begin(self, code: str) -> str:
        """Begin a code's game with any move."""

        async def work(bot: Bot) -> None:
            await bot.new_game(code)
            await bot.play(bot.legal[0])

        return self._with_bot(work)

    def end(self, session: str) -> str:
        """Play any move in a game that was begun elsewhere, and give it up."""

        async def work(bot: Bot) -> None:
            await bot.open_session(session)
            await bot.play(bot.legal[0])
            await bot.play(RESIGN)

        return self._with_bot(work)

    def give_up(self, origin: int, text: str) -> str:
        """Begin a game, play any move, and give it up."""

        async def work(bot: Bot) -> None:
            await bot.new_game(text, origin)
            await bot.play(bot.legal[0])
            await bot.play(RESIGN)

        return self._with_bot(work)

    def _with_bot(self, work: Any) -> str:
        async def whole() -> str:
            async with aiohttp.ClientSession() as http:
                bot = Bot(self.address, http, token=self.token)
                await bot.connect()
                await work(bot)
                await bot.close()
                return bot.session

        return run(whole())


def run(work: Coroutine[Any, Any, str]) -> str:
    """Run asynchronous work to its end; the browser's own loop has this thread."""
    answers: list[str | BaseException] = []

    def target() -> None:
        try:
            answers.append(asyncio.run(work))
        except BaseException as error:
            answers.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    if isinstance(answers[0], BaseException):
        raise answers[0]
    return answers[0]
