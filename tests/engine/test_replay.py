"""Replays: one text for each game, checked to the letter, and every fault named by its line."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.diff import State
from engine.errors import InvalidReplay
from engine.game import Game
from engine.replay import Result, parse, to_text, verify
from tests.engine.boards import LETTERS, board, everything, played, vectors, wandered

DAY = dt.date(2025, 11, 30)
TEXT = """\
yukon-replay 1
YU1-C-AAAAAAB
2025-11-30
0 T3:4>T1
1500 T2:5>T4
1500 U
2000 pause
"""


def test_what_a_replay_looks_like() -> None:
    game = Game("YU1-C-AAAAAAB")
    for line in TEXT.splitlines()[3:]:
        ms, command = line.split()
        game.play(command, int(ms))
    assert to_text(game, DAY) == TEXT
    code, date, again = parse(TEXT)
    assert (str(code), date) == ("YU1-C-AAAAAAB", DAY)
    assert everything(again) == everything(game)
    assert verify(TEXT) == Result(
        code=code,
        date=DAY,
        state=State.PAUSED,
        score=game.score,
        ranked_score=game.ranked_score,
        moves=2,
        version=4,
        time_ms=None,
    )


def test_a_won_replay_tells_the_time() -> None:
    row = next(row for row in vectors("plays") if row["checks"][-1]["won"])
    game = Game(row["code"])
    for number, command in enumerate(row["moves"].split()):
        game.play(command, 1000 * number)
    result = verify(to_text(game, DAY))
    assert result.state is State.WON
    assert result.time_ms == game.last_ms
    assert result.version == len(row["moves"].split())


@given(st.sampled_from(LETTERS), st.integers(0, 50), st.integers(0, 60))
def test_log_and_replay_convert_without_loss(letter: str, seed: int, steps: int) -> None:
    game = wandered(f"YU1-{letter}-AAAAAC7", seed, steps)
    text = to_text(game, DAY)
    assert parse(text).game.log == game.log
    assert to_text(parse(text).game, DAY) == text


def test_a_game_from_a_position_has_no_replay() -> None:
    with pytest.raises(ValueError, match="has no replay"):
        to_text(board("C", "Ks"), DAY)


def with_line(number: int, line: str) -> str:
    lines = TEXT.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text,line,says",
    [
        ("", 1, "starts with format"),
        ("\n", 2, "starts with format"),
        ("yukon-replay 1\nYU1-C-AAAAAAB\n", 3, "starts with format"),
        (TEXT[:-1], 7, "cut short"),
        (TEXT[:-3], 7, "cut short"),
        (with_line(1, "yukon-replay 2"), 1, "is not yukon-replay 1"),
        (with_line(1, "yukon-replay 1 "), 1, "is not yukon-replay 1"),
        (with_line(1, ""), 1, "is not yukon-replay 1"),
        (TEXT.replace("\n", "\r\n"), 1, "is not yukon-replay 1"),
        (with_line(2, "YU1-X-AAAAAAB"), 2, "no ruleset 'X'"),
        (with_line(2, "YU1-C-AAAAAA"), 2, "here are 6"),
        (with_line(2, "yu1-c-aaaaaab"), 2, "is written YU1-C-AAAAAAB"),
        (with_line(2, "YU1-C-AAAAAAC"), 4, "not_that_many|wrong|wants"),
        (with_line(3, "30.11.2025"), 3, "no date"),
        (with_line(3, "2025-02-30"), 3, "no date"),
        (with_line(3, "20251130"), 3, "is written 2025-11-30"),
        (with_line(4, "T3:4>T1"), 4, "not milliseconds"),
        (with_line(4, ""), 4, "not milliseconds"),
        (with_line(4, "0  T3:4>T1"), 4, "not milliseconds"),
        (with_line(4, "0 T3:4>T1 "), 4, "not milliseconds"),
        (with_line(4, "00 T3:4>T1"), 4, "not milliseconds"),
        (with_line(4, "-1 T3:4>T1"), 4, "not milliseconds"),
        (with_line(4, "1e3 T3:4>T1"), 4, "not milliseconds"),
        (with_line(4, "1099511627776 T3:4>T1"), 4, "too late"),
        (with_line(4, "0 T3:4"), 4, "is no command"),
        (with_line(4, "0 redo"), 4, "is no command"),
        (with_line(4, "0 T3:5>T1"), 4, "wrong_rank"),
        (with_line(5, "1501 T2:5>T4"), 6, "time runs backwards, from 1501 to 1500 ms"),
        (with_line(6, "1500 resume"), 6, "not_paused"),
        (TEXT + "2001 U\n", 8, "paused"),
        (TEXT + "\n", 8, "not milliseconds"),
        (with_line(7, "2000 resign") + "2000 resign\n", 8, "game_over"),
    ],
)
def test_what_is_wrong_with_a_replay_and_where(text: str, line: int, says: str) -> None:
    with pytest.raises(InvalidReplay, match=says) as caught:
        verify(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_a_command_is_written_in_one_way_only() -> None:
    row = next(row for row in vectors("plays") if "T7>F" in row["moves"])
    game = played(row["code"], row["moves"])
    text = to_text(game, DAY)
    with pytest.raises(InvalidReplay, match="is written T7>F"):
        verify(text.replace("0 T7>F\n", "0 T7:1>F\n", 1))


@given(st.integers(0, len(TEXT) - 1), st.characters(codec="ascii"))
def test_a_changed_character_is_noticed_or_is_another_replay(at: int, character: str) -> None:
    text = TEXT[:at] + character + TEXT[at + 1 :]
    line = first_bad_line(text)
    assert line is None or 1 <= line <= text.count("\n") + 1


def first_bad_line(text: str) -> int | None:
    """The line that a replay is refused for; None when it is a game's, to the letter."""
    try:
        replay = parse(text)
    except InvalidReplay as error:
        return error.line
    assert to_text(replay.game, replay.date) == text
    return None
