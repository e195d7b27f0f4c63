"""A player's own statistics and games, and the daily deals, over HTTP; it changes nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from typing import Final

from aiohttp import web

from engine.code import commitment, parse
from engine.ruleset import RULESETS
from server.core import boards, daily
from server.core.boardports import BoardStore, DailyStore, Game, HistoryStore
from server.core.daily import Mark
from server.core.ports import Player
from server.core.statistics import Statistics
from server.net.api import NOT_FOUND, ApiRefusal
from server.net.boardsapi import NO_STORE, SignedIn

GAMES_A_PAGE: Final = 30
_ENDED: Final = {"won": "won", "given_up": "not_won", "over": "not_won"}

PlayerOf = Callable[[web.Request], Awaitable[Player | None]]
"""Whose a request is, None for nobody's."""


class MeApi:
    """The addresses of a player's own things, and of today's deals.

    The store alone says what day it is: a worker whose clock is ahead opens none too early.
    """

    def __init__(
        self,
        stores: tuple[BoardStore, HistoryStore, DailyStore],
        signed_in: SignedIn,
        player_of: PlayerOf,
    ) -> None:
        self._boards, self._histories, self._dailies = stores
        self._signed_in = signed_in
        self._player_of = player_of

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve every address of this class."""
        router.add_get("/api/daily", self._today)
        router.add_get("/api/daily/{letter}/calendar", self._calendar)
        router.add_get("/api/daily/{letter}/{day}", self._day)
        router.add_get("/api/me/statistics", self._statistics)
        router.add_get("/api/me/games", self._games)

    async def _today(self, request: web.Request) -> web.StreamResponse:
        player = await self._player_of(request)
        now = await self._dailies.now_ms()
        day = daily.today(now)
        mine: Mapping[str, Game | None] = {}
        if player is not None:
            mine = await self._dailies.attempts(player.player_id, list(RULESETS), day, now)
        rows = await asyncio.gather(
            *(self._deal(letter, day, mine.get(letter)) for letter in RULESETS)
        )
        body = {"day": day.isoformat(), "ends": daily.ends(day), "rulesets": rows}
        return web.json_response(body, headers=NO_STORE)

    async def _deal(self, letter: str, day: date, mine: Game | None) -> dict[str, object]:
        code, players = await asyncio.gather(
            self._dailies.code(daily.name(letter, day)),
            self._boards.total(boards.daily_board(letter, day)),
        )
        return {
            "letter": letter,
            "commitment": _seal(code),
            "players": players,
            "mine": None if mine is None else _attempt(mine),
        }

    async def _day(self, request: web.Request) -> web.StreamResponse:
        letter = _letter(request)
        now = await self._dailies.now_ms()
        try:
            day = daily.read_day(request.match_info["day"])
        except ValueError:
            raise ApiRefusal(400, "malformed", "A day is written like 2026-11-30.") from None
        if day > daily.today(now):
            raise NOT_FOUND
        code = await self._dailies.code(daily.name(letter, day))
        is_over = daily.is_over(day, now)
        body = {
            "letter": letter,
            "day": day.isoformat(),
            "over": is_over,
            "commitment": _seal(code),
            "code": code if is_over else None,
        }
        return web.json_response(body, headers=NO_STORE)

    async def _calendar(self, request: web.Request) -> web.StreamResponse:
        player = await self._signed_in(request)
        letter = _letter(request)
        now = await self._dailies.now_ms()
        today = daily.today(now)
        first = _month(request.query.get("month", today.isoformat()[:7]))
        marks = await self._histories.marks(player.player_id, letter)
        days = [
            {
                "day": day.day.isoformat(),
                "open": day.open,
                "over": day.over,
                "mark": None if day.mark is None else _mark(day.mark),
            }
            for day in daily.calendar(marks, first.year, first.month, now)
        ]
        body = {
            "letter": letter,
            "month": first.isoformat()[:7],
            "days": days,
            "streaks": daily.streaks(marks, today)._asdict(),
        }
        return web.json_response(body, headers=NO_STORE)

    async def _statistics(self, request: web.Request) -> web.StreamResponse:
        player = await self._signed_in(request)
        known = await self._histories.statistics(player.player_id)
        rows = [_figures(letter, known[letter]) for letter in RULESETS if letter in known]
        return web.json_response({"rulesets": rows}, headers=NO_STORE)

    async def _games(self, request: web.Request) -> web.StreamResponse:
        player = await self._signed_in(request)
        found = await self._histories.games(
            player.player_id,
            request.query.get("cursor"),
            GAMES_A_PAGE,
            await self._dailies.now_ms(),
        )
        if found is None:
            raise ApiRefusal(400, "bad_cursor", "These games cannot be found again.")
        games, following = found
        body = {"games": [_game(game) for game in games], "next": following}
        return web.json_response(body, headers=NO_STORE)


def _game(game: Game) -> dict[str, object]:
    fields = game._asdict()
    del fields["ranked"]
    return fields


def _attempt(game: Game) -> dict[str, object]:
    return {
        "session": game.session,
        "state": _ENDED.get(game.state, "playing"),
        "score": game.ranked,
        "moves": game.moves,
        "time": game.time,
    }


def _mark(mark: Mark) -> dict[str, object]:
    return {"won": mark.won, "score": mark.ranked, "moves": mark.moves, "time": mark.time}


def _figures(letter: str, statistics: Statistics) -> dict[str, object]:
    return {
        "letter": letter,
        "games": statistics.games,
        "wins": statistics.wins,
        "win_rate": statistics.win_rate,
        "streak": statistics.streak,
        "longest_streak": statistics.longest_streak,
        "best_time": statistics.best_time,
        "mean_time": statistics.mean_time,
        "fewest_moves": statistics.fewest_moves,
        "best_score": statistics.best_score,
        "recent": [
            {
                "won": game.won,
                "score": game.ranked,
                "time": game.time,
                "moves": game.moves,
                "ended": game.ended,
            }
            for game in statistics.recent
        ],
    }


def _seal(code: str | None) -> str | None:
    """The commitment to a deal, None where none was drawn."""
    return None if code is None else commitment(parse(code))


def _letter(request: web.Request) -> str:
    """The ruleset that an address names. Raises ApiRefusal."""
    letter = request.match_info["letter"].upper()
    if letter not in RULESETS:
        raise NOT_FOUND
    return letter


def _month(text: str) -> date:
    """The first day of a month such as 2026-11. Raises ApiRefusal."""
    try:
        first = daily.read_day(f"{text}-01")
    except ValueError:
        first = None
    if first is None or first.year not in daily.YEARS:
        raise ApiRefusal(400, "malformed", "A month is written like 2026-11.")
    return first
