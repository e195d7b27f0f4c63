"""Reads the open text of a position and says exactly what is wrong with it. Writes nothing."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from engine.cards import DECK_SIZE, MASK, RANKS, SUITS, card_text
from engine.errors import InvalidPosition
from engine.position import Position
from engine.ruleset import Ruleset, TurnUp

_COUNT: Final = re.compile(r"0|[1-9][0-9]?")
_PARTS: Final = ("the columns", "the foundations", "the stock", "the waste")


def read_position(text: str, ruleset: Ruleset) -> Position:
    """The position that an open text stands for.

    Two equal cards of two decks are told apart by the order they are read in. Raises
    InvalidPosition for anything else than a whole deck, lying as the ruleset allows it.
    """
    return _Reader(text, ruleset).read()


class _Reader:
    """One reading: the cards found so far, and where."""

    def __init__(self, text: str, ruleset: Ruleset) -> None:
        self.text = text
        self.ruleset = ruleset
        self.seen = [0] * DECK_SIZE

    def read(self) -> Position:
        """Read everything: first the columns, then foundations, stock and waste."""
        starts, parts = self.parts()
        columns: list[list[int]] = []
        down: list[int] = []
        self.check_number_of_columns(parts[0])
        at = 0
        for number, column in enumerate(parts[0].split("/"), 1):
            cards, face_down = self.column(column, number, at)
            columns.append(cards)
            down.append(face_down)
            at += len(column) + 1
        foundations = self.foundations(parts[1], starts[1])
        stock = self.pile(parts[2], starts[2], _PARTS[2])
        waste = self.pile(parts[3], starts[3], _PARTS[3])
        self.check_whole()
        return Position(self.ruleset, columns, down, foundations, stock[::-1], waste)

    def parts(self) -> tuple[list[int], list[str]]:
        """The four parts of the text and where they start."""
        parts = self.text.split(" ")
        if len(parts) != len(_PARTS):
            raise InvalidPosition(
                f"a position has {len(_PARTS)} parts with one space between them, "
                f"{', '.join(_PARTS)}; here are {len(parts)}"
            )
        starts = [0]
        for part, _ in pairwise(parts):
            starts.append(starts[-1] + len(part) + 1)
        return starts, parts

    def check_number_of_columns(self, text: str) -> None:
        """Refuse too few or too many columns, where the text of the columns ends."""
        found = text.count("/") + 1
        if found != self.ruleset.columns:
            raise InvalidPosition(
                f"{self.ruleset.name} has {self.ruleset.columns} columns; here are {found}",
                character=len(text) + 1,
            )

    def column(self, text: str, number: int, at: int) -> tuple[list[int], int]:
        """The cards of a column and how many of them lie face down."""
        face_down: list[int] = []
        end = -1
        if text.startswith("("):
            end = text.find(")")
            if end < 0:
                raise InvalidPosition("this bracket is never closed", number, at + 1)
            if end == 1:
                raise InvalidPosition("there is no card in the brackets", number, at + 1)
            face_down += self.cards(text[1:end], at + 1, number)
        face_up = list(self.cards(text[end + 1 :], at + end + 1, number))
        if face_down and not face_up and self.ruleset.turn_up is TurnUp.AUTOMATIC:
            raise InvalidPosition(
                "the last card of a column lies face down, and here it turns up by itself",
                number,
                at + len(text),
            )
        return face_down + face_up, len(face_down)

    def cards(self, text: str, at: int, column: int | None = None) -> Iterator[int]:
        """The cards written one after the other; `at` counts the characters before them."""
        for offset in range(0, len(text), 2):
            yield self.card(text[offset : offset + 2], column, at + offset + 1)

    def card(self, text: str, column: int | None, character: int) -> int:
        """One card, a different one for each deck that it is in."""
        if text == MASK:
            raise InvalidPosition("a hidden card can be read by nobody", column, character)
        if text[0] in "()":
            raise InvalidPosition(
                "face-down cards come first in a column, in one pair of brackets",
                column,
                character,
            )
        if len(text) < 2 or text[0] not in RANKS or text[1] not in SUITS:
            raise InvalidPosition(f"{text!r} is no card", column, character)
        return self.take(RANKS.index(text[0]) + 13 * SUITS.index(text[1]), column, character)

    def take(self, card: int, column: int | None, character: int) -> int:
        """Count a card in, and refuse it when it was there before."""
        deck = self.seen[card]
        if deck == self.ruleset.decks:
            again = "twice" if deck == 1 else "a third time"
            raise InvalidPosition(f"the {card_text(card)} is there {again}", column, character)
        self.seen[card] = deck + 1
        return card + DECK_SIZE * deck

    def foundations(self, text: str, start: int) -> list[list[int]]:
        """The cards of the foundations, from `s0h0d0c0` or `s0,0h0,0d0,0c0,0`."""
        foundations: list[list[int]] = []
        at = 0
        for suit, letter in enumerate(SUITS):
            for deck in range(self.ruleset.decks):
                mark = "," if deck else letter
                if not text.startswith(mark, at):
                    raise InvalidPosition(f"{mark!r} is expected here", character=start + at + 1)
                count = _COUNT.match(text, at + 1)
                if count is None or int(count[0]) > len(RANKS):
                    raise InvalidPosition(
                        f"a number from 0 to {len(RANKS)} is expected here",
                        character=start + at + 2,
                    )
                height = int(count[0])
                foundations.append(
                    [self.take(13 * suit + rank, None, start + at + 2) for rank in range(height)]
                )
                at = count.end()
        if at < len(text):
            raise InvalidPosition("nothing more is expected here", character=start + at + 1)
        return foundations

    def pile(self, text: str, start: int, name: str) -> Sequence[int]:
        """The cards of the stock or of the waste, `-` for none."""
        if text == "-":
            return []
        if not text:
            raise InvalidPosition(f"{name} is written - when empty", character=start + 1)
        if not self.ruleset.has_stock:
            raise InvalidPosition(
                f"{self.ruleset.name} has neither stock nor waste", character=start + 1
            )
        return list(self.cards(text, start))

    def check_whole(self) -> None:
        """Refuse a deck with a card missing."""
        for card, count in enumerate(self.seen):
            if count < self.ruleset.decks:
                missing = "is missing" if count == 0 else "is there only once"
                raise InvalidPosition(f"the {card_text(card)} {missing}")
