"""The socket's door and loop: who comes in, frame after frame, who is gone; decides nothing."""

import asyncio
import contextlib
import logging
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from aiohttp import WSMsgType, web

from server.core import answers
from server.core.messages import LARGEST_FRAME, Close, Kind, Notice
from server.core.ports import Missing, Player, PlayerStore, Unavailable
from server.core.refusals import Code, Unreadable
from server.core.throttle import UNLIMITED, Credits, Limits
from server.net.connection import SOCKET_BUFFER, Connection
from server.net.dispatch import Dispatch
from server.net.hub import Hub
from server.net.identity import set_cookie, token_of
from server.net.metrics import Metrics
from server.net.newcomers import Newcomers, wants_player
from server.net.security import Security

if TYPE_CHECKING:
    from aiohttp.abc import AbstractStreamWriter

HELLO_SECONDS: Final = 10.0
QUIET_SECONDS: Final = 12.0
"""A peer that said nothing for this long is asked whether it lives, by a ping."""
DEAD_SECONDS: Final = 28.0
"""And after this long without any frame it counts as gone."""
MOST_SOCKETS: Final = 1000
"""Sockets of one address that are open at a worker; no more where the limits are on."""
_CHECKED_AT_ONCE: Final = 500
_LARGEST_READ: Final = 16 * LARGEST_FRAME
"""Frames up to here are refused and the socket lives; the library closes it (1009) beyond."""

log = logging.getLogger("yukon.socket")


class _Door:
    """A socket on its way in: who was turned out since it knocked."""

    __slots__ = ("turned_out",)

    def __init__(self) -> None:
        self.turned_out: dict[str, Close] = {}


