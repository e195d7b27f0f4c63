"""Races on leaderboards: a lane has what its log says, and nothing opens before the race does."""

from typing import Any

import aiohttp
import pytest

from tests.server.net.conftest import StartWorker
from tests.server.net.racing import CLOSED, FINISHED, LEAVE, REMATCH, RUNNING, START, Racer
from tests.server.net.ranking import ask, recorded
from tests.server.store.conftest import eventually

pytestmark = pytest.mark.usefixtures("short_countdown")


async def test_lanes_rank_and_stay_hidden_until_the_race_is_over(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    workers = await start_worker(), await start_worker()
    anna, bert, carl = [await Racer.make(worker, http) for worker in (*workers, workers[0])]
    room = await anna.open_room("Anna", ("R", None, 0))
    for name, racer in (("Bert", bert), ("Carl", carl)):
        await racer.join(room, name)
    while len(anna.room[17]) < 3:
        await anna.hear()
    await anna.ask(START, True)
    for racer in (anna, bert, carl):
        await racer.in_state(RUNNING)
        snapshot = await racer.dealt()
        assert snapshot[17:19] == [True, None]
    sessions = {racer: str(racer.snapshot[1]) for racer in (anna, bert, carl)}

    async def board(racer: Racer, name: str = "R/all") -> dict[str, Any]:
        status, page = await ask(workers[0], f"/api/boards/{name}/best", http)
        assert status == 200
        rows: list[dict[str, Any]] = page["rows"]
        return next((row for row in rows if row["player"] == racer.player.id), {})

    # Anna gives up, Bert leaves by the room's decision: both have a row, and nobody the cards.
    for _ in range(4):
        await anna.play()
    await anna.resign()
    await bert.play()
    await bert.ask(LEAVE, answer=CLOSED)
    await eventually(lambda: has_row(board, bert))
    await recorded(workers[0], sessions[anna], sessions[bert])
    first, second = await board(anna), await board(bert)
    assert (first["moves"], second["moves"]) == (4, 1)
    for row in (first, second):
        assert (row["won"], row["code"], row["replay"]) == (False, None, None)
    assert (await ask(workers[1], f"/api/replay/{sessions[anna]}", http))[0] == 403
    await carl.play()
    await carl.resign()
    await anna.in_state(FINISHED)
    await eventually(lambda: has_row(board, carl))
    code = (await board(anna))["code"]
    assert code is not None
    for racer in (anna, bert, carl):
        row = await board(racer)
        assert (row["code"], row["replay"]) == (code, sessions[racer])
    assert (await ask(workers[1], f"/api/replay/{sessions[bert]}", http))[0] == 200

    # The same cards again are a race of a known code.
    await anna.ask(REMATCH, 1, True)
    await anna.in_state(0, 2)
    await anna.ask(START, True)
    await anna.in_state(RUNNING, 2)
    snapshot = await anna.dealt(2)
    assert snapshot[17] is False
    await anna.play()
    await anna.resign()
    await recorded(workers[0], str(snapshot[1]))
    assert (await board(anna))["replay"] == sessions[anna]
    (status, told) = await ask(workers[0], "/api/me/statistics", http, anna.player)
    assert status == 200
    assert [row["games"] for row in told["rulesets"]] == [2]
    status, games = await ask(workers[0], "/api/me/games", http, bert.player)
    assert [game["state"] for game in games["games"]] == ["over"]


async def has_row(board: Any, racer: Racer) -> bool:
    return bool(await board(racer))
