"""Who is where in a race: the one total order of its lanes, live and at the end.

Pure: it reads the progress and the finish of each lane and knows neither rooms nor Redis.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

FIRST_PLACE = 1


class Outcome(StrEnum):
    """What became of a lane. Only `won` is a win; `playing` is the one that can still change."""

    WON = "won"
    GAVE_UP = "gave_up"
    LEFT = "left"
    BLOCKED = "blocked"
    OUT_OF_TIME = "out_of_time"
    PLAYING = "playing"


class Progress(NamedTuple):
    """What rivals see of a lane: counts only, never a card. `stuck`: no legal move is left."""

    home: int = 0
    down: int = 0
    ranked: int = 0
    moves: int = 0
    stuck: bool = False

    def packed(self) -> str:
        """The text that Redis keeps; `unpack` reads it back."""
        return f"{self.home},{self.down},{self.ranked},{self.moves},{int(self.stuck)}"

    @classmethod
    def unpack(cls, text: str) -> "Progress":
        """The progress that `packed` wrote. Raises ValueError."""
        home, down, ranked, moves, stuck = text.split(",")
        return cls(int(home), int(down), int(ranked), int(moves), stuck == "1")


class Finish(NamedTuple):
    """How a lane ended: once and for all. `ms` since the deal, `order` of commit in the race."""

    outcome: Outcome
    ms: int
    order: int

    def packed(self) -> str:
        """The text that Redis keeps; `unpack` reads it back."""
        return f"{self.outcome},{self.ms},{self.order}"

    @classmethod
    def unpack(cls, text: str) -> "Finish":
        """The finish that `packed` (or the commit script) wrote. Raises ValueError."""
        outcome, milliseconds, order = text.split(",")
        return cls(Outcome(outcome), int(milliseconds), int(order))


class Placing(NamedTuple):
    """One row of the standings. `ms` is the time of the win, None for everybody else."""

    place: int
    seat: int
    outcome: Outcome
    ms: int | None
    ranked: int
    moves: int


def outcome_of(progress: Progress, finish: Finish | None, *, over: bool) -> Outcome:
    """What became of a lane; `over` says that the race is, so nobody is playing any more."""
    if finish is not None:
        return finish.outcome
    if not over:
        return Outcome.PLAYING
    return Outcome.BLOCKED if progress.stuck else Outcome.OUT_OF_TIME


def order_key(seat: int, progress: Progress, finish: Finish | None) -> tuple[int, ...]:
    """The sort key of a lane: smaller is the better place; equal for no two seats of a race.

    Winners by time, then fewer moves, then who committed first; then the others by ranked score,
    fewer moves, seat.
    """
    if finish is not None and finish.outcome is Outcome.WON:
        return (0, finish.ms, progress.moves, finish.order, seat)
    return (1, -progress.ranked, progress.moves, seat)


def standings(
    seats: Iterable[int],
    progress: Mapping[int, Progress],
    finishes: Mapping[int, Finish],
    *,
    over: bool,
) -> tuple[Placing, ...]:
    """The places of a race, best first. A seat without progress has not moved yet."""
    none = Progress()
    ordered = sorted(
        seats, key=lambda seat: order_key(seat, progress.get(seat, none), finishes.get(seat))
    )
    return tuple(
        _placing(place, seat, progress.get(seat, none), finishes.get(seat), over=over)
        for place, seat in enumerate(ordered, FIRST_PLACE)
    )


def _placing(
    place: int, seat: int, progress: Progress, finish: Finish | None, *, over: bool
) -> Placing:
    outcome = outcome_of(progress, finish, over=over)
    ms = finish.ms if finish is not None and outcome is Outcome.WON else None
    return Placing(place, seat, outcome, ms, progress.ranked, progress.moves)
