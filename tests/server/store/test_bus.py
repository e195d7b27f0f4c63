"""The bus: topics, the canary, and what happens after a silence."""

import asyncio
import os
import signal

import pytest

from server.core.ports import Unavailable
from server.store import keys
from server.store.bus import Bus
from server.store.wire import Address
from tests.server.conftest import RedisServer
from tests.server.store.conftest import MakeWorker, Worker, deal, eventually, play


async def test_a_topic_reaches_every_worker_that_listens(
    worker: Worker, other: Worker, make_worker: MakeWorker
) -> None:
    third = await make_worker("w3")
    heard: dict[str, asyncio.Queue[bytes]] = {name: asyncio.Queue() for name in ("w1", "w2", "w3")}
    await worker.bus.listen("room:a", heard["w1"].put_nowait)
    await other.bus.listen("room:a", heard["w2"].put_nowait)
    await third.bus.listen("room:b", heard["w3"].put_nowait)
    await worker.publish("room:a", b"\x00\xff\r\n")
    assert await heard["w1"].get() == await heard["w2"].get() == b"\x00\xff\r\n"
    await worker.publish("room:b", b"b")
    assert await heard["w3"].get() == b"b"
    assert heard["w1"].empty()


async def test_a_handler_that_left_is_not_called(worker: Worker) -> None:
    stays: asyncio.Queue[bytes] = asyncio.Queue()
    left: list[bytes] = []
    await worker.bus.listen("room:a", left.append)
    await worker.bus.listen("room:a", stays.put_nowait)
    worker.bus.unlisten("room:a", left.append)
    worker.bus.unlisten("room:a", left.append)
    await worker.publish("room:a", b"1")
    assert await stays.get() == b"1"
    assert left == []


async def test_the_last_handler_ends_the_subscription(worker: Worker) -> None:
    heard: list[bytes] = []
    await worker.bus.listen("room:a", heard.append)
    worker.bus.unlisten("room:a", heard.append)
    channel = keys.topic_channel("room:a")

    async def is_silent() -> bool:
        answer: list[object] = await worker.link.call("PUBSUB", "NUMSUB", channel)
        return answer[1] == 0

    await eventually(is_silent)


async def test_after_redis_came_back_the_worker_hears_again_and_says_that_it_missed(
    redis_server: RedisServer, worker: Worker, other: Worker
) -> None:
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    played = await deal(worker)
    await other.sessions.watch("s1")
    await other.bus.listen("room:a", heard.put_nowait)
    assert worker.bus.is_proven
    assert other.bus.is_proven
    os.kill(redis_server.pid, signal.SIGKILL)
    for each in (worker, other):
        await each.until(lambda each=each: each.gaps > 0)  # type: ignore[misc]
    await eventually(lambda: all(each.bus.is_proven for each in (worker, other)))
    await play(worker, played, 1)
    await other.until(lambda: len(other.heard) == 1)
    await worker.publish("room:a", b"again")
    assert await heard.get() == b"again"


async def test_a_worker_that_was_dropped_is_told_again_after_its_gap(
    worker: Worker, other: Worker
) -> None:
    played = await deal(worker)
    await other.sessions.watch("s1")
    # Redis ends the subscriber's connection, as it does with one that reads too slowly.
    await worker.link.call("CLIENT", "KILL", "TYPE", "pubsub")
    played = await play(worker, played, 1)
    await other.until(lambda: other.gaps == 1)
    assert b"w2" in (await worker.link.call("HGET", keys.session("s1"), "viewers"))
    await play(worker, played, 1)
    await other.until(lambda: any(event.version == 2 for event in other.heard))


async def test_a_subscription_through_which_nothing_comes_is_not_proven(
    redis_server: RedisServer, worker: Worker
) -> None:
    # The connection stays open and the subscription is gone: only the canary can tell.
    worker.bus._wire.tell("UNSUBSCRIBE")  # type: ignore[union-attr]
    await worker.until(lambda: worker.gaps == 1)
    await eventually(lambda: worker.bus.is_proven)


async def test_a_redis_that_takes_no_writes_is_not_proven(
    redis_server: RedisServer, worker: Worker
) -> None:
    played = await deal(worker)
    await worker.link.call("CONFIG", "SET", "min-replicas-to-write", 1)
    try:
        with pytest.raises(Unavailable):
            await worker.sessions.commit(played.commit())
        await eventually(lambda: not worker.bus.is_proven)
    finally:
        await worker.link.call("CONFIG", "SET", "min-replicas-to-write", 0)
    await eventually(lambda: worker.bus.is_proven)
    await play(worker, played, 1)


async def test_a_bus_that_cannot_be_proven_does_not_start(
    redis_server: RedisServer, worker: Worker
) -> None:
    async def nothing() -> None:
        return None

    address = Address.from_url(redis_server.url)
    await worker.link.close()
    bus = Bus(address, worker.link, "w9", lambda event: None, nothing, canary_seconds=0.05)
    with pytest.raises(Unavailable):
        await bus.start()
    await bus.close()


async def test_a_message_nobody_understands_harms_nothing(
    worker: Worker, other: Worker, caplog: pytest.LogCaptureFixture
) -> None:
    played = await deal(worker)
    await other.sessions.watch("s1")
    for message in (b"", b"\x01", b"\x01\x05\x00\x00\x00\x01abc", b"\x07what", b"\x00" * 9):
        await worker.link.call("PUBLISH", keys.worker_channel("w2"), message)
    await play(worker, played, 1)
    await other.until(lambda: len(other.heard) == 1)
    assert other.bus.is_proven
    assert "from another worker" in caplog.text


async def test_a_gap_that_cannot_be_told_yet_is_told_later(
    redis_server: RedisServer, worker: Worker
) -> None:
    tries: list[int] = []

    async def on_gap() -> None:
        tries.append(len(tries))
        if len(tries) == 1:
            raise Unavailable("not yet")
        if len(tries) == 2:
            raise RuntimeError("a fault of the owner")

    address = Address.from_url(redis_server.url)
    bus = Bus(address, worker.link, "w9", lambda event: None, on_gap, canary_seconds=0.2)
    await bus.start()
    await worker.link.call("CLIENT", "KILL", "TYPE", "pubsub")
    await eventually(lambda: len(tries) == 3 and bus.is_proven)
    await bus.close()
