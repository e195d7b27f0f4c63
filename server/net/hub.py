"""The sessions this worker shows: their games in memory, their viewers, and one command at a time.

Everything here is a cache of the store, checked by every commit.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from server.core import answers
from server.core.messages import Close, Notice, Play
from server.core.ports import (
    Committed,
    Missing,
    SessionEvent,
    SessionStore,
    Stale,
    StoredSession,
    Unavailable,
)
from server.core.refusals import Code, Refused
from server.core.session import (
    Accepted,
    Already,
    Broken,
    Diverged,
    Outdated,
    Session,
)
from server.net.connection import Connection
from server.net.metrics import Metrics

MOST_GAMES: Final = 4096
"""Games kept in memory; further ones are loaded again when they are needed."""
GRACE_SECONDS: Final = 30.0
"""How long a session without viewers stays, for those who reconnect."""
_LAP: Final = 1.0

log = logging.getLogger("yukon.hub")


class Entry:
    """A session on this worker. Whoever holds `turn` may use and change `session`."""

    __slots__ = ("id", "idle_since", "session", "turn", "viewers")

    def __init__(self, session_id: str) -> None:
        self.id = session_id
        self.session: Session | None = None
        self.viewers: list[Connection] = []
        self.turn = asyncio.Lock()
        self.idle_since = 0.0
