"""Who may open a socket, and what becomes of frames and peers that are not as they should be."""

import asyncio
import logging
import os
import random
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import msgpack
import pytest

from server.core.throttle import NO_LIMITS, Limit, Limits
from server.net import connection as connection_module
from server.store import keys
from tests.server.net.worker import HELLO, SECONDS, Player, Tab, Worker, request_id

CODE = "YU1-C-AAAAAAB"
StartWorker = Callable[..., Awaitable[Worker]]


async def still_plays(tab: Tab) -> None:
    """The socket works as if nothing had happened."""
    assert (await tab.ask(13, 5))[:2] == [68, 5]


def limited(**limits: Limit) -> Limits:
    return Limits(**{**{name: getattr(NO_LIMITS, name) for name in Limits.__slots__}, **limits})


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xc1",
        b"\x93\x01",
        b"\x01\x02",
        b"\xa1\xff",
        b"\xc0",
        b"\x80",
        b"\x90",
        b"\x91\xa1x",
        b"\x91\xc3",
        b"\x91\xcb\x40\x10\x00\x00\x00\x00\x00\x00",
        b"\x91" * 4000,
        b"\x81\x01" * 2000,
        b"\xdd\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff\x00",
        b"\xd6\xff\x00\x00\x00\x01",
        msgpack.packb([4]),
        msgpack.packb([4, 0, 1, 1]),
        msgpack.packb([4, -1, 1, 1, 1]),
        msgpack.packb([4, 2**63, 1, 1, 1]),
        msgpack.packb([4, 0, 256, 1, 1]),
        msgpack.packb([4, 0, True, 1, 1]),
        msgpack.packb([4, 0, 1.0, 1, 1]),
        msgpack.packb([4, "0", 1, 1, 1]),
        msgpack.packb([4, None, 1, 1, 1]),
        msgpack.packb([4, 0, 255, 5, 0]),
        msgpack.packb([5]),
        msgpack.packb([10, 0, 16]),
        msgpack.packb([2, b"short", 0, "C"]),
        msgpack.packb([2, b"far too long for an id", 0, "C"]),
        msgpack.packb([2, "12345678", 0, "C"]),
        msgpack.packb([2, b"12345678", 0, "C" * 101]),
        msgpack.packb([2, b"12345678", 0, None]),
        msgpack.packb([3, "x" * 65, None]),
        msgpack.packb([3, b"x", None]),
        msgpack.packb([13, "now"]),
        msgpack.packb([1, 1, [], "x" * 41]),
        msgpack.packb([1, 1, "none", "x"]),
        msgpack.packb([1, 1, [1], "x"]),
        msgpack.packb([1, 1, [[[[[]]]]], "x"]),
    ],
    ids=lambda frame: frame[:12].hex() or "empty",
)
async def test_a_frame_that_is_no_command_is_refused(tab: Tab, frame: bytes) -> None:
    await tab.ws.send_bytes(frame)
    refusal = await tab.hear()
    assert refusal[0] == 67
    assert refusal[3] == "malformed"
    assert refusal[5] is False
    await still_plays(tab)


async def test_further_fields_are_ignored(tab: Tab) -> None:
    assert (await tab.ask(13, 9, "later", {"a": [1]}, None))[:2] == [68, 9]


@pytest.mark.parametrize("kind", [0, 15, 64, 66, 127, 255])
async def test_an_unknown_kind_is_refused(tab: Tab, kind: int) -> None:
    refusal = await tab.ask(kind, 1, 2)
    assert refusal[:4] == [67, kind, None, "unknown_kind"]
    await still_plays(tab)


@pytest.mark.parametrize("kind", [-1, 256, 2**63])
async def test_a_kind_that_is_no_kind_is_refused(tab: Tab, kind: int) -> None:
    assert (await tab.ask(kind))[:4] == [67, 0, None, "unknown_kind"]
    await still_plays(tab)


async def test_a_large_frame_is_refused_and_a_huge_one_ends_the_socket(
    worker: Worker, player: Player, tab: Tab
) -> None:
    for size in (4097, 60_000):
        await tab.ws.send_bytes(b"\x00" * size)
        assert (await tab.hear())[:4] == [67, 0, None, "too_large"]
    await still_plays(tab)
    await tab.ws.send_bytes(bytes(1_000_000))
    assert await tab.closed() == 1009
    await still_plays(await player.connect(worker))


