"""What each allowed command and happening does to a room; whether it is allowed stands in race.py.

A step gets a scene and gives the room after it with the effects to commit, or raises Refused where
the refusal depends on more than state and role. The version is not a step's business.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.code import parse, sealed
from engine.errors import InvalidCode
from engine.ruleset import RULESETS
from server.core import raceacts as acts
from server.core.names import BadName, clean
from server.core.raceacts import Decision
from server.core.refusals import Code, Refused
from server.core.room import (
    LIMITS,
    MOST_SEATS,
    Ending,
    Facts,
    Lane,
    Race,
    Room,
    Seat,
    Settings,
    State,
    lane_session,
)
from server.core.standings import Finish, Outcome, standings

COUNTDOWN_MS: Final = 4_000
HOST_AWAY_MS: Final = 30_000
EMPTY_MS: Final = 120_000
MINUTE_MS: Final = 60_000
MOST_REMOVED: Final = 500
"""How many of those who were removed stay out: each command reads them all."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a step knows: the room as loaded, who asks (empty for the server), and the instant."""

    room: Room
    facts: Facts
    player: str
    now: int

    @property
    def seat(self) -> Seat:
        """The seat of who asks: the table lets only those through who have one."""
        seat = self.room.seat_of(self.player)
        if seat is None:
            raise LookupError("the player of this scene has no seat")
        return seat


def settings_from(wish: acts.Wish) -> Settings:
    """Settings that a race can have. Raises Refused (`bad_settings`, `bad_code`)."""
    if wish.limit not in LIMITS:
        raise Refused(Code.BAD_SETTINGS)
    if wish.code is not None:
        try:
            code = parse(wish.code)
        except InvalidCode as error:
            raise Refused(Code.BAD_CODE, str(error)) from None
        return Settings(code.letter, str(code), wish.limit)
    if wish.letter not in RULESETS:
        raise Refused(Code.BAD_SETTINGS)
    return Settings(wish.letter, None, wish.limit)


def lobby(number: int, settings: Settings, entropy: bytes) -> Race:
    """A race in its lobby, its cards fixed: the typed ones, or sealed ones drawn from entropy."""
    if settings.code is not None:
        return Race(number, State.LOBBY, settings.code, sealed=False)
    return Race(number, State.LOBBY, str(sealed(settings.letter, entropy)), sealed=True)


def clean_name(name: str) -> str:
    """A nickname as it is shown. Raises Refused (`bad_name`)."""
    try:
        return clean(name)
    except BadName as error:
        raise Refused(Code.BAD_NAME, str(error)) from None


def join(scene: Scene, command: acts.Join) -> Decision:
    """A guest takes the lowest seat that nobody has or had in the race of the moment."""
    room = scene.room
    if room.locked:
        raise Refused(Code.ROOM_LOCKED)
    taken = {seat.number for seat in room.seats} | {lane.seat for lane in room.race.lanes}
    number = next((number for number in range(MOST_SEATS) if number not in taken), None)
    if number is None:
        raise Refused(Code.ROOM_FULL)
    seat = Seat(number, scene.player, clean_name(command.name), ready=False, joined=scene.now)
    host = room.host or scene.player
    return Decision(replace(room, seats=(*room.seats, seat), host=host))


def come_back(scene: Scene, command: acts.Join | acts.Rename) -> Decision:
    """Somebody with a seat joins again or is renamed: the seat stays, with the name given now."""
    return Decision(scene.room.with_seat(replace(scene.seat, name=clean_name(command.name))))


def watch(scene: Scene, command: acts.Watch) -> Decision:  # noqa: ARG001
    """A guest looks on: nothing changes."""
    if scene.room.locked:
        raise Refused(Code.ROOM_LOCKED)
    return Decision(scene.room)


def stay(scene: Scene, command: acts.Command) -> Decision:  # noqa: ARG001
    """Allowed, and nothing changes."""
    return Decision(scene.room)


def ready(scene: Scene, command: acts.Ready) -> Decision:
    """The ready mark of one's own seat."""
    return Decision(scene.room.with_seat(replace(scene.seat, ready=command.ready)))


