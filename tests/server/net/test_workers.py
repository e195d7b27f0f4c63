"""Several workers and the store between them: in step, in conflict, and without a store."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable

import aiohttp
import pytest
import redis

from engine.game import Game
from engine.move import from_code
from server.core.heads import head_of
from server.store import keys
from tests.server.conftest import RedisServer
from tests.server.net.worker import Message, Player, Tab, Worker

CODE = "YU1-C-AAAAAAB"
SECONDS = 20.0

StartWorker = Callable[..., Awaitable[Worker]]
TwoTabs = tuple[Tab, Tab, Worker, Worker]


async def until(what: str, probe: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something has become true."""
    try:
        async with asyncio.timeout(SECONDS):
            while not await probe():  # noqa: ASYNC110 - what is awaited is in another process
                await asyncio.sleep(0.01)
    except TimeoutError:
        pytest.fail(f"never came true: {what}")


async def state_at(tab: Tab, version: int) -> Message:
    """The snapshot of a version; what comes before it is passed over."""
    await tab.send(11)
    while True:
        message = await tab.hear()
        if message[0] == 65 and message[2] == version:
            return message


@pytest.fixture
async def two(start_worker: StartWorker, http: aiohttp.ClientSession) -> TwoTabs:
    """One session, shown by a tab at each of two workers."""
    first, second = await start_worker(), await start_worker()
    player = await Player.make(first, http)
    here, there = await player.connect(first), await player.connect(second)
    await here.deal(CODE)
    await there.ask(3, here.session, None)
    there.session, there.game = here.session, Game(CODE)
    return here, there, first, second


async def test_two_workers_stay_in_step(two: TwoTabs) -> None:
    here, there, *_ = two
    for mover, watcher in ((here, there), (there, here)) * 10:
        assert mover.game is not None
        move = next(iter(mover.game.legal_moves))
        await mover.play(move)
        watcher.follow(await watcher.hear(), move)
    await here.check()
    await there.check()


async def test_both_workers_tell_the_same_clock_of_pause_and_end(two: TwoTabs) -> None:
    here, there, *_ = two
    for version, kind in enumerate((7, 8, 9)):
        event = await here.ask(kind, version)
        assert len(event) == 8
        assert await there.hear() == event


async def test_of_two_commands_on_one_version_one_happens(two: TwoTabs) -> None:
    here, there, *_ = two
    state = await state_at(here, 0)
    for version in range(15):
        legal = state[14]
        moves = [from_code(int.from_bytes(legal[at : at + 2])) for at in (0, len(legal) - 2)]
        await asyncio.gather(here.send(4, version, *moves[0]), there.send(4, version, *moves[1]))
        answers = [await answer_of(tab, version) for tab in (here, there)]
        if moves[0] == moves[1]:
            assert sorted(answers) in (["confirmed", "event"], ["event", "event"])
        else:
            assert sorted(answers) == ["event", "stale"]
        state = await state_at(here, version + 1)
        assert (await state_at(there, version + 1))[10:15] == state[10:15]


async def answer_of(tab: Tab, version: int) -> str:
    """What the tab's own command on this version came to, by the first thing that tells."""
    stale = False
    while True:
        message = await tab.hear()
        if message[0] == 69:
            return "confirmed"
        if message[0] == 67:
            assert message[:4] == [67, 4, version, "stale"]
            stale = True
        elif stale and message[0] == 65:
            return "stale"
        elif message[0] == 66 and message[1] == version + 1:
            # The other's event may come before the refusal of this tab's own command.
            await tab.send(13, version)
            late = await tab.hear()
            while late[0] != 68:
                stale = stale or late[0] == 67
                if late[0] == 69:
                    return "confirmed"
                late = await tab.hear()
            return "stale" if stale else "event"


async def test_a_history_that_was_replaced_is_noticed(
    two: TwoTabs, redis_server: RedisServer
) -> None:
    here, there, *_ = two
    assert here.game is not None
    moves = list(here.game.legal_moves)
    await here.play(moves[0])
    there.follow(await there.hear(), moves[0])
    # Another history as long as this one, as a failover may bring it back.
    other = Game(CODE)
    other.play(moves[-1], 0)
    with redis.Redis.from_url(redis_server.url) as store:
        store.set(keys.log(here.session), other.log, keepttl=True)
        store.hset(keys.session(here.session), mapping={"head": head_of(CODE, other.log)})
    move = next(iter(here.game.legal_moves))
    assert (await here.ask(4, 1, *move))[:4] == [67, 4, 1, "stale"]
    here.game = other
    assert (await here.hear())[:3] == [65, here.session, 1]
    await here.check()
    await here.play(next(iter(other.legal_moves)))
    snapshot = await there.hear()
    assert snapshot[:3] == [65, here.session, 2]
    there.game = other
    await there.check()


async def test_a_lower_version_wins_when_the_store_has_it(
    two: TwoTabs, redis_server: RedisServer
) -> None:
    here, there, *_ = two
    assert here.game is not None
    for _ in range(3):
        move = next(iter(here.game.legal_moves))
        await here.play(move)
        there.follow(await there.hear(), move)
    with redis.Redis.from_url(redis_server.url) as store:
        log = here.game.log[:8]
        store.set(keys.log(here.session), log, keepttl=True)
        store.hset(keys.session(here.session), mapping={"head": head_of(CODE, log), "version": 1})
    move = next(iter(here.game.legal_moves))
    assert (await here.ask(4, 3, *move))[3] == "stale"
    assert (await here.hear())[:3] == [65, here.session, 1]


