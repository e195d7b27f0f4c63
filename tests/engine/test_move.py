"""The two-byte form of moves."""

import pytest

from engine.errors import InvalidMove
from engine.move import (
    DRAW,
    FINISH,
    PAUSE,
    RESIGN,
    RESUME,
    UNDO,
    Move,
    from_code,
    to_code,
    turn_up,
)


@pytest.mark.parametrize(
    "move,code",
    [
        (Move(2, 4, 5), 0x0425),
        (Move(0, 1, 15), 0x010F),
        (Move(15, 127, 0), 0x7FF0),
        (Move(2, 1, 17), 0x8000 | 2 << 5 | 17),
        (Move(23, 1, 4), 0x8000 | 23 << 5 | 4),
        (Move(25, 1, 0), 0x8000 | 25 << 5),
        (DRAW, 0x8000 | 24 << 5 | 25),
        (turn_up(3), 0xC003),
        (FINISH, 0xE000),
    ],
)
def test_a_move_and_its_code(move: Move, code: int) -> None:
    assert to_code(move) == code
    assert from_code(code) == move


@pytest.mark.parametrize(
    "move",
    [
        UNDO,
        PAUSE,
        RESUME,
        RESIGN,
        Move(255, 6, 0),
        Move(255, 1, 1),
        Move(255, 7, 16),
        Move(0, 0, 1),
        Move(0, 128, 1),
        Move(-1, 1, 0),
        Move(0, 1, -1),
        Move(0, 2, 16),
        Move(16, 2, 0),
        Move(0, 1, 26),
        Move(26, 1, 0),
    ],
)
def test_what_has_no_code(move: Move) -> None:
    with pytest.raises(InvalidMove):
        to_code(move)


def test_every_code_stands_for_one_move_or_for_none() -> None:
    moves = {}
    for code in range(-1, 0x10002):
        try:
            move = from_code(code)
        except InvalidMove:
            continue
        assert to_code(move) == code
        moves[move] = code
    column_moves = 127 * 16 * 16
    # Two columns always use the other form.
    single_moves = 26 * 26 - 16 * 16
    assert len(moves) == column_moves + single_moves + 16 + 1
