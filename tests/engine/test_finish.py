"""Whether a position can be finished, exactly, and in which order; with two decks by a search."""

import random
from functools import cache

import pytest

from engine.cards import RANK, SUIT
from engine.finish import finish_order
from engine.game import Game
from engine.move import FINISH
from engine.position import Position
from engine.ruleset import RULESETS
from tests.engine.boards import board, everything


def wins_by_trying_everything(position: Position) -> bool:
    """Whether foundation moves alone win, from every order there is."""
    columns = [bytes(column) for column in position.columns]
    decks = position.ruleset.decks

    @cache
    def wins(left: tuple[int, ...], heights: tuple[tuple[int, ...], ...]) -> bool:
        if not any(left):
            return True
        for column, length in enumerate(left):
            if not length:
                continue
            card = columns[column][length - 1]
            suit = list(heights[SUIT[card]])
            if RANK[card] not in suit:
                continue
            suit[suit.index(RANK[card])] += 1
            after = list(heights)
            after[SUIT[card]] = tuple(sorted(suit))
            shorter = (*left[:column], length - 1, *left[column + 1 :])
            if wins(shorter, tuple(after)):
                return True
        return False

    start = [len(foundation) for foundation in position.foundations]
    return wins(
        tuple(map(len, columns)),
        tuple(tuple(sorted(start[at : at + decks])) for at in range(0, 4 * decks, decks)),
    )


def late_position(letter: str, source: random.Random, cards: int) -> Position:
    """So many cards left, in columns at random; the others are home."""
    rules = RULESETS[letter]
    home: list[list[int]] = [list(range(13 * s, 13 * s + 13)) for s in range(4)]
    if rules.decks == 2:
        home = [[card + 52 * deck for card in suit] for suit in home for deck in (0, 1)]
    columns: list[list[int]] = [[] for _ in range(rules.columns)]
    loose = [source.choice([suit for suit in home if suit]).pop() for _ in range(cards)]
    # Nearly in order, so that some of them can be finished and some cannot.
    loose.sort(key=lambda card: -RANK[card] + source.uniform(-2.5, 2.5))
    for card in loose:
        source.choice(columns[:4]).append(card)
    return Position(rules, columns, [0] * rules.columns, home)


@pytest.mark.parametrize("letter,cards", [("C", 14), ("C", 30), ("D", 16), ("D", 26)])
def test_the_test_is_exact(letter: str, cards: int) -> None:
    source = random.Random(cards)
    outcomes = []
    for _ in range(150):
        position = late_position(letter, source, source.randrange(1, cards))
        order = finish_order(position)
        assert (order is not None) == wins_by_trying_everything(position)
        outcomes.append(order is not None)
        if order is not None:
            game = Game.from_position(position.ruleset, position)
            cards_left = position.ruleset.cards - position.home
            diff = game.play(FINISH, 0)
            assert game.is_won
            assert [step[0] for step in diff.steps] == order
            assert game.moves == len(diff.steps) == cards_left
            game.retract()
            assert game.position == position
    assert 15 < sum(outcomes) < 135


@pytest.mark.parametrize(
    "columns,first",
    [
        # The six on the four has to go first: the other six would leave nothing for this one.
        ("4h6h/Kh6h", [0, 0]),
        ("Kh6h/4h6h", [1, 1]),
    ],
)
def test_greedy_is_not_enough_for_two_decks(columns: str, first: list[int]) -> None:
    # Hearts at five and three; everything else of hearts lies in order in columns of its own.
    position = hearts_position(columns)
    order = finish_order(position)
    assert order is not None
    assert order[:2] == first
    assert wins_by_trying_everything(position)
    game = Game.from_position(position.ruleset, position)
    before = everything(game)
    assert game.is_finishable
    assert game.play("*", 0).steps[0][0] == first[0]
    assert game.is_won
    game.retract()
    assert everything(game) == before


def hearts_position(columns: str) -> Position:
    """A Double Yukon board where all but hearts is home and hearts are at five and three."""
    rules = RULESETS["D"]
    given = [
        [13 + "A23456789TJQK".index(part[at]) for at in range(0, len(part), 2)]
        for part in columns.split("/")
    ]
    seen: set[int] = set()
    cards: list[list[int]] = []
    for column in given:
        cards.append([])
        for card in column:
            cards[-1].append(card + 52 * (card in seen))
            seen.add(card)
    used = {card for column in cards for card in column}
    rest = [c for c in [*range(13, 26), *range(65, 78)] if c not in used]
    foundations: list[list[int]] = []
    for height in (5, 3):
        pile = []
        for rank in range(height):
            card = next(c for c in rest if RANK[c] == rank)
            rest.remove(card)
            pile.append(card)
        foundations.append(pile)
    rest.sort(key=lambda card: -RANK[card])
    heap_one, heap_two = rest[::2], rest[1::2]
    spades = [list(range(52 * deck, 52 * deck + 13)) for deck in (0, 1)]
    diamonds = [[card + 26 for card in suit] for suit in spades]
    clubs = [[card + 39 for card in suit] for suit in spades]
    return Position(
        rules,
        [*cards, heap_one, heap_two, *[[]] * (rules.columns - len(cards) - 2)],
        [0] * rules.columns,
        [*spades, *foundations, *diamonds, *clubs],
    )


def test_when_it_cannot_be_asked_for() -> None:
    assert finish_order(Game("YU1-C-AAAAAAB").position) is None
    assert board("C", "Ks", "CDDD").is_finishable
    assert not board("C", "(Ks)Kc", "CDDC").is_finishable
    assert not board("P", "Ks", "BDDD", stock="Qs").is_finishable
    assert not board("P", "Ks", "BDDD", waste="Qs").is_finishable
    assert board("P", "KsQs", "BDDD").is_finishable
    assert not board("C", "QsKs", "BDDD").is_finishable
    won = board("C", "", "DDDD")
    assert won.is_won
    assert not won.is_finishable


def test_finish_takes_the_lowest_column_first() -> None:
    game = board("C", "Kd/Ks/Kh", "CCCC")
    assert [step[:3] for step in game.play("*", 0).steps] == [
        (0, 1, 18),
        (1, 1, 16),
        (2, 1, 17),
        (6, 1, 19),
    ]
    assert game.moves == 4


def test_nothing_finishes_unasked_but_in_open() -> None:
    for letter in "CRTYSA":
        game = board(letter, "Kd/KsQs", "BCCC")
        game.play("T2>F", 0)
        assert not game.is_won
        assert game.is_finishable
    game = board("O", "Kd/KsQs", "BCCC")
    diff = game.play("T2>F", 0)
    assert game.is_won
    assert len(diff.steps) == 5
    assert (game.moves, game.version) == (1, 1)
    assert diff.after.score - diff.before.score == 50
