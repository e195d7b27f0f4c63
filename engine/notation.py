"""Cards, commands and positions as one-line texts, both ways. Knows how they are written only."""

import re
from collections.abc import Sequence
from typing import Final

from engine.cards import (
    CARD_TEXTS,
    FIRST_FOUNDATION,
    MASK,
    STOCK,
    SUIT,
    SUITS,
    WASTE,
    card_text,
)
from engine.errors import InvalidMove
from engine.move import (
    DRAW,
    FINISH,
    PAUSE,
    RESIGN,
    RESUME,
    SPECIAL,
    TURN_UP,
    UNDO,
    Move,
    turn_up,
)
from engine.position import Position
from engine.reading import read_position
from engine.ruleset import Ruleset

__all__ = [
    "ANY_FOUNDATION",
    "card_text",
    "foundation_name",
    "move_text",
    "position_text",
    "read_card",
    "read_move",
    "read_position",
    "resolve",
]

ANY_FOUNDATION: Final = 27
"""The target of a command read as `T3>F`, before `resolve` says which foundation that is."""

_NO_PILE: Final = 26
_WORDS: Final = {
    "D": DRAW,
    "*": FINISH,
    "U": UNDO,
    "pause": PAUSE,
    "resume": RESUME,
    "resign": RESIGN,
}
_WORD_OF: Final = {move: word for word, move in _WORDS.items()}
_NUMBER: Final = "(0|[1-9][0-9]{0,3})"
_TURN_UP: Final = re.compile(rf"!T{_NUMBER}")
_MOVE: Final = re.compile(rf"(?:T{_NUMBER}(?::{_NUMBER})?|F([{SUITS}])(2?)|(W))>(?:T{_NUMBER}|(F))")


def read_card(text: str) -> int:
    """The card of the first deck that two characters name. Raises InvalidMove."""
    if text not in CARD_TEXTS:
        raise InvalidMove(f"{text[:20]!r} is no card")
    return CARD_TEXTS.index(text)


def read_move(text: str, ruleset: Ruleset) -> Move:
    """The command that a text stands for; raises InvalidMove when it stands for none.

    Piles that the game does not have can be written and are refused when played. `F` as a target
    is ANY_FOUNDATION, until `resolve` has looked at the cards.
    """
    word = _WORDS.get(text)
    if word is not None:
        return word
    turned = _TURN_UP.fullmatch(text)
    if turned is not None:
        return turn_up(_column(turned[1]))
    match = _MOVE.fullmatch(text)
    if match is None:
        raise InvalidMove(f"{text[:40]!r} is no command")
    column, count, suit, second, waste, target, home = match.groups()
    if waste:
        source = WASTE
    elif suit:
        source = _foundation(suit, second, ruleset)
    else:
        source = _column(column)
        if count is None and home is None:
            raise InvalidMove(f"{text[:40]!r} does not say how many cards, like T3:4>T6")
    return Move(source, int(count or 1), ANY_FOUNDATION if home else _column(target))


def resolve(position: Position, move: Move) -> Move:
    """The same move with ANY_FOUNDATION replaced: the foundation that takes the card.

    Where none does it is the first of the card's suit, and where no card can be seen simply the
    first, so that asking tells nothing about a face-down card.
    """
    source, count, target = move
    if target != ANY_FOUNDATION:
        return move
    pile = position.piles[source] if 0 <= source <= WASTE else b""
    if not pile or position.place[pile[-1]] != source:
        return Move(source, count, FIRST_FOUNDATION)
    foundation = position.foundation_for(pile[-1])
    if foundation is None:
        foundation = FIRST_FOUNDATION + SUIT[pile[-1]] * position.ruleset.decks
    return Move(source, count, foundation)


def move_text(move: Move, ruleset: Ruleset) -> str:
    """A command as text. What is no command at all comes out as its three numbers."""
    word = _WORD_OF.get(move)
    if word is not None:
        return word
    source, count, target = move
    if source == SPECIAL:
        return f"!T{target + 1}" if count == TURN_UP else f"{source},{count},{target}"
    start = _pile_text(source, ruleset)
    if source < FIRST_FOUNDATION and (count != 1 or target < FIRST_FOUNDATION):
        start += f":{count}"
    if FIRST_FOUNDATION <= target < STOCK or target == ANY_FOUNDATION:
        return f"{start}>F"
    return f"{start}>{_pile_text(target, ruleset)}"


def foundation_name(foundation: int, ruleset: Ruleset) -> str:
    """The name of a foundation, 0 being the first: `s`, with two decks also `s2`."""
    suit, deck = divmod(foundation, ruleset.decks)
    return f"{SUITS[suit % 4]}{deck + 1 if deck else ''}"


def position_text(position: Position, *, masked: bool = True) -> str:
    """A position as one line, by default as a player may see it: `##` for each hidden card."""
    columns = "/".join(
        _column_text(column, position.down[number], masked=masked)
        for number, column in enumerate(position.columns)
    )
    decks = position.ruleset.decks
    heights = [str(len(foundation)) for foundation in position.foundations]
    foundations = "".join(
        suit + ",".join(heights[number * decks : (number + 1) * decks])
        for number, suit in enumerate(SUITS)
    )
    stock = MASK * len(position.stock) if masked else _cards_text(position.stock[::-1])
    return f"{columns} {foundations} {stock or '-'} {_cards_text(position.waste) or '-'}"


def _column_text(column: Sequence[int], down: int, *, masked: bool) -> str:
    hidden = MASK * down if masked else _cards_text(column[:down])
    return (f"({hidden})" if down else "") + _cards_text(column[down:])


def _cards_text(cards: Sequence[int]) -> str:
    return "".join([CARD_TEXTS[card] for card in cards])


def _column(number: str) -> int:
    """A column as people count to its pile; numbers that no column has to no pile."""
    column = int(number) - 1
    return column if 0 <= column < FIRST_FOUNDATION else _NO_PILE


def _foundation(suit: str, second: str, ruleset: Ruleset) -> int:
    if second and ruleset.decks == 1:
        return _NO_PILE
    return FIRST_FOUNDATION + SUITS.index(suit) * ruleset.decks + bool(second)


def _pile_text(pile: int, ruleset: Ruleset) -> str:
    if pile < FIRST_FOUNDATION:
        return f"T{pile + 1}"
    if pile < STOCK:
        return f"F{foundation_name(pile - FIRST_FOUNDATION, ruleset)}"
    return {STOCK: "D", WASTE: "W"}.get(pile, "?")
