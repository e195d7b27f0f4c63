"""The table of rulesets, and that another member of the family is one more row."""

import random
from dataclasses import FrozenInstanceError, replace

import pytest

from engine.errors import InvalidCode, Reason
from engine.game import Game
from engine.replay import to_text, verify
from engine.rules import (
    RULESETS,
    Automatic,
    Layout,
    Ruleset,
    Suits,
    TurnUp,
    register,
    registered,
    ruleset,
)
from tests.engine.boards import LETTERS, board, everything, wander
from tests.engine.test_replay import DAY
from tests.engine.test_rules import assert_legal_moves_are_the_rules

YUKON = RULESETS["C"].layout
MOOSEHIDE = Ruleset(
    letter="M",
    name="Moosehide",
    sentence="Build down in any suit but its own.",
    layout=YUKON,
    suits=Suits.OTHER,
)
ROSLIN = Ruleset(
    letter="L",
    name="Roslin",
    sentence="Build up or down in alternating colours.",
    layout=YUKON,
    suits=Suits.OTHER_COLOUR,
    steps=frozenset({-1, 1}),
)
# Nothing anybody plays: every parameter at once, with two decks and a stock.
EVERYTHING = Ruleset(
    letter="E",
    name="Everything",
    sentence="All there is.",
    layout=Layout((5,) * 12, (2,) * 12, decks=2),
    suits=Suits.ANY,
    steps=frozenset({-1, 1}),
    take_back=True,
    group_limit=3,
    undo_limit=5,
    undo_costs=2,
    turn_up=TurnUp.BY_CLICK,
    automatic=Automatic.ACES,
    lost=False,
)


def test_the_table() -> None:
    assert "".join(RULESETS) == LETTERS
    rows = {
        letter: (
            row.take_back,
            row.group_limit,
            row.undo_limit,
            row.undo_costs,
            row.turn_up.value,
            row.automatic.value,
            row.lost,
        )
        for letter, row in RULESETS.items()
    }
    plain = (False, None, None, 0, "automatic", "nothing", True)
    assert rows == {
        "C": (True, 20, 100, 0, "automatic", "nothing", False),
        "R": (True, 20, 100, 0, "automatic", "nothing", False),
        "O": (True, None, None, 1, "by_click", "finish", False),
        "T": (False, None, None, 0, "automatic", "aces", False),
        **dict.fromkeys("YSAPD", plain),
    }
    assert {letter: row.suits.value for letter, row in RULESETS.items()} == {
        **dict.fromkeys("COTYD", "other_colour"),
        "R": "any",
        **dict.fromkeys("SAP", "same"),
    }
    assert [letter for letter, row in RULESETS.items() if row.steps == {-1, 1}] == ["A"]
    assert len({row.name for row in RULESETS.values()}) == 9
    assert all(row.sentence.endswith(".") for row in RULESETS.values())


def test_a_ruleset_is_data_that_nobody_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        RULESETS["C"].take_back = False  # type: ignore[misc]
    with pytest.raises(TypeError):
        RULESETS["X"] = RULESETS["C"]  # type: ignore[index]
    with pytest.raises(InvalidCode, match="no ruleset 'X'"):
        ruleset("X")


@pytest.mark.parametrize("letter", ["", "C", "m", "MM", "1", "É"])
def test_only_a_free_letter_can_be_registered(letter: str) -> None:
    with pytest.raises(ValueError, match="is not a free letter"):
        register(replace(MOOSEHIDE, letter=letter))
    assert "".join(RULESETS) == LETTERS


@pytest.mark.parametrize("row", [MOOSEHIDE, ROSLIN, EVERYTHING], ids=lambda row: row.name)
def test_one_more_row_is_all_it_takes(row: Ruleset) -> None:
    with registered(row):
        assert RULESETS[row.letter] is row
        for number in range(4):
            game = Game(f"yu1 {row.letter} aaaaa{'abcd'[number]}7")
            start = game.position.copy()
            source = random.Random(number)
            for _ in range(12):
                assert_legal_moves_are_the_rules(game)
                wander(game, source, 6)
            assert len(game.log) > 200
            again = Game.from_log(str(game.code), game.log)
            assert everything(again) == everything(game)
            assert verify(to_text(game, DAY)).ranked_score == game.ranked_score
            while game.version:
                game.retract()
            assert game.position == start
    assert "".join(RULESETS) == LETTERS


def test_moosehide() -> None:
    with registered(MOOSEHIDE):
        game = board("M", "8h/7s/7d/7h/9c")
        assert game.why_illegal("T2:1>T1") is None
        assert game.why_illegal("T3:1>T1") is None
        assert game.why_illegal("T4:1>T1") is Reason.WRONG_SUIT
        assert game.why_illegal("T5:1>T1") is Reason.WRONG_RANK


def test_roslin() -> None:
    with registered(ROSLIN):
        game = board("L", "8h/7s/9c/7d/9d/Ah")
        assert game.why_illegal("T2:1>T1") is None
        assert game.why_illegal("T3:1>T1") is None
        assert game.why_illegal("T4:1>T1") is Reason.WRONG_COLOUR
        assert game.why_illegal("T5:1>T1") is Reason.WRONG_COLOUR
        assert game.why_illegal("T7:1>T6") is Reason.WRONG_RANK


def test_cards_taken_back_from_both_foundations_of_a_suit() -> None:
    with registered(EVERYTHING):
        game = board("E", "3h/3d", "22")
        game.play("Fs2>T1", 0)
        assert [len(foundation) for foundation in game.position.foundations[:2]] == [2, 1]
        game.play("Fs>T2", 0)
        game.play("T1>F", 0)
        # The first of the suit that takes it.
        assert [len(foundation) for foundation in game.position.foundations[:2]] == [2, 1]
        game.play("U", 0)
        assert game.moves == 3 + 2
