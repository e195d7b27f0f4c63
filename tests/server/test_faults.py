"""Workers and Redis killed under load: what was acknowledged is in the log, once and in order."""

import os
import re
import signal
from pathlib import Path

import redis

from bench.drill import Drill
from server.store import keys
from tests.server.programs import Program

PLAYERS = 40
MOVES = 80


def server(folder: Path, *more: str) -> Program:
    options = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(folder / "data")]
    return Program(folder, *options, "--no-rate-limits", *more, module="server")


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def open_redis(program: Program) -> redis.Redis:
    path = re.findall(r"embedded redis \w+ .*socket=(\S+)", program.err)[-1]
    return redis.Redis.from_url(f"unix://{path}")


async def test_kill_a_worker_then_redis_and_lose_nothing(tmp_path: Path) -> None:
    with server(tmp_path, "--workers", "2") as program:
        address = program.address()
        workers = program.wait_for_workers(2)

        async def faults(drill: Drill) -> None:
            for part, victim in enumerate((workers[0], program.redis_pids()[0], workers[1]), 1):
                await drill.reached(part * PLAYERS * MOVES // 5)
                kill(victim)

        drill = Drill(address, PLAYERS)
        await drill.run(MOVES, faults)
        assert drill.played == PLAYERS * MOVES
        assert drill.reconnects > 0
        assert len(program.redis_pids()) == 2
        assert len(program.wait_for_workers(4)) == 4
        with open_redis(program) as store:

            def load_log(session: str) -> bytes:
                log = store.get(keys.log(session))
                assert isinstance(log, bytes)
                return log

            assert drill.differences(load_log) == []
        assert program.end() == 0
        assert "Traceback" not in program.err


async def test_a_drill_tells_a_lost_and_a_doubled_command(tmp_path: Path) -> None:
    with server(tmp_path) as program:
        drill = Drill(program.address(), 1)

        async def no_faults(drill: Drill) -> None:
            await drill.reached(3)

        await drill.run(3, no_faults)
        game = drill.bots[0].game
        assert game is not None
        log = game.log
        assert drill.differences(lambda session: log) == []
        assert "2 stored, 3 acknowledged" in drill.differences(lambda session: log[:-8])[0]
        assert "4 stored, 3 acknowledged" in drill.differences(lambda session: log + log[-8:])[0]
        assert len(drill.differences(lambda session: log[8:16] + log[:8] + log[16:])) == 1
        assert program.end() == 0
