"""Peers that open connections and say nothing, or half of what they want, over real sockets."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import pytest

from server.app import serve
from server.settings import Settings
from tests.server.net.worker import SECONDS, Worker


async def answer_to(port: int, sent: bytes) -> bytes:
    """All that a server says until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(SECONDS):
        answer = await reader.read()
    writer.close()
    return answer


@pytest.fixture
async def port(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """Where a worker serves as the program does, but with little patience."""
    monkeypatch.setattr("server.app.IDLE_SECONDS", 0.2)
    monkeypatch.setattr("server.app.calm_collector", lambda: None)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    ready = asyncio.Event()
    serving = asyncio.create_task(serve(Settings(), listener, redis_url, ready.set))
    async with asyncio.timeout(SECONDS):
        await ready.wait()
    yield listener.getsockname()[1]
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHo"])
async def test_a_connection_without_a_request_is_closed(port: int, sent: bytes) -> None:
    assert await answer_to(port, sent) == b""


async def test_a_connection_that_is_kept_alive_is_closed_when_idle(port: int) -> None:
    answer = await answer_to(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200")


async def test_a_body_that_does_not_come_is_not_waited_for(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.api.BODY_SECONDS", 0.1)
    head = b"POST /api/player HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", int(worker.url.rpartition(":")[2]))
    writer.write(head + b"{")
    async with asyncio.timeout(SECONDS):
        assert (await reader.readline()).startswith(b"HTTP/1.1 408")
        await reader.readuntil(b'"too_slow"')
    writer.close()
