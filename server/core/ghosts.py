"""Ghosts: how far each lane of a finished race was when, and where somebody stands who races later.

Pure, and counts only, as lanes.py: no card, pile or move of a game gets out through here. Times are
what the game's clock showed, milliseconds since the deal without pauses.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, NamedTuple

from engine.code import parse
from engine.game import Game
from engine.log import records
from server.core.lanes import OUTCOMES, progress_of
from server.core.ports import StoredSession
from server.core.racesteps import MINUTE_MS
from server.core.room import MOST_SEATS
from server.core.standings import FIRST_PLACE, Finish, Outcome, Progress, order_key

LATER: Final = MOST_SEATS
"""Stands for a seat where somebody raced later: it comes after every seat of the race."""
_ID_BYTES: Final = 12
_BY_COMMAND: Final = (Outcome.WON, Outcome.GAVE_UP)


class Step(NamedTuple):
    """From `ms` on, a game was as far as this."""

    ms: int
    progress: Progress


class Recorded(NamedTuple):
    """A lane of a finished race. `ms` is the time of the win, None for everybody else."""

    place: int
    seat: int
    name: str
    player: str
    session: str
    outcome: Outcome
    ms: int | None
    ranked: int
    moves: int


@dataclass(frozen=True, slots=True)
class Race:
    """A finished race as it is kept. `limit` in milliseconds, None without one."""

    number: int
    code: str
    limit: int | None
    lasted: int
    lanes: tuple[Recorded, ...]

    @classmethod
    def read(cls, record: str) -> "Race":
        """Read a record that `racesteps.record` wrote. Raises ValueError, KeyError, TypeError."""
        fields = json.loads(record)
        lanes = tuple(
            Recorded(**{name: place[name] for name in Recorded._fields})._replace(
                outcome=Outcome(place["outcome"])
            )
            for place in ({"player": ""} | place for place in fields["places"])
        )
        limit = fields["limit"] * MINUTE_MS or None
        lasted = max(0, fields["finished"] - fields["started"])
        return cls(fields["race"], fields["code"], limit, lasted, lanes)


def find(records: Iterable[str], number: int) -> Race | None:
    """The race of a number among the records of an evening."""
    return next((race for race in map(Race.read, records) if race.number == number), None)


def session_of(room: str, race: int, player: str) -> str:
    """The id of the session in which a player races the ghosts of a race: always the same one.

    So whoever asks twice, in another tab or after a reload, finds what they have begun.
    """
    text = f"ghosts {room} {race} {player}"
    return urlsafe_b64encode(blake2b(text.encode(), digest_size=_ID_BYTES).digest()).decode()


def timeline(code: str, log: bytes) -> Iterator[Step]:
    """How far a game was at its deal and after each command. Raises EngineError for no game."""
    game = Game(parse(code))
    yield Step(0, progress_of(game))
    for _, move, ms in records(log):
        game.play(move, ms)
        yield Step(game.elapsed(ms), progress_of(game))


def ended_ms(race: Race, lane: Recorded, stored: StoredSession, last_ms: int) -> int:
    """When a lane ended: by its last command, when its player left, or with the race."""
    if lane.outcome in _BY_COMMAND:
        return last_ms
    if lane.outcome is Outcome.LEFT and stored.closed_at_ms is not None:
        return max(last_ms, stored.closed_at_ms - stored.dealt_at_ms)
    return max(last_ms, race.lasted)


def result_of(stored: StoredSession, limit: int | None) -> Recorded | None:
    """What somebody who raced later has come to, None while they can still come further.

    The time limit of the race holds for them too: what they do after it does not count.
    """
    game = Game(parse(stored.code))
    progress, ms, state = progress_of(game), 0, game.state
    for _, move, at in records(stored.log):
        game.play(move, at)
        elapsed = game.elapsed(at)
        if limit is not None and elapsed >= limit:
            break
        progress, ms, state = progress_of(game), elapsed, game.state
    outcome = Outcome(OUTCOMES.get(state, Outcome.PLAYING))
    if outcome is Outcome.PLAYING:
        if limit is None or game.elapsed(stored.now_ms - stored.dealt_at_ms) < limit:
            return None
        outcome = Outcome.BLOCKED if progress.stuck else Outcome.OUT_OF_TIME
    time = ms if outcome is Outcome.WON else None
    return Recorded(
        place=0,
        seat=LATER,
        name="",
        player=stored.player,
        session=stored.session_id,
        outcome=outcome,
        ms=time,
        ranked=progress.ranked,
        moves=progress.moves,
    )


def placed(ghosts: Iterable[Recorded], later: Recorded) -> tuple[Recorded, ...]:
    """The places of all by the order of races; the ghosts' own order is what it was.

    Who raced later comes after a ghost that was as good.
    """
    rows = sorted((*ghosts, later), key=_key)
    return tuple(row._replace(place=place) for place, row in enumerate(rows, FIRST_PLACE))


def _key(row: Recorded) -> tuple[int, ...]:
    order = row.place if row.seat != LATER else LATER + FIRST_PLACE
    progress = Progress(ranked=row.ranked, moves=row.moves)
    return order_key(row.seat, progress, Finish(row.outcome, row.ms or 0, order))
