"""Rooms in Redis: decisions of core/race.py committed once, whichever worker makes them.

It decides nothing. A command is: load, decide, compare-and-set on the room's version and its count
of finishes, and again when somebody else was first. How a room lies in Redis is told in
core/room.py.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

from server.core import race
from server.core.race import LEASE_MS
from server.core.raceacts import Command, Decision
from server.core.refusals import Code, Refused
from server.core.room import Facts, Room, facts_from, seen_field
from server.core.roomcode import RoomName
from server.core.roomports import Loaded
from server.store import keys
from server.store.due import Due
from server.store.errors import Damaged, Missing, Unavailable
from server.store.link import Commands
from server.store.players import SECONDS_KEPT
from server.store.roomwrite import Writing
from server.store.scripts import ROOM_COMMIT, ROOM_LOAD, ROOM_MAKE, ROOM_SEEN, SEAT
from server.store.sessions import DEFAULT_LIFETIMES

ROOM_SECONDS = 7 * 24 * 3600
LOOK_LEASE_MS = 2_000
MOST_SEATS_NOTED = 200
"""How many of the rooms in which a player sat down are remembered as theirs, the newest."""
_REQUEST_SECONDS = 600
_MOST_ATTEMPTS = 200
_PREFIX = "room:"


class Rooms:
    """The rooms, as one worker reaches them. All methods raise Unavailable when Redis cannot serve.

    Then it is not known what happened: the room tells.
    """

    def __init__(
        self,
        link: Commands,
        *,
        seconds: int = ROOM_SECONDS,
        on_commit: Callable[[Decision], None] | None = None,
    ) -> None:
        """Reach them through `link`; a room nothing is changed in lives for `seconds`.

        `on_commit` is told of each decision that was committed here, for metrics.
        """
        self.due = Due(link, keys.DUE)
        self.ending = Due(link, keys.ENDING)
        self._link = link
        self._seconds = seconds
        self._on_commit = on_commit

    async def now(self) -> int:
        """Unix milliseconds by the clock of Redis."""
        seconds, microseconds = await self._link.call("TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def create(
        self, draw: Callable[[], Room], player: str, request_id: bytes | None = None
    ) -> Room:
        """Make a room, once for the same request of the same player.

        `draw` makes one with a new id and code, again while the code is taken.
        """
        room = draw()
        room_id = room.id
        if request_id is not None:
            # Remembered before the room is made: who comes back finds it, or makes it now.
            room_id = await self._first_answer(player, request_id, room_id)
            loaded = None if room_id == room.id else await self.load(room_id)
            if loaded is not None:
                return loaded.room
        for _ in range(_MOST_ATTEMPTS):
            code_key = keys.room_code(room.code)
            if await self._link.call("SET", code_key, room_id, "NX", "EX", self._seconds):
                return await self._make(replace(room, id=room_id))
            room = draw()
        raise Unavailable("no free room code was found")

    async def find(self, name: RoomName) -> str | None:
        """The id of the room of a name; None when no room has this code now."""
        if not name.is_code:
            return name.text
        found: bytes | None = await self._link.call("GET", keys.room_code(name.text))
        return None if found is None else found.decode()

    async def load(self, room_id: str) -> Loaded | None:
        """Read a room, None when there is none. Raises Damaged."""
        listed, now = await self._link.run(ROOM_LOAD, (keys.room(room_id),))
        if not listed:
            return None
        try:
            fields = {
                name.decode(): value.decode()
                for name, value in zip(listed[::2], listed[1::2], strict=True)
            }
            room = Room.from_json(fields["doc"])
            return Loaded(room, facts_from(room.race.number, fields), now)
        except (KeyError, TypeError, ValueError) as error:
            raise Damaged(f"the hash of room {room_id}: {error!r}") from error

    async def carry_out(self, room_id: str, player: str, command: Command) -> Loaded:
        """Do what a player asks for, once, on whatever the room is by then. Raises Refused."""
        return await self._decide(
            room_id,
            lambda loaded: race.decide(loaded.room, loaded.facts, player, command, loaded.now),
        )

    async def look(self, room_id: str) -> Loaded:
        """Do whatever is due in a room. Raises Refused (`no_such_room`)."""
        return await self._decide(
            room_id, lambda loaded: race.look(loaded.room, loaded.facts, loaded.now)
        )

    async def evening(self, room_id: str) -> list[str]:
        """The finished races that a rematch followed, as JSON texts, oldest first."""
        records: list[bytes] = await self._link.call("LRANGE", keys.room_races(room_id), 0, -1)
        return [record.decode() for record in records]

    async def sat_in(self, player: str) -> list[str]:
        """The rooms in which a player may have a seat: where they sat down last."""
        rooms: list[bytes] = await self._link.call("ZRANGE", keys.seats(player), 0, -1)
        return [room.decode() for room in rooms]

    async def hold(self, room_id: str, players: Iterable[str]) -> None:
        """Note that these players are connected for LEASE_MS; said again before that is over.

        Who comes back by this may be who a room without a host waited for, so it is looked at.
        """
        if await self._seen(room_id, LEASE_MS, players):
            loaded = await self.look(room_id)
            await self._schedule(loaded.room, loaded.facts, loaded.now)

    async def let_go(self, room_id: str, player: str) -> None:
        """Note that a player has no socket here any more; other workers say so if they have one."""
        await self._seen(room_id, 0, (player,))
        loaded = await self.load(room_id)
        if loaded is not None:
            await self._schedule(loaded.room, loaded.facts, loaded.now)

    async def sweep(self, most: int = 100) -> float | None:
        """Look at the rooms that are due; the milliseconds until the next one is, if any."""
        claimed = await self.due.claim(LOOK_LEASE_MS, most=most)
        await asyncio.gather(*(self._take(what, claimed.claim) for what in claimed.what))
        return claimed.next_ms

    async def _take(self, what: str, claim: bytes) -> None:
        try:
            loaded = await self.look(what.removeprefix(_PREFIX))
        except (Refused, Missing):
            await self.due.done(what, claim)
            return
        following = race.next_due(loaded.room, loaded.facts, loaded.now)
        if following is None:
            await self.due.done(what, claim)
        else:
            await self.due.again(what, claim, following)

    async def _decide(self, room_id: str, decide: Callable[[Loaded], Decision]) -> Loaded:
        for _ in range(_MOST_ATTEMPTS):
            loaded = await self.load(room_id)
            if loaded is None:
                raise Refused(Code.NO_SUCH_ROOM)
            decision = decide(loaded)
            if decision.room == loaded.room:
                return loaded
            if await self._commit(loaded, decision):
                return await self.load(room_id) or loaded._replace(room=decision.room)
        raise Unavailable("the room changes faster than this worker can follow")

    async def _commit(self, loaded: Loaded, decision: Decision) -> bool:
        """Commit a decision; False when the room or its count of finishes is another by now."""
        room, before = decision.room, loaded.room
        new = [seat for seat in room.seats if before.seat_of(seat.player) is None]
        left = [seat.player for seat in before.seats if room.seat_of(seat.player) is None]
        writing = Writing(decision, left)
        # First what must not be lost with this worker: a look or a sweep too many finds nothing.
        # The room's code is in a slot of its own, so its lifetime cannot be part of the commit.
        await asyncio.gather(
            self._schedule(room, loaded.facts, loaded.now),
            self._link.call("EXPIRE", keys.room_code(room.code), self._seconds),
            *(self.ending.after(session, 0) for session in writing.ending),
            *(self._note_seat(room.id, seat.player) for seat in new),
        )
        try:
            (done,) = await self._link.run(
                ROOM_COMMIT,
                (keys.room(room.id), keys.room_races(room.id), *writing.all_keys()),
                loaded.room.version,
                loaded.facts.finished,
                room.to_json(),
                room.version,
                self._seconds,
                DEFAULT_LIFETIMES.unfinished,
                loaded.now,
                " ".join(["r", str(room.version), *writing.dismissed]),
                *writing.arguments(),
            )
        except Missing:
            raise Refused(Code.NO_SUCH_ROOM) from None
        if done and self._on_commit is not None:
            self._on_commit(decision)
        return bool(done)

    async def _schedule(self, room: Room, facts: Facts, now: int) -> None:
        instant = race.next_due(room, facts, now)
        if instant is not None:
            await self.due.no_later(f"{_PREFIX}{room.id}", instant)

    async def _note_seat(self, room_id: str, player: str) -> None:
        """Note at a player where they are about to sit, so that they can be taken from there."""
        await self._link.run(
            SEAT,
            (keys.player(player), keys.seats(player)),
            room_id,
            MOST_SEATS_NOTED,
            SECONDS_KEPT,
        )

    async def _make(self, room: Room) -> Room:
        await asyncio.gather(*(self._note_seat(room.id, seat.player) for seat in room.seats))
        made = await self._link.run(
            ROOM_MAKE, (keys.room(room.id),), room.to_json(), room.version, self._seconds
        )
        if made:
            return room
        # The same request came twice at once, and the other one was first.
        await self._link.call("DEL", keys.room_code(room.code))
        loaded = await self.load(room.id)
        if loaded is None:
            raise Unavailable("the room was made and is gone")
        return loaded.room

    async def _seen(self, room_id: str, lease_ms: int, players: Iterable[str]) -> bool:
        fields = [seen_field(player) for player in players]
        try:
            _, *changed = await self._link.run(ROOM_SEEN, (keys.room(room_id),), lease_ms, *fields)
        except Missing:
            return False
        return bool(changed)

    async def _first_answer(self, player: str, request_id: bytes, room_id: str) -> str:
        known: bytes | None = await self._link.call(
            "SET",
            keys.request(player, b"room" + request_id),
            room_id,
            "NX",
            "GET",
            "EX",
            _REQUEST_SECONDS,
        )
        return room_id if known is None else known.decode()
