"""Deals the cards of a game code, the same for ever. Has no randomness of its own."""

from collections.abc import Iterator
from hashlib import sha256
from struct import Struct

from engine.cards import DECK_SIZE
from engine.code import GameCode
from engine.position import Position
from engine.ruleset import ruleset

_WORDS = Struct(">16H")
# Words from here on are thrown away when one of so many cards is drawn.
_FAIR = [0, *(65536 - 65536 % bound for bound in range(1, 2 * DECK_SIZE + 1))]


def shuffled(body: str, decks: int) -> bytearray:
    """The deck that a body stands for, its top card first.

    Fisher-Yates from the last card down, driven by the 16-bit big-endian halves of
    SHA-256(`YU1/<body>/<block>`), block = 0, 1, 2, ...; words that would favour some cards are
    thrown away.
    """
    deck = bytearray(range(DECK_SIZE * decks))
    words = _random_words(body)
    for last in range(len(deck) - 1, 0, -1):
        word = next(words)
        while word >= _FAIR[last + 1]:
            word = next(words)
        other = word % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def _random_words(body: str) -> Iterator[int]:
    block = 0
    while True:
        yield from _WORDS.unpack(sha256(f"YU1/{body}/{block}".encode()).digest())
        block += 1


def deal(code: GameCode) -> Position:
    """The position right after the deal, before anything happens by itself."""
    rules = ruleset(code.letter)
    layout = rules.layout
    deck = shuffled(code.body, layout.decks)
    # What `translate` puts in the place of each number is the card there in the deck.
    table = deck.ljust(256)
    columns = [places.translate(table) for places in layout.order]
    stock = deck[len(deck) - layout.stock_size :]
    stock.reverse()
    return Position(rules, columns, layout.face_down, stock=stock)