async def test_text_is_refused_as_malformed(tab: Tab) -> None:
    await tab.ws.send_str('{"hello": "world"}')
    assert (await tab.hear())[:4] == [67, 0, None, "malformed"]
    await still_plays(tab)


async def test_a_stream_of_malformed_frames_ends_the_socket(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=limited(malformed=Limits().malformed))
    tab = await (await Player.make(worker, http)).connect(worker)
    for _ in range(10):
        await tab.ws.send_bytes(b"\xc1")
        assert (await tab.hear())[3] == "malformed"
    await tab.ws.send_str("and one more")
    assert await tab.closed() == 4501


async def test_a_flood_is_refused_and_then_ends_the_socket(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(
        limits=limited(connection=Limit(0.001, 20), refused=Limit(0.001, 5))
    )
    tab = await (await Player.make(worker, http)).connect(worker)
    for number in range(40):
        await tab.send(13, number)
    for number in range(19):
        assert (await tab.hear())[:2] == [68, number]
    for _ in range(5):
        refusal = await tab.hear()
        assert refusal[3] == "too_fast"
        assert refusal[5] is True
    assert await tab.closed() == 4003


@pytest.mark.parametrize("shared", ["player", "address"])
async def test_sockets_share_the_credit_of_their_player_and_address(
    start_worker: StartWorker, http: aiohttp.ClientSession, shared: str
) -> None:
    worker = await start_worker(limits=limited(**{shared: Limit(0.001, 12)}))
    players = [await Player.make(worker, http)]
    if shared == "address":
        players.append(await Player.make(worker, http))
    tabs = [await players[-1].connect(worker), await players[0].connect(worker)]
    for number in range(5):
        for tab in tabs:
            assert (await tab.ask(13, number))[0] == 68
    for tab in tabs:
        assert (await tab.ask(13, 1))[3] == "too_fast"


async def test_the_first_command_is_hello(worker: Worker, player: Player) -> None:
    tab = await player.connect(worker, hello=False)
    for command in ([13, 1], [2, request_id(), 0, "C"], [4, 0, 1, 1, 2], [12]):
        refusal = await tab.ask(*command)
        assert refusal[0] == 67
        assert refusal[3] == "hello_first"
    assert (await tab.ask(*HELLO))[0] == 64
    await still_plays(tab)


async def test_a_hello_that_never_comes_ends_the_socket(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(hello_seconds=0.0)
    player = await Player.make(worker, http)
    assert await (await player.connect(worker, hello=False)).closed() == 4002


async def test_too_old_a_client_is_told_to_stop(worker: Worker, player: Player) -> None:
    tab = await player.connect(worker, hello=False)
    assert (await tab.ask(1, 0, [], "old"))[:4] == [67, 1, None, "too_old"]
    assert await tab.closed() == 4500


async def test_a_newer_client_is_told_what_the_server_speaks(
    worker: Worker, player: Player
) -> None:
    tab = await player.connect(worker, hello=False)
    assert (await tab.ask(1, 9, ["new"], "new", "more"))[:3] == [64, 1, player.id]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer nobody.at-all-with-this-secret-here"},
        {"Authorization": "Basic x"},
        {"Authorization": "Bearer"},
        {"Cookie": "yukon_player=0"},
        {"Cookie": "yukon_player=" + "a" * 20 + "." + "é" * 40},
    ],
)
async def test_nobody_comes_in_without_being_a_player(
    worker: Worker, http: aiohttp.ClientSession, headers: dict[str, str]
) -> None:
    async with http.ws_connect(f"{worker.url}/ws", headers=headers) as ws:
        assert await Tab(ws).closed() == 4502


async def test_a_banned_player_does_not_come_in(worker: Worker, player: Player) -> None:
    await worker.application.players.set_banned(player.id, banned=True)
    assert await (await player.connect(worker, hello=False)).closed() == 4504


async def test_a_page_of_another_site_does_not_come_in(worker: Worker, player: Player) -> None:
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1", "nonsense"):
        async with player.http.ws_connect(
            f"{worker.url}/ws", headers={**player.headers, "Origin": origin}
        ) as ws:
            assert await Tab(ws).closed() == 4503
    async with player.http.ws_connect(
        f"{worker.url}/ws", headers={**player.headers, "Origin": worker.url}
    ) as ws:
        assert (await Tab(ws).ask(*HELLO))[0] == 64


