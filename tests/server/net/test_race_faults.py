"""Races when something goes wrong: killed workers, hosts who vanish, limits that pass."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
import redis

from server.core.ports import Commit, Committed, RaceOver, Stale, Unavailable
from server.core.racesteps import HOST_AWAY_MS, MINUTE_MS
from server.store import keys
from tests.server.conftest import RedisServer
from tests.server.net.racing import (
    CONFIRMED,
    COUNTDOWN,
    DONE,
    EVENT,
    FINISHED,
    JOINED,
    LOCK,
    REFUSAL,
    REMATCH,
    REMOVE,
    RUNNING,
    STANDINGS,
    START,
    Racer,
    Two,
    away,
    back,
    due_now,
    frame_of,
    kill,
    winning_line,
)
from tests.server.net.worker import Worker

CODE, LINE = winning_line()
WINNABLE = ("C", CODE, 5)


@pytest.fixture(autouse=True)
def _short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 100)


async def seated(http: aiohttp.ClientSession, *at: Worker) -> tuple[list[Racer], str]:
    """A player at each of these workers, all with a seat in one room; the first is host."""
    racers = [await Racer.make(worker, http) for worker in at]
    room_id = await racers[0].open_room("Player 0", WINNABLE)
    for number, racer in enumerate(racers[1:], 1):
        assert (await racer.join(room_id, f"Player {number}"))[0] == JOINED
    return racers, room_id


async def running(http: aiohttp.ClientSession, *at: Worker) -> tuple[list[Racer], str]:
    """The same with the race under way."""
    racers, room_id = await seated(http, *at)
    assert (await racers[0].ask(START, True))[0] == DONE
    for racer in racers:
        await racer.in_state(RUNNING)
        await racer.dealt()
    return racers, room_id


async def come_back(racer: Racer, worker: Worker, room_id: str) -> Racer:
    """The same player on a new socket, in the room again."""
    again = await Racer.connect(racer.player, worker)
    assert (await again.join(room_id))[:1] == [JOINED]
    return again


def dies_at(worker: Worker, wanted: Callable[[Commit], bool]) -> None:
    """Let a worker be killed right after a commit, before anybody hears of it from the worker."""
    sessions: Any = worker.application.sessions
    commit = sessions.commit

    async def fatal(given: Commit) -> Committed | Stale | RaceOver:
        outcome: Committed | Stale | RaceOver = await commit(given)
        if wanted(given):
            await kill(worker.application)
            raise ConnectionError("killed")
        return outcome

    sessions.commit = fatal


async def lost(racer: Racer) -> None:
    """Wait until the socket is gone."""
    async with asyncio.timeout(30):
        while (await racer.ws.receive()).type is aiohttp.WSMsgType.BINARY:
            pass


async def test_a_worker_killed_in_the_countdown_keeps_nobody_from_go(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    (anna, bert), room_id = await seated(http, *workers)
    assert (await anna.ask(START, True))[0] == DONE
    await kill(workers[0].application)
    await bert.dealt()
    back_again = await come_back(anna, workers[1], room_id)
    assert (await back_again.dealt())[10:14] == bert.snapshot[10:14]


async def test_go_comes_though_nobody_is_left_to_wait_for_it(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    (anna, bert), room_id = await seated(http, workers[0], workers[0])
    assert (await anna.ask(START, True))[0] == DONE
    await bert.in_state(COUNTDOWN)
    await kill(workers[0].application)
    for racer in (anna, bert):
        again = await come_back(racer, workers[1], room_id)
        await again.in_state(RUNNING)
        await again.dealt()


async def test_a_worker_killed_in_the_race_loses_no_move(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    (anna, bert), room_id = await running(http, *workers)
    dies_at(workers[0], lambda commit: commit.version == 9)
    for move in LINE[:9]:
        assert (await anna.play(move))[0] == EVENT
    await anna.send(*frame_of(LINE[9], 9))  # committed, and never answered
    await lost(anna)
    again = await come_back(anna, workers[1], room_id)
    assert (await again.dealt())[2] == 10
    assert (await again.command(*frame_of(LINE[9], 9))) == [CONFIRMED, 10]
    for move in LINE[10:20]:
        assert (await again.play(move))[0] == EVENT
    assert again.version == 20
    while bert.lanes[0][5] < 15:  # an undo is among them, which is no move
        await bert.hear()


@pytest.mark.parametrize("rival_at", [0, 1])
async def test_a_worker_killed_at_the_winning_move_changes_no_place(
    workers: Two, http: aiohttp.ClientSession, rival_at: int
) -> None:
    (anna, bert), room_id = await running(http, workers[0], workers[rival_at])
    dies_at(workers[0], lambda commit: commit.state == "won")
    await bert.resign()
    for move in LINE[:-1]:
        assert (await anna.play(move))[0] == EVENT
    await anna.send(*frame_of(LINE[-1], len(LINE) - 1))
    await lost(anna)
    watching = bert
    if rival_at == 0:
        await lost(bert)
        watching = await come_back(bert, workers[1], room_id)
    again = await come_back(anna, workers[1], room_id)
    for racer in (watching, again):
        await racer.in_state(FINISHED)
        while not racer.standings:
            await racer.hear()
    assert watching.standings[-1] == again.standings[-1]
    rows = again.standings[-1][5]
    assert [row[1:4] for row in rows] == [[0, "Player 0", 0], [1, "Player 1", 1]]
    assert rows[0][4] > 0
    # The session was not found by joining, since the race is over; the move is in its log.
    session = rows[0][7]
    await again.send(3, session, None)
    assert (await again.until(65))[2:4] == [len(LINE), 16]
    assert (await again.command(*frame_of(LINE[-1], len(LINE) - 1)))[0] == CONFIRMED


async def test_two_wins_on_two_workers_have_the_same_places_everywhere(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    racers, _ = await running(http, *workers, workers[0])
    await racers[2].play(LINE[0])
    await asyncio.gather(*(through(racer) for racer in racers[:2]))
    await racers[2].resign()
    for racer in racers:
        while not racer.standings:
            await racer.hear()
    assert racers[0].standings == racers[1].standings == racers[2].standings
    rows = racers[0].standings[0][5]
    assert [row[3] for row in rows] == [0, 0, 1]
    assert rows[0][4] <= rows[1][4]


async def through(racer: Racer) -> None:
    """Win."""
    for move in LINE:
        assert (await racer.play(move))[0] == EVENT


async def test_a_host_whose_worker_died_hands_over(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    (anna, bert), room_id = await seated(http, *workers)
    await kill(workers[0].application)
    away(redis_server.url, room_id, anna.player.id, HOST_AWAY_MS)
    due_now(redis_server.url, room_id)
    while bert.room[4] != 1:
        await bert.hear()
    assert not bert.room[17][0][3]
    assert (await bert.ask(START, True))[0] == DONE
    await bert.dealt()


async def test_a_lease_that_runs_out_is_seen_by_those_who_are_there(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.rooms.LEASE_RENEWAL_MS", 20)
    _, second = workers
    (_, bert), _ = await seated(http, *workers)
    monkeypatch.setattr("server.store.rooms.LEASE_MS", 200)
    await second.application.rooms.hold(bert.room[1], [seat_player(bert, second, 0)])
    await kill(workers[0].application)
    while bert.room[17][0][3]:
        await bert.hear()
    assert bert.room[17][1][3]


def seat_player(racer: Racer, worker: Worker, seat: int) -> str:
    """The player of a seat, which no message tells."""
    loaded = worker.application.tables._tables[racer.room[1]].loaded
    assert loaded is not None
    return loaded.room.seats[seat].player


async def test_the_time_limit_ends_the_race_on_every_worker(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    (anna, bert), room_id = await running(http, *workers)
    for move in LINE[:3]:
        await anna.play(move)
    back(redis_server.url, room_id, 5 * MINUTE_MS, "ends", "started", "go_at")
    for racer in (anna, bert):
        await racer.in_state(FINISHED)
        while not racer.standings:
            await racer.hear()
    assert anna.standings == bert.standings
    _, _, ending, _, _, rows = anna.standings[0]
    assert ending == 1
    assert [row[3] for row in rows] == [4, 4]
    for racer in (anna, bert):
        version = racer.version
        refusal = await racer.play(LINE[version])
        assert refusal[:4] == [REFUSAL, 4, version, "race_over"]


async def test_a_move_after_the_limit_is_refused_and_ends_the_race(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    (anna, bert), room_id = await running(http, *workers)
    await anna.play(LINE[0])
    with redis.Redis.from_url(redis_server.url) as store:
        key = keys.room(room_id)
        document = json.loads(store.hget(key, "doc") or "")
        document["race"]["ends"] -= 5 * MINUTE_MS
        store.hset(key, mapping={"doc": json.dumps(document), "ends": document["race"]["ends"]})
    refusal = await anna.play(LINE[1])
    assert refusal == [REFUSAL, 4, 1, "race_over", refusal[4], False]
    for racer in (anna, bert):
        await racer.until(STANDINGS)
    await anna.send(11)
    assert (await anna.until(65))[2] == 1


def fails_once(owner: Any, name: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next call of an asynchronous method fail."""
    method = getattr(owner, name)

    async def failing(*given: Any) -> Any:
        monkeypatch.setattr(owner, name, method)
        raise error

    monkeypatch.setattr(owner, name, failing)


