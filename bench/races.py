"""Races under load: GO on every client, progress at the rivals, and moves beside solo play.

    python -m bench races                                  100 races of 8, then 16 with 200 watchers
    python -m bench races --races 10 --watchers 20 --seconds 5      a short one

Racers play real moves at a walking pace and check every event byte for byte. First as many players
play alone, at the same pace on the same server, so that both can be compared.
"""

import argparse
import asyncio
import os
import time

import uvloop

from bench.figures import Tally, percentile, report
from bench.load import Meter, run_paced
from bench.player import Player, connect
from bench.processes import Server, cores, raise_file_limit
from bench.racing import Race, Watch, tokens_for
from bench.scripts import Script, make_script

SCRIPTS, SCRIPT_MOVES = 32, 400
BIG_SEATS = 16
STAGGER_SECONDS = 0.02


class Bench:
    """One server, measured with solo players, with many races, and with one watched race."""

    def __init__(self, given: argparse.Namespace, address: str, pids: list[int]) -> None:
        self.given = given
        self.address = address
        self.pids = [*pids, os.getpid()]
        self.scripts = [make_script(number, "C", SCRIPT_MOVES) for number in range(SCRIPTS)]
        self.is_right = True

    def script(self, number: int) -> Script:
        return self.scripts[number % len(self.scripts)]

    async def solo(self, count: int) -> None:
        """So many players, each alone."""
        print(f"\n{count} players alone", flush=True)
        tally = Tally()
        tokens = await tokens_for(self.address, count)
        players = [
            await connect(self.address, token, self.script(number), tally)
            for number, token in enumerate(tokens)
        ]
        await self._measure(players, tally)
        for player in players:
            player.stop()

    async def races(self, count: int, seats: int, watchers: int) -> None:
        """So many races at once, started one shortly after another."""
        print(f"\n{count} races of {seats}, {watchers} watchers each", flush=True)
        tally, watch = Tally(), Watch()
        races = [Race(self.script(number), tally, watch) for number in range(count)]
        for race in races:
            tokens = await tokens_for(self.address, seats + watchers)
            await race.gather(self.address, tokens[:seats], tokens[seats:])
        starts = []
        for race in races:
            starts.append(asyncio.create_task(race.run()))
            await asyncio.sleep(STAGGER_SECONDS)
        await asyncio.gather(*starts)
        racers: list[Player] = [racer for race in races for racer in race.racers]
        await self._measure(racers, tally)
        report_races(watch, self.given.seconds)
        for race in races:
            race.stop()

    async def _measure(self, players: list[Player], tally: Tally) -> None:
        meter = Meter(self.pids)
        rate = max(1, round(len(players) * self.given.pace))
        await run_paced(players, tally, meter, self.given.seconds, rate)
        report(tally, meter.seconds, meter.before, meter.after)
        self.is_right = self.is_right and tally.is_right and bool(tally.latencies)


def report_races(watch: Watch, seconds: float) -> None:
    """Print what rivals and watchers saw."""
    for name, values in (
        ("GO spread in a race", watch.go_spreads),
        ("last board after GO", watch.go_late),
        ("progress at others", watch.progress),
    ):
        ordered = sorted(values)
        marks = [percentile(ordered, share) * 1000 for share in (0.5, 0.99, 1.0)]
        print(f"{name:20} p50/p99/most ms   {marks[0]:.1f} / {marks[1]:.1f} / {marks[2]:.1f}")
    size = watch.lanes_bytes / max(1, watch.lanes)
    print(f"lanes messages/s     {watch.lanes / seconds:8.0f}, {size:.0f} bytes in the mean")


async def run(given: argparse.Namespace, address: str, pids: list[int]) -> bool:
    """Measure all; True when every answer was right."""
    bench = Bench(given, address, pids)
    print(f"load of the machine {os.getloadavg()[0]:.1f}, {time.strftime('%H:%M', time.gmtime())}")
    if given.races:
        await bench.solo(given.races * given.seats)
        await bench.races(given.races, given.seats, 0)
    if given.watchers:
        await bench.races(1, BIG_SEATS, given.watchers)
    return bench.is_right


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, run, and return 0 when every answer was right."""
    parser = argparse.ArgumentParser(
        prog="python -m bench races", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--races", type=int, default=100)
    parser.add_argument("--seats", type=int, default=8)
    parser.add_argument("--watchers", type=int, default=200, help="of the one big race; 0: none")
    parser.add_argument("--pace", type=float, default=0.5, help="moves a second of each racer")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(arguments)
    raise_file_limit()
    worker_core, bot_core = cores()
    with Server(given.workers, core=worker_core) as server:
        os.sched_setaffinity(0, {bot_core})
        is_right = uvloop.run(run(given, server.address, server.pids()))
    return 0 if is_right else 1


if __name__ == "__main__":
    raise SystemExit(main())
