"""The rooms that this worker's sockets show: listens, loads once, tells everybody here once.

Everything here is a cache of the store. A room is loaded when a message says that it changed, and
looked at when something of it is due; whatever the store says goes through `show`, which finds out
what is new and tells it.
"""

import asyncio
import contextlib
import logging
import time
from typing import Final

from server.core import answers, roommessages
from server.core.ports import Unavailable
from server.core.race import LEASE_RENEWAL_MS
from server.core.raceacts import Rename
from server.core.refusals import Code, Refused
from server.core.roomports import Loaded, RoomStore, Topics, read_message, topic
from server.net.beside import Beside
from server.net.connection import Connection
from server.net.hub import Hub
from server.net.metrics import Metrics
from server.net.roomteller import Teller
from server.net.table import News, Table

SWEEP_SECONDS: Final = 1.0
"""The most time between two looks at what is due."""
_RETRY_SECONDS: Final = 0.3
_SOON_SECONDS: Final = 0.002
_PATIENCE_SECONDS: Final = 2.0

log = logging.getLogger("yukon.rooms")


class Tables:
    """All rooms with viewers at this worker."""

    def __init__(self, store: RoomStore, topics: Topics, hub: Hub, metrics: Metrics) -> None:
        self._store = store
        self._topics = topics
        self._hub = hub
        self._tables: dict[str, Table] = {}
        self._beside = Beside(log, Unavailable, Refused)
        self._teller = Teller(hub, metrics, self._beside)

    def __len__(self) -> int:
        return len(self._tables)

    # -- who shows what

    async def enter(self, viewer: Connection, room_id: str, *, is_seated: bool) -> Loaded:
        """Let a socket show a room from now on, and give the room as it is.

        Whoever is there already is told before; the newcomer has to be. Raises Refused and
        Unavailable, and then the socket shows what it showed before.
        """
        table = self._table(room_id)
        table.coming += 1
        try:
            async with table.door:
                if not table.is_heard:
                    await self._topics.listen(topic(room_id), table.listener)
                    table.is_heard = True
            if is_seated:
                await self._store.hold(room_id, (viewer.player,))
            loaded = await self._load(room_id)
            if loaded is None:
                raise Refused(Code.NO_SUCH_ROOM)
            if viewer.player in loaded.room.removed:
                raise Refused(Code.REMOVED)
            if viewer.room is not table and not table.takes(viewer.player, loaded.room):
                raise Refused(Code.TOO_MANY)
            self._show(table, loaded)
            if viewer.room is not table:
                self.leave(viewer)
                table.viewers.append(viewer)
                viewer.room, viewer.room_behind = table, False
            return table.loaded or loaded
        finally:
            table.coming -= 1
            self._drop_if_empty(table)

    def leave(self, viewer: Connection) -> None:
        """Take a socket away from the room it shows, if it shows one."""
        table, viewer.room = viewer.room, None
        viewer.room_behind = False
        if table is None:
            return
        had_seat = viewer.player in table.seated()
        table.viewers.remove(viewer)
        if had_seat and viewer.player not in table.seated():
            self._beside(self._store.let_go(table.id, viewer.player))
        self._drop_if_empty(table)

    def close(self, viewer: Connection, reason: str) -> None:
        """Tell a socket that its room is closed to it, and why."""
        self.leave(viewer)
        viewer.send(answers.packed(roommessages.closed(reason)))

    def _table(self, room_id: str) -> Table:
        table = self._tables.get(room_id)
        if table is None:
            table = self._tables[room_id] = Table(room_id, self._hear)
        return table

    def _drop_if_empty(self, table: Table) -> None:
        if not table.is_empty or self._tables.get(table.id) is not table:
            return
        del self._tables[table.id]
        table.stop()
        if table.is_heard:
            self._topics.unlisten(topic(table.id), table.listener)

    def tell_all(self, viewer: Connection, *, with_lanes: bool = True) -> None:
        """Tell a socket the whole room that it shows."""
        self._teller.tell_all(viewer, with_lanes=with_lanes)

    # -- what the store says

    def took(self, loaded: Loaded) -> None:
        """A command was carried out: this is the room now."""
        table = self._tables.get(loaded.room.id)
        if table is not None:
            self._show(table, loaded)

    def rename(self, player: str, name: str) -> None:
        """A player is called otherwise from now on: in the rooms that are shown here too."""
        for table in self._tables.values():
            if player in table.seated():
                self._beside(self._rename(table.id, player, name))

    async def _rename(self, room_id: str, player: str, name: str) -> None:
        self.took(await self._store.carry_out(room_id, player, Rename(name)))

    def look_soon(self, room_id: str) -> None:
        """Something may be due in a room: it is looked at, shown here or not."""
        self._beside(self._look(room_id))

    def _hear(self, table: Table, payload: bytes) -> None:
        heard = read_message(payload)
        if heard.lane is not None:
            if table.hear(heard):
                self._teller.tell_lanes(table)
                if heard.finish and table.has_all_ended:
                    self.look_soon(table.id)
        elif heard.version is None or table.version < heard.version:
            self._load_soon(table)

    def _load_soon(self, table: Table) -> None:
        table.is_dirty = True
        if not table.is_loading:
            table.is_loading = True
            self._beside(self._keep_loading(table))

    async def _keep_loading(self, table: Table) -> None:
        try:
            while table.is_dirty and self._tables.get(table.id) is table:
                table.is_dirty = False
                try:
                    loaded = await self._load(table.id)
                except Unavailable:
                    table.is_dirty = True
                    await asyncio.sleep(_RETRY_SECONDS)
                else:
                    if loaded is None:
                        self._gone(table)
                    else:
                        self._show(table, loaded)
        finally:
            table.is_loading = False

    async def _load(self, room_id: str) -> Loaded | None:
        asked = time.time() * 1000
        loaded = await self._store.load(room_id)
        if loaded is not None:
            self._hub.note_time(asked, time.time() * 1000, loaded.now)
        return loaded

    async def _look(self, room_id: str) -> None:
        table = self._tables.get(room_id)
        try:
            loaded = await self._store.look(room_id)
        except Unavailable:
            if table is not None:
                self._set_timer(table, _RETRY_SECONDS)
            raise
        except Refused:
            if table is not None:
                self._gone(table)
            return
        self.took(loaded)

    def _gone(self, table: Table) -> None:
        for viewer in list(table.viewers):
            self.close(viewer, "gone")

    # -- what is new, and telling it

    def _show(self, table: Table, loaded: Loaded) -> None:
        news = table.take(loaded)
        if news is None:
            return
        for viewer in list(table.viewers):
            if viewer.player in loaded.room.removed:
                self.close(viewer, "removed")
        if table.is_empty:
            return
        self._teller.tell_room(table)
        self._teller.tell_lanes(table)
        self._follow(table, news)
        self._set_timer(table)
        away = [player for player in table.seated() if self._seems_away(table, player)]
        if away:
            # Another worker let them go, or their lease ran out while the store was away.
            self._beside(self._store.hold(table.id, away))

    def _seems_away(self, table: Table, player: str) -> bool:
        loaded = table.loaded
        return loaded is not None and not loaded.facts.is_connected(player, loaded.now)

    def _follow(self, table: Table, news: News) -> None:
        if news.is_dealt:
            for viewer in table.viewers:
                self._beside(self._show_lane_surely(table, viewer))
        if news.finished is not None:
            standings = table.standings_message()
            if standings is None:
                self._beside(self._tell_recorded(table, news.finished))
            else:
                self._teller.tell(table, standings)
        for session_id in news.marked:
            self._hub.reload(session_id)

    async def show_lane(self, viewer: Connection) -> None:
        """Let a socket show its player's session of the race that runs, if there is one."""
        table = viewer.room
        if table is None or table.loaded is None or viewer.gone:
            return
        lane = table.loaded.room.lane_played_by(viewer.player)
        if lane is None:
            return
        try:
            await self._hub.show(viewer, lane.session)
        except Refused as refused:
            log.warning("no session in a lane", extra={"session": lane.session, "code": refused})
        self._hub.leave_if_gone(viewer)

    async def _show_lane_surely(self, table: Table, viewer: Connection) -> None:
        """At GO nobody asks, so nobody would ask again when the store is away for a moment."""
        while viewer.room is table:
            try:
                await self.show_lane(viewer)
            except Unavailable:
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    async def _tell_recorded(self, table: Table, number: int) -> None:
        """Tell the standings of a race whose end this worker missed: the next lobby is open."""
        standings = roommessages.recorded(await self._store.evening(table.id), number)
        if standings is not None:
            self._teller.tell(table, answers.packed(standings))

    # -- what goes on beside the sockets

    def _set_timer(self, table: Table, seconds: float | None = None) -> None:
        """Look at the room when something is due; every worker does, and one is first."""
        if table.timer is not None:
            table.timer.cancel()
            table.timer = None
        if seconds is None:
            now = self._hub.now_ms()
            instant = table.next_instant(now)
            if instant is None:
                return
            seconds = max(_SOON_SECONDS, (instant - now) / 1000)
            if table.has_all_ended:
                # Whoever committed the last end looks at once, unless that worker was killed.
                seconds = min(seconds, _RETRY_SECONDS)
        loop = asyncio.get_running_loop()
        table.timer = loop.call_later(seconds, self.look_soon, table.id)

    async def hold(self) -> None:
        """Renew the leases of everybody with a seat and a socket here, until cancelled."""
        while True:
            await asyncio.sleep(LEASE_RENEWAL_MS / 1000)
            for table in list(self._tables.values()):
                if players := table.seated():
                    self._beside(self._store.hold(table.id, players))

    async def sweep(self) -> None:
        """Look at the rooms that are due, whoever shows them, until cancelled."""
        while True:
            wait = SWEEP_SECONDS
            with contextlib.suppress(Unavailable):
                next_ms = await self._store.sweep()
                if next_ms is not None:
                    wait = min(wait, max(_SOON_SECONDS, next_ms / 1000))
            await asyncio.sleep(wait)

    def resync(self) -> None:
        """Messages may have been lost: load every room that is shown."""
        for table in list(self._tables.values()):
            table.doubt()
            self._load_soon(table)

    async def stop(self) -> None:
        """Let what is under way finish; call it when the sockets are closed."""
        for table in self._tables.values():
            table.stop()
        await self._beside.stop(_PATIENCE_SECONDS)
