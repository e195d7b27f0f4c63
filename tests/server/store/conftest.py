"""Workers as the store sees them: a link and sessions each, on one real Redis."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import NamedTuple

import pytest

from server.core.heads import first_head, next_head
from server.core.ports import Commit, Committed, NewSession, SessionEvent
from server.store import keys
from server.store.bus import Bus
from server.store.link import Link
from server.store.recorder import Recorder
from server.store.sessions import Lifetimes, Sessions
from server.store.wire import Address
from tests.server.conftest import RedisServer

CODE = "YU1-C-AAAAAAB"
ACTION = bytes((3, 4, 6))
PATIENCE_SECONDS = 40
DEFAULT_LIFETIMES = Lifetimes()


class Worker:
    """What one worker process has of the store."""

    def __init__(self, link: Link, sessions: Sessions, bus: Bus) -> None:
        self.link = link
        self.sessions = sessions
        self.bus = bus
        self.heard: list[SessionEvent] = []
        self.gaps = 0
        self.changed = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something this worker hears makes the condition true."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                self.changed.clear()
                await self.changed.wait()

    def on_event(self, event: SessionEvent) -> None:
        self.heard.append(event)
        self.changed.set()

    async def publish(self, topic: str, payload: bytes) -> None:
        """Tell every worker that listens to `topic`, as scripts do."""
        await self.link.call("PUBLISH", keys.topic_channel(topic), payload)

    async def on_gap(self) -> None:
        await self.sessions.rewatch()
        self.gaps += 1
        self.changed.set()


class Played(NamedTuple):
    """Where a session is, as a worker's cache has it."""

    session_id: str
    version: int
    head: bytes

    @classmethod
    def dealt(cls, session_id: str) -> "Played":
        return cls(session_id, 0, first_head(CODE))

    def commit(self, action: bytes = ACTION, *, ends: bool = False, event: bytes = b"") -> Commit:
        return Commit(
            session_id=self.session_id,
            version=self.version,
            head=self.head,
            action=action,
            next_head=next_head(self.head, action),
            state="won" if ends else "playing",
            score=5,
            ranked=5,
            moves=self.version + 1,
            event=event,
            ends=ends,
            player="ann",
        )

    def after(self, action: bytes = ACTION) -> "Played":
        return Played(self.session_id, self.version + 1, next_head(self.head, action))


async def play(worker: Worker, played: Played, actions: int) -> Played:
    """Commit that many actions one after another."""
    for _ in range(actions):
        assert isinstance(await worker.sessions.commit(played.commit()), Committed)
        played = played.after()
    return played


async def deal(worker: Worker, session_id: str = "s1") -> Played:
    """Deal a session."""
    await worker.sessions.create(NewSession(session_id, CODE, "ann", origin=1))
    return Played.dealt(session_id)


async def eventually(condition: Callable[[], Awaitable[bool]] | Callable[[], bool]) -> None:
    """Wait for a condition that stays true once it is, and that nothing here is told of."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            answer = condition()
            if answer if isinstance(answer, bool) else await answer:
                return
            await asyncio.sleep(0.005)


MakeWorker = Callable[..., Awaitable[Worker]]


@pytest.fixture
async def make_worker(redis_server: RedisServer) -> AsyncIterator[MakeWorker]:
    """Start workers; they end with the test."""
    async with AsyncExitStack() as stack:

        async def make(worker_id: str, lifetimes: Lifetimes = DEFAULT_LIFETIMES) -> Worker:
            address = Address.from_url(redis_server.url)
            link = Link(address, name=worker_id)
            await link.connect()
            stack.push_async_callback(link.close)
            made: list[Worker] = []
            bus = Bus(
                address,
                link,
                worker_id,
                lambda event: made[0].on_event(event),
                lambda: made[0].on_gap(),
                canary_seconds=0.2,
            )
            made.append(Worker(link, Sessions(link, worker_id, lifetimes=lifetimes), bus))
            await bus.start()
            stack.push_async_callback(bus.close)
            return made[0]

        yield make


@pytest.fixture
async def worker(make_worker: MakeWorker) -> Worker:
    """A worker."""
    return await make_worker("w1")


@pytest.fixture
async def other(make_worker: MakeWorker) -> Worker:
    """Another worker."""
    return await make_worker("w2")


@pytest.fixture
def recorder(worker: Worker) -> Recorder:
    """The recorder of the worker."""
    return Recorder(worker.link, worker.sessions)
