"""The example bot races through a room of a real server, found by its link and by its code."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from bench.bot import choose_homeward
from bench.processes import family, uses_of
from bench.racebot import RaceBot, read_link
from tests.server.programs import Program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    folder: Path = tmp_path_factory.mktemp("server")
    options = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(folder / "data")]
    with Program(
        folder, *options, "--no-rate-limits", "--workers", "2", module="server"
    ) as program:
        program.address()
        yield program
        assert program.end() == 0
        assert "Traceback" not in program.err


def workers_of(program: Program) -> list[int]:
    """The worker processes, the oldest first."""
    pids = family(program.process.pid)
    return [pid for pid, use in uses_of(pids).items() if "server.worker" in use.name]


async def seated(http: aiohttp.ClientSession, address: str, count: int) -> list[RaceBot]:
    """So many bots in one room, wherever the system put their sockets."""
    bots = [RaceBot(address, http, name=f"Bot {number}") for number in range(count)]
    for bot in bots:
        await bot.sign_in()
        await bot.connect()
    room = await bots[0].make_room()
    for bot in bots[1:]:
        await bot.join(room)
    return bots


async def test_workers_killed_in_countdown_and_race_change_no_standings(program: Program) -> None:
    async with aiohttp.ClientSession() as http:
        bots = await seated(http, program.address(), 4)
        await bots[0].start()
        os.kill(workers_of(program)[0], signal.SIGKILL)  # in the countdown
        races = [asyncio.create_task(bot.race(choose_homeward, 60, 0.01)) for bot in bots]
        while not all(bot.version > 5 for bot in bots):  # noqa: ASYNC110 - of other tasks
            await asyncio.sleep(0.01)
        os.kill(workers_of(program)[0], signal.SIGKILL)  # in the race
        places = await asyncio.gather(*races)
        assert all(rows == places[0] for rows in places)
        assert sum(bot.reconnects for bot in bots) > 0
        # Every move that a bot was told is kept counts, and no other; the last command gave up.
        assert {row[1]: row[6] for row in places[0]} == {bot.seat: bot.version - 1 for bot in bots}
        for bot in bots:
            await bot.close()


async def test_three_bots_race_on_two_worker_processes(program: Program) -> None:
    address = program.address()
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
