"""The deal: the recipe step by step, every card once, the columns as long as the rules say."""

import hashlib

import pytest

from engine.code import GameCode
from engine.deal import deal, shuffled
from engine.ruleset import RULESETS
from tests.engine.boards import LETTERS


def slowly_shuffled(body: str, decks: int) -> list[int]:
    """The recipe of the rules, written once more in the plainest way."""
    deck = list(range(52)) * decks
    words: list[int] = []
    block = 0

    def draw(bound: int) -> int:
        nonlocal block
        while True:
            if not words:
                digest = hashlib.sha256(f"YU1/{body}/{block}".encode("ascii")).digest()
                words.extend(digest[at] * 256 + digest[at + 1] for at in range(0, 32, 2))
                block += 1
            word = words.pop(0)
            if word < 65536 - 65536 % bound:
                return word % bound

    for last in range(len(deck) - 1, 0, -1):
        other = draw(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


@pytest.mark.parametrize("decks", [1, 2])
def test_the_shuffle_is_the_recipe(decks: int) -> None:
    for number in range(200):
        body = GameCode("C", f"AAAA{chr(65 + number % 26)}{chr(65 + number // 26)}Z").body
        deck = shuffled(body, decks)
        assert sorted(deck) == list(range(52 * decks))
        assert [card % 52 for card in deck] == slowly_shuffled(body, decks)


@pytest.mark.parametrize("letter", LETTERS)
def test_the_deal_goes_row_by_row(letter: str) -> None:
    code = GameCode(letter, "ADVXTIV")
    position = deal(code)
    layout = RULESETS[letter].layout
    deck = list(shuffled(code.body, layout.decks))
    for row in range(max(layout.lengths)):
        for column, length in enumerate(layout.lengths):
            if row < length:
                assert position.columns[column][row] == deck.pop(0)
    assert list(reversed(position.stock)) == deck
    assert tuple(map(len, position.columns)) == layout.lengths
    assert tuple(position.down) == layout.face_down
    assert not position.waste
    assert not any(position.foundations)


@pytest.mark.parametrize(
    "letters,columns,down,up,stock",
    [("CROTYSA", 7, 21, 31, 0), ("P", 7, 0, 28, 24), ("D", 10, 44, 60, 0)],
)
def test_the_three_layouts(letters: str, columns: int, down: int, up: int, stock: int) -> None:
    for letter in letters:
        layout = RULESETS[letter].layout
        assert len(layout.lengths) == columns
        assert sum(layout.face_down) == down
        assert sum(layout.lengths) - down == up
        assert layout.stock_size == stock
