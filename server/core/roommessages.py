"""The messages of rooms: their numbers, and what they say of a room; nothing secret gets in here.

Everything that leaves about a room is made by the functions of this module, as the plain tuples
that docs/protocol-rooms.md describes. None of them depends on who looks, so one packed message
serves all. A sealed code is in none of them before its race is finished, and cards are in `board`
alone, which is made of races that are finished.
"""

import json
from collections.abc import Iterable
from enum import IntEnum, IntFlag
from typing import Final

from engine.code import commitment, parse
from engine.view import View
from server.core.ghosts import LATER, Recorded
from server.core.raceacts import Archive
from server.core.room import Ending, Facts, Lane, Race, Room, State
from server.core.standings import Finish, Outcome, Placing, Progress, standings

Message = tuple[object, ...]


class RoomKind(IntEnum):
    """First element of a room's frames: commands from 20, messages from 80."""

    MAKE = 20
    JOIN = 21
    READY = 22
    START = 23
    CHANGE = 24
    REMOVE = 25
    LOCK = 26
    LEAVE = 27
    REMATCH = 28
    ASK_ROOM = 29
    ASK_BOARD = 30
    ASK_EVENING = 31
    ASK_GHOSTS = 32

    ROOM = 80
    LANES = 81
    STANDINGS = 82
    CLOSED = 83
    JOINED = 84
    BOARD = 85
    EVENING = 86
    DONE = 87
    GHOSTS = 88


class LaneFlag(IntFlag):
    """Bits of a lane's flags."""

    CONNECTED = 1
    STUCK = 2
    WON = 4
    GAVE_UP = 8
    LEFT = 16


STATES: Final = {state: number for number, state in enumerate(State)}
ENDINGS: Final = {ending: number for number, ending in enumerate(Ending)}
OUTCOMES: Final = {outcome: number for number, outcome in enumerate(Outcome)}
_FLAGS: Final = {
    Outcome.WON: LaneFlag.WON,
    Outcome.GAVE_UP: LaneFlag.GAVE_UP,
    Outcome.LEFT: LaneFlag.LEFT,
}


def shown_code(race: Race) -> str | None:
    """The game code, if everybody may know it now."""
    return None if race.sealed and race.state is not State.FINISHED else race.code


def shown_commitment(race: Race) -> bytes | None:
    """The commitment to a sealed code, 32 bytes, from the lobby on; None for a known code."""
    return bytes.fromhex(commitment(parse(race.code))) if race.sealed else None


def room(room: Room, facts: Facts, now: int) -> Message:
    """The room as everybody in it may see it."""
    race = room.race
    host = None if room.host is None else room.seat_of(room.host)
    return (
        RoomKind.ROOM,
        room.id,
        room.version,
        room.code,
        None if host is None else host.number,
        room.locked,
        race.number,
        STATES[race.state],
        room.settings.letter,
        shown_code(race),
        shown_commitment(race),
        room.settings.limit,
        race.go_at,
        race.started,
        race.ends,
        race.finished,
        None if race.ending is None else ENDINGS[race.ending],
        tuple(
            (seat.number, seat.name, seat.ready, facts.is_connected(seat.player, now))
            for seat in room.seats
        ),
        tuple((lane.seat, lane.name) for lane in race.lanes),
    )


def lanes(room: Room, facts: Facts, now: int, only: Iterable[int] | None = None) -> Message:
    """The lanes of the race in the order of their places, or only those of some seats."""
    race = room.race
    wanted = None if only is None else frozenset(only)
    players = {lane.seat: lane.player for lane in race.lanes}
    here = {seat.player for seat in room.seats}
    rows = tuple(
        _lane(
            row,
            facts.progress.get(row.seat, Progress()),
            facts.finishes.get(row.seat),
            players[row.seat] in here and facts.is_connected(players[row.seat], now),
        )
        for row in _places(room, facts)
        if wanted is None or row.seat in wanted
    )
    return (RoomKind.LANES, race.number, rows)


