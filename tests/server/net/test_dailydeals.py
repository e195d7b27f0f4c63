"""Daily deals: drawn once, one attempt that counts, hidden until the day is over."""

import asyncio
import time
from typing import Any

import aiohttp

from engine.code import commitment, parse
from engine.move import PAUSE, RESIGN, RESUME
from engine.ruleset import RULESETS
from server.core import boards, daily
from tests.server.lines import won
from tests.server.net.conftest import Get, StartWorker
from tests.server.net.ranking import (
    DAILY,
    ask,
    play,
    recorded,
    set_daily,
    start,
    win,
)
from tests.server.net.worker import Player, Tab, Worker

CODE, WAY = won(0)


class TestDaily:
    async def test_the_deal_of_a_day_is_drawn_once_and_told_by_its_commitment(
        self, worker: Worker, start_worker: StartWorker, http: aiohttp.ClientSession, get: Get
    ) -> None:
        await worker.application.recorder.dailies.draw_ahead(
            lambda letter: str(worker.application._deals.sealed(letter))
        )
        other = await start_worker()
        today = await get("/api/daily")
        assert today["ends"] == daily.ends(daily.read_day(today["day"]))
        assert [row["letter"] for row in today["rulesets"]] == list(RULESETS)
        assert all(len(row["commitment"]) == 64 for row in today["rulesets"])
        assert all((row["players"], row["mine"]) == (0, None) for row in today["rulesets"])
        assert (await ask(other, "/api/daily", http))[1] == today

    async def test_the_first_attempt_counts_and_what_follows_is_practice(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        day = await set_daily(worker, CODE)
        snapshot = await start(tab, DAILY, "r")
        first = tab.session
        assert snapshot[7] is None
        assert snapshot[8].hex() == commitment(parse(CODE))
        assert snapshot[16:20] == [DAILY, True, day, True]
        await play(tab, WAY[:7])

        # Asked for again, by another tab too, it is the one that was begun.
        again = await start(tab, DAILY, "R")
        assert again[1:3] == [first, 7]
        other = await start(await player.connect(worker), DAILY, "R")
        assert other[1:3] == [first, 7]
        mine = await self.mine(get, player)
        assert (mine["session"], mine["state"], mine["moves"]) == (first, "playing", 7)

        await play(tab, WAY[7:], 7)
        await recorded(worker, first)
        assert (await self.mine(get, player))["state"] == "won"
        assert (await get("/api/daily"))["rulesets"][1]["players"] == 1

        practice = await start(tab, DAILY, "R")
        assert practice[1] != first
        assert practice[7] is None
        assert practice[17:20] == [False, day, False]
        await play(tab, WAY[:3])
        await play(tab, [RESIGN], 3)
        await recorded(worker, tab.session)
        mine = await self.mine(get, player)
        assert (mine["session"], mine["score"]) == (first, boards.full_score("R"))
        (row,) = (await get(f"/api/boards/daily/R/{day}/best"))["rows"]
        assert (row["player"], row["code"], row["replay"]) == (player.id, None, None)
        assert (await get("/api/boards/R/all/best"))["total"] == 1

    async def test_a_paused_try_is_the_try_of_its_day_though_it_does_not_rank(
        self, worker: Worker, tab: Tab
    ) -> None:
        day = await set_daily(worker, CODE)
        await start(tab, DAILY, "R")
        await play(tab, [WAY[0], PAUSE, RESUME])
        assert (await tab.ask(11))[17:20] == [False, day, True]
        assert (await start(tab, DAILY, "R"))[17:20] == [False, day, True]

    async def mine(self, get: Get, player: Player) -> Any:
        rows = (await get("/api/daily", player))["rulesets"]
        return next(row["mine"] for row in rows if row["letter"] == "R")

    async def test_code_and_replays_are_hidden_until_the_day_is_over(
        self, worker: Worker, player: Player, tab: Tab, http: aiohttp.ClientSession, get: Get
    ) -> None:
        day = await set_daily(worker, CODE)
        session = await win(tab, DAILY)
        await recorded(worker, session)
        snapshot = await tab.ask(11)
        assert snapshot[7] is None
        for path in (f"/api/boards/code/{CODE}/best", f"/api/boards/code/{CODE}/best/me"):
            assert (await get(path, player, 403))["error"] == "not_open"
        assert (await get(f"/api/replay/{session}", status=403))["error"] == "not_open"
        game = (await get("/api/me/games", player))["games"][0]
        assert (game["code"], game["replay"]) == (None, False)

        # A day later.
        later = BoardsLater(worker, daily.ends(daily.read_day(day)))
        (row,) = await later.rows(f"daily:R:{day}")
        assert (row.code, row.replay) == (CODE, session)
        (row,) = await later.rows(f"code:{CODE}")
        assert row.code == CODE

    async def test_a_worker_whose_clock_is_ahead_opens_no_day_too_early(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        day = await set_daily(worker, CODE)
        session = await win(tab, DAILY)
        await recorded(worker, session)
        hub = worker.application.hub
        here = time.time() * 1000
        hub.note_time(here, here, here + daily.DAY_MS)
        assert daily.today(hub.now_ms()) > daily.read_day(day)
        told = await get(f"/api/daily/R/{day}")
        assert (told["over"], told["code"]) == (False, None)
        for path in (f"daily/R/{day}", "R/day"):
            for whose in ("", "/me"):
                (row,) = (await get(f"/api/boards/{path}/best{whose}", player))["rows"]
                assert (row["code"], row["replay"]) == (None, None)
        (game,) = (await get("/api/me/games", player))["games"]
        assert (game["code"], game["replay"]) == (None, False)
        assert (await get("/api/daily"))["day"] == day
        (today,) = (
            each for each in (await get("/api/daily/R/calendar", player))["days"] if each["open"]
        )
        assert today["day"] == day

    async def test_the_deal_of_a_day_is_open_to_all_when_the_day_is_over(
        self, worker: Worker, get: Get
    ) -> None:
        sealed = commitment(parse(CODE))
        shown: list[tuple[int, str | None]] = [(-1, CODE), (0, None)]
        day = ""
        for days, code in shown:
            day = await set_daily(worker, CODE, days)
            told = await get(f"/api/daily/r/{day}")
            assert told == {
                "letter": "R",
                "day": day,
                "over": days < 0,
                "commitment": sealed,
                "code": code,
            }
        tomorrow = await set_daily(worker, CODE, 1)
        for path in (f"R/{tomorrow}", f"X/{day}", "R/9999-12-31"):
            await get(f"/api/daily/{path}", status=404)
        nobody = await get("/api/daily/R/2026-01-01")
        assert (nobody["over"], nobody["commitment"], nobody["code"]) == (True, None, None)
        await get("/api/daily/R/2026-1-1", status=400)

    async def test_two_tabs_at_once_begin_one_attempt(
        self, worker: Worker, player: Player, start_worker: StartWorker
    ) -> None:
        await set_daily(worker, CODE)
        tabs = [await player.connect(each) for each in (worker, await start_worker())]
        shown = await asyncio.gather(*(start(each, DAILY, "R") for each in tabs))
        assert shown[0][1] == shown[1][1]

    async def test_a_worker_that_died_before_the_deal_leaves_no_hole(
        self, worker: Worker, player: Player, tab: Tab
    ) -> None:
        day = daily.read_day(await set_daily(worker, CODE))
        await worker.application.recorder.dailies.claim(player.id, "R", day, "claimed")
        assert (await start(tab, DAILY, "R"))[1] == "claimed"

    async def test_the_calendar_has_marks_and_streaks(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        day = await set_daily(worker, CODE)
        await recorded(worker, await win(tab, DAILY))
        calendar = await get(f"/api/daily/R/calendar?month={day[:7]}", player)
        assert (calendar["letter"], calendar["month"]) == ("R", day[:7])
        (today,) = (each for each in calendar["days"] if each["day"] == day)
        mark = today["mark"]
        assert mark == {
            "won": True,
            "score": boards.full_score("R"),
            "moves": mark["moves"],
            "time": mark["time"],
        }
        assert (today["open"], today["over"]) == (True, False)
        assert calendar["streaks"] == {
            "played": 1,
            "longest_played": 1,
            "won": 1,
            "longest_won": 1,
        }
        assert (await get("/api/daily/T/calendar", player))["streaks"]["played"] == 0
        for month in ("2026-13", "x", "9999-12", "2026-1"):
            await get(f"/api/daily/R/calendar?month={month}", player, 400)
        await get("/api/daily/Q/calendar", player, 404)


class BoardsLater:
    """The boards as they are shown at another instant."""

    def __init__(self, worker: Worker, now: int) -> None:
        self.store, self.now = worker.application.recorder.boards, now

    async def rows(self, board: str) -> Any:
        return (await self.store.page(board, boards.Order.BEST, self.now)).rows
