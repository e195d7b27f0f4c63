"""One socket to Redis: packs commands, matches replies in order; it never reconnects by itself."""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from hiredis import HiredisError, Reader, pack_command
from redis.asyncio.connection import SSLConnection, parse_url

from server.store.errors import WANTS_NEW_CONNECTION, ReplyError, Unavailable, from_reply

# What a Redis argument may be.
Argument = bytes | str | int | float
# What Redis may answer (RESP2): bytes, int, None, an error, or a list of these.
Reply = Any

_CONNECT_SECONDS = 5.0
_INCOMPLETE = object()


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Redis is and how to sign in."""

    host: str = "localhost"
    port: int = 6379
    path: str | None = None
    database: int = 0
    username: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None

    @classmethod
    def from_url(cls, url: str) -> "Address":
        """Read `redis://`, `rediss://` or `unix://`; ValueError says what is wrong.

        The query may name `db`, and for TLS `ssl_ca_certs`, `ssl_certfile`, `ssl_keyfile`,
        `ssl_cert_reqs` (`none`, `optional`, `required`) and `ssl_check_hostname`.
        """
        given = cast("dict[str, Any]", parse_url(url))
        secure = given.get("connection_class") is SSLConnection
        return cls(
            host=given.get("host", "localhost"),
            port=given.get("port", 6379),
            path=given.get("path"),
            database=int(given.get("db", 0)),
            username=given.get("username"),
            password=given.get("password"),
            tls=_tls_context(given) if secure else None,
        )

    @property
    def where(self) -> str:
        """The address for people, without any secret."""
        return self.path or f"{self.host}:{self.port}"


def _tls_context(given: dict[str, Any]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=given.get("ssl_ca_certs"))
    if given.get("ssl_certfile"):
        context.load_cert_chain(given["ssl_certfile"], given.get("ssl_keyfile"))
    wanted = str(given.get("ssl_cert_reqs", "required"))
    if wanted not in ("none", "optional", "required"):
        raise ValueError(f"ssl_cert_reqs is none, optional or required, not {wanted}")
    checks_name = str(given.get("ssl_check_hostname", wanted == "required")).lower()
    context.check_hostname = checks_name in ("true", "1", "yes")
    context.verify_mode = ssl.VerifyMode[f"CERT_{wanted.upper()}"]
    return context


class Wire(asyncio.Protocol):
    """A connection. Commands of one event-loop tick leave in one write; replies come in order."""

    def __init__(
        self,
        on_lost: Callable[["Wire"], None],
        on_push: Callable[[Reply], None] | None = None,
        on_batch: Callable[[int], None] | None = None,
    ) -> None:
        """Prepare: `on_push` hears what no command asked for, `on_batch` the size of each write."""
        self.waiting: deque[asyncio.Future[Reply]] = deque()
        self.answered = 0
        self._on_lost = on_lost
        self._on_push = on_push
        self._on_batch = on_batch
        self._loop = asyncio.get_running_loop()
        self._reader = Reader(replyError=from_reply, notEnoughData=_INCOMPLETE)
        self._out: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self.is_lost = False
        self._marks: deque[tuple[float, int]] = deque()

    def send(self, *arguments: Argument) -> asyncio.Future[Reply]:
        """Send a command in this tick's write; the future has the reply or the error."""
        packed = pack_command(arguments)  # type: ignore[arg-type]  # its stub says a 1-tuple
        future: asyncio.Future[Reply] = self._loop.create_future()
        if self.is_lost:
            future.set_exception(Unavailable("the connection to Redis is lost"))
            return future
        self.waiting.append(future)
        out = self._out
        if not out:
            self._loop.call_soon(self._flush)
        out.append(packed)
        return future

    def tell(self, *arguments: Argument) -> None:
        """Send a command whose answer comes as a push, as SUBSCRIBE's does."""
        if self._transport is not None and not self.is_lost:
            self._transport.write(pack_command(arguments))  # type: ignore[arg-type]

    def abort(self) -> None:
        """End the connection at once; every command under way fails."""
        if self._transport is not None:
            self._transport.abort()

    def check(self, limit: float) -> None:
        """Abort when a command has waited longer than `limit` seconds; call it several times in it.

        Replies come in order, so that one look at how many came is enough for all of them and
        no command needs a timer of its own.
        """
        now = self._loop.time()
        marks = self._marks
        while marks and marks[0][1] <= self.answered:
            marks.popleft()
        if marks and now - marks[0][0] > limit:
            self.abort()
        elif self.waiting:
            marks.append((now, self.answered + len(self.waiting)))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hand each whole reply to the command that waited longest."""
        reader, waiting = self._reader, self.waiting
        reader.feed(data)
        try:
            while (reply := reader.gets()) is not _INCOMPLETE:
                if not waiting:
                    self._push(reply)
                    continue
                self.answered += 1
                future = waiting.popleft()
                if isinstance(reply, Exception):
                    self._fail(future, reply)
                elif not future.done():
                    future.set_result(reply)
        except HiredisError:
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (asyncio's name)
        """Fail every command under way: whether it happened is not known."""
        self.is_lost = True
        self._out.clear()
        while self.waiting:
            future = self.waiting.popleft()
            if not future.done():
                future.set_exception(Unavailable("the connection to Redis was lost"))
        self._on_lost(self)

    def _flush(self) -> None:
        out = self._out
        if out and self._transport is not None:
            self._transport.write(b"".join(out))
            if self._on_batch is not None:
                self._on_batch(len(out))
            out.clear()

    def _push(self, reply: Reply) -> None:
        if self._on_push is None or isinstance(reply, Exception):
            self.abort()
        else:
            self._on_push(reply)

    def _fail(self, future: "asyncio.Future[Reply]", error: Exception) -> None:
        if not future.done():
            future.set_exception(error)
        if str(error).partition(" ")[0] in WANTS_NEW_CONNECTION:
            self.abort()


async def open_wire(
    address: Address,
    name: str,
    on_lost: Callable[[Wire], None],
    on_push: Callable[[Reply], None] | None = None,
    on_batch: Callable[[int], None] | None = None,
) -> Wire:
    """Connect and sign in; Unavailable when that does not work, with the reason."""
    loop = asyncio.get_running_loop()
    opened: list[Wire] = []

    def make() -> Wire:
        opened.append(Wire(on_lost, on_push, on_batch))
        return opened[-1]

    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            if address.path is not None:
                await loop.create_unix_connection(make, address.path)
            else:
                await loop.create_connection(make, address.host, address.port, ssl=address.tls)
            await _sign_in(opened[-1], address, name)
    except (OSError, ReplyError, Unavailable) as error:  # TimeoutError is an OSError
        reason = str(error) or type(error).__name__
        raise Unavailable(f"no Redis at {address.where}: {reason}") from error
    else:
        wire = opened.pop()
        if wire.is_lost:
            raise Unavailable(f"Redis at {address.where} closed the connection")
        return wire
    finally:
        for wire in opened:
            wire.abort()


async def _sign_in(wire: Wire, address: Address, name: str) -> None:
    replies = []
    if address.password is not None:
        user = (address.username,) if address.username else ()
        replies.append(wire.send("AUTH", *user, address.password))
    if address.database:
        replies.append(wire.send("SELECT", address.database))
    replies.append(wire.send("CLIENT", "SETNAME", name))
    for error in await asyncio.gather(*replies, return_exceptions=True):
        if isinstance(error, BaseException):
            raise error
