"""Load: bots over real sockets that check every event, and what the server used meanwhile.

    python -m bench load --players 500 --seconds 10   closed loop: as fast as they are answered
    python -m bench load --players 500 --rate 1000    so many moves a second over all bots
    python -m bench load --players 500 --ceiling      against canned answers: the bots' own limit

The server is started on loopback, its worker kept on the first core; the bots have the last. The
bots must not be what is measured: compare the printed moves a second with --ceiling, and see the
bots' share of their core.
"""

import argparse
import asyncio
import itertools
import os
import time
from functools import partial

import uvloop

from bench.canned import ceiling
from bench.figures import Tally, report
from bench.player import Player, connect, sign_in
from bench.processes import Server, Use, cores, raise_file_limit, uses_of
from bench.scripts import Script, make_script

SCRIPTS, SCRIPT_MOVES = 64, 400


class Meter:
    """What processes used while the tally counted, and for how many seconds it did."""

    def __init__(self, pids: list[int]) -> None:
        self.pids = pids
        self.seconds = 0.0
        self.before: dict[int, Use] = {}
        self.after: dict[int, Use] = {}

    async def count(self, tally: Tally, seconds: float) -> None:
        """Count for so many seconds."""
        self.before = uses_of(self.pids)
        tally.is_counting = True
        begin = time.perf_counter()
        await asyncio.sleep(seconds)
        tally.is_counting = False
        self.seconds = time.perf_counter() - begin
        self.after = uses_of(self.pids)


async def run_closed(players: list[Player], tally: Tally, meter: Meter, seconds: float) -> None:
    """Let every player move as soon as it is answered; the first moments are not counted."""
    for player in players:
        player.move()
    await asyncio.sleep(min(1.0, seconds / 4))
    await meter.count(tally, seconds)


async def run_paced(
    players: list[Player], tally: Tally, meter: Meter, seconds: float, rate: int
) -> None:
    """Send so many moves a second over all players; a player still waiting is passed over."""
    for player in players:
        player.is_paced = True
    stop = asyncio.create_task(meter.count(tally, seconds))
    turn = itertools.cycle(players)
    due = time.perf_counter()
    while not stop.done():
        now = time.perf_counter()
        while due <= now:
            due += 1 / rate
            for player in itertools.islice(turn, len(players)):
                if not player.is_waiting:
                    player.move()
                    break
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
    stop.result()


async def load(
    given: argparse.Namespace, scripts: list[Script], address: str, pids: list[int]
) -> bool:
    """Run one load against a server that is there; True when every answer was right."""
    tally = Tally()
    count: int = given.players
    players = []
    for number in range(count):
        token = "" if given.ceiling else await asyncio.to_thread(sign_in, address)
        players.append(await connect(address, token, scripts[number % len(scripts)], tally))
    print(f"{count} players, {given.seconds} s, ruleset {given.ruleset}", flush=True)
    meter = Meter([*pids, os.getpid()])
    if given.rate:
        await run_paced(players, tally, meter, given.seconds, given.rate)
    else:
        await run_closed(players, tally, meter, given.seconds)
    for player in players:
        player.stop()
    report(tally, meter.seconds, meter.before, meter.after)
    return tally.is_right and bool(tally.latencies)


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, run, and return 0 when every answer was right."""
    parser = argparse.ArgumentParser(
        prog="python -m bench load", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=int, default=0, help="moves a second; 0: closed loop")
    parser.add_argument("--ruleset", default="C")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--ceiling", action="store_true", help="measure the bots themselves")
    given = parser.parse_args(arguments)
    raise_file_limit()
    scripts = [
        make_script(number, given.ruleset, SCRIPT_MOVES)
        for number in range(min(given.players, SCRIPTS))
    ]
    worker_core, bot_core = cores()
    if given.ceiling:
        return 0 if ceiling(scripts, partial(load, given, scripts), cores()) else 1
    with Server(given.workers, core=worker_core) as server:
        os.sched_setaffinity(0, {bot_core})
        is_right = uvloop.run(load(given, scripts, server.address, server.pids()))
    return 0 if is_right else 1


if __name__ == "__main__":
    raise SystemExit(main())