def final_standings(room: Room, facts: Facts) -> Message:
    """The standings of the finished race, with everything open. ValueError while it is not."""
    race = room.race
    if race.state is not State.FINISHED or race.ending is None:
        raise ValueError("the race is not finished")
    by_seat = {lane.seat: lane for lane in race.lanes}
    rows = tuple(_final(row, by_seat[row.seat]) for row in _places(room, facts))
    ending = ENDINGS[race.ending]
    return (RoomKind.STANDINGS, race.number, ending, race.code, shown_commitment(race), rows)


def recorded(records: Iterable[str], number: int) -> Message | None:
    """The standings of a race of the evening out of its record, None when it is not among them."""
    record = next((one for one in map(json.loads, records) if one["race"] == number), None)
    if record is None:
        return None
    code = record["code"]
    hidden = bytes.fromhex(commitment(parse(code))) if record["sealed"] else None
    rows = tuple(
        (
            *(row["place"], row["seat"], row["name"], OUTCOMES[Outcome(row["outcome"])]),
            *(row["ms"], row["ranked"], row["moves"], row["session"]),
        )
        for row in record["places"]
    )
    return (RoomKind.STANDINGS, number, ENDINGS[Ending(record["ending"])], code, hidden, rows)


def joined(request: bytes | None, room: Room, player: str) -> Message:
    """The answer to make and join: which seat, and the session to play while a race runs."""
    seat, lane = room.seat_of(player), room.lane_played_by(player)
    number = None if seat is None else seat.number
    return (RoomKind.JOINED, request, room.id, number, None if lane is None else lane.session)


def board(race: int, seat: int, seen: View) -> Message:
    """How a lane's game ended, as its player saw it; only of a race that is finished."""
    return (
        RoomKind.BOARD,
        race,
        seat,
        tuple(bytes((column.down, *column.up)) for column in seen.columns),
        tuple(bytes(pile) for pile in seen.foundations),
        seen.stock,
        bytes(seen.waste),
    )


def closed(reason: str) -> Message:
    """The room is no longer open on this socket: `left`, `removed` or `gone`."""
    return (RoomKind.CLOSED, reason)


def done(kind: int, room: Room) -> Message:
    """A command of this kind was carried out; the room has this version now."""
    return (RoomKind.DONE, kind, room.version)


def evening(records: Iterable[Archive | str]) -> Message:
    """The finished races of the evening, each as the JSON text of its record, oldest first."""
    texts = (record.record if isinstance(record, Archive) else record for record in records)
    return (RoomKind.EVENING, tuple(texts))


def ghosts(race: int, session: str, rows: Iterable[Recorded] | None, name: str | None) -> Message:
    """The session in which a player races the ghosts of a race; once it has ended, the places.

    Who raced later, `name`, has no seat.
    """
    places = None if rows is None else tuple(_ghost(row, name) for row in rows)
    return (RoomKind.GHOSTS, race, session, places)


def _ghost(row: Recorded, name: str | None) -> Message:
    is_later = row.seat == LATER
    who = (None, name) if is_later else (row.seat, row.name)
    figures = (OUTCOMES[row.outcome], row.ms, row.ranked, row.moves)
    return (row.place, *who, *figures, row.session)


def _places(room: Room, facts: Facts) -> tuple[Placing, ...]:
    return standings(
        (lane.seat for lane in room.race.lanes),
        facts.progress,
        facts.finishes,
        over=room.race.state is State.FINISHED,
    )


def _final(row: Placing, lane: Lane) -> Message:
    outcome = OUTCOMES[row.outcome]
    figures = (row.ms, row.ranked, row.moves)
    return (row.place, row.seat, lane.name, outcome, *figures, lane.session)


def _lane(row: Placing, progress: Progress, finish: Finish | None, connected: bool) -> Message:
    flags = LaneFlag.CONNECTED if connected else LaneFlag(0)
    if progress.stuck:
        flags |= LaneFlag.STUCK
    if finish is not None:
        flags |= _FLAGS[finish.outcome]
    ms = None if finish is None else finish.ms
    return (row.seat, int(flags), progress.home, progress.down, progress.ranked, progress.moves, ms)
