"""A WebSocket client as thin as it can be, so that the load generator is not what is measured.

It speaks RFC 6455 with unfragmented binary frames and an all-zero mask (allowed; it leaves the
bytes as they are). It must not be used for anything but load on this machine.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

_SMALL, _MEDIUM = 126, 127


def masked(payload: bytes) -> bytes:
    """Wrap a payload of at most 65,535 bytes as a client's binary frame."""
    size = len(payload)
    if size < _SMALL:
        return bytes((0x82, 0x80 | size)) + b"\0\0\0\0" + payload
    return bytes((0x82, 0x80 | _SMALL)) + size.to_bytes(2, "big") + b"\0\0\0\0" + payload


class RawSocket(asyncio.Protocol):
    """One connection: `on_frame` gets the payload of each binary frame; pings are answered."""

    def __init__(self, host: str, token: str) -> None:
        self.on_frame: Callable[[bytes], None] = lambda payload: None
        self.on_lost: Callable[[Exception | None], None] = lambda error: None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.close_code: int | None = None
        self._request = (
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n"
        )
        self._buffer = b""
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("closed before the upgrade"))
        self.on_lost(exc)

    def send(self, payload: bytes) -> None:
        """Send one binary frame."""
        self.transport.write(masked(payload))

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._is_open:
            head, found, buffer = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.opened.set_exception(ConnectionError(head.decode(errors="replace")))
                self.transport.close()
                return
            self._is_open = True
            self.opened.set_result(None)
        self._buffer = self._frames(buffer)

    def _frames(self, buffer: bytes) -> bytes:
        at, end = 0, len(buffer)
        while end - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == _SMALL:
                start += 2
                size = int.from_bytes(buffer[at + 2 : at + 4], "big")
            elif size == _MEDIUM:
                start += 8
                size = int.from_bytes(buffer[at + 2 : at + 10], "big")
            if end < start + size:
                break
            self._frame(buffer[at] & 15, buffer[start : start + size])
            at = start + size
        return buffer[at:]

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode == 2:
            self.on_frame(payload)
        elif opcode == 9:
            self.transport.write(bytes((0x8A, 0x80 | len(payload))) + b"\0\0\0\0" + payload)
        elif opcode == 8:
            self.close_code = int.from_bytes(payload[:2], "big")
            self.transport.close()
