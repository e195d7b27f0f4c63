"""What the moves of a game did, in as few bytes as it takes to undo them. Moves no card."""

from typing import Final

from engine.cards import FIRST_FOUNDATION, STOCK
from engine.diff import Moved, Step

CARD_HOME: Final = 10
CARD_TURNED_UP: Final = 5

STEP: Final = 3
"""Bytes of a step: source, count and target of moved cards, or TURNED, column and 0."""
TURNED: Final = 254
"""The first byte of a step that turned up the last card of a column."""

# A move's first byte: how many steps it has, and whether it put another one out of reach.
_RAISED: Final = 0x80


class Journal:
    """A stack of moves, each a few steps, of which the last `limit` can be undone.

    Nothing is forgotten: moves out of reach and moves that were undone are kept, so that a move
    (`forget`) and an undo (`redo`) can be taken out of the history again. None for `limit` means
    that everything can be undone.
    """

    __slots__ = ("_floor", "_lengths", "_limit", "_steps", "_undone")

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._floor = 0
        self._lengths = bytearray()
        self._steps = bytearray()
        self._undone: list[bytes] = []

    @property
    def can_undo(self) -> bool:
        """Whether the last move is in reach."""
        return len(self._lengths) > self._floor

    def push(self, steps: list[Step]) -> int:
        """Remember a move that has just been played, and return what it earned."""
        earned = 0
        for step in steps:
            if isinstance(step, Moved):
                source, count, target, _ = step
                self._steps += bytes((source, count, target))
                if FIRST_FOUNDATION <= target < STOCK:
                    earned += CARD_HOME
            else:
                self._steps += bytes((TURNED, step.column, 0))
                earned += CARD_TURNED_UP
        length = len(steps)
        if self._limit is not None and len(self._lengths) - self._floor == self._limit:
            self._floor += 1
            length |= _RAISED
        self._lengths.append(length)
        return earned

    def undo(self) -> bytes:
        """Take the last move off the stack and return its steps in the order played."""
        length, steps = self._pop()
        self._undone.append(bytes((length,)) + steps)
        return steps

    def redo(self) -> bytes:
        """Put the move that was undone last on the stack again and return its steps."""
        undone = self._undone.pop()
        self._lengths.append(undone[0])
        self._steps += undone[1:]
        return undone[1:]

    def forget(self) -> bytes:
        """Make the last move not played, return its steps; what it put out of reach comes back."""
        length, steps = self._pop()
        if length & _RAISED:
            self._floor -= 1
        return steps

    def _pop(self) -> tuple[int, bytes]:
        length = self._lengths.pop()
        start = len(self._steps) - STEP * (length & ~_RAISED)
        steps = bytes(self._steps[start:])
        del self._steps[start:]
        return length, steps
