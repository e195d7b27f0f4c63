"""Fixtures with real workers, real sockets and a real Redis."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest

from tests.server.net.ranking import ask
from tests.server.net.worker import Player, Tab, Worker

CODE = "YU1-C-AAAAAAB"

StartWorker = Callable[..., Awaitable[Worker]]
Get = Callable[..., Awaitable[Any]]


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield session


@pytest.fixture
async def start_worker(redis_url: str) -> AsyncIterator[StartWorker]:
    """Start a worker on the test's Redis; all are stopped at the end."""
    async with AsyncExitStack() as stack:

        async def start(**options: Any) -> Worker:
            return await stack.enter_async_context(Worker(redis_url, **options))

        yield start


@pytest.fixture
async def worker(start_worker: StartWorker) -> Worker:
    return await start_worker()


@pytest.fixture
async def workers(start_worker: StartWorker) -> tuple[Worker, Worker]:
    """Two workers on the same Redis."""
    return await start_worker(), await start_worker()


@pytest.fixture
def short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Races go as soon as they are started, nearly."""
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 50)


@pytest.fixture
async def player(worker: Worker, http: aiohttp.ClientSession) -> Player:
    return await Player.make(worker, http)


@pytest.fixture
async def tab(worker: Worker, player: Player) -> Tab:
    return await player.connect(worker)


@pytest.fixture
def get(worker: Worker, http: aiohttp.ClientSession) -> Get:
    """Read an address as nobody or as a player, and check the status."""

    async def read(path: str, player: Player | None = None, status: int = 200) -> Any:
        found, body = await ask(worker, path, http, player)
        assert found == status, body
        return body

    return read
