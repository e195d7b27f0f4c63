"""Deals the cards of a game code, the same for ever. Has no randomness of its own."""

from hashlib import sha256
from struct import Struct

from engine.cards import DECK_SIZE
from engine.code import GameCode
from engine.position import Position
from engine.ruleset import ruleset

_WORDS = Struct(">16H")
_WORD_RANGE = 65536


def shuffled(body: str, decks: int) -> bytearray:
    """The deck that a body stands for, its top card first.

    Fisher-Yates from the last card down, driven by the 16-bit big-endian halves of
    SHA-256(`YU1/<body>/<block>`), block = 0, 1, 2, ...; words that would favour some cards are
    thrown away.
    """
    deck = bytearray(range(DECK_SIZE * decks))
    block = 0
    words: list[int] = []
    for last in range(len(deck) - 1, 0, -1):
        bound = last + 1
        fair = _WORD_RANGE - _WORD_RANGE % bound
        while True:
            if not words:
                words = list(_WORDS.unpack(sha256(f"YU1/{body}/{block}".encode()).digest()))
                words.reverse()
                block += 1
            word = words.pop()
            if word < fair:
                break
        other = word % bound
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def deal(code: GameCode) -> Position:
    """The position right after the deal, before anything happens by itself."""
    rules = ruleset(code.letter)
    layout = rules.layout
    deck = shuffled(code.body, layout.decks)
    columns = [bytes([deck[place] for place in places]) for places in layout.order]
    stock = deck[len(deck) - layout.stock_size :]
    stock.reverse()
    return Position(rules, columns, layout.face_down, stock=stock)
