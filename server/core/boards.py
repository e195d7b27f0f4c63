"""Leaderboards: which results count where, in which order, and how that order is written for Redis.

Pure: it makes names, keys and rows and compares them; it reads no clock and no store.

A board is a sorted set for each of the two orders. A double cannot hold a total order of results,
so the score holds what decides first, exactly (at most 53 bits), and the member, by which Redis
orders equal scores byte by byte, starts with what decides next in hexadecimal of fixed width:

* `best`: score = (2047 - ranked) << 40 | time; member = moves, when it ended, session, player.
* `moves`: score = moves; member = time, when it ended, session, player.

Smaller is better in both, so a rank of ZRANK is a place and a page is a ZRANGE.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from engine.code import parse
from engine.errors import InvalidCode
from engine.ruleset import RULESETS
from server.core import daily

LARGEST_RANKED: Final = 2**11 - 1
LARGEST_TIME: Final = 2**40 - 1
LARGEST_MOVES: Final = 2**32 - 1
LARGEST_INSTANT: Final = 2**44 - 1
PAGE: Final = 50
WINDOW_GRACE_MS: Final = 7 * daily.DAY_MS
DEAL_KEPT_MS: Final = 400 * daily.DAY_MS

_TIME_BITS: Final = 40
_MEMBER: Final = re.compile(
    r"(?P<second>[0-9a-f]{10})(?P<ended>[0-9a-f]{11})(?P<session>[\w.-]+):(?P<player>[\w.-]+)",
    re.ASCII,
)


class Order(StrEnum):
    """The two orders. `moves` has wins only."""

    BEST = "best"
    MOVES = "moves"


class Span(StrEnum):
    """How long a window of a ruleset's board is: a UTC day, an ISO week, or for ever."""

    DAY = "day"
    WEEK = "week"
    ALL = "all"


class Source(StrEnum):
    """How a player came to the cards of a session."""

    RANDOM = "random"
    TYPED = "typed"
    RANKED = "ranked"
    DAILY = "daily"
    RACE = "race"


@dataclass(frozen=True, slots=True)
class Result:
    """What a replayed log came to. Times in milliseconds, `dealt` and `ended` in Unix milliseconds.

    `time` is the time of the win, for other games the time until they ended. `sealed`: the code
    was hidden while it was played; `first`: the player had never had these cards before.
    """

    session: str
    player: str
    code: str
    source: Source
    sealed: bool
    first: bool
    paused: bool
    won: bool
    ranked: int
    time: int
    moves: int
    dealt: int
    ended: int


class Key(NamedTuple):
    """How a result lies in a sorted set; keys compare as Redis orders them."""

    score: int
    member: str


class Row(NamedTuple):
    """What can be read back from a key: enough to show a row's figures and find the rest."""

    session: str
    player: str
    ended: int
    moves: int
    time: int
    ranked: int | None


def key(result: Result, order: Order) -> Key:
    """The place of a result in an order. Raises ValueError for figures that no game can have."""
    _check(result.ranked, LARGEST_RANKED, "ranked score")
    _check(result.time, LARGEST_TIME, "time")
    _check(result.moves, LARGEST_MOVES, "moves")
    _check(result.ended, LARGEST_INSTANT, "instant")
    tail = f"{result.ended:011x}{result.session}:{result.player}"
    if order is Order.BEST:
        score = (LARGEST_RANKED - result.ranked) << _TIME_BITS | result.time
        return Key(score, f"{result.moves:010x}{tail}")
    if not result.won:
        raise ValueError("only wins are ordered by moves")
    return Key(result.moves, f"{result.time:010x}{tail}")


def row(order: Order, score: float, member: str) -> Row:
    """What a key of a sorted set says. Raises ValueError for a member that `key` never wrote."""
    found = _MEMBER.fullmatch(member)
    if found is None:
        raise ValueError("this is not a member of a board")
    second, ended = int(found["second"], 16), int(found["ended"], 16)
    whole = int(score)
    if order is Order.BEST:
        ranked, time = LARGEST_RANKED - (whole >> _TIME_BITS), whole & LARGEST_TIME
        return Row(found["session"], found["player"], ended, second, time, ranked)
    return Row(found["session"], found["player"], ended, whole, second, None)


