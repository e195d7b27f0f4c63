"""From a frame to who answers it: limits, then a table of handlers; it plays nothing itself."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from server.core import answers, codec
from server.core import messages as m
from server.core import roomcommands as r
from server.core.codec import Command
from server.core.ports import Unavailable
from server.core.refusals import Code, Refused, Unreadable
from server.core.roommessages import RoomKind
from server.net.connection import Connection
from server.net.hub import Hub
from server.net.metrics import Metrics

Handler = Callable[[Connection, Any], Awaitable[str]]
"""Answers a command and says what came of it for the metrics, or raises Refused or Unavailable."""

OLDEST_PROTOCOL: Final = 1

log = logging.getLogger("yukon.dispatch")


class Dispatch:
    """Answers every frame of every socket; further handlers are added to `handlers`.

    `client` is the hash of the browser client that is served here, None where there is none: a page
    that stayed open learns by it that it is not the one that would come today.
    """

    def __init__(self, hub: Hub, metrics: Metrics, client: str | None = None) -> None:
        self._hub = hub
        self._metrics = metrics
        self._client = client
        self.handlers: dict[type, Handler] = {
            m.Play: hub.play,
            m.Hello: self._hello,
            m.Open: self._open,
            m.Ask: self._ask,
            m.Ping: self._ping,
        }

    async def handle(self, connection: Connection, frame: bytes) -> m.Close | None:
        """Answer one frame; the code to close with where that was one too many."""
        now = connection.heard_at
        try:
            command = codec.decode(frame)
        except Unreadable as unreadable:
            return self.unreadable(connection, unreadable)
        kind = kind_of(command)
        for credit in connection.credits:
            if not credit.spend(now):
                return self._too_fast(connection, command)
        if not connection.greeted and type(command) is not m.Hello:
            self._refuse(connection, kind, Refused(Code.HELLO_FIRST, reference=about(command)))
            return None
        try:
            outcome = await self.handlers[type(command)](connection, command)
        except Refused as refused:
            if refused.reference is None:
                refused.reference = about(command)
            self._refuse(connection, kind, refused)
            return m.Close.TOO_OLD if refused.code is Code.TOO_OLD else None
        except Unavailable:
            self._metrics.command(kind, "failed")
            self._metrics.refusal(Code.UNAVAILABLE)
            connection.send(answers.no(kind, Code.UNAVAILABLE, about(command)))
            return None
        except Exception:
            # The player can go on, whatever it is; the host has to see it.
            log.exception("a command failed", extra={"kind": kind, "player": connection.player})
            self._metrics.command(kind, "failed")
            connection.send(answers.no(kind, Code.UNAVAILABLE, about(command)))
            return None
        self._metrics.command(kind, outcome)
        return None

    def unreadable(self, connection: Connection, unreadable: Unreadable) -> m.Close | None:
        """Refuse a frame that is no command; a stream of them ends the connection."""
        self._refuse(connection, unreadable.kind, unreadable)
        return None if connection.malformed.spend(connection.heard_at) else m.Close.MALFORMED

    def _too_fast(self, connection: Connection, command: Command) -> m.Close | None:
        refused = Refused(Code.TOO_FAST, reference=about(command))
        self._refuse(connection, kind_of(command), refused)
        return None if connection.refused.spend(connection.heard_at) else m.Close.TOO_FAST

    def _refuse(self, connection: Connection, kind: int, refused: Refused) -> None:
        self._metrics.command(kind, "refused")
        self._metrics.refusal(refused.code.value)
        connection.send(answers.refusal(kind, refused))

    async def _hello(self, connection: Connection, command: m.Hello) -> str:
        if command.protocol < OLDEST_PROTOCOL:
            raise Refused(Code.TOO_OLD)
        connection.greeted = True
        connection.client = command.client
        now_ms = self._hub.now_ms()
        connection.send(answers.welcome(connection.player, connection.name, now_ms, self._client))
        return "answered"

    async def _open(self, connection: Connection, command: m.Open) -> str:
        await self._hub.show(connection, command.session)
        return "answered"

    async def _ask(self, connection: Connection, command: m.Ask) -> str:
        if command.kind == m.Kind.SNAPSHOT:
            await self._hub.again(connection)
        else:
            self._hub.leave(connection)
            connection.send(answers.left())
        return "answered"

    async def _ping(self, connection: Connection, command: m.Ping) -> str:
        connection.send(answers.pong(command.clock, self._hub.now_ms()))
        return "answered"


def kind_of(command: Command) -> int:
    """The kind on the wire."""
    fixed = _FIXED_KINDS.get(type(command))
    return command.kind if fixed is None else fixed  # type: ignore[union-attr]


def about(command: Command) -> m.Reference:
    """What a refusal of the command points at."""
    if type(command) is m.Play:
        return command.version
    return command.request if isinstance(command, m.New | r.Make | r.Join) else None


_FIXED_KINDS: Final[dict[type, int]] = {
    m.Hello: int(m.Kind.HELLO),
    m.New: int(m.Kind.NEW),
    m.Open: int(m.Kind.OPEN),
    m.Ping: int(m.Kind.PING),
    m.Watch: int(m.Kind.WATCH),
    r.Make: int(RoomKind.MAKE),
    r.Join: int(RoomKind.JOIN),
    r.Change: int(RoomKind.CHANGE),
    r.Rematch: int(RoomKind.REMATCH),
    r.AskBoard: int(RoomKind.ASK_BOARD),
    r.AskGhosts: int(RoomKind.ASK_GHOSTS),
}
