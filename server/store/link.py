"""The connection for commands: stays up by itself, bounds what is under way; it knows no keys."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from typing import Protocol

from server.store.errors import ReplyError, Unavailable
from server.store.scripts import Script
from server.store.wire import Address, Argument, Reply, Wire, open_wire

MOST_UNDER_WAY = 20_000
CALL_SECONDS = 5.0
FIRST_DELAY = 0.05
LONGEST_DELAY = 2.0


class Commands(Protocol):
    """What the store needs of a connection; `Link` and `ClusterLink` are the two kinds."""

    is_cluster: bool

    @property
    def is_up(self) -> bool:
        """Whether commands can be sent now."""
        ...

    def call(self, *arguments: Argument) -> "asyncio.Future[Reply]":
        """Send one command; the future has the reply, or Unavailable, Missing, ReplyError."""
        ...

    async def run(self, script: Script, keys: Sequence[bytes], *arguments: Argument) -> Reply:
        """Run a script by its digest, or by its text where Redis does not know it yet."""
        try:
            return await self.call("EVALSHA", script.sha, len(keys), *keys, *arguments)
        except ReplyError as error:
            if not str(error).startswith("NOSCRIPT"):
                raise
        return await self.call("EVAL", script.text, len(keys), *keys, *arguments)

    async def connect(self) -> None:
        """Open the connection; Unavailable with the reason when that does not work."""
        ...

    async def close(self) -> None:
        """Close the connection for good; what is under way fails."""
        ...


def delay_before(attempt: int) -> float:
    """Give the seconds to wait before a reconnect (first attempt 0): backoff with full jitter."""
    return random.uniform(0, min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(attempt, 16)))


class Link(Commands):
    """One connection to one Redis.

    `call` never blocks: commands of one event-loop tick leave in one write and no group waits for
    the replies of the group before. A call under way when the connection breaks fails with
    Unavailable, and so does one that is made while there is no connection, while `most` others are
    under way, or that waits longer than `seconds` (in steps of a quarter of it).
    """

    is_cluster = False

    def __init__(
        self,
        address: Address,
        *,
        name: str = "yukon",
        most: int = MOST_UNDER_WAY,
        seconds: float = CALL_SECONDS,
        on_batch: Callable[[int], None] | None = None,
    ) -> None:
        """Prepare; `on_batch` hears how many commands each write carried, for metrics."""
        self.address = address
        self.connections = 0  # made so far, for metrics: more than one means that it was lost
        self._name = name
        self._most = most
        self._seconds = seconds
        self._on_batch = on_batch
        self._wire: Wire | None = None
        self._task: asyncio.Task[None] | None = None
        self._lost = asyncio.Event()

    @property
    def is_up(self) -> bool:
        """Whether commands can be sent now."""
        return self._wire is not None

    @property
    def under_way(self) -> int:
        """How many calls wait for a reply."""
        return len(self._wire.waiting) if self._wire is not None else 0

    def call(self, *arguments: Argument) -> "asyncio.Future[Reply]":
        """Send one command; the future has the reply, or Unavailable, Missing, ReplyError."""
        wire = self._wire
        if wire is None:
            return refused("there is no connection to Redis")
        if len(wire.waiting) >= self._most:
            return refused("too many commands are under way to Redis")
        return wire.send(*arguments)

    async def connect(self) -> None:
        """Open the connection and keep it from then on; Unavailable when the first try fails."""
        await self._open()
        if self._task is None:
            self._task = asyncio.create_task(self._keep(), name="redis link")

    async def close(self) -> None:
        """Close the connection for good; what is under way fails."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._wire is not None:
            self._wire.abort()
            self._wire = None

    def _on_lost(self, wire: Wire) -> None:
        if wire is self._wire:
            self._wire = None
            self._lost.set()

    async def _open(self) -> None:
        self._wire = await open_wire(
            self.address, self._name, self._on_lost, on_batch=self._on_batch
        )
        self.connections += 1

    async def _keep(self) -> None:
        while True:
            await self._watch()
            attempt = 0
            while self._wire is None:
                await asyncio.sleep(delay_before(attempt))
                attempt += 1
                with contextlib.suppress(Unavailable):
                    await self._open()

    async def _watch(self) -> None:
        """Return when the connection is lost; see to it that no call waits too long."""
        self._lost.clear()
        while self._wire is not None:
            self._wire.check(self._seconds)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._seconds / 4):
                    await self._lost.wait()


def refused(reason: str) -> "asyncio.Future[Reply]":
    """Give a call that fails with Unavailable before anything was sent."""
    future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    future.set_exception(Unavailable(reason))
    return future
