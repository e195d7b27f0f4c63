"""Ways through games for tests: deals that a simple player wins, and the commands that do it."""

import random
from functools import cache

from engine.code import sealed
from engine.game import Game
from engine.move import FINISH, Move


def turns_up(game: Game, move: Move) -> bool:
    """Whether a move uncovers a face-down card."""
    position = game.position
    return move.source < 16 and (
        0 < position.down[move.source] == len(position.columns[move.source]) - move.count
    )


def best_of(game: Game, chance: random.Random) -> Move:
    """What a simple player does: finish, a card home, a card turned up, or something."""
    legal = list(game.legal_moves)
    if FINISH in legal:
        return FINISH
    for wanted in (
        [move for move in legal if 16 <= move.target < 24],
        [move for move in legal if turns_up(game, move)],
        [move for move in legal if move.source < 16],
    ):
        if wanted:
            return wanted[chance.randrange(len(wanted))]
    return legal[0]


@cache
def line(code: str, most: int = 400) -> tuple[Move, ...]:
    """The commands of a simple player, until the game is over or after so many."""
    game, chance = Game(code), random.Random(code)
    moves: list[Move] = []
    while not game.is_over and game.legal_moves and len(moves) < most:
        move = best_of(game, chance)
        game.play(move, 0)
        moves.append(move)
    return tuple(moves)


@cache
def won(number: int, letter: str = "R") -> tuple[str, tuple[Move, ...]]:
    """The sealed deal of a number that a simple player wins, and how."""
    seed = 0
    while True:
        code = str(sealed(letter, random.Random(f"{letter}{seed}").randbytes(17)))
        if _wins(code):
            if number == 0:
                return code, line(code)
            number -= 1
        seed += 1


def _wins(code: str) -> bool:
    game = Game(code)
    for move in line(code):
        game.play(move, 0)
    return game.is_won
