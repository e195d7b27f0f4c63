"""The rules of Yukon Solitaire and nothing else: no clock, no randomness of its own, no I/O.

The door is `Game`:

>>> from engine import Game
>>> game = Game("YU1-C-AAAAAAB")
>>> diff = game.play("T2:1>T7", ms=1500)
>>> game.version, game.score, game.state.value
(1, 0, 'playing')
"""

from engine.code import GameCode, commitment, parse
from engine.diff import Diff, State
from engine.errors import (
    EngineError,
    IllegalMove,
    InvalidCode,
    InvalidLog,
    InvalidMove,
    InvalidPosition,
    InvalidReplay,
    Reason,
)
from engine.game import Game
from engine.move import Move
from engine.rules import RULESETS, Ruleset
from engine.view import View, view

__all__ = [
    "RULESETS",
    "Diff",
    "EngineError",
    "Game",
    "GameCode",
    "IllegalMove",
    "InvalidCode",
    "InvalidLog",
    "InvalidMove",
    "InvalidPosition",
    "InvalidReplay",
    "Move",
    "Reason",
    "Ruleset",
    "State",
    "View",
    "commitment",
    "parse",
    "view",
]
