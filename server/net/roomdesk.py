"""Answers the commands of rooms, kinds 20 to 31; what a room becomes by them decides race.py."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from engine.errors import Reason
from engine.view import view
from server.core import answers, race, racesteps, roommessages
from server.core import raceacts as acts
from server.core import roomcommands as r
from server.core.deals import Source
from server.core.messages import Close
from server.core.ports import Missing, PlayerStore, SessionStore, Unavailable
from server.core.refusals import Code, Refused
from server.core.room import Facts, Room, State, lane_session
from server.core.roomcode import (
    CODE_ENTROPY,
    ID_ENTROPY,
    InvalidRoomName,
    make_code,
    make_id,
    read_name,
)
from server.core.roommessages import Message, RoomKind
from server.core.roomports import Loaded, RoomStore
from server.core.session import Session
from server.core.throttle import Credits, Limits
from server.net.connection import Connection
from server.net.rooms import Tables

SEALED_ENTROPY: Final = 17
MOST_OF_EVENING: Final = 48_000
"""Bytes of the records in one message: the oldest of a long evening are left out."""

_MOST_BOARDS: Final = 512
_MOST_EVENINGS: Final = 64
_CLOSED_BY: Final[Mapping[Code | Reason, str]] = {
    Code.NO_SUCH_ROOM: "gone",
    Code.REMOVED: "removed",
}
"""Why a room is closed to who wants to leave it and cannot any more."""

Handler = Callable[[Connection, Any], Awaitable[str]]


class RoomDesk:
    """The handlers of one worker."""

    def __init__(
        self,
        tables: Tables,
        store: RoomStore,
        sessions: SessionStore,
        players: PlayerStore,
        source: Source,
        limits: Limits,
        on_rename: Callable[[str, str], None],
    ) -> None:
        """`on_rename(player id, name)` is told of a first nickname."""
        self._tables = tables
        self._store = store
        self._sessions = sessions
        self._players = players
        self._source = source
        self._new_rooms = Credits(limits.rooms)
        self._room_codes = Credits(limits.room_codes)
        self._on_rename = on_rename
        self._boards: dict[str, bytes] = {}
        self._evenings: dict[tuple[str, int, int | None], bytes] = {}
        self.handlers: dict[type, Handler] = {
            r.Make: self._make,
            r.Join: self._join,
            r.Act: self._act,
            r.Change: self._change,
            r.Rematch: self._rematch,
            r.AskRoom: self._ask,
            r.AskBoard: self._board,
        }

    # -- coming in

    async def _make(self, connection: Connection, command: r.Make) -> str:
        now = await self._store.now()

        def draw() -> Room:
            names = make_id(self._source(ID_ENTROPY)), make_code(self._source(CODE_ENTROPY))
            return race.make(
                names,
                connection.player,
                command.name,
                command.wish,
                entropy=self._source(SEALED_ENTROPY),
                now=now,
            )

        draw()  # refused before anything is spent on it
        if not self._new_rooms.spend(connection.player, connection.heard_at):
            raise Refused(Code.TOO_FAST)
        room = await self._store.create(draw, connection.player, command.request)
        await self._keep_out(connection, room.id)
        await self._enter(connection, room, command.request, with_lanes=False)
        return "answered"

    async def _join(self, connection: Connection, command: r.Join) -> str:
        room_id = await self._find(connection, command.room)
        if command.seat:
            name = await self._name(connection, room_id, command.name)
            coming: acts.Command = acts.Join(name)
        else:
            coming = acts.Watch()
        loaded = await self._store.carry_out(room_id, connection.player, coming)
        if command.seat:
            await self._keep_out(connection, room_id)
        await self._enter(connection, loaded.room, command.request, with_lanes=True)
        return "answered"

    async def _keep_out(self, connection: Connection, room_id: str) -> None:
        """Take a seat back from who was turned out while they sat down. Raises Refused.

        Whoever turned them out may have looked for their seats before there was this one.
        """
        player = await self._players.get(connection.player)
        if player is not None and not player.is_banned:
            return
        await self._store.carry_out(room_id, connection.player, acts.Leave())
        await connection.close(Close.NOT_SIGNED_IN if player is None else Close.BANNED)
        raise Refused(Code.BANNED)

    async def _enter(
        self, connection: Connection, room: Room, request: bytes, *, with_lanes: bool
    ) -> None:
        is_seated = room.seat_of(connection.player) is not None
        loaded = await self._tables.enter(connection, room.id, is_seated=is_seated)
        connection.send(
            answers.packed(roommessages.joined(request, loaded.room, connection.player))
        )
        self._tables.tell_all(connection, with_lanes=with_lanes)
        await self._keep_name(connection, loaded.room)
        await self._tables.show_lane(connection)

    async def _find(self, connection: Connection, text: str) -> str:
        try:
            name = read_name(text)
        except InvalidRoomName as invalid:
            raise Refused(Code.NO_SUCH_ROOM, f"There is no such room: {invalid}.") from None
        # Six letters can be guessed, by whoever may try often enough.
        if name.is_code and not self._room_codes.spend(connection.address, connection.heard_at):
            raise Refused(Code.TOO_FAST)
        room_id = await self._store.find(name)
        if room_id is None:
            raise Refused(Code.NO_SUCH_ROOM)
        return room_id

    async def _name(self, connection: Connection, room_id: str, given: str | None) -> str:
        """The nickname to sit down with: the one given, the seat's own, or the player's."""
        if given is not None:
            return racesteps.clean_name(given)
        loaded = await self._store.load(room_id)
        seat = None if loaded is None else loaded.room.seat_of(connection.player)
        name = connection.name if seat is None else seat.name
        if name is None:
            raise Refused(Code.BAD_NAME, "Who takes a seat has a name.")
        return name

    async def _keep_name(self, connection: Connection, room: Room) -> None:
        """A player without a nickname has the one of this seat from now on."""
        seat = room.seat_of(connection.player)
        if seat is None or connection.name is not None:
            return
        try:
            is_kept = await self._players.set_name(connection.player, seat.name)
        except Unavailable:
            return  # the seat has it; the player gets one the next time
        if is_kept:
            connection.name = seat.name
            self._on_rename(connection.player, seat.name)

    # -- in a room

    async def _act(self, connection: Connection, command: r.Act) -> str:
        return await self._carry_out(connection, command.kind, command.command)

    async def _change(self, connection: Connection, command: r.Change) -> str:
        change = acts.Change(command.wish, self._source(SEALED_ENTROPY))
        return await self._carry_out(connection, RoomKind.CHANGE, change)

    async def _rematch(self, connection: Connection, command: r.Rematch) -> str:
        entropy = self._source(SEALED_ENTROPY)
        rematch = acts.Rematch(command.race, command.same, entropy)
        return await self._carry_out(connection, RoomKind.REMATCH, rematch)

    async def _carry_out(self, connection: Connection, kind: int, command: acts.Command) -> str:
        room_id = _shown(connection)
        loaded = await self._store.carry_out(room_id, connection.player, command)
        connection.send(answers.packed(roommessages.done(kind, loaded.room)))
        self._tables.took(loaded)
        return "accepted"

    async def _ask(self, connection: Connection, command: r.AskRoom) -> str:
        room_id = _shown(connection)
        if command.kind == RoomKind.LEAVE:
            await self._leave(connection, room_id)
        elif command.kind == RoomKind.ASK_ROOM:
            loaded = await self._known(room_id)
            self._tables.took(loaded)
            self._tables.tell_all(connection)
        else:
            connection.send(await self._evening(room_id))
        return "answered"

    async def _leave(self, connection: Connection, room_id: str) -> None:
        try:
            loaded = await self._store.carry_out(room_id, connection.player, acts.Leave())
        except Refused as refused:
            if (reason := _CLOSED_BY.get(refused.code)) is None:
                raise
            self._tables.close(connection, reason)
        else:
            self._tables.close(connection, "left")
            self._tables.took(loaded)

    async def _evening(self, room_id: str) -> bytes:
        """The races of the evening: made once for each that ended, since they are long."""
        room, facts, _ = await self._known(room_id)
        key = (room_id, room.race.number, room.race.finished)
        payload = self._evenings.get(key)
        if payload is None:
            payload = answers.packed(await self._make_evening(room, facts))
            if len(self._evenings) >= _MOST_EVENINGS:
                self._evenings.clear()
            self._evenings[key] = payload
        return payload

    async def _make_evening(self, room: Room, facts: Facts) -> Message:
        records = await self._store.evening(room.id)
        if room.race.state is State.FINISHED:
            own = racesteps.record(room, facts)
            # A rematch since the room was read has put it there already.
            records = [*(each for each in records if each != own), own]
        size = kept = 0
        for record in reversed(records):
            size += len(record.encode())
            if size > MOST_OF_EVENING:
                break
            kept += 1
        return roommessages.evening(records[len(records) - kept :])

    async def _board(self, connection: Connection, command: r.AskBoard) -> str:
        room_id = _shown(connection)
        session_id = lane_session(room_id, command.race, command.seat)
        payload = self._boards.get(session_id)
        if payload is None:
            payload = await self._final_board(room_id, session_id, command)
            if len(self._boards) >= _MOST_BOARDS:
                self._boards.clear()
            self._boards[session_id] = payload
        connection.send(payload)
        return "answered"

    async def _final_board(self, room_id: str, session_id: str, command: r.AskBoard) -> bytes:
        """The board of a lane, which nothing changes any more. Raises Refused before that."""
        room, *_ = await self._known(room_id)
        if command.race > room.race.number:
            raise Refused(Code.RACE_NOT_FINISHED)
        try:
            stored = await self._sessions.load(session_id)
        except Missing:
            stored = None
        is_running = command.race == room.race.number and room.race.state is not State.FINISHED
        if is_running or (stored is not None and stored.opened_at_ms is None):
            raise Refused(Code.RACE_NOT_FINISHED)
        if stored is None:
            raise Refused(Code.NO_SUCH_SEAT)
        seen = view(Session(stored).game)
        return answers.packed(roommessages.board(command.race, command.seat, seen))

    async def _known(self, room_id: str) -> Loaded:
        loaded = await self._store.load(room_id)
        if loaded is None:
            raise Refused(Code.NO_SUCH_ROOM)
        return loaded


def _shown(connection: Connection) -> str:
    """The room that a socket shows. Raises Refused (`no_room`)."""
    if connection.room is None:
        raise Refused(Code.NO_ROOM)
    return connection.room.id
