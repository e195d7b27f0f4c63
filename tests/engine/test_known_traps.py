"""The known traps of the game by name: what a program of this kind easily gets wrong."""

import pytest

from engine.cards import RANK
from engine.diff import Moved, Turned
from engine.errors import IllegalMove, Reason
from engine.game import Game
from engine.move import DRAW, Move
from engine.notation import position_text, read_position
from engine.position import Position
from engine.ruleset import ruleset
from tests.engine.boards import (
    LETTERS,
    board,
    everything,
    shown,
    shuttle,
    vectors,
)


def test_a_card_from_inside_a_column_dropped_on_a_foundation() -> None:
    game = board("C", "8hAs5d")
    before = everything(game)
    assert game.why_illegal("T1:2>F") is Reason.SINGLE_CARDS_ONLY
    assert game.why_illegal(Move(0, 2, 16)) is Reason.SINGLE_CARDS_ONLY
    with pytest.raises(IllegalMove):
        game.play("T1:2>F", 0)
    assert everything(game) == before
    assert sorted(card for pile in game.position.piles for card in pile) == list(range(52))


def test_cards_dropped_on_their_own_column() -> None:
    game = board("C", "8h7s6d")
    before = everything(game)
    for count in (1, 2, 3):
        with pytest.raises(IllegalMove) as caught:
            game.play(Move(0, count, 0), 0)
        assert caught.value.reason is Reason.SAME_PILE
    assert everything(game) == before


def test_undo_after_a_move_that_turned_a_card_up() -> None:
    game = board("C", "8h/(Qd)7s")
    before = position_text(game.position)
    diff = game.play("T2:1>T1", 0)
    assert diff.steps == (Moved(1, 1, 0, (6,)), Turned(1, 37, up=True))
    assert position_text(game.position).startswith("8h7s/Qd/")
    assert (game.score, game.ranked_score) == (diff.before.score + 5, diff.before.ranked_score + 5)
    undo = game.play("U", 0)
    assert undo.steps == (Turned(1, 37, up=False), Moved(0, 1, 1, (6,)))
    assert undo.steps == diff.inverse().steps
    assert position_text(game.position) == before
    assert game.score == diff.before.score
    assert game.ranked_score == diff.before.ranked_score


@pytest.mark.parametrize("letter", ["C", "R"])
def test_the_101st_undo_is_refused(letter: str) -> None:
    game = board(letter, "Ks")
    shuttle(game, 105)
    for _ in range(100):
        game.play("U", 0)
    assert not game.can_undo
    assert game.why_illegal("U") is Reason.NOTHING_TO_UNDO
    # What is played now can be undone, and nothing before it.
    shuttle(game, 1)
    game.play("U", 0)
    assert not game.can_undo
    assert shown(game.position, 2) == "Ks"


@pytest.mark.parametrize("letter", [letter for letter in LETTERS if letter not in "CR"])
def test_without_a_limit_everything_can_be_undone(letter: str) -> None:
    game = board(letter, "Ks")
    shuttle(game, 151)
    for _ in range(151):
        game.play("U", 0)
    assert not game.can_undo
    assert shown(game.position, 1) == "Ks"


def test_a_group_of_21_is_refused_in_classic_and_one_of_20_is_not() -> None:
    run = "7s6d5s4d3s2dAsKdQsJdTs9d8s7d6s5d4s3d2sAd"
    game = board("C", f"8h/{run}")
    assert game.why_illegal("T2:20>T1") is None
    assert Move(1, 20, 0) in game.legal_moves
    longer = board("C", f"8h/{run}Ks")
    assert longer.why_illegal("T2:21>T1") is Reason.OVER_GROUP_LIMIT
    assert Move(1, 21, 0) not in longer.legal_moves
    for letter in "OTY":
        assert board(letter, f"8h/{run}Ks").why_illegal("T2:21>T1") is None


def test_undo_of_a_take_back() -> None:
    game = board("C", "3h", "2")
    before = game.position.copy()
    # Two cards are home, and 21 that are dealt face down lie face up.
    assert game.score == game.ranked_score == 125
    game.play("Fs>T1", 0)
    assert shown(game.position, 1) == "3h2s"
    assert (game.score, game.ranked_score) == (125, 115)
    game.play("U", 0)
    assert game.position == before
    assert (game.score, game.ranked_score) == (125, 125)


def test_taking_back_and_placing_again_earns_ten_but_ranks_nothing() -> None:
    game = board("C", "3h", "2")
    score, ranked = game.score, game.ranked_score
    for _ in range(3):
        game.play("Fs>T1", 0)
        game.play("T1>F", 0)
    assert game.score == score + 30
    assert game.ranked_score == ranked
    assert game.moves == 6


def test_undo_of_a_draw() -> None:
    game = Game("YU1-P-AAAAAAB")
    before = everything(game)
    diff = game.play(DRAW, 0)
    assert len(game.position.waste) == 1
    undo = game.play("U", 0)
    assert undo.steps == diff.inverse().steps
    assert everything(game)[4:8] == before[4:8]
    assert (game.moves, game.version) == (1, 2)


