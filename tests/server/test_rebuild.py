"""Games under kills: the boards and statistics are what the replays alone say, to the last row."""

import ast
import os
import re
import signal
from pathlib import Path
from typing import Any

import redis

from bench import witness
from bench.rebuild import Drill
from tests.server.programs import Program

GAMES = 20


async def test_boards_and_statistics_are_rebuilt_from_replays_after_kills(tmp_path: Path) -> None:
    options = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path / "data")]
    options += ["--no-rate-limits", "--workers", "2"]
    with Program(tmp_path, *options, module="server") as program:
        drill = Drill(program.address(), GAMES, 5, parties=2)
        killed = 0

        async def kill() -> None:
            nonlocal killed
            # The one that is oldest: the others were started again for those before it.
            os.kill(program.wait_for_workers(2 + killed)[killed], signal.SIGKILL)
            killed += 1

        await drill.run(2, kill)
        assert killed == 2
        assert drill.ended == GAMES
        path = re.findall(r"embedded redis \w+ .*socket=(\S+)", program.err)[-1]
        with redis.Redis.from_url(f"unix://{path}") as store:
            assert await drill.differences(store) == []
            await see_what_is_wrong(drill, store)
        assert program.end() == 0
        assert "Traceback" not in program.err


async def see_what_is_wrong(drill: Drill, store: Any) -> None:
    """The witness tells of a row that is missing or moved, and of a game that is not counted."""
    name, order = next(board for board, rows in witness.stored_boards(store).items() if rows)
    key = f"yukon:board:{{{name}}}:{order}"
    ((member, score),) = store.zrange(key, 0, 0, withscores=True)
    store.zrem(key, member)
    assert any(name in line for line in await drill.differences(store))
    store.zadd(key, {member: score})
    keys = [f"yukon:player:{{{one.player}}}:counted" for one in drill.contestants]
    counted = next(key for key in keys if store.exists(key))
    (game, *_) = store.zrange(counted, 0, 0)
    at = store.zscore(counted, game)
    store.zrem(counted, game)
    assert any("should count" in line for line in await drill.differences(store))
    store.zadd(counted, {game: at})
    assert await drill.differences(store) == []


def test_the_witness_does_not_know_what_it_checks() -> None:
    tree = ast.parse(Path(witness.__file__).read_text("utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} | {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    assert not [module for module in modules if module.startswith(("server", "bench"))]
