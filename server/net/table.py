"""A room as one worker has it: who shows it, what the store last said of it, what was told of it.

It sends nothing and waits for nothing. What the store says can arrive out of order, since several
may have asked at once, and lanes are heard between: `take` and `hear` put that right.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from server.core import answers, roommessages
from server.core.room import Facts, Room, State
from server.core.roommessages import Message, RoomKind
from server.core.roomports import Heard, Loaded
from server.core.standings import Finish, Outcome, Progress

if TYPE_CHECKING:
    from server.net.connection import Connection

MOST_WATCHERS: Final = 200
"""Players without a seat who are shown a room at one worker; what so many cost is measured."""
MOST_OF_ONE_WATCHER: Final = 16
"""Sockets of one of them that show it: their tabs, and those that are lost but not yet closed."""


class News(NamedTuple):
    """What a newly loaded room means for those who show it.

    `is_dealt`: its race runs now. `finished`: the number of the race that is over now, None when
    none is. `marked`: sessions of which the store knows something that memory does not.
    """

    is_dealt: bool = False
    finished: int | None = None
    marked: tuple[str, ...] = ()


class Table:
    """A room on this worker. `coming` counts those who are about to show it."""

    def __init__(self, room_id: str, hear: "Callable[[Table, bytes], None]") -> None:
        """`hear` is told of the messages of the room's topic."""
        self.id = room_id
        self.listener = partial(hear, self)
        self.viewers: list[Connection] = []
        self.coming = 0
        self.door = asyncio.Lock()
        self.is_heard = False
        self.is_dirty = False
        self.is_loading = False
        self.timer: asyncio.TimerHandle | None = None
        self.room_timer: asyncio.TimerHandle | None = None
        self.lanes_timer: asyncio.TimerHandle | None = None
        self.room_at = self.lanes_at = float("-inf")
        self._stored: Loaded | None = None
        self._known: Loaded | None = None
        self._is_sure = True
        self._heard_race = 0
        self._unread: dict[int, Heard] = {}
        self._progress: dict[int, Progress] = {}
        self._finishes: dict[int, Finish] = {}
        self._told_room = b""
        self._told_turn: tuple[int, State] | None = None
        self._told_lanes: dict[object, object] = {}
        self._dealt = 0
        self._finished = 0

    @property
    def is_empty(self) -> bool:
        """Whether nobody here needs it any more."""
        return not self.viewers and not self.coming

    @property
    def loaded(self) -> Loaded | None:
        """The room as it is known: loaded, and its lanes as they were heard of since."""
        if self._known is None and self._stored is not None:
            self._known = self._with_heard(self._stored)
        return self._known

    @property
    def version(self) -> int:
        """The room's version, 0 before it is known."""
        return 0 if self._stored is None else self._stored.room.version

    @property
    def has_turned(self) -> bool:
        """Whether its race has come to another state than was told last."""
        return self._turn() != self._told_turn

    @property
    def has_all_ended(self) -> bool:
        """Whether its race runs though every lane has ended."""
        if self._stored is None or self._stored.room.race.state is not State.RUNNING:
            return False
        room, facts, _ = self._all()
        return all(lane.seat in facts.finishes for lane in room.race.lanes)

    def stop(self) -> None:
        """Nothing happens by itself any more."""
        for timer in (self.timer, self.room_timer, self.lanes_timer):
            if timer is not None:
                timer.cancel()
        self.timer = self.room_timer = self.lanes_timer = None

    def seated(self) -> set[str]:
        """The players with a seat who have a socket here."""
        if self._stored is None:
            return set()
        here = {viewer.player for viewer in self.viewers}
        return {seat.player for seat in self._stored.room.seats if seat.player in here}

    def takes(self, player: str, room: Room) -> bool:
        """Whether one more socket of a player may show the room: with a seat always.

        The player's own sockets count for themselves alone: one may be dead and not known to be.
        """
        seated = {seat.player for seat in room.seats}
        if player in seated:
            return True
        others = {viewer.player for viewer in self.viewers} - seated - {player}
        own = sum(viewer.player == player for viewer in self.viewers)
        return len(others) < MOST_WATCHERS and own < MOST_OF_ONE_WATCHER

    def doubt(self) -> None:
        """Messages, or even what the store held, may have been lost: what is loaded next counts."""
        self._heard_race = 0
        self._is_sure = False

    def hear(self, heard: Heard) -> bool:
        """A lane moved; whether that is of the race of the moment.

        This is done for every move of a race at every worker that shows it: it only notes.
        """
        if heard.lane is None:
            return False
        number, seat = heard.lane
        if number < self._heard_race:
            return False
        if number > self._heard_race:
            self._heard_race, self._unread, self._progress, self._finishes = number, {}, {}, {}
        self._unread[seat] = heard
        self._known = None
        return self._stored is not None and number == self._stored.room.race.number

    def take(self, loaded: Loaded) -> News | None:
        """The room as the store has it; None when more is known already."""
        before = self._stored and self._all()
        if before is not None and self._is_sure and _is_older(loaded, before):
            return None
        self._is_sure = True
        self._stored, self._known = loaded, None
        race = loaded.room.race
        if before is None:
            # Whoever came tells it those who come; there is nobody else to tell.
            self._dealt = race.number if race.lanes else race.number - 1
            self._finished = race.number if race.state is State.FINISHED else race.number - 1
            return News()
        return self._news(before, self._all())

    def _news(self, before: Loaded, loaded: Loaded) -> News:
        race = loaded.room.race
        is_dealt = race.state is State.RUNNING and self._dealt < race.number
        if race.lanes:
            self._dealt = race.number
        last = race.number if race.state is State.FINISHED else race.number - 1
        finished = last if self._finished < last else None
        self._finished = last
        if finished is not None:
            lanes = race.lanes if finished == race.number else before.room.race.lanes
            return News(is_dealt, finished, tuple(lane.session for lane in lanes))
        left = _left(loaded.facts) - _left(before.facts)
        marked = tuple(lane.session for lane in race.lanes if lane.seat in left)
        return News(is_dealt, None, marked)

    def _with_heard(self, loaded: Loaded) -> Loaded:
        """The room with what was heard of its lanes, which is never older than what was loaded.

        Or is soon made good: who loads a move before hearing of it hears of it next.
        """
        if loaded.room.race.number != self._heard_race:
            return loaded
        for seat, heard in self._unread.items():
            self._progress[seat] = Progress.unpack(heard.progress)
            if heard.finish:
                self._finishes[seat] = Finish.unpack(heard.finish)
        self._unread.clear()
        facts = loaded.facts
        return loaded._replace(
            facts=replace(
                facts,
                progress={**facts.progress, **self._progress},
                finishes={**self._finishes, **facts.finishes},
            )
        )

    # -- what to tell

    def news_of_room(self, now: int) -> bytes | None:
        """The message `room`, where it is another than the one told last."""
        payload = self.room_message(now)
        if payload == self._told_room:
            return None
        self._told_room, self._told_turn = payload, self._turn()
        return payload

    def news_of_lanes(self, now: int) -> bytes | None:
        """The message `lanes` with those that changed since it was told last, if any did."""
        if self._stored is None:
            return None
        _, number, rows = self._lanes(now)
        changed = []
        for row in _rows(rows):
            key = (number, row[0])
            if self._told_lanes.get(key) != row:
                self._told_lanes[key] = row
                changed.append(row)
        if self._told_lanes and not _rows(rows):
            self._told_lanes.clear()
        return answers.packed((RoomKind.LANES, number, tuple(changed))) if changed else None

    def room_message(self, now: int) -> bytes:
        """The whole room."""
        loaded = self._all()
        return answers.packed(roommessages.room(loaded.room, loaded.facts, now))

    def lanes_message(self, now: int) -> bytes:
        """All lanes."""
        return answers.packed(self._lanes(now))

    def standings_message(self) -> bytes | None:
        """The standings, once the race of the moment is finished."""
        room, facts, _ = self._all()
        if room.race.state is not State.FINISHED:
            return None
        return answers.packed(roommessages.final_standings(room, facts))

    def next_instant(self, now: int) -> int | None:
        """When this worker looks at the room by itself: GO, the limit, or a lease that runs out."""
        room, facts, _ = self._all()
        race = room.race
        instants = [until for until in leases(room, facts) if until > now]
        if race.state is State.COUNTDOWN and race.go_at is not None:
            instants.append(race.go_at)
        if race.state is State.RUNNING and race.ends is not None:
            instants.append(race.ends)
        return min(instants, default=None)

    def _lanes(self, now: int) -> Message:
        loaded = self._all()
        return roommessages.lanes(loaded.room, loaded.facts, now)

    def _turn(self) -> tuple[int, State] | None:
        if self._stored is None:
            return None
        race = self._stored.room.race
        return race.number, race.state

    def _all(self) -> Loaded:
        loaded = self.loaded
        if loaded is None:
            raise LookupError(f"room {self.id} was not loaded")
        return loaded


def leases(room: Room, facts: Facts) -> Iterable[int]:
    """Until when each player with a seat counts as connected."""
    return (facts.seen[seat.player] for seat in room.seats if seat.player in facts.seen)


def _is_older(one: Loaded, other: Loaded) -> bool:
    return (one.room.version, one.now) < (other.room.version, other.now)


def _left(facts: Facts) -> set[int]:
    return {seat for seat, finish in facts.finishes.items() if finish.outcome is Outcome.LEFT}


def _rows(rows: object) -> tuple[tuple[object, ...], ...]:
    return rows if isinstance(rows, tuple) else ()