class Sockets:
    """All sockets of this worker."""

    def __init__(
        self,
        hub: Hub,
        dispatch: Dispatch,
        players: PlayerStore,
        newcomers: Newcomers,
        security: Security,
        metrics: Metrics,
        limits: Limits,
        *,
        hello_seconds: float = HELLO_SECONDS,
        quiet_seconds: float = QUIET_SECONDS,
        dead_seconds: float = DEAD_SECONDS,
        on_gone: Callable[[Connection], None],
    ) -> None:
        """`on_gone` is told of each socket that ended."""
        self._hub = hub
        self._dispatch = dispatch
        self._players = players
        self._newcomers = newcomers
        self._security = security
        self._metrics = metrics
        self._limits = limits
        self._hello_seconds = hello_seconds
        self._quiet_seconds = quiet_seconds
        self._dead_seconds = dead_seconds
        self._on_gone = on_gone
        self._player_credits = Credits(limits.player)
        self._address_credits = Credits(limits.address)
        self._openings = Credits(limits.sockets)
        self._open: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        self._most_sockets = sys.maxsize if limits.sockets is UNLIMITED else MOST_SOCKETS
        self._doors: set[_Door] = set()
        self._stopping = False
        self._closing: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._open)

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """GET /ws, from the handshake to the end of the socket."""
        ws = web.WebSocketResponse(
            timeout=2.0,
            autoping=False,
            compress=False,
            max_msg_size=_LARGEST_READ,
            decode_text=False,
        )
        stream, admitted = await self._open_door(request, ws)
        transport = request.transport
        if transport is None or isinstance(admitted, Close):
            if isinstance(admitted, Close):
                self._metrics.closed(admitted)
                with contextlib.suppress(ConnectionError):
                    await ws.close(code=admitted)
            return ws
        _bound_buffer(transport)
        now = time.monotonic()
        address = self._security.address(request)
        connection = Connection(
            ws,
            stream,
            transport,
            player=admitted.player_id,
            name=admitted.name,
            address=address,
            limits=self._limits,
            shared=(
                self._player_credits.of(admitted.player_id, now),
                self._address_credits.of(address, now),
            ),
            now=now,
        )
        self._open.add(connection)
        self._by_address[address] += 1
        try:
            await self._listen(connection)
        except ConnectionError:
            pass
        except Exception:
            # Never an HTTP answer into an open socket; the player comes back by himself.
            log.exception("a socket failed", extra={"player": connection.player})
            await connection.close(Close.UNAVAILABLE)
        finally:
            self._open.discard(connection)
            self._by_address.subtract((address,))
            if not self._by_address[address]:
                del self._by_address[address]
            connection.gone = True
            self._hub.leave(connection)
            self._on_gone(connection)
        return ws

    async def _open_door(
        self, request: web.Request, ws: web.WebSocketResponse
    ) -> tuple["AbstractStreamWriter", Player | Close]:
        """The handshake, and who came in by it or why not."""
        door = _Door()
        self._doors.add(door)
        try:
            # What is no handshake is refused by `prepare` and makes no player.
            is_handshake = bool(ws.can_prepare(request))
            admitted = await self._admit(request, ws) if is_handshake else Close.NOT_SIGNED_IN
            stream = await ws.prepare(request)
        finally:
            self._doors.remove(door)
        if isinstance(admitted, Close):
            return stream, admitted
        if self._stopping:
            return stream, Close.STOPPING
        return stream, door.turned_out.get(admitted.player_id, admitted)

    async def _admit(self, request: web.Request, ws: web.WebSocketResponse) -> Player | Close:
        """The player who knocks, or why not; whoever is new gets a cookie with the handshake."""
        if not self._security.is_own_origin(request):
            return Close.WRONG_ORIGIN
        address = self._security.address(request)
        if self._by_address[address] >= self._most_sockets:
            return Close.TOO_FAST
        if not self._openings.spend(address, time.monotonic()):
            return Close.TOO_FAST
        token = token_of(request)
        try:
            player = None if token is None else await self._players.authenticate(token)
            if player is None and wants_player(request):
                return await self._welcome(request, ws)
        except Unavailable:
            return Close.UNAVAILABLE
        except Missing:
            # Never an HTTP answer into an open socket.
            log.exception("a player cannot be read")
            return Close.UNAVAILABLE
        if player is None:
            return Close.NOT_SIGNED_IN
        return _why_not(player) or player

    async def _welcome(self, request: web.Request, ws: web.WebSocketResponse) -> Player | Close:
        made = await self._newcomers.make(request)
        if made is None:
            return Close.TOO_FAST
        player, token = made
        set_cookie(ws, token, secure=self._security.is_secure(request))
        return player

    async def _listen(self, connection: Connection) -> None:
        ws, handle = connection.ws, self._dispatch.handle
        while True:
            message = await ws.receive()
            connection.heard_at = time.monotonic()
            connection.pinged = False
            if self._stopping and message.type in (WSMsgType.BINARY, WSMsgType.TEXT):
                continue  # it is sent again after the reconnect
            if message.type is WSMsgType.BINARY:
                close = await handle(connection, message.data)
            elif message.type is WSMsgType.TEXT:
                close = self._dispatch.unreadable(
                    connection, Unreadable(Kind.UNREADABLE, Code.MALFORMED, "Send binary frames.")
                )
            elif message.type is WSMsgType.PING:
                close = None
                await ws.pong(message.data)
            elif message.type is WSMsgType.PONG:
                continue
            else:
                return
            if close is not None:
                self._metrics.closed(close)
                await connection.close(close)
                return
            if connection.is_full and not await connection.drained():
                self._metrics.closed(Close.TOO_SLOW)
                await connection.close(Close.TOO_SLOW)
                return

    def players(self) -> set[str]:
        """Who has a socket here."""
        return {one.player for one in self._open}

    def of_player(self, player_id: str) -> list[Connection]:
        """This worker's sockets of a player."""
        return [one for one in self._open if one.player == player_id]

    def rename(self, player_id: str, name: str) -> None:
        """Tell a player's sockets of the new nickname."""
        payload = answers.notice(Notice.NAME, name)
        for connection in self.of_player(player_id):
            connection.name = name
            connection.send(payload)

    def turn_out(self, player_id: str, code: Close) -> None:
        """Close a player's sockets, those too that are at the door."""
        for door in self._doors:
            door.turned_out[player_id] = code
        for connection in self.of_player(player_id):
            self._close(connection, code)

    async def check_players(self) -> None:
        """Turn out who is gone or banned and was not heard of. Raises Unavailable."""
        players = list(self.players())
        for start in range(0, len(players), _CHECKED_AT_ONCE):
            some = players[start : start + _CHECKED_AT_ONCE]
            found = await asyncio.gather(*(self._look_up(each) for each in some))
            for player_id, player in zip(some, found, strict=True):
                if (code := _why_not(player)) is not None:
                    self.turn_out(player_id, code)

    async def _look_up(self, player_id: str) -> Player | None:
        try:
            return await self._players.get(player_id)
        except Missing:
            log.exception("a player cannot be read", extra={"player": player_id})
            return None

    def look_around(self) -> None:
        """Find sockets that never said hello and peers that are gone; call it every second."""
        now = time.monotonic()
        for connection in list(self._open):
            if connection.closing:
                continue
            silent = now - connection.heard_at
            if not connection.greeted and now - connection.opened_at > self._hello_seconds:
                self._close(connection, Close.NO_HELLO)
            elif silent > self._dead_seconds:
                log.info("peer gone", extra={"player": connection.player})
                connection.abort()
            elif silent > self._quiet_seconds and not connection.pinged:
                connection.ping()

    def _close(self, connection: Connection, code: Close) -> None:
        self._metrics.closed(code)
        task = asyncio.create_task(connection.close(code))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def stop(self, *, patience: float = 3.0) -> None:
        """Let commits under way finish, say goodbye, and close every socket with "come back"."""
        self._stopping = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._hub.idle()
        goodbye = answers.notice(Notice.STOPPING)
        connections = list(self._open)
        for connection in connections:
            connection.send(goodbye)
            self._close(connection, Close.STOPPING)
        if self._closing:
            await asyncio.wait(self._closing, timeout=patience)
        for connection in connections:
            if connection in self._open:
                connection.abort()


def _why_not(player: Player | None) -> Close | None:
    """Why somebody has no socket here; None for a player who may play."""
    if player is None:
        return Close.NOT_SIGNED_IN
    return Close.BANNED if player.is_banned else None


def _bound_buffer(transport: asyncio.Transport) -> None:
    """Let the system keep little for a slow reader: what waits must be seen here."""
    own = transport.get_extra_info("socket")
    if own is not None:
        with contextlib.suppress(OSError):
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BUFFER)
