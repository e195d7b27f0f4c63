"""A game move by move: the known traps by name, counters, undo, pause, time, and taking back."""

import pytest

from engine.cards import RANK
from engine.code import parse
from engine.diff import Moved, State, Turned
from engine.errors import EngineError, IllegalMove, Reason
from engine.game import Game
from engine.log import LAST_MS
from engine.move import DRAW, FINISH, Move
from engine.notation import position_text, read_position
from engine.position import Position
from engine.ruleset import ruleset
from tests.engine.boards import (
    LETTERS,
    board,
    everything,
    played,
    shown,
    shuttle,
    vectors,
    wandered,
)

# --- the known traps -----------------------------------------------------------------------------


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


# --- columns, kings, turning up ------------------------------------------------------------------


def test_a_king_may_move_to_an_empty_column_for_nothing() -> None:
    game = board("C", "Ks")
    assert Move(0, 1, 1) in game.legal_moves
    game.play("T1:1>T2", 0)
    assert shown(game.position, 2) == "Ks"


def test_in_open_turning_up_is_a_move() -> None:
    game = board("O", "8h/(Qd)7s/6d")
    game.play("T2:1>T1", 0)
    assert shown(game.position, 2) == "Qd"
    assert position_text(game.position).startswith("8h7s/(##)/6d/")
    score = game.score
    assert game.why_illegal("T3:1>T2") is Reason.TARGET_FACE_DOWN
    diff = game.play("!T2", 0)
    assert diff.steps == (Turned(1, 37, up=True),)
    assert (game.score, game.moves) == (score + 5, 2)
    game.play("U", 0)
    assert position_text(game.position).startswith("8h7s/(##)/6d/")
    # The undo counts as a move of its own.
    assert (game.score, game.moves) == (score, 3)
    assert game.version == 3


def test_turning_up_the_last_card_may_finish_the_game_in_open() -> None:
    game = board("O", "Ks/(Kd)", "CDCD")
    diff = game.play("!T2", 0)
    assert game.is_won
    assert len(diff.steps) == 3
    assert (game.moves, game.score) == (1, diff.before.score + 25)


# --- the end, blocked ----------------------------------------------------------------------------


@pytest.mark.parametrize("letter", LETTERS)
def test_blocked_is_announced_as_lost_only_where_the_table_says(letter: str) -> None:
    columns = "2s/4s/6s/8s/Ts/2c" + ("/4c/6c/8c" if letter == "D" else "")
    game = board(letter, columns, heap_down=True)
    assert not game.legal_moves
    assert game.is_blocked
    assert game.state is State.BLOCKED
    assert game.is_lost == (letter in "YSAPD")
    # Nothing has ended: it can still be paused and given up.
    assert game.why_illegal("pause") is None
    assert game.why_illegal("resign") is None


def test_a_won_game() -> None:
    game = board("C", "Ks", "CDDD")
    game.play("T1>F", 1234)
    assert (game.state, game.is_won, game.is_over) == (State.WON, True, True)
    assert (game.time_ms, game.elapsed(99_999)) == (1234, 1234)
    assert not game.legal_moves
    assert not game.can_undo
    assert not game.is_blocked
    assert not game.is_finishable
    assert game.score == game.ranked_score == 625


def test_a_game_given_up() -> None:
    game = played("YU1-S-AAAAAAB", "resign", 50)
    assert (game.state, game.is_over, game.is_won) == (State.GIVEN_UP, True, False)
    assert game.time_ms is None
    assert (game.elapsed(99), game.moves, game.version) == (50, 0, 1)
    assert not game.legal_moves
    assert not game.is_blocked
    assert not game.is_lost


def test_every_yukon_deal_won_without_take_back_ends_with_625() -> None:
    counted = 0
    for row in vectors("plays"):
        if row["checks"][-1]["won"] and row["code"][4] not in "PD":
            game = played(row["code"], row["moves"])
            assert game.ranked_score == 625
            if not any(command.startswith("F") for command in row["moves"].split()):
                counted += 1
                assert game.score == 625
    assert counted >= 12


# --- pause, time ---------------------------------------------------------------------------------


def test_pause_and_resume() -> None:
    game = Game("YU1-C-AAAAAAB")
    game.play("T3:4>T1", 1000)
    before = game.position.copy()
    game.play("pause", 2000)
    assert (game.state, game.is_paused, game.can_undo) == (State.PAUSED, True, False)
    assert not game.legal_moves
    assert not game.is_finishable
    assert not game.is_blocked
    assert game.elapsed(9000) == 2000
    game.play("resume", 5000)
    assert (game.state, game.elapsed(6000)) == (State.PLAYING, 3000)
    assert (game.moves, game.version) == (1, 3)
    assert game.position == before
    game.play("U", 6000)
    assert not game.can_undo
    assert game.position == Game("YU1-C-AAAAAAB").position


@pytest.mark.parametrize("commands", ["T3:4>T1", "pause", "pause resume", "pause resume resign"])
def test_the_clock_never_shows_less_than_at_the_last_record(commands: str) -> None:
    game = Game("YU1-C-AAAAAAB")
    for number, command in enumerate(commands.split(), 1):
        game.play(command, 1000 * number)
    shown_at_last = game.elapsed(game.last_ms)
    assert shown_at_last == 1000 + 1000 * commands.count("resign")
    for now in (-1, 0, 500, game.last_ms - 1):
        assert game.elapsed(now) == shown_at_last


