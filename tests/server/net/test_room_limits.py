"""Rooms and what is too much: slow readers, floods, long evenings; and what a host may count."""

import asyncio
import json
from dataclasses import replace

import aiohttp
import pytest
import redis

from server.core.throttle import NO_LIMITS, Limit
from server.store import keys
from tests.server.conftest import RedisServer
from tests.server.net.conftest import StartWorker
from tests.server.net.racing import (
    CLOSED,
    DONE,
    EVENING,
    EVENING_,
    JOIN,
    JOINED,
    LANES,
    LEAVE,
    MAKE,
    READY,
    REFUSAL,
    REMATCH,
    ROOM,
    ROOM_,
    RUNNING,
    SEALED,
    Racer,
    Two,
    finish,
    pair,
    run,
)
from tests.server.net.worker import request_id

REQUEST = b"12345678"
pytestmark = pytest.mark.usefixtures("short_countdown")


async def test_a_slow_reader_gets_the_latest_of_all_and_not_every_step(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, _ = await pair(workers, http)
    (connection,) = workers[1].sockets._open
    taken = asyncio.Event()

    async def drained() -> bool:
        await taken.wait()
        return True

    class Slow(type(connection)):  # type: ignore[misc]
        """A socket whose reader has stopped."""

        __slots__ = ()
        is_full = property(lambda self: not taken.is_set())

        async def drained(self) -> bool:
            return await drained()

    connection.__class__ = Slow
    for ready in (True, False) * 5 + (True,):
        assert (await anna.ask(READY, ready))[0] == DONE
        while anna.room[17][0][2] != ready:
            await anna.hear()
    await run(anna)
    taken.set()
    await bert.in_state(RUNNING)
    rooms = [frame for frame in bert.frames if frame[1:2] == b"\xdc" or frame[0] == 0xDC]
    assert len(rooms) <= 5
    await bert.until(LANES)
    assert sorted(bert.lanes) == [0, 1]


async def test_making_rooms_is_limited(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=replace(NO_LIMITS, rooms=Limit(1e-6, 2)))
    anna = await Racer.make(worker, http)
    for _ in range(2):
        await anna.open_room("Anna")
    request = request_id()
    answer = await anna.ask(MAKE, request, "Anna", SEALED, answer=JOINED)
    assert answer[:4] == [REFUSAL, MAKE, request, "too_fast"]


async def test_guessing_the_codes_of_rooms_is_limited_by_address(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=replace(NO_LIMITS, room_codes=Limit(1e-6, 2)))
    anna = await Racer.make(worker, http)
    room_id = await anna.open_room("Anna")
    bert = await Racer.make(worker, http)
    tries = [await bert.join(code, "Bert") for code in ("BCDFGH", "BCDFGJ", anna.room[3])]
    assert [answer[3] for answer in tries] == ["no_such_room", "no_such_room", "too_fast"]
    assert (await bert.join(room_id, "Bert"))[0] == JOINED


async def test_commands_of_rooms_are_limited_as_all_are(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=replace(NO_LIMITS, connection=Limit(1e-6, 4)))
    anna = await Racer.make(worker, http)
    room_id = await anna.open_room("Anna")
    for ready in (True, False):
        assert (await anna.ask(READY, ready))[0] == DONE
    assert (await anna.ask(READY, True))[2:4] == [None, "too_fast"]
    assert (await anna.ask(JOIN, REQUEST, room_id, None, True))[2:4] == [REQUEST, "too_fast"]


async def test_of_a_long_evening_the_latest_races_are_told(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    anna, bert, room_id = await pair(workers, http)
    with redis.Redis.from_url(redis_server.url) as store:
        for number in range(30):
            store.rpush(keys.room_races(room_id), json.dumps({"race": number, "x": "x" * 3000}))
    await run(anna, bert)
    await finish(anna, bert)
    (_, records) = await anna.ask(EVENING_, answer=EVENING)
    races = [json.loads(record)["race"] for record in records]
    assert races == [*range(15, 30), 1]


async def test_an_evening_is_put_together_once_for_each_race_that_ended(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert, _ = await pair(workers, http)
    rooms = workers[0].application.rooms
    read = rooms.evening
    times = 0

    async def counted(room_id: str) -> list[str]:
        nonlocal times
        times += 1
        return await read(room_id)

    async def races() -> list[int]:
        (_, records) = await anna.ask(EVENING_, answer=EVENING)
        return [json.loads(record)["race"] for record in records]

    monkeypatch.setattr(rooms, "evening", counted)
    assert [await races() for _ in range(3)] == [[], [], []]
    await run(anna, bert)
    await finish(anna, bert)
    times = 0
    assert [await races() for _ in range(3)] == [[1], [1], [1]]
    assert times == 1
    assert (await anna.ask(REMATCH, 1, False))[0] == DONE
    assert [await races() for _ in range(3)] == [[1], [1], [1]]
    assert times == 2


async def test_a_rematch_while_the_evening_is_read_tells_no_race_twice(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert, _ = await pair(workers, http)
    await run(anna, bert)
    await finish(anna, bert)
    rooms = workers[1].application.rooms
    read = rooms.evening

    async def late(room: str) -> list[str]:
        assert (await anna.ask(REMATCH, 1, False))[0] == DONE
        return await read(room)

    monkeypatch.setattr(rooms, "evening", late)
    (_, records) = await bert.ask(EVENING_, answer=EVENING)
    assert [json.loads(record)["race"] for record in records] == [1]


async def test_rooms_races_and_lanes_are_counted(workers: Two, http: aiohttp.ClientSession) -> None:
    anna, bert, _ = await pair(workers, http)
    await run(anna, bert)
    await anna.play()
    await finish(anna, bert)
    application = workers[0].application
    application.metrics.gauges(
        len(application.sockets), len(application.hub), len(application.tables)
    )
    texts = [worker.application.metrics.text().decode() for worker in workers]
    assert "yukon_rooms 1.0" in texts[0]
    for what in ("dealt", "finished"):
        line = f'yukon_races_total{{what="{what}"}} 1.0'
        assert sum(line in text for text in texts) == 1
    assert 'yukon_commands_total{kind="start",outcome="accepted"} 1.0' in texts[0]
    assert all("yukon_lanes_updates_total" in text for text in texts)


async def test_a_worker_takes_so_many_watchers_of_a_room_and_everybody_with_a_seat(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.table.MOST_WATCHERS", 2)
    anna, _, room_id = await pair(workers, http)
    first, second, third = [await Racer.make(workers[0], http) for _ in range(3)]
    for watcher in (first, second, second):  # coming again takes no second place
        assert (await watcher.join(room_id, seat=False))[0] == JOINED
    elsewhere = await third.open_room("Carl")
    request = request_id()
    refusal = await third.ask(JOIN, request, room_id, None, False, answer=JOINED)
    assert refusal[:4] == [REFUSAL, JOIN, request, "too_many"]
    assert refusal[5] is False
    assert (await third.ask(ROOM_, answer=ROOM))[1] == elsewhere  # what it showed before

    other = await Racer.make(workers[1], http)
    assert (await other.join(room_id, seat=False))[0] == JOINED
    again = await Racer.connect(anna.player, workers[0])
    assert (await again.join(room_id, seat=False))[0] == JOINED  # her seat's second tab
    assert (await first.join(room_id, "Dora"))[0] == JOINED
    assert (await third.join(room_id, seat=False))[0] == JOINED
    await second.ask(LEAVE, answer=CLOSED)
    fifth = await Racer.make(workers[0], http)
    assert (await fifth.join(room_id, seat=False))[0] == JOINED


async def test_the_sockets_of_one_watcher_keep_nobody_else_out_and_are_limited(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.table.MOST_WATCHERS", 2)
    monkeypatch.setattr("server.net.table.MOST_OF_ONE_WATCHER", 3)
    _, _, room_id = await pair(workers, http)
    first = await Racer.make(workers[0], http)
    assert (await first.join(room_id, seat=False))[0] == JOINED
    # A line that breaks unnoticed leaves a socket behind.
    again = [await Racer.connect(first.player, workers[0]) for _ in range(2)]
    for socket in again:
        assert (await socket.join(room_id, seat=False))[0] == JOINED
    second = await Racer.make(workers[0], http)
    assert (await second.join(room_id, seat=False))[0] == JOINED
    fourth = await Racer.connect(first.player, workers[0])
    request = request_id()
    refusal = await fourth.ask(JOIN, request, room_id, None, False, answer=JOINED)
    assert refusal[:4] == [REFUSAL, JOIN, request, "too_many"]
