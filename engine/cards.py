"""What a card and a pile are: small numbers and their names. Knows no rule of any game.

A card is an int: 0..51 for the first deck, 52..103 for the second. Its suit is `card // 13 % 4` in
the order spades, hearts, diamonds, clubs, its rank `card % 13`, 0 being the ace. A pile is an int
too: columns 0..15, foundations 16..23, stock 24, waste 25.
"""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"

DECK_SIZE: Final = 52
KING: Final = 12

FIRST_FOUNDATION: Final = 16
STOCK: Final = 24
WASTE: Final = 25

# Where a card is that nobody may see: face down in a column, or in the stock.
HIDDEN: Final = 31
# What the texts of positions and the JSON of the command line write for such a card.
MASK: Final = "##"

RANK: Final = bytes(card % 13 for card in range(2 * DECK_SIZE))
SUIT: Final = bytes(card // 13 % 4 for card in range(2 * DECK_SIZE))
CARD_TEXTS: Final = tuple(RANKS[card % 13] + SUITS[card // 13 % 4] for card in range(2 * DECK_SIZE))


def is_red(suit: int) -> bool:
    """Whether a suit is hearts or diamonds."""
    return suit in (1, 2)


def card_text(card: int) -> str:
    """A card as two characters, `As` to `Kc`; both decks write the same."""
    return CARD_TEXTS[card]
