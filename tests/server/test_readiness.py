"""Red while Redis is gone and green again by itself; a thousand sockets at once exhaust nothing."""

import asyncio
import os
import resource
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from bench.bot import Bot, Refused
from bench.figures import Tally
from bench.player import connect, sign_in
from bench.scripts import make_script
from tests.server.programs import Program
from tests.server.waiting import wait_for

PLAYERS = 1000
MOVES = 3


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    options = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path / "data")]
    with Program(tmp_path, *options, "--no-rate-limits", module="server") as program:
        yield program
        assert program.end() == 0
        assert "Traceback" not in program.err


def readiness(address: str) -> int:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGCONT])
async def test_red_while_redis_is_gone_and_green_after(
    program: Program, end: signal.Signals
) -> None:
    """A Redis that hangs, then dies, or goes on and commits what was given up meanwhile."""
    address = program.address()
    await asyncio.to_thread(wait_for, "green", lambda: readiness(address) == 200)
    async with aiohttp.ClientSession() as http:
        bot = Bot(address, http)
        await bot.sign_in()
        await bot.connect()
        await bot.new_game("YU1-C-AAAAAAB")
        await bot.play(bot.legal[0])
        move = bot.legal[0]
        (redis,) = program.redis_pids()
        os.kill(redis, signal.SIGSTOP)
        try:
            with pytest.raises(Refused) as refused:
                await bot.play(move)
            assert (refused.value.code, refused.value.again) == ("unavailable", True)
            await asyncio.to_thread(wait_for, "red", lambda: readiness(address) == 503)
        finally:
            os.kill(redis, end)
        await bot.play_surely(move)
        await asyncio.to_thread(wait_for, "green again", lambda: readiness(address) == 200)
        assert (bot.version, bot.reconnects) == (2, 0)
        await bot.play(bot.legal[0])
        await bot.close()
    assert len(program.redis_pids()) == (2 if end is signal.SIGKILL else 1)
    assert len(program.serving()) == 1


async def test_a_thousand_players_move_together(program: Program) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < PLAYERS + 200:
        pytest.skip(f"this system allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        await move_together(program.address())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def move_together(address: str) -> None:
    tally = Tally(is_counting=True)
    scripts = [make_script(number, "C", MOVES + 1) for number in range(16)]
    tokens = await asyncio.gather(*(asyncio.to_thread(sign_in, address) for _ in range(PLAYERS)))
    players = [
        await connect(address, token, scripts[number % 16], tally)
        for number, token in enumerate(tokens)
    ]
    for done in range(1, MOVES + 1):
        for player in players:
            player.is_paced = True
            player.move()
        await asyncio.to_thread(
            wait_for,
            f"answers to move {done}",
            lambda done=done: tally.wrong or len(tally.latencies) == done * PLAYERS,
        )
    assert tally.is_right, (tally.wrong[:3], tally.closed[:3])
    for player in players:
        player.stop()
