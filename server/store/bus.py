"""What other workers tell this one, over Redis pub/sub; it may lose messages and says when.

A worker listens on one channel of its own: the commit script publishes each event there when the
worker has viewers of the session. Topics (a room, for example) have channels of their own.
"""

import asyncio
import contextlib
import logging
import secrets
import struct
from collections.abc import Awaitable, Callable

from server.core.heads import HEAD_SIZE, RECORD_SIZE
from server.core.ports import SessionEvent
from server.store import keys
from server.store.errors import Unavailable
from server.store.link import Commands, delay_before
from server.store.wire import Address, Reply, Wire, open_wire

_CANARY = 0
_EVENT = 1
_PREFIX = struct.Struct(">BBI")  # kind, length of the session's id, version

CANARY_SECONDS = 2.0
_CANARY_KEPT = 60
_CONFIRM_SECONDS = 5.0

log = logging.getLogger("yukon.bus")


def read_event(message: bytes) -> SessionEvent:
    """Read what `commit.lua` publishes; struct.error or ValueError when it is something else."""
    _, length, version = _PREFIX.unpack_from(message)
    name_end = _PREFIX.size + length
    head_end = name_end + HEAD_SIZE
    record_end = head_end + RECORD_SIZE
    if len(message) < record_end:
        raise ValueError("a session event that is cut short")
    return SessionEvent(
        message[_PREFIX.size : name_end].decode(),
        version,
        message[name_end:head_end],
        message[head_end:record_end],
        message[record_end:],
    )


