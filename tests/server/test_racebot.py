"""The example bot races through a room of a real server, found by its link and by its code."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from bench.bot import choose_homeward
from bench.racebot import RaceBot, read_link
from tests.server.programs import Program


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("server")
    options = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(folder / "data")]
    with Program(
        folder, *options, "--no-rate-limits", "--workers", "2", module="server"
    ) as program:
        yield program.address()
        assert program.end() == 0
        assert "Traceback" not in program.err


async def test_three_bots_race_on_two_worker_processes(address: str) -> None:
    async with aiohttp.ClientSession() as http:
        bots = [RaceBot(address, http, name=f"Bot {number}") for number in range(3)]
        for bot in bots:
            await bot.sign_in()
            await bot.connect()
        room = await bots[0].make_room()
        _, by_link = read_link(f"{address}/r/{room}", None)
        await bots[1].join(by_link)
        while not bots[0].room:
            await bots[0]._receive()
        _, by_code = read_link(address, bots[0].room[3].lower())
        await bots[2].join(by_code)
        assert [bot.seat for bot in bots] == [0, 1, 2]
        for bot in bots[1:]:
            await bot.ready()
        await bots[0].start()
        places = await asyncio.gather(*(bot.race(choose_homeward, 30) for bot in bots))
        assert places[0] == places[1] == places[2]
        assert [row[0] for row in places[0]] == [1, 2, 3]
        for bot in bots:
            await bot.close()
