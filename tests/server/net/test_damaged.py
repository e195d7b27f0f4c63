"""Pages stand when something of one game or one player is damaged in Redis."""

import aiohttp

from engine.move import RESIGN
from server.store import keys
from tests.server.lines import won
from tests.server.net.conftest import Get
from tests.server.net.ranking import DAILY, RANKED, TYPED, draw, play, recorded, set_daily, start
from tests.server.net.worker import Player, Tab, Worker

CODE, WAY = won(0)


async def test_boards_and_the_history_are_there_without_the_damaged_game(
    worker: Worker, player: Player, tab: Tab, get: Get
) -> None:
    draw(worker, CODE)
    await start(tab, RANKED, "R")
    ranked = tab.session
    await play(tab, WAY)
    await start(tab, TYPED, "YU1-C-AAAAAAB")
    await play(tab, [RESIGN])
    await recorded(worker, ranked)
    await worker.application.link.call("HSET", keys.session(ranked), "shown", "?")
    for board in ("R/all/best", "R/day/moves"):
        (row,) = (await get(f"/api/boards/{board}"))["rows"]
        assert (row["player"], row["code"], row["replay"]) == (player.id, None, None)
        assert (await get(f"/api/boards/{board}/me", player))["place"] == 1
    games = (await get("/api/me/games", player))["games"]
    assert [game["session"] for game in games] == [tab.session]


async def test_a_player_s_own_pages_are_there_without_what_is_damaged(
    worker: Worker, player: Player, tab: Tab, get: Get
) -> None:
    await set_daily(worker, CODE)
    await start(tab, DAILY, "R")
    await play(tab, WAY)
    await recorded(worker, tab.session)
    link = worker.application.link
    (row,) = (await get("/api/me/statistics", player))["rulesets"]
    await link.call("HSET", keys.statistics(player.id), "C", "?", b"\xff", "?")
    assert (await get("/api/me/statistics", player))["rulesets"] == [row]
    for key in (
        keys.statistics(player.id),
        keys.games(player.id),
        keys.marks(player.id, "R"),
        keys.attempts(player.id, "R"),
    ):
        await link.call("DEL", key)
        await link.call("SET", key, "?")
    assert await get("/api/me/statistics", player) == {"rulesets": []}
    assert await get("/api/me/games", player) == {"games": [], "next": None}
    await get(f"/api/me/games?cursor={tab.session}", player, 400)
    calendar = await get("/api/daily/R/calendar", player)
    assert {day["mark"] is None for day in calendar["days"]} == {True}
    today = (await get("/api/daily", player))["rulesets"]
    assert [row["mine"] for row in today] == [None] * len(today)


async def test_a_replay_is_there_when_its_player_cannot_be_read(
    worker: Worker, player: Player, tab: Tab, http: aiohttp.ClientSession
) -> None:
    await start(tab, TYPED, CODE)
    await play(tab, WAY)
    await worker.application.link.call("HSET", keys.player(player.id), "created", "?")
    async with http.get(f"{worker.url}/api/replay/{tab.session}") as answer:
        assert answer.status == 200
        assert (await answer.json())["player"] == {"id": player.id, "name": None}