class Bus:
    """A worker's ear. `on_event` is called for each session event, in the order of Redis.

    After the connection was lost, `on_gap` is awaited once the bus hears again: it has to note all
    watched sessions anew (`Sessions.rewatch`) and then give every viewer a snapshot. It is
    tried again while it raises Unavailable.

    `is_proven` tells whether games can be kept and what is published arrives: every
    `canary_seconds` the worker writes a token and publishes it to itself, and it has to come back
    before two more of them are over.
    """

    def __init__(
        self,
        address: Address,
        link: Commands,
        worker_id: str,
        on_event: Callable[[SessionEvent], None],
        on_gap: Callable[[], Awaitable[None]],
        *,
        canary_seconds: float = CANARY_SECONDS,
    ) -> None:
        """Listen at `address` (of a cluster: any node), publish through `link`."""
        self._address = address
        self._link = link
        self._channel = keys.worker_channel(worker_id)
        self._name = f"yukon-bus-{worker_id}"
        self._on_event = on_event
        self._on_gap = on_gap
        self._seconds = canary_seconds
        self._handlers: dict[bytes, list[Callable[[bytes], None]]] = {}
        self._confirmed: dict[bytes, asyncio.Future[None]] = {}
        self._wire: Wire | None = None
        self._subscribed = asyncio.Event()
        self._lost = asyncio.Event()
        self._token = b""
        self._heard_token = asyncio.Event()
        self._proven = False
        self._task: asyncio.Task[None] | None = None

    @property
    def is_proven(self) -> bool:
        """Whether a message that was published lately came back."""
        return self._proven

    async def start(self) -> None:
        """Subscribe and prove it; Unavailable when that does not work."""
        await self._open()
        if not await self._prove():
            self._drop()
            raise Unavailable("what is published in Redis does not arrive")
        self._proven = True
        self._task = asyncio.create_task(self._keep(), name="redis bus")

    async def close(self) -> None:
        """Stop listening for good."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._drop()

    async def listen(self, topic: str, handler: Callable[[bytes], None]) -> None:
        """Call `handler` with each payload on `topic`; on return nothing is missed any more.

        Unavailable when Redis did not confirm it; the handler is then not registered.
        """
        channel = keys.topic_channel(topic)
        self._handlers.setdefault(channel, []).append(handler)
        heard = self._confirmed.get(channel)
        if heard is None:
            heard = self._confirmed[channel] = asyncio.get_running_loop().create_future()
            if self._wire is not None:
                self._wire.tell("SUBSCRIBE", channel)
        try:
            async with asyncio.timeout(_CONFIRM_SECONDS):
                await asyncio.shield(heard)
        except TimeoutError:
            self.unlisten(topic, handler)
            raise Unavailable("Redis does not confirm the subscription") from None
        except asyncio.CancelledError:
            self.unlisten(topic, handler)
            raise

    def unlisten(self, topic: str, handler: Callable[[bytes], None]) -> None:
        """End a `listen`; nothing happens when there was none."""
        channel = keys.topic_channel(topic)
        handlers = self._handlers.get(channel, [])
        if handler in handlers:
            handlers.remove(handler)
        if not handlers and self._handlers.pop(channel, None) is not None:
            heard = self._confirmed.pop(channel)
            if not heard.done():
                heard.set_result(None)
            if self._wire is not None:
                self._wire.tell("UNSUBSCRIBE", channel)

    async def _open(self) -> None:
        self._subscribed.clear()
        self._lost.clear()
        wire = await open_wire(self._address, self._name, self._gone, self._hear)
        self._wire = wire
        # The worker's own channel is asked for last: when it is confirmed, all are.
        wire.tell("SUBSCRIBE", *self._handlers, self._channel)
        try:
            async with asyncio.timeout(_CONFIRM_SECONDS):
                await self._subscribed.wait()
        except TimeoutError:
            self._drop()
            raise Unavailable("Redis does not confirm the subscription") from None

    async def _prove(self) -> bool:
        """Publish a token to ourselves; whether it could be written and came back in time."""
        self._token = bytes((_CANARY,)) + secrets.token_bytes(8)
        self._heard_token.clear()
        try:
            async with asyncio.timeout(2 * self._seconds):
                # PUBLISH works while nothing can be written, as at loading or with a full disk.
                await self._link.call("SET", keys.CANARY, self._token, "EX", _CANARY_KEPT)
                await self._link.call("PUBLISH", self._channel, self._token)
                await self._heard_token.wait()
        except (TimeoutError, Unavailable):
            return False
        return True

    async def _keep(self) -> None:
        while True:
            await self._while_heard()
            self._proven = False
            self._drop()
            attempt = 0
            while not self._proven:
                await asyncio.sleep(delay_before(attempt))
                attempt += 1
                self._proven = await self._come_back()

    async def _come_back(self) -> bool:
        try:
            if self._wire is None:
                await self._open()
            if not await self._prove():
                self._drop()
                return False
            await self._on_gap()
        except Unavailable:
            return False
        except Exception:  # the owner's fault must not deafen the worker for good
            log.exception("the viewers could not be told of a gap")
            return False
        return self._wire is not None

    async def _while_heard(self) -> None:
        """Return when the connection is lost or a canary does not come back."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await self._lost.wait()
            if self._lost.is_set() or not await self._prove():
                return

    def _drop(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.abort()

    def _gone(self, wire: Wire) -> None:
        if wire is self._wire:
            self._wire = None
            self._proven = False
            self._lost.set()

    def _hear(self, reply: Reply) -> None:
        kind, channel, payload = reply
        if kind == b"message":
            try:
                self._hear_message(channel, payload)
            except Exception:  # one bad message must not deafen the worker
                log.exception("a message from another worker failed")
        elif kind == b"subscribe":
            if channel == self._channel:
                self._subscribed.set()
            elif (heard := self._confirmed.get(channel)) is not None and not heard.done():
                heard.set_result(None)

    def _hear_message(self, channel: bytes, message: bytes) -> None:
        if channel != self._channel:
            for handler in tuple(self._handlers.get(channel, ())):
                handler(message)
        elif message[:1] == bytes((_EVENT,)):
            self._on_event(read_event(message))
        elif message == self._token:
            self._heard_token.set()
