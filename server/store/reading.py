"""What is read for many at once: the damaged part is left out and told to the host, once each."""

import logging
from collections.abc import Iterable
from functools import lru_cache

from server.store.errors import Damaged
from server.store.wire import Reply

_MOST_TOLD = 4096

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


def _readable(what: str, reply: Reply | BaseException) -> Reply:
    if isinstance(reply, Damaged):
        tell_damaged(what, type(reply).__name__)
        return None
    if isinstance(reply, BaseException):
        raise reply
    return reply