async def test_a_session_that_is_gone_is_refused(two: TwoTabs, redis_server: RedisServer) -> None:
    here, there, *_ = two
    with redis.Redis.from_url(redis_server.url) as store:
        store.delete(keys.log(here.session))
    assert here.game is not None
    move = next(iter(here.game.legal_moves))
    assert (await here.ask(4, 0, *move))[3] == "no_such_session"
    assert (await there.ask(4, 0, *move))[3] == "no_such_session"
    assert (await here.ask(3, here.session, None))[3] == "no_such_session"
    assert (await here.ask(11))[3] in ("no_such_session", "no_session")
    await here.deal(CODE)


async def test_without_a_store_commands_are_refused_and_then_happen(
    two: TwoTabs, redis_server: RedisServer, http: aiohttp.ClientSession
) -> None:
    here, _, first, second = two
    assert here.game is not None
    move = next(iter(here.game.legal_moves))
    os.kill(redis_server.pid, signal.SIGSTOP)
    try:
        await here.send(4, 0, *move)  # under way while the store hangs
        first.application.link._wire.abort()  # type: ignore[attr-defined]
        refusal = await here.hear()
        assert refusal[:4] == [67, 4, 0, "unavailable"]
        assert refusal[5] is True
        async with http.get(f"{first.url}/readyz") as answer:
            assert answer.status == 503
        async with http.get(f"{first.url}/healthz") as answer:
            assert answer.status == 200
        assert (await here.ask(13, 1))[0] == 68
        async with http.post(f"{first.url}/api/player") as answer:
            assert answer.status == 503
            assert (await answer.json())["error"] == "unavailable"
    finally:
        os.kill(redis_server.pid, signal.SIGCONT)
    await when_ready(http, first, second)
    message = await here.ask(4, 0, *move)
    while message[0] == 65:  # shown anew when the store came back
        message = await here.hear()
    assert message[0] in (66, 69)
    here.game.play(move, 0)
    await here.send(11)
    assert (await here.hear())[:3] == [65, here.session, 1]


async def test_a_killed_store_comes_back_with_every_game(
    two: TwoTabs, redis_server: RedisServer, http: aiohttp.ClientSession
) -> None:
    here, there, first, second = two
    assert here.game is not None
    for _ in range(5):
        move = next(iter(here.game.legal_moves))
        await here.play(move)
        there.follow(await there.hear(), move)
    os.kill(redis_server.pid, signal.SIGKILL)
    assert (await here.ask(4, 5, *next(iter(here.game.legal_moves))))[0] in (66, 67)
    await when_ready(http, first, second)
    for tab in (here, there):
        snapshot = await tab.hear()
        while snapshot[0] != 65:
            snapshot = await tab.hear()
        assert snapshot[1] == here.session


async def when_ready(http: aiohttp.ClientSession, *workers: Worker) -> None:
    """Wait until every worker says that it can serve."""

    async def all_ready() -> bool:
        for worker in workers:
            async with http.get(f"{worker.url}/readyz") as answer:
                if answer.status != 200:
                    return False
        return True

    await until("every worker is ready", all_ready)


async def test_a_worker_that_stops_says_come_back(two: TwoTabs) -> None:
    here, there, first, _ = two
    assert here.game is not None
    move = next(iter(here.game.legal_moves))
    await here.send(4, 0, *move)
    started = time.monotonic()
    stopping = asyncio.create_task(first.application.stop())
    first.application.stop = nothing  # type: ignore[method-assign]
    heard = []
    async with asyncio.timeout(SECONDS):
        while (frame := await here.ws.receive()).type is aiohttp.WSMsgType.BINARY:
            heard.append(frame.data)
    await stopping
    assert here.ws.close_code == 4000
    assert heard[-1] == b"\x92\x47\xa8stopping"
    assert time.monotonic() - started < SECONDS
    move_heard = len(heard) == 2
    assert (await state_at(there, int(move_heard)))[0] == 65


async def nothing() -> None:
    """Stopped already."""


async def test_sessions_wait_a_while_for_those_who_come_back(
    two: TwoTabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, first, _ = two
    hub = first.application.hub
    await here.ask(12)
    await hub.tidy()
    assert len(hub) == 1
    monkeypatch.setattr("server.net.hub.GRACE_SECONDS", -1.0)
    await hub.tidy()
    assert len(hub) == 0
    move = next(iter(Game(CODE).legal_moves))
    await there.play(move)
    snapshot = await here.ask(3, here.session, 0)
    assert snapshot[:3] == [65, here.session, 1]


async def test_sessions_that_nobody_shows_are_forgotten_while_the_store_is_away(
    two: TwoTabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _, first, _ = two
    await here.deal(CODE)
    await here.ask(12)
    sessions, hub = first.application.sessions, first.application.hub
    assert len(sessions._watched) == len(hub) == 2
    monkeypatch.setattr("server.net.hub.GRACE_SECONDS", -1.0)
    first.application.link._wire.abort()  # type: ignore[attr-defined]
    await hub.tidy()
    assert not sessions._watched
    assert len(hub) == 0


async def test_a_full_memory_forgets_games_and_loads_them_again(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker()
    worker.application.hub._games.most = 2
    player = await Player.make(worker, http)
    tabs = [await player.connect(worker) for _ in range(5)]
    for tab in tabs:
        await tab.deal(CODE)
    for _ in range(3):
        for tab in tabs:
            assert tab.game is not None
            await tab.play(next(iter(tab.game.legal_moves)))
    for tab in tabs:
        await tab.check()
    assert len(worker.application.hub._games) == 2