def test_undo_of_an_automatic_ace_is_one_step() -> None:
    game = board("T", "8h/(5dAs)7s")
    before = position_text(game.position, masked=False)
    diff = game.play("T2:1>T1", 0)
    assert diff.steps == (
        Moved(1, 1, 0, (6,)),
        Turned(1, 0, up=True),
        Moved(1, 1, 16, (0,)),
        Turned(1, 30, up=True),
    )
    assert game.moves == 1
    assert diff.after.score - diff.before.score == 20
    game.play("U", 0)
    assert position_text(game.position, masked=False) == before
    assert game.score == diff.before.score
    assert not game.can_undo


def test_aces_go_up_lowest_column_first_and_are_scored_at_the_deal() -> None:
    game = board("T", "8hAs/7cAd/6sAc")
    assert position_text(game.position).split(" ")[1] == "s1h0d1c1"
    started = [row for row in vectors("deals") if row["code"][4] == "T" and row["score"]]
    assert started
    game = Game(started[0]["code"])
    assert game.score == game.ranked_score == started[0]["score"] >= 10
    assert (game.moves, game.version, game.can_undo) == (0, 0, False)


def test_an_ace_goes_up_only_from_the_end_of_a_column() -> None:
    game = board("T", "8h/2d7s/AsQs/Ks")
    assert len(game.play("T2:1>T1", 0).steps) == 1
    # A king with an ace at the end of its group: the ace does not stay with it.
    game = board("T", "(5s)Qs/Qd/Kd")
    game.play("T1:1>T3", 0)
    assert shown(game.position, 1) == "5s"


UNSAFE = [
    (
        "8C|5D5S2CAC9CTH|9D4C3D7STC4HTD|4S2DQH3H8H3SQDKH|AH9SQC6SASJS8SKS4D"
        "|KCTS6H6CKD7H3C8DJC9H|2S6D5HJH2H5CAD7D7CJDQS"
    ),
    (
        "AH|7D6H6SQC8H4H|6DKD9H4CAS8CTS|3C3H5HKH3S5CQS2H|8S7S5D9D4S3D7HJSTH"
        "|JDKS2CQH2DAD9S7C8D4D|TDJH6C5S2SJCACQD9CKCTC"
    ),
]


@pytest.mark.parametrize("deal", UNSAFE)
def test_an_ace_may_stay_and_carry_cards(deal: str) -> None:
    columns = []
    for down, cards in enumerate(deal.split("|")):
        text = "".join(cards[at] + cards[at + 1].lower() for at in range(0, len(cards), 2))
        columns.append(f"({text[: 2 * down]}){text[2 * down :]}" if down else text)
    rules = ruleset("C")
    text = "/".join(columns) + " s0h0d0c0 - -"
    game = Game.from_position(rules, read_position(text, rules))
    assert position_text(game.position, masked=False) == text
    # Nothing goes up unasked, whatever is played; an ace with cards on it goes onto a two.
    for move in game.legal_moves:
        diff = game.play(move, 0)
        assert [step for step in diff.steps if isinstance(step, Moved)] == [diff.steps[0]]
        game.retract()
    ace = board("C", "2h/AsKd")
    assert ace.why_illegal("T2:2>T1") is None
    assert ace.why_illegal("T2:1>T1") is Reason.WRONG_RANK
    two = board("A", "Ah/2h")
    assert two.why_illegal("T2:1>T1") is None
    assert board("C", "Ah/2s").why_illegal("T2:1>T1") is Reason.WRONG_RANK


def test_two_sevens_of_hearts_are_two_cards() -> None:
    game = board("D", "8s/8c/7h/7h")
    first, second = game.position.columns[2][0], game.position.columns[3][0]
    assert {first, second} == {19, 71}
    game.play("T3:1>T1", 0)
    game.play("T4:1>T2", 0)
    assert game.position.columns[0][-1] == first
    assert game.position.columns[1][-1] == second
    assert game.position.place[first] == 0
    assert game.position.place[second] == 1
    game = Game("YU1-D-AAAAAAB")
    assert len({card for pile in game.position.piles for card in pile}) == 104


def test_columns_may_be_as_long_as_the_deck() -> None:
    cards = "".join(rank + suit for rank in "KQJT98765432A" for suit in "shdc")
    game = board("Y", f"{cards[:-2]}/Ac".replace("Kh", "") + "/Kh")
    game.play("T2>F", 0)
    assert len(game.position.columns[0]) == 50
    assert len(game.legal_moves) > 0
    double = ruleset("D")
    kings_first = bytes(sorted(range(104), key=lambda card: -RANK[card]))
    position = Position(double, [kings_first, *[b""] * 9], [0] * 10)
    game = Game.from_position(double, position)
    game.play("T1:104>T2", 0)
    assert len(game.position.columns[1]) == 104
    assert Game.from_position(double, game.position).legal_moves == game.legal_moves
