"""Work that nobody waits for: kept until it is done, its failures logged; it has none itself."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

_AGAIN_SECONDS: Final = 1.0


class Beside:
    """Tasks under way. An error of `expected` types is what may happen, and not logged."""

    def __init__(self, log: logging.Logger, *expected: type[Exception]) -> None:
        self._log = log
        self._expected = expected
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something happen beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def stop(self, patience: float) -> None:
        """Give what is under way so many seconds, then end it."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=patience)
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cancel(self) -> None:
        """End what is under way."""
        for task in list(self._tasks):
            task.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, self._expected):
            self._log.error("a task failed", exc_info=error)


async def keep_up(work: Callable[[], Coroutine[Any, Any, None]], log: logging.Logger) -> None:
    """Do something that never ends; should it fail, the host sees it and it begins again."""
    while True:
        try:
            await work()
        except Exception:
            log.exception("work of the worker failed, it begins again")
        await asyncio.sleep(_AGAIN_SECONDS)
