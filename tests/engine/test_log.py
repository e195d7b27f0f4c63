"""Logs: eight bytes for each command, and every bad one refused by the number of its record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidLog
from engine.game import Game
from engine.log import records
from engine.move import Move
from tests.engine.boards import LETTERS, everything, played, vectors, wandered

CODE = "YU1-C-AAAAAAB"


def test_a_record_is_eight_bytes() -> None:
    game = Game(CODE)
    game.play("T3:4>T1", 0x0102030405)
    assert game.log == bytes([2, 4, 0, 1, 2, 3, 4, 5])
    game.play("pause", 0x0102030406)
    game.play("resume", 0x0102030407)
    game.play("U", 0x0102030408)
    game.play("resign", 0x0102030409)
    assert game.log[8:] == bytes(
        [
            *(255, 3, 0, 1, 2, 3, 4, 6),
            *(255, 4, 0, 1, 2, 3, 4, 7),
            *(255, 2, 0, 1, 2, 3, 4, 8),
            *(255, 5, 0, 1, 2, 3, 4, 9),
        ]
    )
    assert game.version == len(game.log) // 8 == 5
    assert next(move for _, move, _ in records(game.log)) == Move(2, 4, 0)


def test_a_log_names_the_foundation() -> None:
    row = next(row for row in vectors("plays") if row["code"][4] == "D")
    game = played(row["code"], row["moves"])
    targets = {move.target for _, move, _ in records(game.log) if move.target >= 16}
    assert targets <= set(range(16, 24))
    assert len(targets) > 4


@pytest.mark.parametrize("letter", LETTERS)
def test_a_log_gives_the_same_game(letter: str) -> None:
    game = wandered(f"YU1-{letter}-AAAAAB7", 11, 120)
    assert everything(Game.from_log(f"YU1-{letter}-AAAAAB7", game.log)) == everything(game)


LOG = played(CODE, "T3:4>T1 T2:5>T4 U", 7).log


@pytest.mark.parametrize(
    "log,record,says",
    [
        (LOG[:-1], 3, "cut short, 7 bytes"),
        (LOG[:17], 3, "cut short, 1 bytes"),
        (LOG + b"\0", 4, "cut short"),
        (LOG + bytes([255, 6, 0, 0, 0, 0, 0, 9]), 4, "is no command"),
        (LOG + bytes([255, 0, 0, 0, 0, 0, 0, 9]), 4, "is no command"),
        (LOG + bytes([255, 2, 1, 0, 0, 0, 0, 9]), 4, "is no command"),
        (LOG + bytes([40, 1, 1, 0, 0, 0, 0, 9]), 4, "no_such_pile"),
        (LOG + bytes([2, 4, 0, 0, 0, 0, 0, 9]), 4, "not_that_many"),
        (LOG + bytes([2, 1, 16, 0, 0, 0, 0, 9]), 4, "wants_next"),
        (LOG + bytes([2, 1, 27, 0, 0, 0, 0, 9]), 4, "no_such_pile"),
        (LOG + bytes([255, 4, 0, 0, 0, 0, 0, 9]), 4, "not_paused"),
        (LOG + bytes([255, 1, 0, 0, 0, 0, 0, 9]), 4, "not_finishable"),
        (LOG + bytes([255, 3, 0, 0, 0, 0, 0, 6]), 4, "time runs backwards, from 7 to 6 ms"),
        (LOG + bytes([255, 5, 0, 0, 0, 0, 0, 9]) * 2, 5, "game_over"),
    ],
)
def test_what_is_wrong_with_a_log_and_where(log: bytes, record: int, says: str) -> None:
    with pytest.raises(InvalidLog, match=says) as caught:
        Game.from_log(CODE, log)
    assert caught.value.record == record
    assert str(caught.value).startswith(f"record {record}: ")


def first_bad_record(code: str, log: bytes) -> int | None:
    """The record that a log is refused for; None when it is a game's, to the byte."""
    try:
        game = Game.from_log(code, log)
    except InvalidLog as error:
        return error.record
    assert game.log == log
    return None


@given(st.binary(max_size=64), st.sampled_from(LETTERS))
def test_any_bytes_are_a_game_or_an_invalid_log(data: bytes, letter: str) -> None:
    code = f"YU1-{letter}-AAAAAAB"
    record = first_bad_record(code, data)
    assert record is None or 1 <= record <= len(data) // 8 + 1


@given(st.integers(0, 10**6), st.data())
def test_a_changed_byte_is_noticed_or_is_another_game(seed: int, data: st.DataObject) -> None:
    game = wandered(CODE, seed % 5, 30)
    log = bytearray(game.log)
    at = data.draw(st.integers(0, len(log) - 1))
    log[at] ^= data.draw(st.integers(1, 255))
    record = first_bad_record(CODE, bytes(log))
    # The record itself, or a later one that cannot be played any more.
    assert record is None or record >= at // 8 + 1