def start(scene: Scene, command: acts.Start) -> Decision:
    """The countdown begins; the host counts as ready."""
    room = scene.room
    waiting = [seat for seat in room.seats if not seat.ready and seat.player != room.host]
    if waiting and not command.force:
        raise Refused(Code.NOT_ALL_READY)
    return Decision(room.with_race(state=State.COUNTDOWN, go_at=scene.now + COUNTDOWN_MS))


def change(scene: Scene, command: acts.Change) -> Decision:
    """Other settings take back the ready marks; cards are only drawn again where they must be."""
    room = scene.room
    settings = settings_from(command.wish)
    if settings == room.settings:
        return Decision(room)
    race = room.race
    if (settings.letter, settings.code) != (room.settings.letter, room.settings.code):
        race = lobby(race.number, settings, command.entropy)
    return Decision(replace(_unready(room), settings=settings, race=race))


def lock(scene: Scene, command: acts.Lock) -> Decision:
    """Newcomers are kept out, or let in again."""
    return Decision(replace(scene.room, locked=command.locked))


def remove(scene: Scene, command: acts.Remove) -> Decision:
    """The host takes a seat from its player for good."""
    seat = scene.room.seat_at(command.seat)
    if seat is None:
        raise Refused(Code.NO_SUCH_SEAT)
    if seat.player == scene.player:
        raise Refused(Code.NOT_YOURSELF)
    decision = _without(scene, seat)
    removed = (*decision.room.removed, seat.player)[-MOST_REMOVED:]
    room = replace(decision.room, removed=removed)
    return Decision(room, (*decision.effects, acts.Dismiss(seat.player)))


def leave(scene: Scene, command: acts.Leave) -> Decision:  # noqa: ARG001
    """A player gives the seat up; the host's role passes on."""
    return _without(scene, scene.seat)


def rematch(scene: Scene, command: acts.Rematch) -> Decision:
    """The finished race goes to the races of the evening, and the lobby opens for the next."""
    room = scene.room
    race = room.race
    if command.race != race.number:
        raise Refused(Code.RACE_NOT_FINISHED)
    code = race.code if command.same else None
    settings = replace(room.settings, code=code)
    after = replace(
        _unready(room), settings=settings, race=lobby(race.number + 1, settings, command.entropy)
    )
    seats = tuple(lane.seat for lane in race.lanes)
    return Decision(after, (acts.Archive(race.number, seats, record(room, scene.facts)),))


def rematched(scene: Scene, command: acts.Rematch) -> Decision:
    """The lobby is open already: to ask for it once more changes nothing."""
    if command.race != scene.room.race.number - 1:
        raise Refused(Code.RACE_NOT_FINISHED)
    return Decision(scene.room)


def go(scene: Scene, happening: acts.Happening) -> Decision:  # noqa: ARG001
    """Every seat gets its lane; boards are dealt and clocks run from this instant."""
    room, race = scene.room, scene.room.race
    if race.go_at is None or scene.now < race.go_at:
        raise Refused(Code.NOT_DUE)
    lanes = tuple(
        Lane(seat.number, seat.player, seat.name, lane_session(room.id, race.number, seat.number))
        for seat in sorted(room.seats, key=lambda seat: seat.number)
    )
    limit = room.settings.limit
    ends = scene.now + limit * MINUTE_MS if limit else None
    after = room.with_race(state=State.RUNNING, started=scene.now, ends=ends, lanes=lanes)
    deal = acts.DealLanes(race.number, race.code, race.sealed, lanes, scene.now, ends)
    return Decision(after, (deal,))


def all_ended(scene: Scene, happening: acts.Happening) -> Decision:  # noqa: ARG001
    """The race is over when every lane has ended."""
    if any(lane.seat not in scene.facts.finishes for lane in scene.room.race.lanes):
        raise Refused(Code.NOT_DUE)
    return _finish(scene, Ending.ALL_ENDED)


def time_limit(scene: Scene, happening: acts.Happening) -> Decision:  # noqa: ARG001
    """The race is over at its time limit."""
    ends = scene.room.race.ends
    if ends is None or scene.now < ends:
        raise Refused(Code.NOT_DUE)
    return _finish(scene, Ending.TIME_LIMIT)


