"""Rooms and races over real sockets on two workers, from the link to the rematch."""

from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from tests.server.net.racing import (
    COUNTDOWN,
    FINISHED,
    JOINED,
    LOBBY,
    READY,
    REMATCH,
    RUNNING,
    START,
    Racer,
)
from tests.server.net.worker import Worker

StartWorker = Callable[..., Awaitable[Worker]]


@pytest.fixture(autouse=True)
def _short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 100)


@pytest.fixture
async def workers(start_worker: StartWorker) -> tuple[Worker, Worker]:
    return await start_worker(), await start_worker()


async def test_a_whole_evening_on_two_workers(
    workers: tuple[Worker, Worker], http: aiohttp.ClientSession
) -> None:
    anna, bert = [await Racer.make(worker, http) for worker in workers]
    room_id = await anna.open_room("Anna")
    assert anna.room[1] == room_id
    assert anna.room[17] == [[0, "Anna", False, True]]
    joined = await bert.join(anna.room[3], "Bert")
    assert joined[0] == JOINED
    assert joined[2:] == [room_id, 1, None]
    assert (await bert.ask(READY, True))[:2] == [87, READY]
    assert (await anna.ask(START, False))[:2] == [87, START]
    for racer in (anna, bert):
        await racer.in_state(COUNTDOWN)
        await racer.in_state(RUNNING)
        await racer.dealt()
    assert anna.snapshot[10:14] == bert.snapshot[10:14]
    for _ in range(5):
        assert (await anna.play())[0] == 66
    assert (await anna.resign())[0] == 66
    assert (await bert.resign())[0] == 66
    for racer in (anna, bert):
        await racer.in_state(FINISHED)
        while not racer.standings:
            await racer.hear()
    assert anna.standings == bert.standings
    assert (await anna.ask(REMATCH, 1, False))[0] == 87
    for racer in (anna, bert):
        await racer.in_state(LOBBY, race=2)
