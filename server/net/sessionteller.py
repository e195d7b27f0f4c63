"""Tells the viewers of sessions what is new; whoever missed something gets one snapshot instead."""

from collections.abc import Sequence

from server.core.messages import Close
from server.core.ports import Missing, Unavailable
from server.core.session import Session
from server.net.beside import Beside
from server.net.connection import Connection
from server.net.memory import Entry, Games
from server.net.metrics import Metrics


class SessionTeller:
    """The events and snapshots of one worker's sessions."""

    def __init__(self, games: Games, metrics: Metrics, beside: Beside) -> None:
        self._games = games
        self._metrics = metrics
        self._beside = beside

    def event(self, entry: Entry, viewer: Connection, event: bytes, version: int) -> None:
        """Tell one viewer the event that made a version, if that is the one they wait for."""
        if viewer.behind:
            return
        if viewer.is_full:
            self._fall_behind(entry, viewer)
        elif viewer.shown + 1 != version:
            self.resync(entry, (viewer,), "missed")
        else:
            viewer.shown = version
            viewer.send(event)

    def tell(self, viewers: Sequence[Connection], session: Session) -> None:
        """Tell viewers the whole session; one who reads too slowly is told later."""
        payload = session.snapshot(self._games.now_ms())
        for viewer in viewers:
            if viewer.behind:
                continue
            if viewer.is_full and viewer.entry is not None:
                self._fall_behind(viewer.entry, viewer)
            else:
                viewer.shown = session.version
                viewer.send(payload)

    def resync(self, entry: Entry, viewers: tuple[Connection, ...], cause: str) -> None:
        """Show the session anew to viewers who miss something, as soon as its turn is free."""
        if viewers:
            self._metrics.resync(cause, len(viewers))
            self._beside(self.show_anew(entry, viewers))

    async def show_anew(self, entry: Entry, viewers: tuple[Connection, ...]) -> None:
        """Tell viewers the whole session, those who still view it by then."""
        async with entry.turn:
            try:
                session = await self._games.session(entry)
            except (Missing, Unavailable):
                return  # the bus says when the store is back, and then all are shown anew
            self.tell(tuple(one for one in viewers if one.entry is entry), session)

    def _fall_behind(self, entry: Entry, viewer: Connection) -> None:
        viewer.behind = True
        self._metrics.overflow()
        self._beside(self._catch_up(entry, viewer))

    async def _catch_up(self, entry: Entry, viewer: Connection) -> None:
        """Wait for a slow reader, then give one snapshot instead of all that was left out."""
        if not await viewer.drained():
            self._metrics.closed(Close.TOO_SLOW)
            await viewer.close(Close.TOO_SLOW)
            return
        if viewer.entry is not entry:
            return
        viewer.behind = False
        self._metrics.resync("slow")
        await self.show_anew(entry, (viewer,))