async def test_a_store_that_is_away_at_go_only_delays_it(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    (anna, bert), _ = await seated(http, *workers)
    assert (await anna.ask(START, True))[0] == DONE
    await bert.in_state(COUNTDOWN)
    for worker in workers:
        application = worker.application
        for owner, name in (
            *((application.rooms, "look"), (application.rooms, "load")),
            *((application.sessions, "watch"), (application.sessions, "load")),
        ):
            fails_once(owner, name, Unavailable("away"), monkeypatch)
    for racer in (anna, bert):
        await racer.in_state(RUNNING)
        await racer.dealt()


async def test_who_is_removed_while_coming_in_stays_out(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    (anna, bert), room_id = await seated(http, *workers)
    rooms = workers[1].application.rooms
    hold = rooms.hold

    async def late(room: str, players: Any) -> None:
        monkeypatch.setattr(rooms, "hold", hold)
        assert (await anna.ask(REMOVE, 1))[0] == DONE
        await hold(room, players)

    monkeypatch.setattr(rooms, "hold", late)
    again = await Racer.connect(bert.player, workers[1])
    assert (await again.join(room_id))[3] == "removed"


async def test_a_reader_who_is_stuck_is_closed(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    (anna, bert), _ = await seated(http, *workers)
    (connection,) = workers[1].application.sockets._open

    async def never() -> bool:
        return False

    class Stuck(type(connection)):  # type: ignore[misc]
        """A socket whose reader takes nothing any more."""

        __slots__ = ()
        is_full = True
        drained = staticmethod(never)

    connection.__class__ = Stuck
    assert (await anna.ask(LOCK, True))[0] == DONE
    await lost(bert)
    assert bert.ws.close_code == 4001


async def test_standings_come_though_the_next_lobby_was_open_before_they_were_seen(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    (anna, bert), room_id = await running(http, *workers)
    deaf = workers[1].application.tables._tables[room_id]
    deaf.is_loading = True  # as if it were still loading
    monkeypatch.setattr(workers[1].application.tables, "look_soon", lambda room_id: None)
    await bert.resign()
    await anna.resign()
    await anna.until(STANDINGS)
    assert (await anna.ask(REMATCH, 1, True))[0] == DONE
    deaf.is_loading = False
    deaf.listener(b"c")
    await bert.until(STANDINGS)
    assert bert.standings == anna.standings
    assert bert.room[6:8] == [2, 0]


async def test_a_store_that_was_away_brings_the_room_back(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    (anna, bert), _ = await running(http, *workers)
    second = workers[1].application
    second.bus._drop()  # what is published now is not heard at this worker
    for move in LINE[:4]:
        await anna.play(move)
    while bert.lanes[0][5] != 4:
        await bert.hear()
    assert len(second.tables) == 1
