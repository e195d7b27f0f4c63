"""One socket of one player: writes frames without ever waiting, and knows when it must wait."""

import asyncio
from typing import TYPE_CHECKING, Final

from aiohttp import web

from server.core.messages import Close
from server.core.throttle import Credit, Limits

if TYPE_CHECKING:
    from aiohttp.abc import AbstractStreamWriter

    from server.net.memory import Entry
    from server.net.table import Table

OUTBOX_BYTES: Final = 16_384
"""How much may wait for a reader; what comes on top collapses into one snapshot."""
STUCK_SECONDS: Final = 20.0
SOCKET_BUFFER: Final = 65_536
_CLOSE_SECONDS: Final = 2.0
_SHORT: Final = tuple(bytes((0x82, size)) for size in range(126))
_PING: Final = b"\x89\x00"


class Connection:
    """A WebSocket with its player, the session and the room it shows, and its credits.

    Frames are written to the transport at once, header and all: a frame of a server without
    compression is two or four bytes and the payload, and an event goes to many sockets. Nothing
    is queued here. When more than OUTBOX_BYTES wait in the transport, an event of the session is
    not written: the connection is `behind` until a snapshot takes the place of what it missed.
    """

    __slots__ = (
        "address",
        "behind",
        "client",
        "closing",
        "credits",
        "entry",
        "gone",
        "greeted",
        "heard_at",
        "malformed",
        "name",
        "opened_at",
        "pinged",
        "player",
        "refused",
        "room",
        "room_behind",
        "shown",
        "stream",
        "transport",
        "ws",
    )

    def __init__(
        self,
        ws: web.WebSocketResponse,
        stream: "AbstractStreamWriter",
        transport: asyncio.Transport,
        *,
        player: str,
        name: str | None,
        address: str,
        limits: Limits,
        shared: tuple[Credit, ...],
        now: float,
    ) -> None:
        """`shared` are the credits that it shares with others of its player and address."""
        self.ws = ws
        self.stream = stream
        self.transport = transport
        self.player = player
        self.name = name
        self.address = address
        self.client = ""
        self.credits = (Credit(limits.connection), *shared)
        self.refused = Credit(limits.refused)
        self.malformed = Credit(limits.malformed)
        self.opened_at = self.heard_at = now
        self.pinged = False
        self.greeted = False
        self.closing = False
        self.entry: Entry | None = None
        self.shown = -1
        """Version of the session that this socket was last told; -1 is none."""
        self.behind = False
        self.room: Table | None = None
        self.room_behind = False
        """Whether messages of the room were left out, until all of it is told anew."""
        self.gone = False
        """Whether nobody reads this socket any more, so that it must show nothing."""
        transport.set_write_buffer_limits(high=OUTBOX_BYTES)

    @property
    def is_full(self) -> bool:
        """Whether so much waits for the reader that nothing more should be written."""
        return self.transport.get_write_buffer_size() > OUTBOX_BYTES

    def send(self, payload: bytes) -> None:
        """Write an answer; what is answered is bounded by what is read."""
        if self.closing or self.transport.is_closing() or self.ws.closed:
            return
        size = len(payload)
        if size < 126:
            self.transport.write(_SHORT[size] + payload)
        elif size < 65536:
            self.transport.write(b"\x82\x7e" + size.to_bytes(2) + payload)
        else:
            raise ValueError("no message is that large")

    def ping(self) -> None:
        """Ask the peer whether it lives; browsers answer by themselves."""
        self.pinged = True
        if not (self.closing or self.transport.is_closing() or self.ws.closed):
            self.transport.write(_PING)

    async def drained(self) -> bool:
        """Wait until the reader took what waits; False when it is stuck or gone."""
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                await self.stream.drain()
        except (TimeoutError, ConnectionError):
            return False
        return True

    async def close(self, code: Close) -> None:
        """Close with a code, and for good when the peer does not answer."""
        if self.closing:
            return
        self.closing = True
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.ws.close(code=code, drain=False)
        except (TimeoutError, ConnectionError):
            pass
        finally:
            if self.transport.get_write_buffer_size():
                self.transport.abort()

    def abort(self) -> None:
        """End a connection whose peer is gone."""
        self.closing = True
        self.transport.abort()
