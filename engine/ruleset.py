"""The family as data: what a ruleset is, and the table with one row per letter. Plays nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final

from engine.cards import DECK_SIZE, FIRST_FOUNDATION, KING, RANK, STOCK, SUIT, WASTE, is_red
from engine.errors import InvalidCode

DOWN: Final = -1
UP: Final = +1


class Suits(Enum):
    """How the suits of a card and of the card it goes on have to relate."""

    OTHER_COLOUR = "other_colour"
    ANY = "any"
    SAME = "same"
    OTHER = "other"

    def allow(self, suit: int, below: int) -> bool:
        """Whether a card of `suit` may lie on one of the suit `below`."""
        return _RELATIONS[self](suit, below)


_RELATIONS: Final[Mapping[Suits, Callable[[int, int], bool]]] = {
    Suits.OTHER_COLOUR: lambda suit, below: is_red(suit) != is_red(below),
    Suits.ANY: lambda suit, below: True,  # noqa: ARG005
    Suits.SAME: lambda suit, below: suit == below,
    Suits.OTHER: lambda suit, below: suit != below,
}


class TurnUp(StrEnum):
    """How a face-down card that became the last of its column turns up."""

    AUTOMATIC = "automatic"
    BY_CLICK = "by_click"


class Automatic(StrEnum):
    """What goes up by itself after a move."""

    NOTHING = "nothing"
    ACES = "aces"
    FINISH = "finish"


@dataclass(frozen=True)
class Layout:
    """How the cards are dealt: the length of each column and how many of it lie face down.

    The deal is row by row from the left; what is left over is the stock.
    """

    lengths: tuple[int, ...]
    face_down: tuple[int, ...]
    decks: int = 1

    @cached_property
    def stock_size(self) -> int:
        """How many cards are not dealt to columns."""
        return self.decks * DECK_SIZE - sum(self.lengths)

    @cached_property
    def order(self) -> tuple[bytes, ...]:
        """For each column the places in the shuffled deck that its cards come from."""
        rows = range(max(self.lengths))
        seats = [
            (row, column)
            for row in rows
            for column, length in enumerate(self.lengths)
            if row < length
        ]
        columns: list[list[int]] = [[] for _ in self.lengths]
        for place, (_, column) in enumerate(seats):
            columns[column].append(place)
        return tuple(map(bytes, columns))


@dataclass(frozen=True)
class Ruleset:
    """One member of the family, as data alone.

    `steps` are the ranks a card may be away from the card it goes on (-1: one lower, +1: one
    higher), `suits` how their suits relate. `group_limit` and `undo_limit` are counts, None for no
    limit; `undo_costs` is what an undo adds to the move counter. `lost` tells whether a position
    without a legal move is announced as lost.
    """

    letter: str
    name: str
    sentence: str
    layout: Layout
    suits: Suits
    steps: frozenset[int] = frozenset({DOWN})
    take_back: bool = False
    group_limit: int | None = None
    undo_limit: int | None = None
    undo_costs: int = 0
    turn_up: TurnUp = TurnUp.AUTOMATIC
    automatic: Automatic = Automatic.NOTHING
    lost: bool = True

    @property
    def decks(self) -> int:
        """How many decks of 52 cards are played with, 1 or 2."""
        return self.layout.decks

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.layout.lengths)

    @property
    def foundations(self) -> int:
        """How many foundations there are, one for each suit of each deck."""
        return 4 * self.layout.decks

    @cached_property
    def cards(self) -> int:
        """How many cards the game has."""
        return DECK_SIZE * self.layout.decks

    @cached_property
    def has_stock(self) -> bool:
        """Whether some cards are dealt to a stock."""
        return self.layout.stock_size > 0

    @cached_property
    def piles(self) -> frozenset[int]:
        """The numbers of the piles that exist."""
        foundations = range(FIRST_FOUNDATION, FIRST_FOUNDATION + self.foundations)
        stock = (STOCK, WASTE) if self.has_stock else ()
        return frozenset({*range(self.columns), *foundations, *stock})

    @cached_property
    def homes(self) -> tuple[tuple[int, ...], ...]:
        """For each card the foundations of its suit, as indices from 0, the first one first."""
        decks = self.layout.decks
        return tuple(
            tuple(range(SUIT[card] * decks, SUIT[card] * decks + decks))
            for card in range(self.cards)
        )

    @cached_property
    def fits(self) -> tuple[tuple[int, ...], ...]:
        """For each card the cards that may go on it in a column. Ranks never wrap."""
        cards = range(self.cards)
        return tuple(tuple(card for card in cards if self._fits(card, below)) for below in cards)

    @cached_property
    def kings(self) -> tuple[int, ...]:
        """The cards that may go to an empty column."""
        return tuple(card for card in range(self.cards) if RANK[card] == KING)

    def _fits(self, card: int, below: int) -> bool:
        step = RANK[card] - RANK[below]
        return step in self.steps and self.suits.allow(SUIT[card], SUIT[below])


YUKON: Final = Layout((1, 6, 7, 8, 9, 10, 11), (0, 1, 2, 3, 4, 5, 6))
AUSTRALIAN: Final = Layout((4,) * 7, (0,) * 7)
DOUBLE_YUKON: Final = Layout(
    (6, 7, 8, 9, 10, 11, 12, 13, 14, 14), (0, 1, 2, 3, 4, 5, 6, 7, 8, 8), decks=2
)

_ALTERNATE: Final = "Build down in alternating colours"

_TABLE: Final[dict[str, Ruleset]] = {
    row.letter: row
    for row in (
        Ruleset(
            letter="C",
            name="Classic",
            sentence=f"{_ALTERNATE}; up to 20 cards move together and the last 100 moves "
            "can be undone.",
            layout=YUKON,
            suits=Suits.OTHER_COLOUR,
            take_back=True,
            group_limit=20,
            undo_limit=100,
            lost=False,
        ),
        Ruleset(
            letter="R",
            name="Relaxed",
            sentence="Build down whatever the suit; up to 20 cards move together and the last "
            "100 moves can be undone.",
            layout=YUKON,
            suits=Suits.ANY,
            take_back=True,
            group_limit=20,
            undo_limit=100,
            lost=False,
        ),
        Ruleset(
            letter="O",
            name="Open",
            sentence=f"{_ALTERNATE}; you turn cards up yourself, an undo counts as a move, and "
            "the game finishes by itself.",
            layout=YUKON,
            suits=Suits.OTHER_COLOUR,
            take_back=True,
            undo_costs=1,
            turn_up=TurnUp.BY_CLICK,
            automatic=Automatic.FINISH,
            lost=False,
        ),
        Ruleset(
            letter="T",
            name="Traditional",
            sentence=f"{_ALTERNATE}; aces go up by themselves and nothing comes back.",
            layout=YUKON,
            suits=Suits.OTHER_COLOUR,
            automatic=Automatic.ACES,
            lost=False,
        ),
        Ruleset(
            letter="Y",
            name="Standard",
            sentence=f"{_ALTERNATE}; what lies on a foundation stays there.",
            layout=YUKON,
            suits=Suits.OTHER_COLOUR,
        ),
        Ruleset(
            letter="S",
            name="Russian",
            sentence="Build down in suit.",
            layout=YUKON,
            suits=Suits.SAME,
        ),
        Ruleset(
            letter="A",
            name="Alaska",
            sentence="Build up or down in suit.",
            layout=YUKON,
            suits=Suits.SAME,
            steps=frozenset({DOWN, UP}),
        ),
        Ruleset(
            letter="P",
            name="Australian Patience",
            sentence="Build down in suit; every column lies open, and a stock is drawn through "
            "once, card by card.",
            layout=AUSTRALIAN,
            suits=Suits.SAME,
        ),
        Ruleset(
            letter="D",
            name="Double Yukon",
            sentence=f"{_ALTERNATE} with two decks on ten columns.",
            layout=DOUBLE_YUKON,
            suits=Suits.OTHER_COLOUR,
        ),
    )
}

RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(_TABLE)
"""Every ruleset by its letter, in the order they are offered; a view that follows `register`."""


def ruleset(letter: str) -> Ruleset:
    """The ruleset of a letter. Raises InvalidCode where there is none."""
    found = _TABLE.get(letter)
    if found is None:
        raise InvalidCode(f"there is no ruleset {letter[:20]!r}; there are {' '.join(_TABLE)}")
    return found


def register(row: Ruleset) -> None:
    """Add a ruleset. Raises ValueError when its letter is taken or is not one of A to Z."""
    if len(row.letter) != 1 or not "A" <= row.letter <= "Z" or row.letter in _TABLE:
        raise ValueError(f"{row.letter!r} is not a free letter")
    _TABLE[row.letter] = row


@contextmanager
def registered(*rows: Ruleset) -> Iterator[None]:
    """Add rulesets for as long as the `with` block lasts."""
    for row in rows:
        register(row)
    try:
        yield
    finally:
        for row in rows:
            del _TABLE[row.letter]
