"""What a host may count, for Prometheus and summed over workers; it judges nothing.

The hot path adds to plain numbers, which go to prometheus-client once a second: its counters write
to a file that all workers share, which would cost more than a move.
"""

import asyncio
import os
import time
from collections import Counter as Tally
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from server.core.messages import Kind
from server.core.roommessages import RoomKind

_FLUSH_SECONDS: Final = 1.0
_SAMPLE_SECONDS: Final = 0.01
_COMMIT_BUCKETS: Final = (
    *(0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
)
_BATCH_BUCKETS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
_LAG_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_KINDS: Final = {int(kind): kind.name.lower() for kind in (*Kind, *RoomKind)}
CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


class Metrics:
    """The numbers of one worker."""

    def __init__(self) -> None:
        self._is_shared = "PROMETHEUS_MULTIPROC_DIR" in os.environ
        registry = self._registry = CollectorRegistry()
        self._connections = Gauge(
            "yukon_connections", "Open sockets", registry=registry, multiprocess_mode="livesum"
        )
        self._sessions = Gauge(
            "yukon_sessions",
            "Sessions with viewers",
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._rooms = Gauge(
            "yukon_rooms", "Rooms with viewers", registry=registry, multiprocess_mode="livesum"
        )
        self._races = Counter(
            "yukon_races", "Races dealt and finished", ("what",), registry=registry
        )
        self._lanes = Counter(
            "yukon_lanes_updates", "Messages about lanes, by room", registry=registry
        )
        self._commands = Counter(
            "yukon_commands",
            "Commands by kind and outcome",
            ("kind", "outcome"),
            registry=registry,
        )
        self._refusals = Counter("yukon_refusals", "Refusals by code", ("code",), registry=registry)
        self._resyncs = Counter(
            "yukon_resyncs", "Snapshots nobody asked for, by cause", ("cause",), registry=registry
        )
        self._closes = Counter(
            "yukon_closes", "Sockets closed by the server, by code", ("code",), registry=registry
        )
        self._overflows = Counter(
            "yukon_outbox_overflows", "Readers too slow for their events", registry=registry
        )
        self._commit = Histogram(
            "yukon_commit_seconds",
            "Time of a commit; a sample of at most 100 a second",
            buckets=_COMMIT_BUCKETS,
            registry=registry,
        )
        self._batch = Histogram(
            "yukon_commit_batch_size",
            "Commands to Redis in one write; a sample of at most 100 a second",
            buckets=_BATCH_BUCKETS,
            registry=registry,
        )
        self._lag = Histogram(
            "yukon_loop_lag_seconds",
            "How late the event loop was",
            buckets=_LAG_BUCKETS,
            registry=registry,
        )
        self._tally: Tally[tuple[int, str]] = Tally()
        self._refused: Tally[str] = Tally()
        self._next_commit = self._next_batch = 0.0

    def command(self, kind: int, outcome: str) -> None:
        """Count a command: `accepted`, `confirmed`, `answered`, `refused`, `stale` or `failed`."""
        self._tally[kind, outcome] += 1

    def refusal(self, code: str) -> None:
        """Count a refusal."""
        self._refused[code] += 1

    def resync(self, cause: str, amount: int = 1) -> None:
        """Count snapshots that nobody asked for."""
        self._resyncs.labels(cause).inc(amount)

    def overflow(self) -> None:
        """Count a reader that was too slow for its events."""
        self._overflows.inc()

    def closed(self, code: int) -> None:
        """Count a socket that the server closed."""
        self._closes.labels(str(int(code))).inc()

    def commit(self, seconds: float, outcome: str) -> None:  # noqa: ARG002 - the store tells both
        """Note the time of a commit."""
        now = time.monotonic()
        if now >= self._next_commit:
            self._next_commit = now + _SAMPLE_SECONDS
            self._commit.observe(seconds)

    def batch(self, size: int) -> None:
        """Note how many commands one write to Redis carried."""
        now = time.monotonic()
        if now >= self._next_batch:
            self._next_batch = now + _SAMPLE_SECONDS
            self._batch.observe(size)

    def race(self, what: str) -> None:
        """Count a race that was `dealt` or `finished` by this worker."""
        self._races.labels(what).inc()

    def lanes(self) -> None:
        """Count one message about the lanes of a room, whoever gets it."""
        self._lanes.inc()

    def gauges(self, connections: int, sessions: int, rooms: int) -> None:
        """Say what there is now."""
        self._connections.set(connections)
        self._sessions.set(sessions)
        self._rooms.set(rooms)

    def flush(self) -> None:
        """Hand the plain numbers over."""
        tally, self._tally = self._tally, Tally()
        for (kind, outcome), amount in tally.items():
            self._commands.labels(_KINDS.get(kind, str(kind)), outcome).inc(amount)
        refused, self._refused = self._refused, Tally()
        for code, amount in refused.items():
            self._refusals.labels(code).inc(amount)

    async def keep(self) -> None:
        """Flush every second and measure the event loop's lag, until cancelled."""
        loop = asyncio.get_running_loop()
        wanted = loop.time() + _FLUSH_SECONDS
        while True:
            await asyncio.sleep(max(0.0, wanted - loop.time()))
            late = loop.time() - wanted
            self._lag.observe(max(0.0, late))
            self.flush()
            wanted = loop.time() + _FLUSH_SECONDS

    def text(self) -> bytes:
        """The exposition format, of all workers together."""
        self.flush()
        if not self._is_shared:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
