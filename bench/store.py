"""How many commits a second one worker's link carries, with the real script; run by name.

Each player is a closed loop: commit, wait for the answer, commit the next. Without a URL it starts
an embedded Redis in a temporary folder that syncs its file on every write, as the server does.
"""

import argparse
import asyncio
import json
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop

from server.core.heads import first_head, next_head
from server.core.ports import Commit, Committed, NewSession
from server.store.connect import link_to
from server.store.embedded import EmbeddedRedis
from server.store.sessions import Sessions

CODE = "YU1-C-AAAAAAB"
ACTION = bytes((3, 4, 6))
EVENT = bytes(28)


async def _play(sessions: Sessions, session_id: str, until: float, took: list[float]) -> int:
    """Commit in a closed loop until the given `perf_counter`; how many commits."""
    version, head = 0, first_head(CODE)
    while time.perf_counter() < until:
        after = next_head(head, ACTION)
        started = time.perf_counter()
        done = await sessions.commit(
            Commit(session_id, version, head, ACTION, after, "playing", 5, 5, version, EVENT)
        )
        took.append(time.perf_counter() - started)
        if not isinstance(done, Committed):
            raise RuntimeError(f"{session_id} was committed by somebody else: {done}")
        version, head = version + 1, after
    return version


async def measure(url: str, players: int, seconds: float, run: str) -> dict[str, Any]:
    """Let that many players commit for a while; the figures of it."""
    batches: list[int] = []
    link = link_to(url, on_batch=batches.append)
    await link.connect()
    sessions = Sessions(link, "bench")
    names = [f"{run}p{players}n{number}" for number in range(players)]
    await asyncio.gather(*(sessions.create(NewSession(name, CODE, "bench", 1)) for name in names))
    batches.clear()
    redis_before = await _redis_cpu(url)
    before, started = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    took: list[float] = []
    counts = await asyncio.gather(
        *(_play(sessions, name, started + seconds, took) for name in names)
    )
    elapsed = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    redis_cpu = await _redis_cpu(url) - redis_before
    for name in names:
        stored = await sessions.load(name)  # raises when the log is not the history of its head
        if stored is None or stored.version != counts[names.index(name)]:
            raise RuntimeError(f"{name} does not hold what was acknowledged")
    await link.close()
    commits = sum(counts)
    python_cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    took.sort()
    return {
        "players": players,
        "commits_per_second": round(commits / elapsed),
        "python_us_per_commit": round(python_cpu / commits * 1e6, 1),
        "redis_us_per_commit": round(redis_cpu / commits * 1e6, 1),
        "commands_per_write": round(statistics.fmean(batches), 1),
        "p50_ms": round(took[len(took) // 2] * 1000, 2),
        "p99_ms": round(took[int(len(took) * 0.99)] * 1000, 2),
    }


async def reference(url: str, seconds: float) -> dict[str, Any]:
    """What the machine does at best now: a script that does nothing, 200 of them in each tick."""
    batch, done = 200, 0
    script = b"#!lua\nreturn 1"
    link = link_to(url)
    await link.connect()
    sha = await link.call("SCRIPT", "LOAD", script)
    redis_before, python_before = await _redis_cpu(url), time.process_time()
    started = time.perf_counter()
    while time.perf_counter() < started + seconds:
        await asyncio.gather(
            *(link.call("EVALSHA", sha, 2, "yukon:{a}:b", "yukon:{a}:c") for _ in range(batch))
        )
        done += batch
    elapsed, python_cpu = time.perf_counter() - started, time.process_time() - python_before
    redis_cpu = await _redis_cpu(url) - redis_before
    await link.close()
    return {
        "reference": "empty script",
        "scripts_per_second": round(done / elapsed),
        "python_us": round(python_cpu / done * 1e6, 1),
        "redis_us": round(redis_cpu / done * 1e6, 1),
    }


async def _redis_cpu(url: str) -> float:
    """Seconds of processor time that the whole Redis process has used."""
    link = link_to(url)
    await link.connect()
    try:
        text = (await link.call("INFO", "cpu")).decode()
    finally:
        await link.close()
    used = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return float(used["used_cpu_user"]) + float(used["used_cpu_sys"])


async def _measure_all(url: str, players: list[int], seconds: float) -> None:
    run = f"b{time.time_ns():x}"
    print(json.dumps(await reference(url, seconds)), flush=True)
    for count in players:
        print(json.dumps(await measure(url, count, seconds, run)), flush=True)


def main() -> None:
    """Run the benchmark and print one JSON object a line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench store", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--url", help="a Redis of your own, which must be no one else's")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--players", type=int, nargs="+", default=[1, 16, 100, 500])
    given = parser.parse_args()
    if given.url:
        uvloop.run(_measure_all(given.url, given.players, given.seconds))
        return
    with tempfile.TemporaryDirectory() as folder:
        redis = EmbeddedRedis(Path(folder))
        redis.start()
        try:
            uvloop.run(_measure_all(redis.url, given.players, given.seconds))
        finally:
            redis.stop()


if __name__ == "__main__":
    main()
