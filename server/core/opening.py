"""Whether the code and the replay of a session may be shown to others by now; it shows nothing.

Pure. Everything that leaves for somebody who does not play a session asks here: rows of boards,
replays, histories and the board of a deal.
"""

from typing import Protocol

from engine.code import parse
from engine.diff import State
from server.core import daily
from server.core.messages import Origin

_ENDED = frozenset((State.WON.value, State.GIVEN_UP.value))


class Told(Protocol):
    """What is asked of a session; instants in Unix milliseconds, `state` in the engine's words."""

    @property
    def code(self) -> str:
        """Its game code."""

    @property
    def origin(self) -> int:
        """Where its cards come from, see messages.Origin."""

    @property
    def race(self) -> str:
        """Its lane, empty outside of races."""

    @property
    def state(self) -> str:
        """How its game stands."""

    @property
    def dealt_at_ms(self) -> int:
        """When it was dealt."""

    @property
    def closed_at_ms(self) -> int | None:
        """When its race ended it, if that did."""

    @property
    def opened_at_ms(self) -> int | None:
        """When its race was over, if it is."""


def has_ended(session: Told) -> bool:
    """Whether nothing can be played in it any more."""
    return session.state in _ENDED or session.closed_at_ms is not None


def code_is_open(session: Told, now: int) -> bool:
    """Whether the code of a session is no secret: it never was, or nobody can play for it now."""
    if session.origin == Origin.TYPED:
        return True
    if session.race:
        return session.opened_at_ms is not None
    if session.origin == Origin.DAILY:
        return daily.is_over(daily.today(session.dealt_at_ms), now)
    return has_ended(session) or not parse(session.code).is_sealed


def may_show(session: Told, now: int) -> bool:
    """Whether anybody may see the replay: the session has ended, and its deal is live no more.

    A race opens as a whole, so that no lane tells the others how to play.
    """
    if session.race and session.opened_at_ms is None:
        return False
    return has_ended(session) and code_is_open(session, now)
