"""Workers that are killed after any command, for tests, and what Redis held before."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from server.store import keys
from server.store.forgetting import forget
from server.store.players import Players
from server.store.wire import Argument, Reply
from tests.server.store.conftest import Worker


class Killed(Exception):
    """The worker is dead: nothing that it says reaches Redis."""


class DyingLink:
    """A link of a worker that is killed after so many commands, whatever it is doing then."""

    def __init__(self, link: Any, lives: int) -> None:
        self.link, self.lives, self.calls = link, lives, 0
        self.is_cluster = False

    def call(self, *arguments: Argument) -> "asyncio.Future[Reply]":
        self.calls += 1
        if self.calls > self.lives:
            future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            future.set_exception(Killed())
            return future
        reply: asyncio.Future[Reply] = self.link.call(*arguments)
        return reply

    async def run(self, script: Any, keys: Any, *arguments: Argument) -> Reply:
        return await self.call("EVAL", script.text, len(keys), *keys, *arguments)


async def dumped(worker: Worker) -> dict[bytes, tuple[bytes, int]]:
    """Every key with its value and when it goes."""
    return {
        name: (
            await worker.link.call("DUMP", name),
            max(0, await worker.link.call("PEXPIRETIME", name)),
        )
        for name in await worker.link.call("KEYS", "yukon:*")
        if name != keys.CANARY
    }


async def restore(worker: Worker, before: dict[bytes, tuple[bytes, int]]) -> None:
    """Make Redis what it was."""
    await worker.link.call("FLUSHALL")
    for name, (value, goes) in before.items():
        await worker.link.call("RESTORE", name, goes, value, "ABSTTL")


async def forget_dying_anywhere(worker: Worker, player: str) -> AsyncIterator[int]:
    """Forget a player by workers killed after 0, 1, 2 … commands, each then completed by another.

    Before each, Redis is made what it was; the number of commands is given after each.
    """
    before = await dumped(worker)
    dying: Any = DyingLink(worker.link, 1000)
    assert await forget(dying, player)
    assert 8 < dying.calls < 100
    for lives in range(dying.calls):
        await restore(worker, before)
        with contextlib.suppress(Killed):
            await forget(DyingLink(worker.link, lives), player)  # type: ignore[arg-type]
        if await Players(worker.link).get(player) is not None:
            assert await forget(worker.link, player)
        yield lives
