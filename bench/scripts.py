"""Whole games as scripts: what a load bot sends and the exact event that must come back.

Scripts are made by the engine before the clock starts, so that a running bot only writes bytes and
compares bytes. It must not talk to a server.
"""

import random
from dataclasses import dataclass

import msgpack

from bench.bot import command_frame, expected_event
from engine.code import from_number
from engine.game import Game
from engine.move import FINISH, UNDO


@dataclass(frozen=True, slots=True)
class Script:
    """A game code and, for each command, the frame to send and the event to expect."""

    code: str
    frames: list[bytes]
    events: list[bytes]


def make_script(number: int, letter: str, moves: int) -> Script:
    """Play random legal moves (one in twenty an undo) on deal `number` of a ruleset.

    The game never ends within the script: a finish is not chosen, and a position without another
    move is left by undo.
    """
    chance = random.Random(number)
    code = str(from_number(letter, number))
    game = Game(code)
    frames: list[bytes] = []
    events: list[bytes] = []
    for _ in range(moves):
        legal = [move for move in game.legal_moves if move != FINISH]
        if game.can_undo and (not legal or chance.random() < 0.05):
            move = UNDO
        elif legal:
            move = legal[chance.randrange(len(legal))]
        else:
            break
        frames.append(command_frame(move, game.version))
        diff = game.play(move, 0)
        events.append(msgpack.packb(expected_event(game, diff)))
        if not game.legal_moves and not game.can_undo:
            break
    return Script(code, frames, events)
