"""Ghosts: how far each lane of a finished race was when, and where somebody stands who races later.

Pure, and counts only, as lanes.py: no card, pile or move of a game gets out through here. Times are
what the game's clock showed, milliseconds since the deal without pauses.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
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
MOST_STEPS: Final = 2_000
"""How many steps of a ghost are told: one a second for more than half an hour."""
UNTOUCHED_SECONDS: Final = 90 * 24 * 3600
"""How long a game against ghosts is kept that was dealt and not begun: as if it had been."""
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


def thinned(steps: Sequence[Step], most: int) -> Sequence[Step]:
    """The steps, or of too many `most` evenly spread ones with the first and the last."""
    if len(steps) <= most:
        return steps
    last = len(steps) - 1
    return [steps[number * last // (most - 1)] for number in range(most)]


def ended_ms(race: Race, lane: Recorded, stored: StoredSession, last_ms: int) -> int:
    """When a lane ended: by its last command, when its player left, or with the race."""
    if lane.outcome in _BY_COMMAND:
        return last_ms
    if lane.outcome is Outcome.LEFT and stored.closed_at_ms is not None:
        return max(last_ms, stored.closed_at_ms - stored.dealt_at_ms)
    return max(last_ms, race.lasted)


def may_be_over(dealt_at_ms: int, now_ms: int, limit: int | None) -> bool:
    """Whether the time limit can be over for a game by now, pauses left aside."""
    return limit is not None and now_ms - dealt_at_ms >= limit


class Attempt:
    """The game of somebody who raced later, played again from its log. Raises EngineError.

    The time limit of the race holds for it too: what is done after it does not count. Use `steps`
    once, to its end; `result` is true after it.
    """

    def __init__(self, stored: StoredSession, limit: int | None) -> None:
        """`limit` in milliseconds, None without one."""
        self._stored = stored
        self._limit = limit
        self._game = Game(parse(stored.code))
        self._progress, self._ms, self._state = progress_of(self._game), 0, self._game.state

    def steps(self) -> Iterator[None]:
        """Play the commands that count, one at each step."""
        game, limit = self._game, self._limit
        for _, move, at in records(self._stored.log):
            game.play(move, at)
            elapsed = game.elapsed(at)
            if limit is not None and elapsed >= limit:
                return
            self._progress, self._ms, self._state = progress_of(game), elapsed, game.state
            yield

    def result(self) -> Recorded | None:
        """What they have come to, None while they can still come further."""
        stored, progress, limit = self._stored, self._progress, self._limit
        outcome = Outcome(OUTCOMES.get(self._state, Outcome.PLAYING))
        if outcome is Outcome.PLAYING:
            if limit is None or self._game.elapsed(stored.now_ms - stored.dealt_at_ms) < limit:
                return None
            outcome = Outcome.BLOCKED if progress.stuck else Outcome.OUT_OF_TIME
        return Recorded(
            place=0,
            seat=LATER,
            name="",
            player=stored.player,
            session=stored.session_id,
            outcome=outcome,
            ms=self._ms if outcome is Outcome.WON else None,
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
