"""What a game in a race tells the others: its progress, at the deal and after each move.

Pure, and counts only: no card, no pile and no move of a game gets out through here.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.diff import State
from engine.game import Game
from server.core.standings import Outcome, Progress

OUTCOMES: Final[Mapping[State, str]] = {
    State.WON: Outcome.WON.value,
    State.GIVEN_UP: Outcome.GAVE_UP.value,
}
"""How a game that ended by a command finishes its lane."""


class Dealt(NamedTuple):
    """What is true of every lane of a race when its board is dealt."""

    state: str
    score: int
    progress: Progress


def progress_of(game: Game) -> Progress:
    """The progress that rivals see of a game; a board without a move counts where it is lost."""
    position = game.position
    return Progress(
        home=position.home,
        down=position.face_down,
        ranked=game.ranked_score,
        moves=game.moves,
        stuck=game.is_blocked and game.ruleset.lost,
    )


def dealt(code: str) -> Dealt:
    """What a fresh deal of a code starts with: an automatic ace may be home already."""
    game = Game(code)
    return Dealt(game.state.value, game.score, progress_of(game))
