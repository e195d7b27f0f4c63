"""One line of a player's history: a session as figures; it plays no log and shows no card."""

from typing import Final

from engine.code import parse
from engine.diff import State
from engine.log import RECORD
from engine.move import PAUSE, RESUME
from server.core.boardports import Brief, Game
from server.core.opening import code_is_open, may_show

OVER: Final = "over"
"""The state of a game that its race ended before its player did."""

_ENDED: Final = frozenset((State.WON.value, State.GIVEN_UP.value))
_ACTION: Final = 3
_CLOCK: Final = (bytes(PAUSE), bytes(RESUME))


def summary(brief: Brief, log: bytes, now: int) -> Game:
    """A session as its own player may see it in a list; `now` in Unix milliseconds."""
    last = int.from_bytes(log[-(RECORD - _ACTION) :])
    state, until = brief.state, last
    if state not in _ENDED:
        # A race that is over ended the game, or it goes on.
        state = state if brief.closed_at_ms is None else OVER
        until = max(last, (brief.closed_at_ms or now) - brief.dealt_at_ms)
    return Game(
        session=brief.session_id,
        letter=parse(brief.code).letter,
        code=brief.code if code_is_open(brief, now) else None,
        origin=brief.origin,
        state=state,
        score=brief.score,
        ranked=brief.ranked,
        moves=brief.moves,
        time=clock(log, until),
        dealt=brief.dealt_at_ms,
        touched=brief.dealt_at_ms + last,
        replay=may_show(brief, now),
    )


def clock(log: bytes, until: int) -> int:
    """What the clock of a game shows so many milliseconds after its deal: without the pauses."""
    paused_at = None
    paused = 0
    for at in range(0, len(log), RECORD):
        action = log[at : at + _ACTION]
        if action not in _CLOCK:
            continue
        ms = int.from_bytes(log[at + _ACTION : at + RECORD])
        if paused_at is None:
            paused_at = ms
        else:
            paused += ms - paused_at
            paused_at = None
    if paused_at is not None:
        paused += until - paused_at
    return until - paused
