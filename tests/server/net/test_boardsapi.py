"""Leaderboards over HTTP and told to watchers, of games played over sockets."""

from typing import Any

import aiohttp
import pytest

from server.core import boards, daily
from server.core.cursors import Cursor
from server.store import keys
from tests.server.lines import won
from tests.server.net.conftest import Get, StartWorker
from tests.server.net.ranking import (
    RANKED,
    draw,
    play,
    recorded,
    start,
    win,
)
from tests.server.net.worker import Player, Tab, Worker
from tests.server.store.conftest import eventually

CODE, WAY = won(0)


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
