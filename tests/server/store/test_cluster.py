"""The store on a Redis Cluster of two nodes: the same scripts, the same answers."""

import asyncio
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from server.core import daily
from server.core.boards import Order
from server.core.messages import Kind, Play
from server.core.ports import Committed, NewSession, SessionEvent, Stale, Unavailable
from server.core.session import Accepted, Session
from server.store import keys
from server.store.bus import Bus
from server.store.cluster import ClusterLink
from server.store.connect import bus_address, link_to
from server.store.due import Due
from server.store.embedded import find_binary
from server.store.errors import Damaged
from server.store.forgetting import forget
from server.store.link import Link
from server.store.players import Players, new_credentials
from server.store.recorder import Recorder
from server.store.sessions import Sessions
from server.store.wire import Address
from tests.server.lines import won
from tests.server.store.conftest import CODE, Played, eventually

HALF = 8192


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        bound = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in bound:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in bound]


def start_node(folder: Path, port: int, bus_port: int) -> "subprocess.Popen[bytes]":
    folder.mkdir()
    options = {
        "port": port,
        "bind": "127.0.0.1",
        "cluster-enabled": "yes",
        "cluster-port": bus_port,
        "save": "",
        "dir": folder,
        "logfile": folder / "log",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return subprocess.Popen([find_binary(), *arguments])


async def connected(port: int) -> Link:
    link = Link(Address("127.0.0.1", port))

    async def answers() -> bool:
        try:
            await link.connect()
        except Unavailable:
            return False
        return True

    await eventually(answers)
    return link


@pytest.fixture
async def cluster_url(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a new cluster of two nodes."""
    first, first_bus, second, second_bus = free_ports(4)
    nodes = [
        start_node(tmp_path / "first", first, first_bus),
        start_node(tmp_path / "second", second, second_bus),
    ]
    try:
        links = [await connected(port) for port in (first, second)]
        await links[0].call("CLUSTER", "ADDSLOTSRANGE", 0, HALF - 1)
        await links[1].call("CLUSTER", "ADDSLOTSRANGE", HALF, 16383)
        await links[0].call("CLUSTER", "MEET", "127.0.0.1", second, second_bus)

        async def is_whole() -> bool:
            infos = [await link.call("CLUSTER", "INFO") for link in links]
            return all(b"cluster_state:ok" in info and b"nodes:2" in info for info in infos)

        await eventually(is_whole)
        for link in links:
            await link.close()
        yield f"redis+cluster://127.0.0.1:{first}"
    finally:
        for node in nodes:
            node.terminate()
        for node in nodes:
            node.wait()


async def test_games_are_kept_in_a_cluster(cluster_url: str) -> None:
    link = link_to(cluster_url)
    assert isinstance(link, ClusterLink)
    await link.connect()
    assert link.is_up
    sessions = Sessions(link, "w1")
    heard: asyncio.Queue[SessionEvent] = asyncio.Queue()

    async def no_gap() -> None:
        raise AssertionError("there was no gap")

    bus = Bus(bus_address(cluster_url), link, "w2", heard.put_nowait, no_gap)
    await bus.start()
    try:
        names = [f"s{number}" for number in range(20)]
        request = b"12345678"
        for name in names:
            await sessions.create(NewSession(name, CODE, name, 0, request_id=request))
            again = await sessions.create(NewSession("x", CODE, name, 0, request_id=request))
            assert (again.session_id, again.is_new) == (name, False)
            await Sessions(link, "w2").watch(name)
        played = [Played.dealt(name) for name in names]
        for _ in range(3):
            done = await asyncio.gather(*(sessions.commit(each.commit()) for each in played))
            assert all(isinstance(each, Committed) for each in done)
            played = [each.after() for each in played]
        told = [await heard.get() for _ in range(60)]
        assert {event.session_id for event in told} == set(names)
        # The receiver may hang on the other node, so that nobody is dropped for being unheard.
        viewers = [await link.call("HGET", keys.session(name), "viewers") for name in names]
        assert viewers == [b"w2"] * 20
        assert await sessions.commit(Played.dealt("s1").commit()) == Stale(3, played[1].head)
        session = await sessions.load("s1")
        assert session is not None
        assert session.version == 3
        await sessions.commit(played[0].commit(ends=True))
        taken, claim = await sessions.take_ending(0)
        assert taken == ["s0"]
        await sessions.ended("s0", claim)
        assert (await Due(link, keys.ENDING).claim(0)).what == []
        ann = new_credentials()
        await Players(link).create(ann.player_id, ann.secret_hash, 1)
        assert await Players(link).authenticate(ann.token) is not None
        with pytest.raises(Damaged):
            await link.call("GET", keys.session("s1"))
    finally:
        await bus.close()
        await link.close()
    with pytest.raises(Unavailable):
        await link.call("GET", "key")


async def test_results_are_recorded_in_a_cluster(cluster_url: str) -> None:
    link = link_to(cluster_url)
    await link.connect()
    sessions = Sessions(link, "w1")
    recorder = Recorder(link, sessions)
    code, way = won(0)
    try:
        day = daily.today(await recorder.dailies.now_ms())
        drawn = await recorder.dailies.draw(daily.name("R", day), code)
        assert await recorder.dailies.draw(daily.name("R", day), "another") == drawn == code
        for player in ("ann", "bob"):
            await Players(link).create(player, b"s" * 32, 1)
            session = f"of-{player}"
            assert await recorder.dailies.claim(player, "R", day, session) == session
            now = await recorder.dailies.now_ms()
            await sessions.create(NewSession(session, code, player, 3, dealt_at_ms=now))
            assert await recorder.histories.note(player, session, code)
            stored = await sessions.load(session)
            assert stored is not None
            here = Session(stored)
            for move in way:
                decision = here.decide(Play(Kind.MOVE, here.version, move), now)
                assert isinstance(decision, Accepted)
                outcome = await sessions.commit(decision.commit)
                assert isinstance(outcome, Committed)
                here.settle(decision, outcome.ms)
            await recorder.sweep(0)
        board = f"daily:R:{day}"
        page = await recorder.boards.page(board, Order.BEST, 1)
        assert {row.player for row in page.rows} == {"ann", "bob"}
        assert (await recorder.boards.around(board, Order.MOVES, "bob", 1)).place is not None
        assert (await recorder.histories.statistics("ann"))["R"].wins == 1
        assert (await recorder.histories.marks("ann", "R"))[day].won
        found = await recorder.histories.games("ann", None, 30, 1)
        assert found is not None
        assert [game.session for game in found[0]] == ["of-ann"]
        assert await forget(link, "ann")
        assert await recorder.boards.total(board) == 1
        assert await link.call("TTL", keys.session("of-ann")) > 0
        assert await link.call("TTL", keys.session("of-bob")) == -1
    finally:
        await link.close()


async def test_no_cluster_is_unavailable() -> None:
    link = ClusterLink(f"redis://127.0.0.1:{free_ports(1)[0]}", seconds=2)
    with pytest.raises(Unavailable):
        await link.connect()
    assert not link.is_up
