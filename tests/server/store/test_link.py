"""The connection for commands: order, bounds, and what happens when Redis goes away."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.core.ports import Committed, Missing, Unavailable
from server.store.connect import bus_address, link_to
from server.store.errors import ReplyError
from server.store.link import FIRST_DELAY, LONGEST_DELAY, Link, delay_before
from server.store.sessions import Sessions
from server.store.wire import Address
from tests.server.conftest import RedisServer
from tests.server.store.conftest import Played, Worker, deal, eventually, play

Answer = Callable[[bytes, asyncio.StreamWriter], None]


@asynccontextmanager
async def fake_redis(folder: Path, answer: Answer) -> AsyncIterator[Address]:
    """A server that signs everybody in and then answers as it is told, for faults."""
    path = str(folder / "fake.sock")
    open_writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_writers.append(writer)
        while data := await reader.read(65536):
            if b"SETNAME" in data:
                writer.write(b"+OK\r\n")
            else:
                answer(data, writer)
        writer.close()

    server = await asyncio.start_unix_server(serve, path)
    try:
        yield Address(path=path)
    finally:
        server.close()
        for writer in open_writers:
            writer.transport.abort()


async def test_replies_come_to_whom_they_belong(worker: Worker) -> None:
    echoes = [worker.link.call("ECHO", f"{number}") for number in range(2000)]
    assert await asyncio.gather(*echoes) == [f"{number}".encode() for number in range(2000)]


async def test_one_error_among_many_is_its_own(worker: Worker) -> None:
    good, bad, after = (
        worker.link.call("ECHO", "1"),
        worker.link.call("NOSUCHCOMMAND"),
        worker.link.call("ECHO", "2"),
    )
    with pytest.raises(ReplyError, match="NOSUCHCOMMAND"):
        await bad
    assert (await good, await after) == (b"1", b"2")


async def test_commands_of_one_tick_leave_together(redis_server: RedisServer) -> None:
    batches: list[int] = []
    link = link_to(redis_server.url, on_batch=batches.append)
    await link.connect()
    try:
        batches.clear()
        await asyncio.gather(*(link.call("PING") for _ in range(300)))
        assert batches == [300]
    finally:
        await link.close()


async def test_a_caller_that_gave_up_does_not_disturb_the_others(worker: Worker) -> None:
    given_up = worker.link.call("ECHO", "1")
    kept = worker.link.call("ECHO", "2")
    given_up.cancel()
    assert await kept == b"2"


async def test_something_that_is_no_argument_is_refused_at_once(worker: Worker) -> None:
    with pytest.raises(TypeError):
        worker.link.call("ECHO", None)  # type: ignore[arg-type]
    assert await worker.link.call("ECHO", "1") == b"1"


async def test_more_than_the_bound_is_refused_and_the_rest_is_served(
    redis_server: RedisServer,
) -> None:
    link = Link(Address.from_url(redis_server.url), most=100)
    await link.connect()
    try:
        calls = [link.call("ECHO", "1") for _ in range(150)]
        assert link.under_way == 100
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert answers[:100] == [b"1"] * 100
        assert all(isinstance(answer, Unavailable) for answer in answers[100:])
        assert await link.call("ECHO", "2") == b"2"
    finally:
        await link.close()


async def test_a_thousand_players_exhaust_nothing_when_redis_dies_and_comes_back(
    redis_server: RedisServer, worker: Worker
) -> None:
    # An acknowledged commit must be there afterwards; the restarted one has its own setting again.
    await worker.link.call("CONFIG", "SET", "appendfsync", "always")
    played = list(await asyncio.gather(*(deal(worker, f"s{n}") for n in range(1000))))
    calls = [asyncio.ensure_future(worker.sessions.commit(each.commit())) for each in played]
    await asyncio.sleep(0)
    os.kill(redis_server.pid, signal.SIGKILL)
    answers = await asyncio.gather(*calls, return_exceptions=True)
    for answer in answers:
        assert isinstance(answer, Committed | Unavailable), answer

    async def found(each: Played) -> Played:
        session = await worker.sessions.load(each.session_id)
        assert session is not None
        assert session.version in (0, 1)
        return each.after() if session.version else each

    async def all_found() -> bool:
        nonlocal played
        try:
            played = list(await asyncio.gather(*(found(each) for each in played)))
        except Unavailable:  # still loading its file, or gone once more
            return False
        return True

    before = played
    await eventually(all_found)
    for each, answer in zip(played, answers, strict=True):
        assert each.version == 1 or isinstance(answer, Unavailable)
    assert len(before) == len(played)
    again = await asyncio.gather(*(worker.sessions.commit(each.commit()) for each in played))
    assert all(isinstance(answer, Committed) for answer in again)


async def test_without_redis_every_call_fails_at_once(tmp_path: Path) -> None:
    async with fake_redis(tmp_path, lambda data, writer: None) as address:
        link = Link(address)
        await link.connect()
    await eventually(lambda: not link.is_up)
    with pytest.raises(Unavailable):
        await link.call("PING")
    with pytest.raises(Unavailable):
        await Sessions(link, "w1").load("s1")
    await link.close()


async def test_a_game_goes_on_where_redis_was_killed(
    redis_server: RedisServer, worker: Worker
) -> None:
    await worker.link.call("CONFIG", "SET", "appendfsync", "always")
    played = await play(worker, await deal(worker), 3)
    os.kill(redis_server.pid, signal.SIGKILL)

    async def plays_again() -> bool:
        try:
            # What failed may have happened: the log tells.
            session = await worker.sessions.load("s1")
            assert session is not None
            assert session.version >= played.version
            await play(worker, Played("s1", session.version, session.head), 1)
        except Unavailable:
            return False
        return True

    await eventually(plays_again)
    assert worker.link.connections > 1


async def test_a_server_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    async with fake_redis(tmp_path, lambda data, writer: None) as address:
        link = Link(address, seconds=0.1)
        await link.connect()
        calls = [link.call("PING") for _ in range(3)]
        for answer in await asyncio.gather(*calls, return_exceptions=True):
            assert isinstance(answer, Unavailable)
        await eventually(lambda: link.connections == 2)
        await link.close()


@pytest.mark.parametrize(
    "error",
    [
        "LOADING Redis is loading the dataset in memory",
        "CLUSTERDOWN The cluster is down",
        "BUSY Redis is busy running a script",
        "MISCONF Errors writing to the AOF file",
        "OOM command not allowed when used memory > 'maxmemory'",
        "TRYAGAIN Multiple keys request during rehashing of slot",
    ],
)
async def test_a_server_that_cannot_serve_now_is_unavailable(tmp_path: Path, error: str) -> None:
    def answer(data: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(f"-{error}\r\n".encode())

    async with fake_redis(tmp_path, answer) as address:
        link = Link(address)
        await link.connect()
        with pytest.raises(Unavailable, match=error.split(maxsplit=1)[0]):
            await link.call("GET", "key")
        assert link.is_up
        await link.close()


async def test_a_primary_that_became_a_replica_is_left(tmp_path: Path) -> None:
    answered: list[bytes] = []

    def answer(data: bytes, writer: asyncio.StreamWriter) -> None:
        answered.append(data)
        text = b"-READONLY You can't write against a read only replica\r\n"
        writer.write(text if len(answered) == 1 else b"+OK\r\n")

    async with fake_redis(tmp_path, answer) as address:
        link = Link(address)
        await link.connect()
        with pytest.raises(Unavailable):
            await link.call("SET", "key", 1)
        await eventually(lambda: link.connections == 2)
        assert await link.call("SET", "key", 1) == b"OK"
        await link.close()


@pytest.mark.parametrize("nonsense", [b"nonsense\r\n", b"+OK\r\n+OK\r\n"])
async def test_a_server_that_speaks_something_else_is_left(tmp_path: Path, nonsense: bytes) -> None:
    async with fake_redis(tmp_path, lambda data, writer: writer.write(nonsense)) as address:
        link = Link(address)
        await link.connect()
        await asyncio.gather(link.call("GET", "key"), return_exceptions=True)
        await eventually(lambda: link.connections >= 2)
        await link.close()


async def test_no_server_is_said_with_its_address(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"nobody\.sock"):
        await Link(Address(path=str(tmp_path / "nobody.sock"))).connect()


async def test_a_closed_link_fails_what_is_under_way(redis_server: RedisServer) -> None:
    link = Link(Address.from_url(redis_server.url))
    with pytest.raises(Unavailable):
        await link.call("PING")
    await link.connect()
    call = link.call("PING")
    await link.close()
    with pytest.raises(Unavailable):
        await call
    assert not link.is_up
    with pytest.raises(Unavailable):
        await link.call("PING")


async def test_an_error_of_a_script_keeps_its_kind(worker: Worker) -> None:
    with pytest.raises(Missing):
        await worker.link.call("EVAL", "return redis.error_reply('MISSING x')", 0)


def test_the_wait_before_a_reconnect_grows_and_is_random() -> None:
    for attempt in range(40):
        longest = min(LONGEST_DELAY, FIRST_DELAY * 2**attempt)
        waits = [delay_before(attempt) for _ in range(50)]
        assert all(0 <= wait <= longest for wait in waits)
        assert max(waits) > longest / 2 > min(waits)


def test_an_address_is_read_from_a_url() -> None:
    assert Address.from_url("unix:///run/redis.sock?db=2") == Address(
        path="/run/redis.sock", database=2
    )
    assert Address.from_url("redis://:p%40ss@cards.example:7000/3") == Address(
        "cards.example", 7000, database=3, password="p@ss"
    )
    plain = Address.from_url("redis://ann@localhost")
    assert (plain.username, plain.password, plain.port, plain.tls) == ("ann", None, 6379, None)
    assert bus_address("redis+cluster://cards.example:7000").where == "cards.example:7000"
    assert link_to("redis+cluster://cards.example:7000").is_cluster
    assert not link_to("redis://cards.example:7000").is_cluster


def test_tls_is_checked_unless_told_otherwise() -> None:
    strict = Address.from_url("rediss://cards.example").tls
    assert strict is not None
    assert strict.check_hostname
    assert strict.verify_mode.name == "CERT_REQUIRED"
    loose = Address.from_url("rediss://cards.example?ssl_cert_reqs=none").tls
    assert loose is not None
    assert not loose.check_hostname
    assert loose.verify_mode.name == "CERT_NONE"
    with pytest.raises(ValueError, match="ssl_cert_reqs"):
        Address.from_url("rediss://cards.example?ssl_cert_reqs=maybe")
