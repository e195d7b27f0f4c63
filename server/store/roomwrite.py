"""A decision about a room as the arguments of its commit script; it decides and sends nothing."""

from collections.abc import Iterable

from server.core.heads import first_head
from server.core.lanes import dealt
from server.core.messages import Origin
from server.core.raceacts import (
    Archive,
    CloseGate,
    DealLanes,
    Decision,
    Dismiss,
    Effect,
    SettleLane,
)
from server.core.room import finish_field, lane_name, progress_field, seen_field
from server.store import keys
from server.store.wire import Argument

CLOSED = "closed"
OPENED = "opened"


class Writing:
    """What `room_commit.lua` gets after its fixed arguments, gathered effect by effect."""

    def __init__(self, decision: Decision, left: Iterable[str] = ()) -> None:
        """`left` are the players who have no seat any more."""
        self.keys: list[bytes] = []
        self.dismissed: list[str] = []
        self.ending: list[str] = []
        """Sessions that end by this and may have a result."""
        self._room = decision.room
        self._gone: list[Argument] = [seen_field(player) for player in left]
        self._set: list[Argument] = []
        self._ends: list[Argument] = []
        self._finished: list[Argument] = []
        self._deals: list[list[Argument]] = []
        self._marks: list[Argument] = []
        self._marked: list[bytes] = []
        for effect in decision.effects:
            self._note(effect)

    def arguments(self) -> list[Argument]:
        """The counted lists, in the order of the script."""
        flat: list[Argument] = []
        for each in (self._gone, self._set, self._ends, self._finished):
            flat += [len(each), *each]
        flat.append(len(self._deals))
        for fields in self._deals:
            flat += [len(fields), *fields]
        return [*flat, len(self._marks), *self._marks]

    def all_keys(self) -> list[bytes]:
        """The keys of the sessions: those to deal, then those to mark."""
        return [*self.keys, *self._marked]

    def _note(self, effect: Effect) -> None:
        match effect:
            case DealLanes():
                self._deal(effect)
            case SettleLane():
                name = lane_name(effect.race, effect.lane.seat)
                self._ends += [name, effect.outcome.value, effect.ms]
                self._mark(CLOSED, [effect.lane.session])
                self.ending.append(effect.lane.session)
            case CloseGate():
                self._gone += ["race", "ends"]
                still_open = [lane.session for lane in effect.open_lanes]
                self._mark(CLOSED, still_open)
                self._mark(OPENED, [lane.session for lane in self._room.race.lanes])
                self.ending += still_open
            case Archive():
                self._finished.append(effect.record)
                for seat in effect.seats:
                    self._gone += [
                        progress_field(effect.race, seat),
                        finish_field(effect.race, seat),
                    ]
                self._set += ["n", 0]
            case Dismiss():
                self.dismissed.append(effect.player)

    def _deal(self, effect: DealLanes) -> None:
        start = dealt(effect.code)
        progress = start.progress.packed()
        self._set += ["race", effect.race]
        if effect.ends is not None:
            self._set += ["ends", effect.ends]
        for lane in effect.lanes:
            self._set += [progress_field(effect.race, lane.seat), progress]
            self.keys += [keys.session(lane.session), keys.log(lane.session)]
            fields: dict[str, Argument] = {
                "head": first_head(effect.code),
                "viewers": "",
                "shown": f"{start.state} {start.score} {start.progress.ranked} 0",
                "code": effect.code,
                "player": lane.player,
                "origin": int(Origin.RACE if effect.sealed else Origin.TYPED),
                "room": self._room.id,
                "race": lane_name(effect.race, lane.seat),
            }
            self._deals.append([part for field in fields.items() for part in field])

    def _mark(self, mark: str, sessions: Iterable[str]) -> None:
        for session in sessions:
            self._marks.append(mark)
            self._marked.append(keys.session(session))
