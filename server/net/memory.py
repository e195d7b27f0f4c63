"""Games in memory: loaded when needed, the longest unused forgotten; the truth is the store's."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from engine.errors import EngineError
from server.core.clock import StoreClock
from server.core.ports import Missing, SessionStore, StoredSession
from server.core.session import Session

if TYPE_CHECKING:
    from server.net.connection import Connection

MOST_GAMES: Final = 4096
"""Games kept in memory; further ones are loaded again when they are needed."""

Note = Callable[[str, str, str], Awaitable[bool]]
"""Notes that a player is about to see a session of a sealed code; whether its cards are new."""

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


class Games:
    """The sessions of entries, at most so many at once, and the store's clock as loads told it."""

    def __init__(self, store: SessionStore, note: Note, most: int) -> None:
        self.most = most
        self._store = store
        self._note = note
        self._order: OrderedDict[str, Entry] = OrderedDict()
        self._clock = StoreClock()

    def __len__(self) -> int:
        return len(self._order)

    def now_ms(self) -> int:
        """Unix milliseconds by the clock of the store."""
        return self._clock.at(time.time() * 1000)

    def note_time(self, asked: float, answered: float, stored: float) -> None:
        """Learn of the store's clock; all are Unix milliseconds."""
        self._clock.note(asked, answered, stored)

    async def session(self, entry: Entry, player: str | None = None) -> Session:
        """The session of an entry whose turn the caller has. Raises Missing and Unavailable.

        Missing too when it is not the session of `player`: for strangers none is played or noted.
        """
        session = entry.session
        if session is not None:
            if player not in (None, session.player):
                raise Missing(entry.id)
            self._order.move_to_end(entry.id)
            return session
        before = time.time() * 1000
        stored = await self._store.load(entry.id, player)
        if stored is None:
            raise Missing(entry.id)
        self.note_time(before, time.time() * 1000, stored.now_ms)
        session = _played(stored)
        if session.is_sealed:
            # Before anything of it is shown: cards that were seen once are never new again.
            session.is_first = await self._note(session.player, session.id, stored.code)
        entry.session = session
        self._order[entry.id] = entry
        if len(self._order) > self.most:
            self._evict()
        return session

    def touch(self, entry: Entry) -> None:
        """Note that the session of an entry is in use."""
        self._order.move_to_end(entry.id)

    def forget(self, entry: Entry) -> None:
        """Throw the session of an entry away; the next use loads it again."""
        entry.session = None
        self._order.pop(entry.id, None)

    def _evict(self) -> None:
        for entry in self._order.values():
            if not entry.turn.locked():
                self.forget(entry)
                return


def _played(stored: StoredSession) -> Session:
    try:
        return Session(stored)
    except EngineError as error:
        log.exception("a stored log is no game", extra={"session": stored.session_id})
        raise Missing(stored.session_id) from error
