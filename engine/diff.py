"""What one command changed, in order: it applies and inverts exactly. Decides nothing."""

from enum import StrEnum
from typing import NamedTuple

from engine.move import Move
from engine.position import Position


class State(StrEnum):
    """What a game is doing. Blocked is a running game without a legal move."""

    PLAYING = "playing"
    PAUSED = "paused"
    BLOCKED = "blocked"
    WON = "won"
    GIVEN_UP = "given_up"


class Moved(NamedTuple):
    """The last `count` cards of a pile, `cards` with the deepest first, went to another."""

    source: int
    count: int  # type: ignore[assignment]
    target: int
    cards: tuple[int, ...]


class Turned(NamedTuple):
    """The last card of a column turned up, or down again when a move is undone."""

    column: int
    card: int
    up: bool


Step = Moved | Turned


class Counters(NamedTuple):
    """The numbers of a game beside its cards, before or after a command."""

    version: int
    moves: int
    score: int
    ranked_score: int
    state: State


class Diff(NamedTuple):
    """Everything that one accepted command changed.

    `before.version + 1 == after.version` for every command, undo, pause and resume included.
    """

    command: Move
    steps: tuple[Step, ...]
    before: Counters
    after: Counters

    def apply(self, position: Position) -> None:
        """Do the steps to the position that they started from."""
        for step in self.steps:
            if isinstance(step, Moved):
                position.shift(step.source, step.count, step.target)
            elif step.up:
                position.turn_up(step.column)
            else:
                position.turn_down(step.column)

    def inverse(self) -> "Diff":
        """The diff that leads back: the steps backwards, before and after exchanged."""
        steps = tuple(inverse_step(step) for step in reversed(self.steps))
        return Diff(self.command, steps, self.after, self.before)


def inverse_step(step: Step) -> Step:
    """The step that takes this one back."""
    if isinstance(step, Moved):
        return Moved(step.target, step.count, step.source, step.cards)
    return Turned(step.column, step.card, not step.up)
