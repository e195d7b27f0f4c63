"""How many positions can be reached in 1, 2, 3 and 4 moves: golden numbers for each ruleset.

A position is where every card lies and which lie face down, with the two equal cards of two decks
told apart; undo is no move. The numbers were checked against a second implementation of the rules
that shares nothing with this one.
"""

import pytest

from engine.game import Game
from engine.position import Position
from tests.engine.boards import LETTERS

SEALED = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
REACHABLE = {
    "YU1-C-AAAAAAA": [7, 27, 74, 163],
    "YU1-C-ADVXTIV": [7, 31, 105, 286],
    f"YU1-C-{SEALED}": [7, 27, 78, 179],
    "YU1-R-AAAAAAA": [15, 120, 709, 3538],
    "YU1-R-ADVXTIV": [15, 134, 883, 4675],
    f"YU1-R-{SEALED}": [12, 83, 428, 1805],
    "YU1-O-AAAAAAA": [7, 27, 74, 162],
    "YU1-O-ADVXTIV": [7, 29, 91, 237],
    f"YU1-O-{SEALED}": [7, 27, 78, 182],
    "YU1-T-AAAAAAA": [7, 27, 75, 168],
    "YU1-T-ADVXTIV": [6, 26, 85, 216],
    f"YU1-T-{SEALED}": [4, 11, 23, 42],
    "YU1-Y-AAAAAAA": [7, 27, 74, 163],
    "YU1-Y-ADVXTIV": [7, 31, 105, 286],
    f"YU1-Y-{SEALED}": [7, 25, 66, 142],
    "YU1-S-AAAAAAA": [4, 9, 15, 21],
    "YU1-S-ADVXTIV": [6, 18, 37, 59],
    f"YU1-S-{SEALED}": [5, 14, 29, 45],
    "YU1-A-AAAAAAA": [6, 28, 95, 271],
    "YU1-A-ADVXTIV": [10, 54, 216, 710],
    f"YU1-A-{SEALED}": [10, 50, 175, 497],
    "YU1-P-AAAAAAA": [7, 32, 117, 376],
    "YU1-P-ADVXTIV": [5, 12, 19, 26],
    f"YU1-P-{SEALED}": [3, 11, 27, 61],
    "YU1-D-AAAAABA": [17, 167, 1239, 7713],
    "YU1-D-AAAAAA7": [19, 208, 1626, 10155],
    f"YU1-D-{SEALED}": [19, 197, 1509, 9660],
}


def key(position: Position) -> bytes:
    """All that tells two positions of a ruleset apart."""
    return b"|".join([*position.piles, position.down])


def one_move_further(positions: dict[bytes, Position]) -> dict[bytes, Position]:
    """Every position that some move leads to from one of these."""
    reached: dict[bytes, Position] = {}
    for position in positions.values():
        game = Game.from_position(position.ruleset, position)
        for move in game.legal_moves:
            game.play(move, 0)
            there = key(game.position)
            if there not in reached:
                reached[there] = game.position.copy()
            game.retract()
    return reached


# Two decks take ten times as long as the others: on a busy machine more than the usual limit.
@pytest.mark.timeout(300)
@pytest.mark.parametrize("code", REACHABLE)
def test_positions_reachable(code: str) -> None:
    position = Game(code).position
    positions = {key(position): position}
    counts = []
    for _ in REACHABLE[code]:
        positions = one_move_further(positions)
        counts.append(len(positions))
    assert counts == REACHABLE[code]


def test_three_deals_of_each_ruleset() -> None:
    assert sorted(code[4] for code in REACHABLE) == sorted(LETTERS * 3)
