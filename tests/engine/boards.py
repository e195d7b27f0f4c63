"""Makes the boards and games that the engine's tests play on. Checks nothing itself."""

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from engine.cards import CARD_TEXTS, RANKS, SUITS
from engine.game import Game
from engine.notation import read_position
from engine.position import Position
from engine.ruleset import ruleset

VECTORS = Path(__file__).parent / "vectors"
LETTERS = "CROTYSAPD"


@cache
def vectors(name: str) -> tuple[dict[str, Any], ...]:
    """The recorded deals or plays, one JSON object for each."""
    lines = (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def board(
    letter: str,
    columns: str,
    home: str = "0000",
    stock: str = "",
    waste: str = "",
    *,
    heap_down: bool = False,
) -> Game:
    """A game on a made-up board.

    `columns` are written as in a position, the first ones only; `home` has a hex digit for each
    foundation. All cards that are not mentioned lie in the last column, kings on top, and with
    `heap_down` only the last of them face up.
    """
    rules = ruleset(letter)
    given = columns.split("/")
    given += [""] * (rules.columns - 1 - len(given))
    heights = [int(digit, 16) for digit in home.ljust(rules.foundations, "0")]
    used: Counter[str] = Counter()
    for suit, letter_of_suit in enumerate(SUITS):
        for height in heights[suit * rules.decks : (suit + 1) * rules.decks]:
            used.update(rank + letter_of_suit for rank in RANKS[:height])
    plain = (columns + stock + waste).translate({ord(c): None for c in "/()"})
    used.update(plain[at : at + 2] for at in range(0, len(plain), 2))
    heap = "".join(
        (rank + suit) * (rules.decks - used[rank + suit]) for rank in RANKS for suit in SUITS
    )
    if heap_down:
        heap = f"({heap[:-2]}){heap[-2:]}"
    foundations = "".join(
        suit + ",".join(map(str, heights[number * rules.decks : (number + 1) * rules.decks]))
        for number, suit in enumerate(SUITS)
    )
    text = f"{'/'.join([*given, heap])} {foundations} {stock or '-'} {waste or '-'}"
    return Game.from_position(rules, read_position(text, rules))


def shown(position: Position, column: int) -> str:
    """A column, counted from 1, as text without brackets."""
    return "".join(CARD_TEXTS[card] for card in position.columns[column - 1])


def played(code: str, commands: str, ms: int = 0) -> Game:
    """A game after some commands."""
    game = Game(code)
    for command in commands.split():
        game.play(command, ms)
    return game


def shuttle(game: Game, times: int) -> None:
    """Move the king that lies alone in one of the first two columns to the other, so often."""
    for _ in range(times):
        game.play("T1:1>T2" if game.position.columns[0] else "T2:1>T1", game.last_ms)


def wandered(code: str, seed: int, steps: int, *, undo: float = 0.1) -> Game:
    """A game after so many random commands, some of them undone, at most."""
    source = random.Random(seed)
    game = Game(code)
    wander(game, source, steps, undo=undo)
    return game


def wander(game: Game, source: random.Random, steps: int, *, undo: float = 0.1) -> None:
    """Play random commands, the times a little apart."""
    for _ in range(steps):
        moves = list(game.legal_moves)
        ms = game.last_ms + source.randrange(3000)
        if game.can_undo and (not moves or source.random() < undo):
            game.play("U", ms)
        elif moves:
            game.play(source.choice(moves), ms)


def everything(game: Game) -> tuple[object, ...]:
    """All that a game is, to tell whether anything changed."""
    position = game.position
    return (
        game.log,
        game.counters,
        game.can_undo,
        game.is_paused,
        [bytes(pile) for pile in position.piles],
        bytes(position.down),
        bytes(position.place),
        position.home,
        position.face_down,
        game.legal_moves,
    )
