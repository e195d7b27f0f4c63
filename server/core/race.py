"""The state machine of a room's races: one table says who may do what when, and `decide` asks it.

Pure: `now` (Unix milliseconds) and all randomness are handed in; what a decision means for Redis
comes back as effects. The steps themselves are in racesteps.py, the document in room.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from server.core import racesteps as steps
from server.core.raceacts import HAPPENINGS, Command, Decision, Happening, Role, What, Wish
from server.core.racesteps import EMPTY_MS, HOST_AWAY_MS, Scene
from server.core.refusals import Code, Refused
from server.core.room import FIRST_RACE, Facts, Room, Seat, State

LEASE_MS: Final = 15_000
"""How long a player counts as connected after a worker said so; workers say so more often."""
LEASE_RENEWAL_MS: Final = 5_000

Step = Callable[[Scene, Any], Decision]


@dataclass(frozen=True, slots=True)
class Rule:
    """Allowed: what is done, and the states that it can lead to (none: the state stays)."""

    step: Step
    to: tuple[State, ...] = ()


Cell = Rule | Code
Row = Cell | Mapping[State, Cell]

_LOBBY, _COUNTDOWN, _RUNNING, _FINISHED = State
_STAY: Final = Rule(steps.stay)


def _lobby_only(rule: Rule) -> Row:
    """Before the race, and refused by what has become of it later."""
    late = dict.fromkeys((_COUNTDOWN, _RUNNING), Code.RACE_STARTED)
    return {_LOBBY: rule, **late, _FINISHED: Code.RACE_FINISHED}


def _due(step: Step, *when: State, to: tuple[State, ...] = ()) -> dict[Role, Row]:
    """A happening: the server's alone, in these states."""
    row: dict[State, Cell] = {
        state: Rule(step, to) if state in when else Code.NOT_DUE for state in State
    }
    others: dict[Role, Row] = {role: Code.NOT_DUE for role in Role if role is not Role.SERVER}
    return {**others, Role.SERVER: row}


def _host(row: Row) -> dict[Role, Row]:
    return {Role.HOST: row, Role.SEATED: Code.NOT_HOST, Role.GUEST: Code.NOT_SEATED}


def _seated(row: Row) -> dict[Role, Row]:
    return {Role.HOST: row, Role.SEATED: row, Role.GUEST: Code.NOT_SEATED}


_LEAVE: Final[Row] = {
    _LOBBY: Rule(steps.leave),
    _COUNTDOWN: Rule(steps.leave, (_COUNTDOWN, _LOBBY)),
    _RUNNING: Rule(steps.leave, (_RUNNING, _FINISHED)),
    _FINISHED: Rule(steps.leave),
}
_REMOVE: Final[Row] = {
    **dict.fromkeys(State, Rule(steps.remove)),
    _RUNNING: Rule(steps.remove, (_RUNNING, _FINISHED)),
}
_REMATCH: Final[Row] = {
    _LOBBY: Rule(steps.rematched),
    **dict.fromkeys((_COUNTDOWN, _RUNNING), Code.RACE_NOT_FINISHED),
    _FINISHED: Rule(steps.rematch, (_LOBBY,)),
}
_ROWS: Final[Mapping[What, Mapping[Role, Row]]] = {
    What.JOIN: {
        Role.HOST: Rule(steps.come_back),
        Role.SEATED: Rule(steps.come_back),
        Role.GUEST: Rule(steps.join),
    },
    What.WATCH: {Role.HOST: _STAY, Role.SEATED: _STAY, Role.GUEST: Rule(steps.watch)},
    What.READY: _seated(_lobby_only(Rule(steps.ready))),
    What.START: _host(_lobby_only(Rule(steps.start, (_COUNTDOWN,)))),
    What.CHANGE: _host(_lobby_only(Rule(steps.change))),
    What.REMOVE: _host(_REMOVE),
    What.LOCK: _host(Rule(steps.lock)),
    What.LEAVE: {Role.HOST: _LEAVE, Role.SEATED: _LEAVE, Role.GUEST: _STAY},
    What.RENAME: {
        Role.HOST: Rule(steps.come_back),
        Role.SEATED: Rule(steps.come_back),
        Role.GUEST: _STAY,
    },
    What.REMATCH: _host(_REMATCH),
    What.GO: _due(steps.go, _COUNTDOWN, to=(_RUNNING,)),
    What.ALL_ENDED: _due(steps.all_ended, _RUNNING, to=(_FINISHED,)),
    What.TIME_LIMIT: _due(steps.time_limit, _RUNNING, to=(_FINISHED,)),
    What.EMPTY: _due(steps.empty, _RUNNING, to=(_FINISHED,)),
    What.HOST_AWAY: _due(steps.host_away, *State),
}