def empty(scene: Scene, happening: acts.Happening) -> Decision:  # noqa: ARG001
    """The race is over when nobody with a seat has been there for two minutes."""
    if scene.now < last_seen(scene.room, scene.facts) + EMPTY_MS:
        raise Refused(Code.NOT_DUE)
    return _finish(scene, Ending.EMPTY)


def host_away(scene: Scene, happening: acts.Happening) -> Decision:  # noqa: ARG001
    """A host who is away for half a minute hands over to the first who is there."""
    room = scene.room
    host = None if room.host is None else room.seat_of(room.host)
    if host is None or scene.now < seen(host, scene.facts) + HOST_AWAY_MS:
        raise Refused(Code.NOT_DUE)
    there = _connected([seat for seat in room.seats if seat != host], scene)
    if not there:
        raise Refused(Code.NOT_DUE)
    return Decision(replace(room, host=there[0].player))


def seen(seat: Seat, facts: Facts) -> int:
    """Until when a seat's player was there; one whom no worker saw yet came as they joined."""
    return facts.seen.get(seat.player, seat.joined)


def last_seen(room: Room, facts: Facts) -> int:
    """Until when anybody with a seat was there."""
    return max((seen(seat, facts) for seat in room.seats), default=room.created)


def record(room: Room, facts: Facts) -> str:
    """A finished race as it is kept with the races of the evening, JSON.

    It names the session of each lane: their logs are what ghosts are played back from.
    """
    race = room.race
    rows = standings((lane.seat for lane in race.lanes), facts.progress, facts.finishes, over=True)
    lanes = {lane.seat: lane for lane in race.lanes}
    return json.dumps(
        {
            "race": race.number,
            "code": race.code,
            "sealed": race.sealed,
            "limit": room.settings.limit,
            "started": race.started,
            "finished": race.finished,
            "ending": race.ending,
            "places": [
                {
                    **row._asdict(),
                    "name": lanes[row.seat].name,
                    "player": lanes[row.seat].player,
                    "session": lanes[row.seat].session,
                }
                for row in rows
            ],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _unready(room: Room) -> Room:
    return replace(room, seats=tuple(replace(seat, ready=False) for seat in room.seats))


def _connected(seats: Sequence[Seat], scene: Scene) -> list[Seat]:
    return [seat for seat in seats if scene.facts.is_connected(seat.player, scene.now)]


def _without(scene: Scene, seat: Seat) -> Decision:
    """The room without a seat; what that means for the race depends on its state."""
    room = scene.room
    seats = tuple(other for other in room.seats if other != seat)
    host = room.host
    if host == seat.player:
        heirs = _connected(seats, scene) or list(seats)
        host = heirs[0].player if heirs else None
    # Nobody could unlock a room without seats, also not those who just left it.
    after = replace(room, seats=seats, host=host, locked=room.locked and bool(seats))
    if room.race.state is State.COUNTDOWN and not seats:
        return Decision(after.with_race(state=State.LOBBY, go_at=None))
    lane = room.race.lane_of(seat.player)
    if room.race.state is not State.RUNNING or lane is None or lane.seat != seat.number:
        return Decision(after)
    return _without_lane(replace(scene, room=after), lane)


def _without_lane(scene: Scene, lane: Lane) -> Decision:
    race, facts = scene.room.race, scene.facts
    if lane.seat in facts.finishes:
        return Decision(scene.room)
    ms = max(0, scene.now - (race.started or scene.now))
    settle = acts.SettleLane(race.number, lane, Outcome.LEFT, ms)
    left = Finish(Outcome.LEFT, ms, facts.finished + 1)
    after = replace(scene, facts=replace(facts, finishes={**facts.finishes, lane.seat: left}))
    if any(other.seat not in after.facts.finishes for other in race.lanes):
        return Decision(scene.room, (settle,))
    over = _finish(after, Ending.ALL_ENDED)
    return Decision(over.room, (settle, *over.effects))


def _finish(scene: Scene, ending: Ending) -> Decision:
    race = scene.room.race
    at = scene.now if race.ends is None else min(scene.now, race.ends)
    open_lanes = tuple(lane for lane in race.lanes if lane.seat not in scene.facts.finishes)
    after = scene.room.with_race(state=State.FINISHED, finished=at, ending=ending)
    return Decision(after, (acts.CloseGate(race.number, open_lanes),))
