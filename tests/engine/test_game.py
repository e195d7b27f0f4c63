"""A game move by move: empty columns, turning up, the end, pause, time, and taking back."""

import pytest

from engine.code import parse
from engine.diff import State, Turned
from engine.errors import EngineError, Reason
from engine.game import Game
from engine.log import LAST_MS
from engine.move import FINISH, Move
from engine.notation import position_text
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
