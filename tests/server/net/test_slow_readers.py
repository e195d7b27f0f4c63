"""Peers that read too slowly over real sockets: nothing piles up, and nobody else waits."""

import asyncio
import socket
from typing import Any

import msgpack
import pytest

from server.net import connection as connection_module
from tests.server.net.conftest import CODE
from tests.server.net.plays import there_and_back
from tests.server.net.worker import HELLO, SECONDS, Player, Tab, Worker


class Raw:
    """A WebSocket client that reads only when it is told to, over a small buffer."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.buffer = b""

    @classmethod
    async def open(cls, worker: Worker, player: Player) -> "Raw":
        loop = asyncio.get_running_loop()
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setblocking(False)
        host, port = worker.url.removeprefix("http://").split(":")
        await loop.sock_connect(sock, (host, int(port)))
        await loop.sock_sendall(
            sock,
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Authorization: Bearer {player.token}\r\n\r\n".encode(),
        )
        raw = cls(sock)
        while b"\r\n\r\n" not in raw.buffer:
            raw.buffer += await loop.sock_recv(sock, 4096)
        raw.buffer = raw.buffer.partition(b"\r\n\r\n")[2]
        return raw

    async def send(self, *message: Any) -> None:
        payload = msgpack.packb(message)
        assert len(payload) < 126
        masked = bytes((0x82, 0x80 | len(payload), 0, 0, 0, 0)) + payload
        await asyncio.get_running_loop().sock_sendall(self.sock, masked)

    async def hear(self) -> tuple[int, bytes]:
        """Opcode and payload of the next frame."""
        head = await self._take(2)
        size = head[1]
        if size == 126:
            size = int.from_bytes(await self._take(2))
        return head[0] & 15, await self._take(size)

    async def _take(self, size: int) -> bytes:
        async with asyncio.timeout(SECONDS):
            while len(self.buffer) < size:
                got = await asyncio.get_running_loop().sock_recv(self.sock, 65536)
                if not got:
                    raise EOFError
                self.buffer += got
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken


async def fill(worker: Worker, raw: Raw, tab: Tab) -> None:
    """Make the raw socket fall behind: it asks, reads nothing, and the tab plays on."""
    await raw.send(*HELLO)
    await raw.hear()
    await raw.send(3, tab.session, None)
    await raw.hear()
    watching = max(worker.sockets._open, key=lambda one: one.opened_at)
    async with asyncio.timeout(SECONDS):
        while not watching.is_full:
            await raw.send(11)
            await asyncio.sleep(0)
    await there_and_back(tab)
    assert watching.behind or watching.closing


@pytest.fixture
def small_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers fall behind after a little."""
    monkeypatch.setattr(connection_module, "OUTBOX_BYTES", 2048)
    monkeypatch.setattr(connection_module, "SOCKET_BUFFER", 4096)


async def test_a_slow_reader_gets_one_snapshot_for_all_it_missed(
    worker: Worker, player: Player, small_outbox: None
) -> None:
    tab = await player.connect(worker)
    await tab.deal(CODE)
    raw = await Raw.open(worker, player)
    await fill(worker, raw, tab)
    for _ in range(10):
        await there_and_back(tab)
    assert tab.game is not None
    while True:
        opcode, payload = await raw.hear()
        assert opcode == 2
        kind, _, version, *_ = msgpack.unpackb(payload)
        assert kind == 65, "an event that follows what was left out"
        if version == tab.game.version:
            break
        assert version == 0
    await there_and_back(tab)
    while (message := msgpack.unpackb((await raw.hear())[1]))[0] == 65:
        assert message[2] == version
    assert message[:2] == [66, version + 1]
    raw.sock.close()


async def test_a_stuck_reader_is_closed_and_may_come_back(
    worker: Worker, player: Player, small_outbox: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "STUCK_SECONDS", 0.1)
    tab = await player.connect(worker)
    await tab.deal(CODE)
    raw = await Raw.open(worker, player)
    await fill(worker, raw, tab)
    async with asyncio.timeout(SECONDS):
        while len(worker.sockets) > 1:  # noqa: ASYNC110 - the other end is no event of ours
            await asyncio.sleep(0.02)
    await there_and_back(tab)
    raw.sock.close()


async def test_a_reader_that_asks_without_reading_is_not_read_either(
    worker: Worker, player: Player, small_outbox: None
) -> None:
    raw = await Raw.open(worker, player)
    await raw.send(*HELLO)
    await raw.hear()
    (there,) = worker.sockets._open
    asked = 0
    async with asyncio.timeout(SECONDS):
        while not there.is_full:
            await raw.send(13, asked)
            asked += 1
            await asyncio.sleep(0)
    for _ in range(200):
        await raw.send(13, asked)
        asked += 1
        await asyncio.sleep(0)
        assert there.transport.get_write_buffer_size() < 2048 + 100
    for number in range(asked):
        assert msgpack.unpackb((await raw.hear())[1])[:2] == [68, number]
    raw.sock.close()
