"""Tells the sockets of a room what is new of it: packed once, lanes paced, slow readers bounded."""

import asyncio
import time
from typing import Final

from server.core.messages import Close
from server.net.beside import Beside
from server.net.connection import Connection
from server.net.hub import Hub
from server.net.metrics import Metrics
from server.net.table import Table

PACE_SECONDS: Final = 0.2
"""The least time between two messages about a room, and between two about its lanes."""


class Teller:
    """The messages of rooms of one worker."""

    def __init__(self, hub: Hub, metrics: Metrics, beside: Beside) -> None:
        self._hub = hub
        self._metrics = metrics
        self._beside = beside

    def tell(self, table: Table, payload: bytes) -> None:
        """Tell everybody here; who reads too slowly gets the whole room later instead."""
        for viewer in table.viewers:
            if viewer.room_behind:
                continue
            if viewer.is_full:
                viewer.room_behind = True
                self._metrics.overflow()
                self._beside(self._catch_up(table, viewer))
            else:
                viewer.send(payload)

    def tell_room(self, table: Table) -> None:
        """Tell the room where it is another than was told last.

        At once when its race has come to another state, else paced: one who plays with the ready
        mark must not make work for everybody.
        """
        wait = 0.0 if table.has_turned else table.room_at + PACE_SECONDS - time.monotonic()
        if wait <= 0:
            if table.room_timer is not None:
                table.room_timer.cancel()
            self._tell_room_now(table)
        elif table.room_timer is None:
            loop = asyncio.get_running_loop()
            table.room_timer = loop.call_later(wait, self._tell_room_now, table)

    def _tell_room_now(self, table: Table) -> None:
        table.room_timer = None
        payload = table.news_of_room(self._hub.now_ms())
        if payload is not None:
            table.room_at = time.monotonic()
            self.tell(table, payload)

    def tell_lanes(self, table: Table) -> None:
        """Tell what changed of the lanes, now or as soon as enough time is over."""
        if table.lanes_timer is not None:
            return
        wait = table.lanes_at + PACE_SECONDS - time.monotonic()
        if wait > 0:
            loop = asyncio.get_running_loop()
            table.lanes_timer = loop.call_later(wait, self._tell_lanes_now, table)
        else:
            self._tell_lanes_now(table)

    def tell_all(self, viewer: Connection, *, with_lanes: bool = True) -> None:
        """Tell a socket the whole room that it shows: room, lanes, standings when finished."""
        table = viewer.room
        if table is None:
            return
        now = self._hub.now_ms()
        viewer.send(table.room_message(now))
        if with_lanes:
            viewer.send(table.lanes_message(now))
            standings = table.standings_message()
            if standings is not None:
                viewer.send(standings)

    def _tell_lanes_now(self, table: Table) -> None:
        table.lanes_timer = None
        payload = table.news_of_lanes(self._hub.now_ms())
        if payload is not None:
            table.lanes_at = time.monotonic()
            self._metrics.lanes()
            self.tell(table, payload)

    async def _catch_up(self, table: Table, viewer: Connection) -> None:
        """Wait for a slow reader, then tell the whole room instead of all that was left out."""
        if not await viewer.drained():
            self._metrics.closed(Close.TOO_SLOW)
            await viewer.close(Close.TOO_SLOW)
            return
        if viewer.room is table:
            viewer.room_behind = False
            self.tell_all(viewer)
