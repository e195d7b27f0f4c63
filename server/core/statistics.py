"""A player's statistics in one ruleset, kept up game by game; it does not know how games are found.

Pure. A game counts once, from its first accepted move, at the moment it can no longer be one that
is still being played: won, given up, lost, or untouched for 24 hours.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

UNTOUCHED_MS: Final = 86_400_000
RECENT: Final = 30
_TOO_LARGE: Final = 2**53
_UNKNOWN_AT_FIRST: Final = frozenset({"best_time", "fewest_moves", "best_score"})


class Fate(StrEnum):
    """What a session came to, for the statistics."""

    UNPLAYED = "unplayed"
    OPEN = "open"
    WON = "won"
    NOT_WON = "not_won"


class Played(NamedTuple):
    """A game that counts. `time` in milliseconds, `ended` in Unix milliseconds."""

    won: bool
    ranked: int
    time: int
    moves: int
    ended: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """All figures of one ruleset; whatever is a mean or a rate is computed from these.

    `recent`: the last 30 games, oldest first.
    """

    games: int = 0
    wins: int = 0
    streak: int = 0
    longest_streak: int = 0
    best_time: int | None = None
    win_time: int = 0
    fewest_moves: int | None = None
    best_score: int | None = None
    recent: tuple[Played, ...] = ()

    @property
    def win_rate(self) -> float | None:
        """The part of all games that was won, 0 to 1; None before the first game."""
        return self.wins / self.games if self.games else None

    @property
    def mean_time(self) -> int | None:
        """The mean time to win in milliseconds, rounded down; None before the first win."""
        return self.win_time // self.wins if self.wins else None

    def to_fields(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {**asdict(self), "recent": [list(game) for game in self.recent]}

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> "Statistics":
        """The statistics that `to_fields` gave. Raises KeyError, TypeError or ValueError.

        What passes can be shown and added to: every figure is a number of the kind it should be.
        """
        recent = tuple(_played(*game) for game in fields["recent"])
        figures = {name: value for name, value in fields.items() if name != "recent"}
        for name, value in figures.items():
            if not (is_count(value) or (value is None and name in _UNKNOWN_AT_FIRST)):
                raise ValueError(f"{name} is no figure")
        return cls(**figures, recent=recent)


def is_count(value: object) -> bool:
    """Whether it is a whole number from 0 on that every reader of JSON keeps as it is."""
    return type(value) is int and 0 <= value < _TOO_LARGE


def fate(*, moves: int, won: bool, ended: bool, touched: int, now: int) -> Fate:
    """What a session came to by now (`touched`, its last command, and `now` in Unix milliseconds).

    `moves`: the move counter, 0 before the first accepted move, so that cards that were only
    looked at are no game. `ended`: nothing can be played any more: won, given up, or its race is
    over. A game that is announced as lost is still open, since an undo takes that back, until it
    was left alone for 24 hours like any other; so it can never count as lost and later as won.
    """
    if moves == 0:
        return Fate.UNPLAYED
    if won:
        return Fate.WON
    if ended or now - touched >= UNTOUCHED_MS:
        return Fate.NOT_WON
    return Fate.OPEN


def add(before: Statistics, game: Played) -> Statistics:
    """The statistics with one game more; games are added in the order they came to count in."""
    streak = before.streak + 1 if game.won else 0
    return Statistics(
        games=before.games + 1,
        wins=before.wins + game.won,
        streak=streak,
        longest_streak=max(before.longest_streak, streak),
        best_time=_least(before.best_time, game.time) if game.won else before.best_time,
        win_time=before.win_time + (game.time if game.won else 0),
        fewest_moves=_least(before.fewest_moves, game.moves) if game.won else before.fewest_moves,
        best_score=game.ranked
        if before.best_score is None
        else max(before.best_score, game.ranked),
        recent=(*before.recent, game)[-RECENT:],
    )


def of(games: Iterable[Played]) -> Statistics:
    """The statistics of a whole history at once: what adding game by game must agree with."""
    history = list(games)
    wins = [game for game in history if game.won]
    runs = "".join("w" if game.won else " " for game in history).split(" ")
    return Statistics(
        games=len(history),
        wins=len(wins),
        streak=len(runs[-1]),
        longest_streak=max(map(len, runs)),
        best_time=min((game.time for game in wins), default=None),
        win_time=sum(game.time for game in wins),
        fewest_moves=min((game.moves for game in wins), default=None),
        best_score=max((game.ranked for game in history), default=None),
        recent=tuple(history[-RECENT:]),
    )


def _played(won: object, *figures: Any) -> Played:
    if type(won) is not bool or not all(map(is_count, figures)):
        raise ValueError("this is no game that was played")
    return Played(won, *figures)


def _least(before: int | None, now: int) -> int:
    return now if before is None else min(before, now)
