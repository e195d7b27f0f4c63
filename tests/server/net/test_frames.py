"""Frames that are not as they should be, over real sockets: refused, and the server plays on."""

import logging
import os
import random

import aiohttp
import msgpack
import pytest

from server.core.throttle import Limits
from tests.server.net.conftest import CODE, StartWorker
from tests.server.net.plays import still_plays, there_and_back
from tests.server.net.worker import Player, Tab, Worker, limited


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