async def test_too_many_sockets_from_one_address_wait(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=limited(sockets=Limit(0.001, 2)))
    player = await Player.make(worker, http)
    for _ in range(2):
        await player.connect(worker)
    assert await (await player.connect(worker, hello=False)).closed() == 4003


async def test_so_many_sockets_of_one_address_are_open_and_no_more(
    start_worker: StartWorker, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.websocket.MOST_SOCKETS", 2)
    worker = await start_worker(limits=limited(sockets=Limit(1000, 1000)))
    player = await Player.make(worker, http)
    first, second = await player.connect(worker), await player.connect(worker)
    assert await (await player.connect(worker, hello=False)).closed() == 4003
    await first.ws.close()
    async with asyncio.timeout(SECONDS):
        while len(worker.sockets) > 1:  # noqa: ASYNC110 - the close is seen by the server
            await asyncio.sleep(0.01)
    await still_plays(await player.connect(worker))
    await still_plays(second)


async def test_new_games_are_limited_by_address_too(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=limited(address_games=Limit(1e-6, 2)))
    tabs = [await (await Player.make(worker, http)).connect(worker) for _ in range(3)]
    answers = [await tab.ask(2, request_id(), 0, "C") for tab in tabs]
    assert [answer[0] for answer in answers] == [65, 65, 67]
    assert answers[2][3] == "too_fast"


async def test_a_player_who_cannot_be_read_is_told_to_come_back(
    worker: Worker, player: Player
) -> None:
    await worker.application.link.call("HDEL", keys.player(player.id), "created")
    assert await (await player.connect(worker, hello=False)).closed() == 4004


async def test_a_ping_of_the_client_is_answered(tab: Tab) -> None:
    await tab.ws.ping(b"there?")
    await still_plays(tab)


async def test_a_dead_peer_is_noticed_and_a_quiet_one_is_kept(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(quiet_seconds=0.2, dead_seconds=1.0)
    player = await Player.make(worker, http)
    dead = await player.connect(worker, autoping=False)
    quiet = await player.connect(worker)
    assert len(worker.sockets) == 2
    reading = asyncio.create_task(quiet.ws.receive())  # answers pings, says nothing else
    async with asyncio.timeout(SECONDS):
        while len(worker.sockets) > 1:
            worker.sockets.look_around()
            await asyncio.sleep(0.05)
    for _ in range(30):
        worker.sockets.look_around()
        await asyncio.sleep(0.05)
    assert len(worker.sockets) == 1
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    await still_plays(quiet)
    await dead.ws.close()


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


async def there_and_back(tab: Tab) -> None:
    """A move and its undo."""
    assert tab.game is not None
    await tab.play(next(iter(tab.game.legal_moves)))
    undo = await tab.ask(5, tab.game.version)
    tab.game.play("U", tab.game.last_ms)
    assert undo[1] == tab.game.version


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


async def test_random_and_mutated_frames_leave_a_server_that_plays(
    worker: Worker, player: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    chance = random.Random(20)
    golden = [
        msgpack.packb(message)
        for message in (
            (1, 1, (), "test"),
            (2, b"12345678", 0, "C"),
            (2, b"12345679", 1, CODE),
            (3, "A" * 16, 3),
            (4, 0, 3, 4, 5),
            (5, 1),
            (6, 0),
            (7, 0),
            (8, 0),
            (10, 0, 6),
            (11,),
            (12,),
            (13, 123456),
        )
    ]
    tab = await player.connect(worker)
    for round_ in range(1500):
        if round_ % 3 == 0:
            frame = os.urandom(chance.randrange(60))
        else:
            mutated = bytearray(chance.choice(golden))
            for _ in range(chance.randrange(3)):
                mutated[chance.randrange(len(mutated))] = chance.randrange(256)
            cut = chance.randrange(len(mutated) + 1) if chance.random() < 0.2 else len(mutated)
            frame = bytes(mutated[:cut]) + os.urandom(chance.choice((0, 0, 0, 3)))
        await tab.ws.send_bytes(frame)
        if round_ % 100 == 99:
            await tab.send(13, 4_000_000_000 + round_)
            while (await tab.hear())[:2] != [68, 4_000_000_000 + round_]:
                pass
    await tab.deal(CODE)
    await there_and_back(tab)
    await tab.check()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