def test_the_time_of_a_win_is_without_pauses() -> None:
    game = board("C", "Kd/Ks", "CDCD")
    game.play("pause", 1000)
    game.play("resume", 4000)
    game.play("T1>F", 5000)
    game.play("pause", 5000)
    game.play("resume", 7500)
    game.play("T2>F", 8000)
    assert game.is_won
    assert game.last_ms == 8000
    assert game.time_ms == 8000 - 3000 - 2500


def test_a_paused_game_can_be_blocked() -> None:
    game = played("YU1-S-AAAAPO6", vectors_moves("YU1-S-AAAAPO6", 2))
    assert game.is_blocked
    assert game.is_lost
    assert game.play("pause", 0).after.state is State.PAUSED
    assert game.is_blocked
    assert game.play("resume", 0).after.state is State.BLOCKED
    assert game.play("U", 0).after.state is State.PLAYING


def vectors_moves(code: str, count: int) -> str:
    row = next(row for row in vectors("plays") if row["code"] == code)
    return " ".join(row["moves"].split()[:count])


def test_time_never_runs_backwards() -> None:
    game = played("YU1-C-AAAAAAB", "T3:4>T1", 500)
    before = everything(game)
    for ms in (499, -1, LAST_MS + 1):
        with pytest.raises(ValueError, match=f"{ms} ms"):
            game.play("U", ms)
        assert everything(game) == before
    game.play("U", 500)
    game.play("T3:4>T1", LAST_MS)
    assert Game.from_log("YU1-C-AAAAAAB", game.log).last_ms == LAST_MS


def test_a_record_is_stamped_with_the_time_it_was_committed() -> None:
    game = Game("YU1-C-AAAAAAB")
    with pytest.raises(EngineError):
        game.stamp(1)
    game.play("T3:4>T1", 500)
    game.stamp(700)
    assert game.last_ms == 700
    game.stamp(0)
    game.stamp(600)
    game.play("pause", 800)
    for ms in (599, -1, LAST_MS + 1):
        with pytest.raises(ValueError, match=f"{ms} ms"):
            game.stamp(ms)
    game.stamp(600)
    game.play("resume", 1600)
    game.stamp(1700)
    assert game.elapsed(2000) == 2000 - 1100
    assert Game.from_log("YU1-C-AAAAAAB", game.log).elapsed(2000) == 900


# --- taking commands back ------------------------------------------------------------------------


def test_retract_is_exact_for_every_command() -> None:
    game = Game("YU1-C-AAAAAAB")
    with pytest.raises(EngineError, match="no command"):
        game.retract()
    states = [everything(game)]
    commands = "T3:4>T1 pause resume T2:5>T4 U U T4:2>T2 pause resume resign"
    for number, command in enumerate(commands.split()):
        game.play(command, number * 10)
        states.append(everything(game))
    for state in reversed(states[:-1]):
        game.retract()
        assert everything(game) == state


def test_retracting_the_101st_move_brings_the_first_undo_back() -> None:
    game = board("C", "Ks")
    shuttle(game, 101)
    game.retract()
    for _ in range(100):
        game.play("U", 0)
    assert shown(game.position, 1) == "Ks"
    assert not game.can_undo
    # And retracting an undo makes what it undid undoable again.
    for _ in range(100):
        game.retract()
    assert game.version == 100
    shuttle(game, 1)
    for _ in range(100):
        game.play("U", 0)
    assert not game.can_undo
    assert shown(game.position, 2) == "Ks"


def test_retracting_a_finish() -> None:
    game = board("C", "Kd/Ks", "CDCD")
    before = everything(game)
    game.play(FINISH, 5)
    assert game.is_won
    game.retract()
    assert everything(game) == before


# --- the rest of the door ------------------------------------------------------------------------


def test_legal_moves_can_be_asked_about() -> None:
    game = Game("YU1-C-AAAAAAB")
    legal = game.legal_moves
    assert Move(2, 4, 0) in legal
    assert Move(2, 3, 0) not in legal
    assert Move(255, 2, 0) not in legal
    assert (2, 4, 0) not in legal
    assert len(legal) == legal.count() == len(list(legal)) == 6
    assert legal == Game("YU1-C-AAAAAAB").legal_moves
    assert hash(legal) == hash(Game("YU1-C-AAAAAAB").legal_moves)
    assert "Move(source=2" in repr(legal)
    game.play("T3:4>T1", 0)
    # What was asked for stays what it was.
    assert Move(2, 4, 0) in legal
    assert legal != game.legal_moves


def test_a_game_knows_its_code_and_ruleset() -> None:
    game = Game("yu1 c aaaaaab")
    assert game.code == parse("YU1-C-AAAAAAB")
    assert game.ruleset.letter == "C"
    assert Game(parse("YU1-C-AAAAAAB")).position == game.position
    assert board("C", "Ks").code is None


def test_a_position_can_be_played_by_other_rules() -> None:
    classic = Game("YU1-C-AAAAAAB")
    russian = Game.from_position(ruleset("S"), classic.position)
    assert russian.legal_moves == Game("YU1-S-AAAAAAB").legal_moves
    russian.play(next(iter(russian.legal_moves)), 0)
    assert classic.position == Game("YU1-C-AAAAAAB").position


@pytest.mark.parametrize("letter", LETTERS)
def test_all_that_was_played_can_be_undone_to_the_deal(letter: str) -> None:
    game = wandered(f"YU1-{letter}-AAAABAA", 3, 90, undo=0.2)
    while game.can_undo:
        game.play("U", game.last_ms)
    start = Game(f"YU1-{letter}-AAAABAA")
    assert game.position == start.position
    assert (game.score, game.ranked_score) == (start.score, start.ranked_score)
    assert game.legal_moves == start.legal_moves