def window(span: Span, at: int) -> str:
    """The window of an instant (Unix milliseconds): day:2026-11-30, week:2026-W49, or all."""
    if span is Span.ALL:
        return "all"
    return _window_of(span, daily.today(at))


def window_ends(name: str) -> int | None:
    """The Unix milliseconds at which a window is over, None for `all`. Raises ValueError."""
    if name == "all":
        return None
    span, _, text = name.partition(":")
    first, days = _first_day(Span(span), text)
    try:
        return daily.starts(first + timedelta(days=days))
    except OverflowError:
        raise ValueError("no calendar goes that far") from None


def ruleset_board(letter: str, name: str) -> str:
    """The board of a ruleset in a window, such as C:week:2026-W49."""
    return f"{letter}:{name}"


def code_board(code: str) -> str:
    """The board of one deal."""
    return f"code:{code}"


def daily_board(letter: str, day: date) -> str:
    """The board of one day's deal in a ruleset."""
    return f"daily:{letter}:{day.isoformat()}"


def is_board(text: str) -> bool:
    """Whether this is how a board is named, written no other way."""
    kind, _, rest = text.partition(":")
    try:
        if kind == "code":
            return str(parse(rest)) == rest
        if kind == "daily":
            letter, _, day = rest.partition(":")
            return letter in RULESETS and bool(daily.read_day(day))
        window_ends(rest)
        return kind in RULESETS
    except (InvalidCode, ValueError):
        return False


def letter_of(board: str) -> str:
    """The ruleset of a board, whichever kind it is."""
    kind, _, rest = board.partition(":")
    if kind == "code":
        return parse(rest).letter
    return rest.partition(":")[0] if kind == "daily" else kind


def full_score(letter: str) -> int:
    """The ranked score of a won game, which no other game has: every card home and face up."""
    row = RULESETS[letter]
    return row.decks * 52 * 10 + sum(row.layout.face_down) * 5


def expires(board: str, ended: int) -> int | None:
    """When a board with a result of this instant may go, in Unix milliseconds; None is never.

    A window stays for a week after its end, for pages that were begun in it. The board of a deal
    or of a day's deal stays for 400 days after its last result, as a player does.
    """
    kind, _, rest = board.partition(":")
    if kind in ("code", "daily"):
        return ended + DEAL_KEPT_MS
    ends = window_ends(rest)
    return None if ends is None else ends + WINDOW_GRACE_MS


def orders(result: Result) -> tuple[Order, ...]:
    """The orders that a result has a place in."""
    return (Order.BEST, Order.MOVES) if result.won else (Order.BEST,)


def counts(result: Result) -> bool:
    """Whether a result has a row anywhere: played at all, and never paused."""
    return result.moves > 0 and not result.paused


def is_global(result: Result) -> bool:
    """Whether it is a first attempt at cards that nobody could have known."""
    fair = result.source in {Source.RANKED, Source.DAILY, Source.RACE}
    return counts(result) and fair and result.sealed and result.first and _within_day(result)


def boards(result: Result) -> tuple[str, ...]:
    """Every board that a result has a row on; windows are those of the instant it ended."""
    if not counts(result):
        return ()
    names = [code_board(result.code)]
    if is_global(result):
        letter = parse(result.code).letter
        names += [ruleset_board(letter, window(span, result.ended)) for span in Span]
        if result.source is Source.DAILY:
            names.append(daily_board(letter, daily.today(result.dealt)))
    return tuple(names)


def _within_day(result: Result) -> bool:
    """A daily deal counts while its day lasts: after that its code is open."""
    return result.source is not Source.DAILY or daily.today(result.dealt) == daily.today(
        result.ended
    )


def _check(value: int, largest: int, what: str) -> None:
    if not 0 <= value <= largest:
        raise ValueError(f"{what} {value} is not between 0 and {largest}")


def _window_of(span: Span, day: date) -> str:
    if span is Span.DAY:
        return f"day:{day.isoformat()}"
    year, week, _ = day.isocalendar()
    return f"week:{year}-W{week:02}"


def _first_day(span: Span, text: str) -> tuple[date, int]:
    if span is Span.DAY:
        return daily.read_day(text), 1
    monday = date.fromisoformat(f"{text}-1")
    if _window_of(span, monday) != f"{span}:{text}":
        raise ValueError("a week is written like 2026-W49")
    return monday, 7
