"""A made-up result for tests of leaderboards, its instants, and the rule that orders results."""

from datetime import UTC, datetime

from engine.code import sealed
from server.core.boards import Order, Result, Source

SEALED = str(sealed("C", bytes(17)))


def at(text: str) -> int:
    """Unix milliseconds of an ISO text in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


NOON = at("2026-11-30T12:00")
WIN = Result(
    session="s1",
    player="p1",
    code=SEALED,
    source=Source.RANKED,
    sealed=True,
    first=True,
    paused=False,
    won=True,
    ranked=625,
    time=240_000,
    moves=120,
    dealt=NOON - 240_000,
    ended=NOON,
)


def total_order(result: Result, order: Order) -> tuple[int | str, ...]:
    """What `boards.key` must agree with, as the rule is worded; equal for no two sessions.

    Who was first is when a game ended; of two in the same millisecond, the names decide.
    """
    tail = (result.ended, f"{result.session}:{result.player}")
    if order is Order.BEST:
        return (-result.ranked, result.time, result.moves, *tail)
    return (result.moves, result.time, *tail)
