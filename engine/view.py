"""A game as a player may see it; what a view does not hold, nobody is told. Changes nothing."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import STOCK
from engine.code import commitment
from engine.diff import Counters, Diff, Moved, State, Turned
from engine.game import Game
from engine.legal import LegalMoves
from engine.move import Move


class ColumnView(NamedTuple):
    """A column: how many of its cards lie face down, and the others, deepest first."""

    down: int
    up: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What a player may see of a game.

    Face-down and stock cards are counts. `code` is None while it is hidden, `commitment` the
    SHA-256 of the code in hex, None where it would not keep the code a secret.
    """

    ruleset: str
    code: str | None
    commitment: str | None
    columns: tuple[ColumnView, ...]
    foundations: tuple[tuple[int, ...], ...]
    stock: int
    waste: tuple[int, ...]
    score: int
    ranked_score: int
    moves: int
    version: int
    state: State
    can_undo: bool
    finishable: bool
    blocked: bool
    legal: LegalMoves


class MovedView(NamedTuple):
    """Cards went from pile to pile; `cards` is None where one of them lies hidden afterwards."""

    source: int
    count: int  # type: ignore[assignment]
    target: int
    cards: tuple[int, ...] | None


class TurnedView(NamedTuple):
    """The last card of a column turned up and is `card`, or turned down, and `card` is None."""

    column: int
    card: int | None
    up: bool


class DiffView(NamedTuple):
    """What a player may see of a diff, with the counters before and after it."""

    command: Move
    steps: tuple[MovedView | TurnedView, ...]
    before: Counters
    after: Counters


def view(game: Game, *, hide_code: bool | None = None) -> View:
    """The game as its player may see it.

    By default a sealed code is hidden and another one is not; `hide_code` decides otherwise.
    """
    position = game.position
    code = game.code
    hidden = hide_code if hide_code is not None else code is not None and code.is_sealed
    shown = code is not None and (not hidden or code.is_sealed)
    legal = game.legal_moves
    return View(
        ruleset=game.ruleset.letter,
        code=None if code is None or hidden else str(code),
        commitment=commitment(code) if code is not None and shown else None,
        columns=tuple(
            ColumnView(down, tuple(column[down:]))
            for column, down in zip(position.columns, position.down, strict=True)
        ),
        foundations=tuple(tuple(foundation) for foundation in position.foundations),
        stock=len(position.stock),
        waste=tuple(position.waste),
        score=game.score,
        ranked_score=game.ranked_score,
        moves=game.moves,
        version=game.version,
        state=game.state,
        can_undo=game.can_undo,
        finishable=game.is_finishable,
        blocked=game.is_blocked,
        legal=legal,
    )


def view_diff(diff: Diff) -> DiffView:
    """What a player may see of what a command changed.

    A card that lies hidden afterwards is not named, though an undo may have moved it openly first.
    """
    hidden = {step.card for step in diff.steps if isinstance(step, Turned) and not step.up}
    steps = tuple(
        MovedView(
            *step[:3],
            None if step.target == STOCK or not hidden.isdisjoint(step.cards) else step.cards,
        )
        if isinstance(step, Moved)
        else TurnedView(step.column, step.card if step.up else None, step.up)
        for step in diff.steps
    )
    return DiffView(diff.command, steps, diff.before, diff.after)
