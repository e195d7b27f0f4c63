"""Texts of cards, commands and positions, both ways, and what is said about bad ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARD_TEXTS
from engine.errors import InvalidMove, InvalidPosition
from engine.game import Game
from engine.move import DRAW, FINISH, PAUSE, RESIGN, RESUME, UNDO, Move, turn_up
from engine.notation import (
    ANY_FOUNDATION,
    card_text,
    move_text,
    position_text,
    read_card,
    read_move,
    read_position,
)
from engine.ruleset import RULESETS
from tests.engine.boards import LETTERS, board, played, wandered

CLASSIC = RULESETS["C"]
DOUBLE = RULESETS["D"]


def test_cards() -> None:
    assert [card_text(card) for card in (0, 12, 13, 35, 51, 52, 103)] == [
        *("As", "Ks", "Ah", "Td", "Kc", "As", "Kc")
    ]
    for card in range(52):
        assert read_card(CARD_TEXTS[card]) == card
    for text in ("", "A", "as", "10s", "1s", "##"):
        with pytest.raises(InvalidMove):
            read_card(text)


@pytest.mark.parametrize(
    "text,move",
    [
        ("T3:4>T6", Move(2, 4, 5)),
        ("T10:12>T1", Move(9, 12, 0)),
        ("T3>F", Move(2, 1, ANY_FOUNDATION)),
        ("T3:4>F", Move(2, 4, ANY_FOUNDATION)),
        ("Fs>T2", Move(16, 1, 1)),
        ("Fc>T7", Move(19, 1, 6)),
        ("W>T3", Move(25, 1, 2)),
        ("W>F", Move(25, 1, ANY_FOUNDATION)),
        ("D", DRAW),
        ("!T3", turn_up(2)),
        ("*", FINISH),
        ("U", UNDO),
        ("pause", PAUSE),
        ("resume", RESUME),
        ("resign", RESIGN),
    ],
)
def test_commands(text: str, move: Move) -> None:
    assert read_move(text, CLASSIC) == move
    assert move_text(move, CLASSIC) == text


def test_foundations_of_two_decks_have_numbers() -> None:
    assert read_move("Fs>T2", DOUBLE) == Move(16, 1, 1)
    assert read_move("Fs2>T2", DOUBLE) == Move(17, 1, 1)
    assert read_move("Fc2>T10", DOUBLE) == Move(23, 1, 9)
    assert move_text(Move(17, 1, 1), DOUBLE) == "Fs2>T2"
    assert move_text(Move(22, 1, 1), DOUBLE) == "Fc>T2"


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "T", "T3", "T3>", ">T3", "T3>T6", "T3:>T6", "T3:4>", "t3:4>t6", "T3:4-T6"),
        *("T3:4>T6 ", " T3:4>T6", "T3 :4>T6", "T03:4>T6", "T3:04>T6", "T3:-4>T6", "T3:4>T6\n"),
        *("T3:99999>T6", "T99999:1>T6", "T٣:4>T6", "Fx>T2", "Fs3>T2", "Fs1>T2", "W:1>T3"),
        *("Fs:1>T2", "W>D", "D>T1", "d", "u", "redo", "PAUSE", "!3", "!T", "!", "**", "!T3>F"),
    ],
)
def test_what_is_no_command(text: str) -> None:
    for rules in (CLASSIC, DOUBLE):
        with pytest.raises(InvalidMove) as caught:
            read_move(text, rules)
        assert caught.value.reason == "unreadable"


@given(st.text(max_size=12))
def test_reading_a_command_never_fails_otherwise(text: str) -> None:
    try:
        move = read_move(text, CLASSIC)
    except InvalidMove:
        return
    assert read_move(move_text(move, CLASSIC), CLASSIC) == move or "?" in move_text(move, CLASSIC)


def test_any_three_numbers_have_a_text() -> None:
    assert move_text(Move(255, 6, 0), CLASSIC) == "255,6,0"
    assert move_text(Move(26, 1, 3), CLASSIC) == "?>T4"
    assert move_text(Move(2, 4, 17), CLASSIC) == "T3:4>F"
    assert move_text(Move(16, 3, 17), CLASSIC) == "Fs>F"
    assert move_text(Move(24, 1, 3), CLASSIC) == "D>T4"
    for source in (0, 15, 16, 23, 24, 25, 26, 255):
        for target in (0, 15, 16, 23, 24, 25, 26, 255):
            for rules in (CLASSIC, DOUBLE):
                assert move_text(Move(source, 9, target), rules)


def test_a_position_open_and_masked() -> None:
    game = Game("YU1-C-AAAAAAB")
    assert position_text(game.position) == (
        "2s/(##)3c8d4d6cJc/(####)TcAdKd8hQc/(######)7s7d2dTh4h/(########)3s9s7c9dKc"
        "/(##########)6d8cTd4s5d/(############)JdKs9h6hQs s0h0d0c0 - -"
    )
    assert position_text(game.position, masked=False).startswith("2s/(As)3c8d4d6cJc/(5sJs)Tc")
    game = played("YU1-P-AAAAAAB", "D D")
    assert position_text(game.position).endswith(f" s0h0d0c0 {'##' * 22} 3s5h")
    assert position_text(game.position, masked=False).count("##") == 0
    assert position_text(Game("YU1-D-AAAAAAB").position).endswith(" s0,0h0,0d0,0c0,0 - -")


@given(st.sampled_from(LETTERS), st.integers(0, 999), st.integers(0, 150))
def test_the_open_form_round_trips(letter: str, seed: int, steps: int) -> None:
    game = wandered(f"YU1-{letter}-AAAAA{'ABCDE'[seed % 5]}A", seed, steps)
    text = position_text(game.position, masked=False)
    read = read_position(text, game.ruleset)
    assert position_text(read, masked=False) == text
    if game.ruleset.decks == 1:
        assert read == game.position
        assert bytes(read.place) == bytes(game.position.place)
    assert (read.face_down, read.home) == (game.position.face_down, game.position.home)
    again = Game.from_position(game.ruleset, read)
    assert len(again.legal_moves) == len(game.legal_moves)
    assert again.ranked_score == game.ranked_score


def test_two_equal_cards_are_told_apart_in_reading_order() -> None:
    text = position_text(board("D", "7h/7h").position, masked=False)
    columns = read_position(text, DOUBLE).columns
    assert columns[0] != columns[1]
    assert {columns[0][0] % 52, columns[1][0] % 52} == {19}


GOOD = position_text(Game("YU1-C-AAAAAAB").position, masked=False)


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    "text,column,character,says",
    [
        ("", None, None, "4 parts"),
        (GOOD + " -", None, None, "here are 5"),
        (GOOD.replace(" ", "  "), None, None, "here are 7"),
        (changed("2s/", "2s"), None, 122, "7 columns; here are 6"),
        (changed("2s/", "2s//"), None, 124, "7 columns; here are 8"),
        (changed("(As)", "(##)"), 2, 5, "hidden card"),
        (changed("8d4d", "8d##"), 2, 12, "hidden card"),
        (changed("(As)3c", "3c(As)"), 2, 6, "face-down cards come first"),
        (changed("(As)", "(As"), 2, 4, "never closed"),
        (changed("(As)", "As)"), 2, 6, "face-down cards come first"),
        (changed("(As)", "()As"), 2, 4, "no card in the brackets"),
        (changed("(As)", "(A)"), 2, 5, "'A' is no card"),
        (changed("(As)3c", "(As)3x"), 2, 8, "'3x' is no card"),
        (changed("(As)3c", "(As)0c"), 2, 8, "'0c' is no card"),
        (changed("6cJc", "6cJ"), 2, 16, "'J' is no card"),
        (changed("(As)3c", "(As)2s"), 2, 8, "the 2s is there twice"),
        (changed("Qs ", "Qs5d "), 7, 123, "the 5d is there twice"),
        (changed("(As)", ""), None, None, "the As is missing"),
        (changed("2s/", "/"), None, None, "the 2s is missing"),
        (changed("JdKs9h6hQs", ""), 7, 112, "turns up by itself"),
        (changed(" s0h0", " h0s0"), None, 124, "'s' is expected"),
        (changed(" s0h0", " s0xh0"), None, 126, "'h' is expected"),
        (changed(" s0h0", " sh0"), None, 125, "a number from 0 to 13"),
        (changed(" s0h0", " s14h0"), None, 125, "a number from 0 to 13"),
        (changed(" s0h0", " s00h0"), None, 126, "'h' is expected"),
        (changed(" s0h0", " s1h0"), None, 125, "the As is there twice"),
        (changed("c0 -", "c0c0 -"), None, 132, "nothing more"),
        (changed("- -", "-  "), None, None, "here are 5"),
        (changed("- -", "- "), None, 135, "the waste is written - when empty"),
        (changed("- -", "2s -"), None, 133, "neither stock nor waste"),
        (changed("- -", "- 2s"), None, 135, "neither stock nor waste"),
    ],
)
def test_what_is_wrong_with_a_position_and_where(
    text: str, column: int | None, character: int | None, says: str
) -> None:
    with pytest.raises(InvalidPosition, match=says.replace("(", r"\(")) as caught:
        read_position(text, CLASSIC)
    assert (caught.value.column, caught.value.character) == (column, character)
    if column is not None:
        assert f"column {column}, character {character}: " in str(caught.value)
    elif character is not None:
        assert str(caught.value).startswith(f"character {character}: ")


def test_where_cards_may_stay_face_down_a_column_may_be_all_so() -> None:
    text = changed("JdKs9h6hQs s0", " s0").replace("2s/", "2sJdKs9h6hQs/")
    position = read_position(text, RULESETS["O"])
    assert position_text(position, masked=False) == text
    with pytest.raises(InvalidPosition):
        read_position(text, CLASSIC)


def test_two_decks_have_each_card_twice() -> None:
    text = position_text(Game("YU1-D-AAAAAAB").position, masked=False)
    with pytest.raises(InvalidPosition, match="the 7d is there a third time"):
        read_position(text.replace("5hKd9s", "7dKd9s"), DOUBLE)
    with pytest.raises(InvalidPosition, match="the 5h is there only once"):
        read_position(text.replace("5hKd9s", "Kd9s"), DOUBLE)
    with pytest.raises(InvalidPosition, match="',' is expected"):
        read_position(text.replace("s0,0", "s0.0"), DOUBLE)


def test_stock_and_waste_are_read_in_deal_order() -> None:
    game = played("YU1-P-AAAAAAB", "D D D")
    text = position_text(game.position, masked=False)
    read = read_position(text, game.ruleset)
    assert read == game.position
    game = Game.from_position(game.ruleset, read)
    game.play("D", 0)
    assert read != game.position
    assert game.position.waste[-1] == read.stock[-1]
    with pytest.raises(InvalidPosition, match="'x' is no card"):
        read_position(text + "x", game.ruleset)


def test_a_position_is_not_equal_to_something_else() -> None:
    assert Game("YU1-C-AAAAAAB").position != "YU1-C-AAAAAAB"
    assert Game("YU1-C-AAAAAAB").position != Game("YU1-R-AAAAAAB").position
