"""What players try for a better place, and that it earns them nothing."""

import aiohttp

from tests.server.lines import won
from tests.server.net.conftest import Get
from tests.server.net.ranking import (
    DAILY,
    TYPED,
    play,
    recorded,
    set_daily,
    start,
    win,
)
from tests.server.net.worker import Player, Tab, Worker, request_id

CODE, WAY = won(0)


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
