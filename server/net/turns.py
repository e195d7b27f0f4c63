"""Long work of one request, with turns for everybody else in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final, TypeVar

_AT_ONCE: Final = 64
"""Steps that are done before others get their turn."""

T = TypeVar("T")


async def in_turns(steps: Iterable[T]) -> AsyncIterator[T]:
    """The same steps, with a turn for everybody else after some of them."""
    for number, step in enumerate(steps, 1):
        yield step
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)