def _cells() -> dict[tuple[What, State, Role], Cell]:
    """The whole table; the server sends no commands, and the removed may do nothing."""
    table: dict[tuple[What, State, Role], Cell] = {}
    for what, rows in _ROWS.items():
        for role in Role:
            default = Code.NOT_SEATED if role is Role.SERVER else Code.REMOVED
            row = rows.get(role, default)
            for state in State:
                table[what, state, role] = row if isinstance(row, Rule | Code) else row[state]
    return table


TABLE: Final[Mapping[tuple[What, State, Role], Cell]] = _cells()


def make(
    names: tuple[str, str], player: str, name: str, wish: Wish, *, entropy: bytes, now: int
) -> Room:
    """A new room (its id and code in `names`) in the lobby of its first race; the maker is host.

    Raises Refused (`bad_settings`, `bad_code`, `bad_name`).
    """
    settings = steps.settings_from(wish)
    seat = Seat(0, player, steps.clean_name(name), ready=False, joined=now)
    return Room(
        id=names[0],
        code=names[1],
        version=1,
        created=now,
        host=player,
        locked=False,
        settings=settings,
        seats=(seat,),
        removed=(),
        race=steps.lobby(FIRST_RACE, settings, entropy),
    )


def role_of(room: Room, player: str) -> Role:
    """Who somebody is in a room."""
    if player in room.removed:
        return Role.REMOVED
    if room.host == player:
        return Role.HOST
    return Role.GUEST if room.seat_of(player) is None else Role.SEATED


def decide(room: Room, facts: Facts, player: str, command: Command, now: int) -> Decision:
    """What a player's command does. Raises Refused; the room's version rises when it changed."""
    scene = Scene(room, facts, player, now)
    return _apply(scene, role_of(room, player), command)


def look(room: Room, facts: Facts, now: int) -> Decision:
    """Everything that is due in a room, one after another; an unchanged room when nothing is."""
    decision = Decision(room)
    for what in HAPPENINGS:
        scene = Scene(decision.room, facts, "", now)
        try:
            next_one = _apply(scene, Role.SERVER, Happening(what))
        except Refused:
            continue
        decision = Decision(next_one.room, (*decision.effects, *next_one.effects))
    if decision.room != room:
        return Decision(replace(decision.room, version=room.version + 1), decision.effects)
    return decision


def next_due(room: Room, facts: Facts, now: int) -> int | None:
    """The next instant at which `look` may find something, if nothing else happens before."""
    race = room.race
    instants: list[int] = []
    if race.state is State.COUNTDOWN and race.go_at is not None:
        instants.append(race.go_at)
    if race.state is State.RUNNING:
        instants.append(steps.last_seen(room, facts) + EMPTY_MS)
        if race.ends is not None:
            instants.append(race.ends)
    host = None if room.host is None else room.seat_of(room.host)
    if host is not None and len(room.seats) > 1:
        away = steps.seen(host, facts) + HOST_AWAY_MS
        # Later than this, only somebody's coming back can matter, and that is looked at anyway.
        if away > now:
            instants.append(away)
    return min(instants, default=None)


def _apply(scene: Scene, role: Role, command: Command | Happening) -> Decision:
    cell = TABLE[command.what, scene.room.race.state, role]
    if isinstance(cell, Code):
        raise Refused(cell)
    decision = cell.step(scene, command)
    if decision.room == scene.room:
        return Decision(scene.room, decision.effects)
    return replace(decision, room=replace(decision.room, version=scene.room.version + 1))
