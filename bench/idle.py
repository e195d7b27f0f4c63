"""Idle connections: how much memory each one takes with its session, and what all of them cost.

python -m bench idle --connections 5000
"""

import argparse
import asyncio
import os

import uvloop

from bench.figures import Tally
from bench.player import Player, connect, sign_in
from bench.processes import Server, cores, raise_file_limit, uses_of
from bench.scripts import Script, make_script

CPU_SECONDS = 10.0
AT_ONCE = 20


async def _join(address: str, script: Script, tally: Tally) -> Player:
    return await connect(address, await asyncio.to_thread(sign_in, address), script, tally)


async def idle(connections: int, ruleset: str, server: Server) -> bool:
    """Hold so many connections, each with a session; print the memory each one takes."""
    tally = Tally()
    script = make_script(1, ruleset, 1)
    warm = await _join(server.address, script, tally)
    before = uses_of(server.pids())
    players = [warm]
    for start in range(0, connections, AT_ONCE):
        players += await asyncio.gather(
            *(
                _join(server.address, script, tally)
                for _ in range(min(AT_ONCE, connections - start))
            )
        )
    after = uses_of(server.pids())
    print(f"{connections} idle connections, each with a session")
    for pid, use in after.items():
        if pid in before:
            grown = use.memory - before[pid].memory
            print(f"{grown / connections:7.1f} KiB each, {use.memory / 1024:.1f} MiB   {use.name}")
    await asyncio.sleep(CPU_SECONDS)
    for pid, use in uses_of(server.pids()).items():
        if pid in after:
            share = (use.cpu - after[pid].cpu) / CPU_SECONDS
            print(f"{share:6.1%} of a core while idle   {use.name}")
    for player in players:
        player.stop()
    print(f"wrong answers {len(tally.wrong)}, connections lost {len(tally.closed)}")
    return tally.is_right


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, run, and return 0 when no connection was lost."""
    parser = argparse.ArgumentParser(
        prog="python -m bench idle", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--ruleset", default="C")
    given = parser.parse_args(arguments)
    raise_file_limit()
    worker_core, bot_core = cores()
    with Server(1, core=worker_core) as server:
        os.sched_setaffinity(0, {bot_core})
        return 0 if uvloop.run(idle(given.connections, given.ruleset, server)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
