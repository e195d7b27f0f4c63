"""What is read for pages: the damaged part is left out and told to the host, once each."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from server.store.errors import Damaged
from server.store.wire import Reply

_MOST_TOLD = 4096

Read = TypeVar("Read")

log = logging.getLogger("yukon.store")


@lru_cache(maxsize=_MOST_TOLD)
def tell_damaged(what: str, cause: str) -> None:
    """Log that something is left out; pages are read again and again, so once for each thing.

    `cause` is a word such as the name of an error: what is stored may be a secret.
    """
    log.error("what is stored is damaged and left out", extra={"what": what, "cause": cause})


def readable(found: Iterable[tuple[str, Reply | BaseException]]) -> list[Reply]:
    """Replies with the names of what was asked for; None where a key holds something else.

    Raises the first other failure among them.
    """
    return [_readable(what, reply) for what, reply in found]


async def listed(what: str, reply: Awaitable[Reply]) -> list[Reply]:
    """A reply that is a list, empty where the key holds something else."""
    (found,) = readable([(what, await settled(reply))])
    return found or []


async def settled(reply: Awaitable[Reply]) -> Reply | BaseException:
    """A reply, or the error in its place."""
    (found,) = await asyncio.gather(reply, return_exceptions=True)
    return found


def pairs(listed: Sequence[Reply]) -> list[tuple[Reply, Reply]]:
    """The fields of a hash with their values, as Redis lists them one after the other."""
    return list(zip(listed[::2], listed[1::2], strict=True))


def each(what: str, parts: Sequence[Reply], read: Callable[..., Read]) -> list[Read]:
    """What `read` makes of each part, which it is given as arguments, without the damaged ones.

    `read` raises KeyError, TypeError, ValueError or OverflowError for those.
    """
    found = []
    for part in parts:
        try:
            found.append(read(*part))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            tell_damaged(what, type(error).__name__)
    return found


def _readable(what: str, reply: Reply | BaseException) -> Reply:
    if isinstance(reply, Damaged):
        tell_damaged(what, type(reply).__name__)
        return None
    if isinstance(reply, BaseException):
        raise reply
    return reply
