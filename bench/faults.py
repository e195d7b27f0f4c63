"""The fault drill, long: workers and Redis are killed under load, then every log is compared.

    python -m bench faults --moves 100000 --kills 10

Bots play random legal moves and send a pending command again after a reconnect. Afterwards the log
of each session must hold what its bot was told, each command once and in order.
"""

import argparse
import asyncio
import os
import signal
import time
from collections.abc import Callable

import redis
import uvloop

from bench.drill import Drill
from bench.processes import Server
from server.store import keys

WAIT_SECONDS = 30.0


class Killer:
    """Kills a worker and Redis by turns, each time another part of the moves is played."""

    def __init__(self, server: Server, moves: int, kills: int) -> None:
        self.server, self.moves, self.kills = server, moves, kills
        self.killed: list[str] = []

    async def __call__(self, drill: Drill) -> None:
        for number in range(self.kills):
            await drill.reached((number + 1) * self.moves // (self.kills + 1))
            name, pids = ("worker", self.server.workers_now)
            if number % 3 == 2:
                name, pids = ("redis", self.server.redis_now)
            pid = (await _some(pids))[0]
            os.kill(pid, signal.SIGKILL)
            self.killed.append(name)
            print(f"after {drill.played} moves: killed {name} {pid}", flush=True)


async def _some(pids: Callable[[], list[int]]) -> list[int]:
    async with asyncio.timeout(WAIT_SECONDS):
        while not (found := pids()):  # noqa: ASYNC110 - another process' state has no event
            await asyncio.sleep(0.05)
    return found


async def run(server: Server, given: argparse.Namespace) -> bool:
    """Run the drill; True when no session's log differs from what its bot was told."""
    each = given.moves // given.players
    killer = Killer(server, each * given.players, given.kills)
    drill = Drill(server.address, given.players)
    begin = time.perf_counter()
    await drill.run(each, killer)
    seconds = time.perf_counter() - begin
    with redis.Redis.from_url(f"unix://{server.redis_socket}") as store:
        differences = drill.differences(lambda session: bytes(store.get(keys.log(session)) or b""))
    kills = ", ".join(f"{killer.killed.count(name)} × {name}" for name in ("worker", "redis"))
    print(f"{drill.played} moves acknowledged in {seconds:.0f} s, killed {kills}")
    print(f"{drill.reconnects} reconnects, {drill.confirmed} commands confirmed on their return")
    print(f"sessions whose log differs: {len(differences)} of {given.players}")
    for difference in differences[:5]:
        print("  " + difference)
    return not differences and len(killer.killed) == given.kills


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, run, and return 0 when nothing was lost or doubled."""
    parser = argparse.ArgumentParser(
        prog="python -m bench faults", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    with Server(given.workers, log_level="info") as server:
        return 0 if uvloop.run(run(server, given)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
