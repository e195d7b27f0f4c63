"""The daily deal: which day is open, what its names are, and the streaks and calendar of a player.

Pure: `now` is handed in, and so are the days that a player has played. A day is a UTC day; its deal
is sealed, the same for everyone, and open to all when the day is over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from engine.ruleset import RULESETS
from server.core.refusals import Code, Refused
from server.core.statistics import is_count

DAY_MS: Final = 86_400_000
YEARS: Final = range(2020, 2201)
"""The years that a calendar shows; no deal was played in another one."""
_ONE: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Mark:
    """What a player made of a day's deal with the attempt that counts. `time` of the win, ms."""

    won: bool
    ranked: int
    moves: int
    time: int | None

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> "Mark":
        """The mark of which these are the fields. Raises KeyError, TypeError or ValueError."""
        time = fields["time"]
        figures = (fields["ranked"], fields["moves"], 0 if time is None else time)
        if type(fields["won"]) is not bool or not all(map(is_count, figures)):
            raise ValueError("this is no mark of a day")
        return cls(**fields)


class Streaks(NamedTuple):
    """Days in a row, now and at best: played, and won."""

    played: int
    longest_played: int
    won: int
    longest_won: int


class Day(NamedTuple):
    """A day of a calendar: `mark` is None where the deal was not played."""

    day: date
    open: bool
    over: bool
    mark: Mark | None


def today(now: int) -> date:
    """The UTC day of an instant in Unix milliseconds."""
    return datetime.fromtimestamp(now / 1000, UTC).date()


def starts(day: date) -> int:
    """The Unix milliseconds at which a day begins."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


def ends(day: date) -> int:
    """The Unix milliseconds at which a day is over and its deal open to all."""
    return starts(day) + DAY_MS


def is_over(day: date, now: int) -> bool:
    """Whether code, replays and the board of the day's code may be shown."""
    return now >= ends(day)


def is_today(day: date, now: int) -> bool:
    """Whether the day's deal is the one that can be played for the board."""
    return starts(day) <= now < ends(day)


def name(letter: str, day: date) -> str:
    """The name of a day's deal, such as C:2026-11-30."""
    return f"{letter}:{day.isoformat()}"


def read_day(text: str) -> date:
    """The day in a text such as 2026-11-30, written no other way. Raises ValueError."""
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError("a day is written like 2026-11-30")
    return day


def read_name(text: str) -> tuple[str, date]:
    """The ruleset and the day of a name. Raises Refused (`bad_code`) for a text that is none."""
    letter, _, day = text.strip().partition(":")
    if letter.upper() in RULESETS:
        try:
            return letter.upper(), read_day(day)
        except ValueError:
            pass
    raise Refused(Code.BAD_CODE, "A daily deal is named like C:2026-11-30.")


def streaks(marks: Mapping[date, Mark], day: date) -> Streaks:
    """The streaks of one ruleset; a day that is not over does not break one until it is."""
    played = set(marks)
    won = {played_on for played_on, mark in marks.items() if mark.won}
    return Streaks(_current(played, day), _longest(played), _current(won, day), _longest(won))


def calendar(marks: Mapping[date, Mark], year: int, month: int, now: int) -> tuple[Day, ...]:
    """The days of a month, first to last. Raises ValueError for a month that is none."""
    days: list[Day] = []
    day = date(year, month, 1)
    while day.month == month:
        days.append(Day(day, is_today(day, now), is_over(day, now), marks.get(day)))
        day += _ONE
    return tuple(days)


def _current(days: set[date], day: date) -> int:
    if day not in days:
        day -= _ONE
    length = 0
    while day in days:
        length += 1
        day -= _ONE
    return length


def _longest(days: set[date]) -> int:
    longest = 0
    for day in days:
        if day - _ONE not in days:
            length = 1
            while day + length * _ONE in days:
                length += 1
            longest = max(longest, length)
    return longest
