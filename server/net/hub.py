"""The sessions this worker shows: who views which, and one command of each at a time.

Everything here is a cache of the store: every commit checks it, and what does not fit is thrown
away and loaded again.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import Final

from server.core import answers
from server.core.messages import Play
from server.core.ports import (
    Committed,
    Missing,
    RaceOver,
    SessionEvent,
    SessionStore,
    Unavailable,
)
from server.core.refusals import Code, Refused
from server.core.session import Accepted, Already, Broken, Diverged, Session
from server.net.beside import Beside
from server.net.connection import Connection
from server.net.memory import MOST_GAMES, Entry, Games, Note
from server.net.metrics import Metrics
from server.net.sessionteller import SessionTeller

GRACE_SECONDS: Final = 30.0
"""How long a session without viewers stays, for those who reconnect."""

log = logging.getLogger("yukon.hub")


class Hub:
    """All sessions with viewers at this worker; `note` is asked before sealed cards are shown.

    `on_commit(session, accepted)` is told of every command that was committed here, after its
    viewers were, and `on_race_over(session)` of one that came too late for its race.
    """

    def __init__(
        self,
        store: SessionStore,
        metrics: Metrics,
        note: Note,
        *,
        on_commit: Callable[[Session, Accepted], None] | None = None,
        on_race_over: Callable[[Session], None] | None = None,
        most_games: int = MOST_GAMES,
    ) -> None:
        self._store = store
        self._metrics = metrics
        self._on_commit = on_commit
        self._on_race_over = on_race_over
        self._entries: dict[str, Entry] = {}
        self._games = Games(store, note, most_games)
        self._beside = Beside(log)
        self._teller = SessionTeller(self._games, metrics, self._beside)
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    def __len__(self) -> int:
        return len(self._entries)

    async def idle(self) -> None:
        """Wait until no command is under way."""
        await self._idle.wait()

    def now_ms(self) -> int:
        """Unix milliseconds by the clock of the store, as far as this worker knows it."""
        return self._games.now_ms()

    def note_time(self, asked: float, answered: float, stored: float) -> None:
        """Learn of the store's clock: `stored` was between two of this worker's instants."""
        self._games.note_time(asked, answered, stored)

    # -- viewers

    async def show(self, viewer: Connection, session_id: str) -> None:
        """Let a socket show a session of its player, with a snapshot.

        Raises Refused when there is none or it is another player's, and Unavailable.
        """
        entry = self._entries.get(session_id)
        if entry is None:
            if not await self._store.watch(session_id, viewer.player):
                raise Refused(Code.NO_SUCH_SESSION)
            entry = self._entries.setdefault(session_id, Entry(session_id))
            entry.idle_since = time.monotonic()
        async with entry.turn:
            try:
                session = await self._games.session(entry, viewer.player)
            except Missing:
                raise Refused(Code.NO_SUCH_SESSION) from None
            self.leave(viewer)
            self._entries[session_id] = entry
            entry.viewers.append(viewer)
            viewer.entry = entry
            self._teller.tell((viewer,), session)

    def leave(self, viewer: Connection) -> None:
        """Take a socket away from the session it shows, if it shows one."""
        entry, viewer.entry = viewer.entry, None
        viewer.shown, viewer.behind = -1, False
        if entry is not None:
            entry.viewers.remove(viewer)
            if not entry.viewers:
                entry.idle_since = time.monotonic()

    def leave_if_gone(self, viewer: Connection) -> None:
        """As leave, for a socket that ended while a session was being shown to it."""
        if viewer.gone:
            self.leave(viewer)

    async def again(self, viewer: Connection) -> None:
        """Give a socket the snapshot it asks for. Raises Refused and Unavailable."""
        entry = viewer.entry
        if entry is None:
            raise Refused(Code.NO_SESSION)
        async with entry.turn:
            try:
                session = await self._games.session(entry)
            except Missing:
                raise Refused(Code.NO_SUCH_SESSION) from None
            if viewer.entry is entry:
                self._teller.tell((viewer,), session)

    # -- commands

    async def play(self, viewer: Connection, command: Play) -> str:
        """Decide and commit one command, answer it, and say what came of it, for the metrics."""
        entry = viewer.entry
        if entry is None:
            raise Refused(Code.NO_SESSION, reference=command.version)
        self._under_way += 1
        self._idle.clear()
        try:
            async with entry.turn:
                return await self._play(entry, viewer, command)
        except Missing:
            self._games.forget(entry)
            raise Refused(Code.NO_SUCH_SESSION, reference=command.version) from None
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    async def _play(self, entry: Entry, viewer: Connection, command: Play) -> str:
        session = entry.session
        if session is None:
            session = await self._games.session(entry)
        else:
            self._games.touch(entry)
        decision = session.decide(command, self.now_ms())
        if type(decision) is Accepted:
            try:
                outcome = await self._store.commit(decision.commit)
            except BaseException:
                # It is played in memory, and nobody knows whether it holds.
                self._games.forget(entry)
                raise
            if type(outcome) is Committed:
                self._publish(entry, session, decision, outcome.ms)
                if viewer.entry is not entry:
                    # A race has begun meanwhile, and its board is shown: the event went to others.
                    viewer.send(answers.confirmed(decision.commit.version + 1))
                return "accepted"
            if type(outcome) is RaceOver:
                self._too_late(entry, session)
                raise Refused(Code.RACE_OVER, reference=command.version)
            return await self._replaced(entry, viewer, command)
        if type(decision) is Already:
            viewer.send(answers.confirmed(decision.version))
            return "confirmed"
        if type(decision) is Broken:
            raise Refused(decision.reason, reference=command.version)
        self._outdated(session, (viewer,), viewer, command)
        return "stale"

    def _too_late(self, entry: Entry, session: Session) -> None:
        """The command is not in the log; in memory it is, and the race has ended meanwhile."""
        self._games.forget(entry)
        if self._on_race_over is not None:
            self._on_race_over(session)

    async def _replaced(self, entry: Entry, viewer: Connection, command: Play) -> str:
        """The log was not the one this worker knew: load it, answer, and show it to everybody."""
        self._games.forget(entry)
        session = await self._games.session(entry)
        viewers = tuple(entry.viewers)
        self._metrics.resync("replaced", len(viewers))
        if session.version > command.version and session.knows(command.version, command.action):
            viewer.send(answers.confirmed(command.version + 1))
            self._teller.tell(viewers, session)
            return "confirmed"
        self._outdated(session, viewers, viewer, command)
        return "stale"

    def _outdated(
        self, session: Session, viewers: Sequence[Connection], viewer: Connection, command: Play
    ) -> None:
        viewer.send(answers.no(command.kind, Code.STALE, command.version))
        self._metrics.refusal(Code.STALE)
        self._teller.tell(viewers, session)

    def _publish(self, entry: Entry, session: Session, accepted: Accepted, ms: int) -> None:
        """Tell everybody here what was committed."""
        event = session.settle(accepted, ms)
        version = accepted.commit.version + 1
        for viewer in entry.viewers:
            self._teller.event(entry, viewer, event, version)
        if accepted.commit.ends:
            self._reveal(entry, session)
        if self._on_commit is not None:
            self._on_commit(session, accepted)

    def _reveal(self, entry: Entry, session: Session) -> None:
        """After the end a hidden code is open: the snapshot tells it."""
        if session.is_sealed and not session.hides_code:
            self._teller.tell(tuple(entry.viewers), session)

    # -- what others did

    def hear(self, event: SessionEvent) -> None:
        """A commit at another worker; the bus calls this in the order of the store."""
        entry = self._entries.get(event.session_id)
        if entry is None:
            return
        if entry.turn.locked():
            self._beside(self._hear_in_turn(entry, event))
        else:
            self._hear(entry, event)

    async def _hear_in_turn(self, entry: Entry, event: SessionEvent) -> None:
        async with entry.turn:
            self._hear(entry, event)

    def _hear(self, entry: Entry, event: SessionEvent) -> None:
        session = entry.session
        if session is not None and session.version >= event.version:
            if session.knows(event.version - 1, event.record[:3]):
                return
        elif session is not None and session.version + 1 == event.version:
            try:
                payload = session.follow(event)
            except Diverged:
                log.warning("history replaced", extra={"session": entry.id})
            else:
                for viewer in entry.viewers:
                    self._teller.event(entry, viewer, payload, event.version)
                if session.is_over:
                    self._reveal(entry, session)
                return
        self._games.forget(entry)
        self._teller.resync(entry, tuple(entry.viewers), "gap")

    def reload(self, session_id: str) -> None:
        """A race put its mark on a session: load it again and show it as it is now."""
        entry = self._entries.get(session_id)
        if entry is not None:
            self._beside(self._reload(entry))

    async def _reload(self, entry: Entry) -> None:
        async with entry.turn:
            self._games.forget(entry)
        if entry.viewers:
            await self._teller.show_anew(entry, tuple(entry.viewers))

    async def resync_all(self) -> None:
        """Events may have been lost: throw all games away and show every session anew."""
        for entry in list(self._entries.values()):
            async with entry.turn:
                self._games.forget(entry)
                if entry.viewers:
                    try:
                        session = await self._games.session(entry)
                    except Missing:
                        continue
                    self._metrics.resync("bus", len(entry.viewers))
                    self._teller.tell(tuple(entry.viewers), session)

    async def tidy(self) -> None:
        """Forget sessions that nobody showed for a while; call it now and then."""
        limit = time.monotonic() - GRACE_SECONDS
        idle = [
            entry
            for entry in self._entries.values()
            if not entry.viewers and entry.idle_since < limit and not entry.turn.locked()
        ]
        for entry in idle:
            self._games.forget(entry)
            del self._entries[entry.id]
        for entry in idle:
            if entry.id not in self._entries:
                with contextlib.suppress(Unavailable):
                    await self._store.unwatch(entry.id)
                if entry.id in self._entries:
                    await self._store.watch(entry.id)
