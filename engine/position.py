"""Where every card lies, and the few ways to move cards. Trusts its caller and judges nothing."""

from collections.abc import Iterable, Sequence
from typing import Self

from engine.cards import FIRST_FOUNDATION, HIDDEN, RANK, STOCK, WASTE
from engine.ruleset import Ruleset

_ABSENT = bytearray()


class Position:
    """The cards of a game at one moment; everything in it is small numbers.

    - `piles[pile]`: the cards of each pile, deepest first. `columns`, `foundations`, `stock` and
      `waste` are the same objects under their names. The next card of the stock is its last one.
    - `down[column]`: how many cards at the column's deep end lie face down.
    - `place[card]`: the pile of a card that can be seen, HIDDEN for one that cannot.
    - `face_down`, `home`: how many cards lie face down in columns, and on foundations;
      `dealt_face_down`: how many lay face down at first, as the ruleset deals them.

    `shift`, `turn_up` and `turn_down` are for callers that know the rules, and undo one another.
    """

    __slots__ = (
        "columns",
        "dealt_face_down",
        "down",
        "face_down",
        "foundations",
        "home",
        "piles",
        "place",
        "ruleset",
        "stock",
        "waste",
    )

    def __init__(
        self,
        ruleset: Ruleset,
        columns: Iterable[Iterable[int]],
        down: Iterable[int],
        foundations: Iterable[Iterable[int]] | None = None,
        stock: Iterable[int] = (),
        waste: Iterable[int] = (),
    ) -> None:
        self.ruleset = ruleset
        self.columns = [bytearray(cards) for cards in columns]
        self.down = bytearray(down)
        self.foundations = [bytearray(cards) for cards in foundations or [()] * ruleset.foundations]
        self.stock = bytearray(stock)
        self.waste = bytearray(waste)
        self.piles = [_ABSENT] * (WASTE + 1)
        self.piles[: len(self.columns)] = self.columns
        self.piles[FIRST_FOUNDATION : FIRST_FOUNDATION + len(self.foundations)] = self.foundations
        self.piles[STOCK] = self.stock
        self.piles[WASTE] = self.waste
        self.face_down = sum(self.down)
        self.dealt_face_down = max(self.face_down, sum(ruleset.layout.face_down))
        self.home = sum(map(len, self.foundations))
        self.place = bytearray([HIDDEN]) * ruleset.cards
        for pile, cards in enumerate(self.piles):
            if pile != STOCK:
                for card in cards[self.down[pile] if pile < len(self.columns) else 0 :]:
                    self.place[card] = pile

    def copy(self, ruleset: Ruleset | None = None) -> Self:
        """The same cards, sharing nothing with this position, under other rules if asked."""
        return type(self)(
            ruleset or self.ruleset,
            self.columns,
            self.down,
            self.foundations,
            self.stock,
            self.waste,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.ruleset == other.ruleset and self.piles == other.piles and self.down == other.down
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def is_won(self) -> bool:
        """Whether every card is on a foundation."""
        return self.home == len(self.place)

    @property
    def ranked_score(self) -> int:
        """10 for each card home, 5 for each that was dealt face down and is so no more."""
        return 10 * self.home + 5 * (self.dealt_face_down - self.face_down)

    def foundation_for(self, card: int) -> int | None:
        """The pile of the foundation that takes this card now, None while none does.

        With two decks it is the first of the card's suit that does.
        """
        for foundation in self.ruleset.homes[card]:
            if len(self.foundations[foundation]) == RANK[card]:
                return FIRST_FOUNDATION + foundation
        return None

    def shift(self, source: int, count: int, target: int) -> Sequence[int]:
        """Move the last `count` cards of one pile to the end of another, and return them."""
        piles = self.piles
        pile = piles[source]
        cards = pile[-count:]
        del pile[-count:]
        piles[target] += cards
        place = self.place
        if target < FIRST_FOUNDATION:
            for card in cards:
                place[card] = target
        elif target < STOCK:
            place[cards[0]] = target
            self.home += 1
        else:
            place[cards[0]] = HIDDEN if target == STOCK else target
        if FIRST_FOUNDATION <= source < STOCK:
            self.home -= 1
        return cards

    def turn_up(self, column: int) -> int:
        """Turn the last card of a column, which lies face down, up; return the card."""
        card = self.columns[column][-1]
        self.down[column] -= 1
        self.face_down -= 1
        self.place[card] = column
        return card

    def turn_down(self, column: int) -> int:
        """Turn the last card of a column, the only one face up, down again; return the card."""
        card = self.columns[column][-1]
        self.down[column] += 1
        self.face_down += 1
        self.place[card] = HIDDEN
        return card
