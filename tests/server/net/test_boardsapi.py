"""Leaderboards, daily deals and a player's own figures, played over sockets and read over HTTP."""

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest

from engine.code import commitment, parse
from engine.move import PAUSE, RESIGN, RESUME
from engine.ruleset import RULESETS
from server.core import boards, daily
from server.core.cursors import Cursor
from server.store import keys
from tests.server.lines import line, won
from tests.server.net.conftest import StartWorker
from tests.server.net.ranking import (
    DAILY,
    RANDOM,
    RANKED,
    TYPED,
    ask,
    draw,
    play,
    recorded,
    set_daily,
    start,
    win,
)
from tests.server.net.worker import Player, Tab, Worker, request_id
from tests.server.store.conftest import eventually

CODE, WAY = won(0)
Get = Callable[..., Any]


@pytest.fixture
def get(worker: Worker, http: aiohttp.ClientSession) -> Get:
    """Read an address as nobody or as a player."""

    async def read(path: str, player: Player | None = None, status: int = 200) -> Any:
        found, body = await ask(worker, path, http, player)
        assert found == status, body
        return body

    return read


class TestBoards:
    async def test_a_ranked_win_is_on_the_boards_at_once(
        self, worker: Worker, player: Player, tab: Tab, http: aiohttp.ClientSession, get: Get
    ) -> None:
        draw(worker, CODE)
        snapshot = await start(tab, RANKED, "R")
        assert snapshot[7] is None
        assert snapshot[17:19] == [True, None]
        await play(tab, WAY)
        await recorded(worker, tab.session)
        async with http.patch(
            f"{worker.url}/api/player", json={"name": "Zoé"}, headers=player.headers
        ) as answer:
            assert answer.status == 200
        for span in ("day", "week", "all"):
            for order in ("best", "moves"):
                board = await get(f"/api/boards/R/{span}/{order}")
                (row,) = board.pop("rows")
                assert row == {
                    "place": 1,
                    "player": player.id,
                    "name": "Zoé",
                    "time": row["time"],
                    "score": boards.full_score("R"),
                    "moves": row["moves"],
                    "won": True,
                    "code": CODE,
                    "ended": row["ended"],
                    "replay": tab.session,
                }
                window = boards.window(boards.Span(span), row["ended"])
                assert board == {
                    "board": f"R:{window}",
                    "letter": "R",
                    "span": span,
                    "window": window,
                    "ends": boards.window_ends(window),
                    "order": order,
                    "total": 1,
                    "next": None,
                }
                around = await get(f"/api/boards/R/{span}/{order}/me", player)
                assert (around["place"], around["total"], around["rows"]) == (1, 1, [row])
        async with http.get(f"{worker.url}/api/replay/{tab.session}") as answer:
            assert answer.status == 200

    async def test_a_page_is_cached_for_a_moment(
        self, worker: Worker, http: aiohttp.ClientSession
    ) -> None:
        address = f"{worker.url}/api/boards/C/week/best"
        async with http.get(address) as answer:
            assert answer.headers["Cache-Control"] == "public, max-age=2"
            tag = answer.headers["ETag"]
        async with http.get(address, headers={"If-None-Match": tag}) as answer:
            assert answer.status == 304

    @pytest.mark.parametrize(
        "path",
        [
            "Q/all/best",
            "C/month/best",
            "C/all/worst",
            "code/YU1-C-AAA/best",
            "daily/C/2026-13-01/best",
            "daily/C/20261130/best",
            "daily/C/2199-01-01/best",
            "daily/Q/2026-11-30/best",
        ],
    )
    async def test_what_is_no_board_is_not_found(self, get: Get, player: Player, path: str) -> None:
        assert (await get(f"/api/boards/{path}", status=404))["error"] == "not_found"
        assert (await get(f"/api/boards/{path}/me", player, 404))["error"] == "not_found"

    async def test_pages_go_on_and_a_cursor_belongs_to_its_board(
        self, worker: Worker, get: Get
    ) -> None:
        store = worker.application.recorder.boards
        link = worker.application.link
        now = worker.application.hub.now_ms()
        day = boards.window(boards.Span.DAY, now)
        before = boards.window(boards.Span.DAY, now - daily.DAY_MS)
        for board in (f"C:{day}", f"C:{before}"):
            for number in range(60):
                key = boards.Key(number, f"{number:010x}{now:011x}s{number}:p{number}")
                await link.call("ZADD", keys.board(board, "best"), *key)
        assert await store.total(f"C:{day}") == 60
        first = await get("/api/boards/C/day/best")
        assert [row["place"] for row in first["rows"]] == list(range(1, 51))
        second = await get(f"/api/boards/C/day/best?cursor={first['next']}")
        assert [row["player"] for row in second["rows"]] == [f"p{n}" for n in range(50, 60)]
        assert (second["rows"][0]["place"], second["next"]) == (51, None)
        for path in ("C/week/best", "C/day/moves", "T/day/best", "daily/C/2026-01-01/best"):
            refused = await get(f"/api/boards/{path}?cursor={first['next']}", status=400)
            assert refused["error"] == "bad_cursor"
        await get("/api/boards/C/day/best?cursor=xyz", status=400)
        # Begun before midnight, a page goes on in the day it began in.
        page = await store.page(f"C:{before}", boards.Order.BEST, now, size=50)
        cursor = boards_cursor(f"C:{before}", page.rows[-1].key)
        gone_on = await get(f"/api/boards/C/day/best?cursor={cursor}")
        assert (gone_on["board"], gone_on["window"]) == (f"C:{before}", before)
        assert gone_on["ends"] == boards.window_ends(before)
        assert len(gone_on["rows"]) == 10
        await get(f"/api/boards/C/day/best?cursor={boards_cursor('C:day:x', (1, 'a'))}", status=400)

    async def test_a_typed_code_has_a_board_of_its_own(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        assert (await get("/api/boards/code/yu1-r-aaaaaab/best"))["total"] == 0
        await get(f"/api/boards/code/{CODE}/best", status=404)
        session = await win(tab)
        await recorded(worker, session)
        board = await get(f"/api/boards/code/{CODE}/moves")
        assert [row["replay"] for row in board["rows"]] == [session]
        assert (board["span"], board["window"], board["ends"]) == ("code", CODE, None)
        assert (await get(f"/api/boards/code/{CODE}/best/me", player))["place"] == 1
        assert (await get("/api/boards/R/all/best"))["total"] == 0

    async def test_who_has_no_row_has_no_place(self, get: Get, player: Player) -> None:
        assert await get("/api/boards/C/all/best/me", player) == {
            "board": "C:all",
            "place": None,
            "total": 0,
            "rows": [],
        }
        await get("/api/boards/C/all/best/me", status=401)


def boards_cursor(board: str, key: Any) -> str:
    return str(Cursor(board, boards.Order.BEST, boards.Key(*key)))


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
        assert snapshot[16:19] == [DAILY, True, day]
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
        assert practice[17:19] == [False, day]
        await play(tab, WAY[:3])
        await play(tab, [RESIGN], 3)
        await recorded(worker, tab.session)
        mine = await self.mine(get, player)
        assert (mine["session"], mine["score"]) == (first, boards.full_score("R"))
        (row,) = (await get(f"/api/boards/daily/R/{day}/best"))["rows"]
        assert (row["player"], row["code"], row["replay"]) == (player.id, None, None)
        assert (await get("/api/boards/R/all/best"))["total"] == 1

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


class TestMe:
    async def test_statistics_are_those_of_the_games(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        assert (await get("/api/me/statistics", player)) == {"rulesets": []}
        sessions = [await win(tab)]
        await start(tab, TYPED, CODE)
        await play(tab, [*WAY[:4], RESIGN])
        sessions.append(tab.session)
        await recorded(worker, *sessions)
        (row,) = (await get("/api/me/statistics", player))["rulesets"]
        won_game, lost_game = row.pop("recent")
        assert (won_game["won"], won_game["score"]) == (True, boards.full_score("R"))
        assert (lost_game["won"], lost_game["moves"]) == (False, 4)
        assert row == {
            "letter": "R",
            "games": 2,
            "wins": 1,
            "win_rate": 0.5,
            "streak": 0,
            "longest_streak": 1,
            "best_time": won_game["time"],
            "mean_time": won_game["time"],
            "fewest_moves": won_game["moves"],
            "best_score": won_game["score"],
        }

    async def test_games_are_listed_the_newest_first(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        sessions = []
        for number in range(31):
            await start(tab, TYPED, "YU1-R-AAAAAAB")
            await play(tab, won_first(number))
            sessions.append(tab.session)
        await start(tab, RANDOM, "C")  # looked at and never begun
        await recorded(worker, sessions[3])
        first = await get("/api/me/games", player)
        assert [game["session"] for game in first["games"]] == sessions[:0:-1]
        second = await get(f"/api/me/games?cursor={first['next']}", player)
        assert [game["session"] for game in second["games"]] == sessions[:1]
        assert second["next"] is None
        states = {game["session"]: game for game in first["games"]}
        given_up, paused, playing = (states[sessions[at]] for at in (3, 2, 1))
        assert (given_up["state"], given_up["replay"]) == ("given_up", True)
        assert (paused["state"], paused["replay"]) == ("paused", False)
        assert playing == {
            "session": sessions[1],
            "letter": "R",
            "code": "YU1-R-AAAAAAB",
            "origin": TYPED,
            "state": "playing",
            "score": playing["score"],
            "moves": 1,
            "time": playing["time"],
            "dealt": playing["dealt"],
            "touched": playing["touched"],
            "replay": False,
        }
        assert given_up["time"] == given_up["touched"] - given_up["dealt"]
        await get("/api/me/games?cursor=nothing", player, 400)
        await get("/api/me/games", status=401)

    async def test_a_paused_clock_stands_in_the_list_too(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        await start(tab, TYPED, CODE)
        await play(tab, [WAY[0], PAUSE, RESUME, PAUSE])
        session = keys.session(tab.session)
        dealt = int(await worker.application.link.call("HGET", session, "dealt_at"))
        await worker.application.link.call("HSET", session, "dealt_at", dealt - 3_600_000)
        (game,) = (await get("/api/me/games", player))["games"]
        snapshot = await (await player.connect(worker)).ask(3, tab.session, None)
        assert snapshot[9] == game["time"] < 60_000


def won_first(number: int) -> list[Any]:
    first = line("YU1-R-AAAAAAB")[0]
    return [first, *{2: [PAUSE], 3: [RESIGN]}.get(number, [])]


class TestWatching:
    async def test_a_socket_hears_of_rows_from_any_worker(
        self, worker: Worker, start_worker: StartWorker, http: aiohttp.ClientSession
    ) -> None:
        other = await start_worker()
        ann, bob = [await Player.make(each, http) for each in (worker, other)]
        watcher, watcher_too = [await ann.connect(each) for each in (worker, other)]
        board = f"code:{CODE}"
        for each in (watcher, watcher_too):
            assert await each.ask(14, board) == [72, board, 0]
        await win(await bob.connect(other))
        for each in (watcher, watcher_too):
            assert await each.hear() == [72, board, 1]
        assert await watcher.ask(14, None) == [72, None, 0]
        assert len(worker.application.boards) == 0
        await watcher_too.ws.close()
        await eventually(lambda: len(other.application.boards) == 0)

    async def test_one_board_at_a_time_and_only_boards(self, worker: Worker, tab: Tab) -> None:
        assert await tab.ask(14, "C:all") == [72, "C:all", 0]
        assert await tab.ask(14, "R:all") == [72, "R:all", 0]
        assert list(worker.application.boards._watched) == ["R:all"]
        for name in ("", "Q:all", "C:day:x", "code:YU1-C-AAA", "daily:C:2026-11-31", "c:all"):
            assert (await tab.ask(14, name))[:4] == [67, 14, None, "no_such_board"]
        assert (await tab.ask(14, 5))[3] == "malformed"

    async def test_after_a_gap_every_watcher_is_told_again(self, worker: Worker, tab: Tab) -> None:
        await tab.ask(14, "C:all")
        await worker.application.link.call("ZADD", keys.board("C:all", "best"), 1, "x")
        worker.application.boards.resync()
        assert await tab.hear() == [72, "C:all", 1]


class TestAbuse:
    async def test_another_player_s_session_earns_me_nothing(
        self, worker: Worker, player: Player, tab: Tab, http: aiohttp.ClientSession, get: Get
    ) -> None:
        await start(tab, TYPED, CODE)
        thief = await Player.make(worker, http)
        stolen = await thief.connect(worker)
        assert (await stolen.ask(3, tab.session, None))[3] == "no_such_session"
        assert (await stolen.ask(4, 0, *WAY[0]))[3] == "no_session"
        await play(tab, WAY)
        await recorded(worker, tab.session)
        (row,) = (await get(f"/api/boards/code/{CODE}/best"))["rows"]
        assert row["player"] == player.id
        assert (await get("/api/me/statistics", thief)) == {"rulesets": []}

    async def test_a_won_game_that_is_sent_again_counts_once(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        second = await player.connect(worker)
        session = await win(tab)
        assert (await tab.hear())[7] == CODE
        await second.ask(3, session, None)
        version = len(WAY)
        for each in (tab, second):
            for at in (version - 1, version - 2):
                move = WAY[at]
                frame = (6, at) if move.source == 255 else (4, at, *move)
                assert await each.ask(*frame) == [69, at + 1]
            assert (await each.ask(4, version, 0, 1, 1))[3] == "game_over"
            assert (await each.ask(9, version))[3] == "game_over"
        await recorded(worker, session)
        (row,) = (await get("/api/me/statistics", player))["rulesets"]
        assert (row["games"], row["wins"]) == (1, 1)
        assert (await get(f"/api/boards/code/{CODE}/best"))["total"] == 1

    async def test_a_client_s_clock_decides_nothing(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        await start(tab, TYPED, CODE)
        assert (await tab.ask(13, 2**53 - 1))[0] == 68
        version = 0
        for move in WAY:
            frame = (6, version) if move.source == 255 else (4, version, *move)
            message = await tab.ask(*frame, 0, -5, "1970")  # fields of nobody's future
            version = message[1]
        await recorded(worker, tab.session)
        (row,) = (await get(f"/api/boards/code/{CODE}/best"))["rows"]
        stored = await worker.application.sessions.load(tab.session)
        assert stored is not None
        assert row["time"] == int.from_bytes(stored.log[-5:])

    async def test_the_second_attempt_at_known_cards_is_not_ranked(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        """The day's code cannot be typed by a player who was told it, for the global boards."""
        await start(tab, TYPED, CODE)
        await set_daily(worker, CODE)
        snapshot = await start(tab, DAILY, "R")
        assert snapshot[17] is False
        await play(tab, WAY)
        await recorded(worker, tab.session)
        assert (await get("/api/boards/R/all/best"))["total"] == 0

    async def test_the_same_request_is_one_game(
        self, worker: Worker, player: Player, tab: Tab
    ) -> None:
        await set_daily(worker, CODE)
        request = request_id()
        first = await tab.ask(2, request, DAILY, "R")
        assert (await tab.ask(2, request, DAILY, "R"))[1] == first[1]
