"""A command as three small numbers, and legal moves as two bytes. Judges nothing."""

from typing import Final, NamedTuple

from engine.cards import FIRST_FOUNDATION, STOCK, WASTE
from engine.errors import InvalidMove


class Move(NamedTuple):
    """A command: so many cards from one pile to another, or with source 255 something else.

    Each number fits in a byte when the command is legal. The specials are the constants below and
    `turn_up(column)`; source 255 with count 6 is reserved for redo.
    """

    source: int
    count: int  # type: ignore[assignment]
    target: int


SPECIAL: Final = 255
TURN_UP: Final = 7

DRAW: Final = Move(STOCK, 1, WASTE)
FINISH: Final = Move(SPECIAL, 1, 0)
UNDO: Final = Move(SPECIAL, 2, 0)
PAUSE: Final = Move(SPECIAL, 3, 0)
RESUME: Final = Move(SPECIAL, 4, 0)
RESIGN: Final = Move(SPECIAL, 5, 0)

SINGLE_CODE: Final = 0x8000
TURN_UP_CODE: Final = 0xC000
FINISH_CODE: Final = 0xE000


def turn_up(column: int) -> Move:
    """The command that turns up the last card of a column (0..15)."""
    return Move(SPECIAL, TURN_UP, column)


def to_code(move: Move) -> int:
    """The two-byte form of a move that can be legal, as an int below 65536.

    Column to column is `count << 8 | source << 4 | target`, one card from pile to pile is
    `0x8000 | source << 5 | target`, turning up `0xC000 | column`, the finish `0xE000`.
    Raises InvalidMove for anything else: undo, pause, resume and resign have no such form.
    """
    source, count, target = move
    if 0 <= source < FIRST_FOUNDATION and 0 <= target < FIRST_FOUNDATION and 1 <= count <= 127:
        return count << 8 | source << 4 | target
    if 0 <= source <= WASTE and 0 <= target <= WASTE and count == 1:
        return SINGLE_CODE | source << 5 | target
    if source == SPECIAL and count == TURN_UP and 0 <= target < FIRST_FOUNDATION:
        return TURN_UP_CODE | target
    if move == FINISH:
        return FINISH_CODE
    raise InvalidMove(f"{source},{count},{target} has no two-byte form")


def from_code(code: int) -> Move:
    """The move that a two-byte form stands for. Raises InvalidMove where there is none."""
    if 0 <= code < SINGLE_CODE:
        move = Move(code >> 4 & 15, code >> 8, code & 15)
    elif code < TURN_UP_CODE:
        move = Move(code >> 5 & 31, 1, code & 31)
    elif code < FINISH_CODE:
        move = turn_up(code & 0x1FFF)
    else:
        move = FINISH
    if to_code(move) != code:
        raise InvalidMove(f"{code:#06x} is no move")
    return move
