"""A played game as a text that anyone can check. Reads and writes strings, no files.

The lines of a replay, each ended by a newline, are `yukon-replay 1` (the version of the format),
the game code, the UTC date of the deal as `2025-11-30`, and then for each accepted command the
milliseconds since the deal and the command: `1500 T3:4>T6`. A game and a date have exactly one
such text.
"""

import datetime as dt
import re
from typing import Final, NamedTuple

from engine.code import GameCode
from engine.code import parse as parse_code
from engine.diff import State
from engine.errors import EngineError, InvalidCode, InvalidReplay
from engine.game import Game
from engine.log import LAST_MS, records
from engine.notation import move_text

FORMAT: Final = "yukon-replay"
VERSION: Final = 1

_HEADER_LINES: Final = 3
_RECORD: Final = re.compile(r"(0|[1-9][0-9]{0,12}) (\S+)")


class Replay(NamedTuple):
    """A replay that was read and played through."""

    code: GameCode
    date: dt.date
    game: Game


class Result(NamedTuple):
    """What a replay proves.

    `time_ms` is what the clock showed at the winning move, without pauses; None when not won.
    """

    code: GameCode
    date: dt.date
    state: State
    score: int
    ranked_score: int
    moves: int
    version: int
    time_ms: int | None


def to_text(game: Game, date: dt.date) -> str:
    """The replay of a game; `date` is the day of the deal. Raises ValueError without a code."""
    if game.code is None:
        raise ValueError("a game that started from a position has no replay")
    lines = [f"{FORMAT} {VERSION}", str(game.code), date.isoformat()]
    lines += [f"{ms} {move_text(move, game.ruleset)}" for _, move, ms in records(game.log)]
    return "\n".join(lines) + "\n"


def parse(text: str) -> Replay:
    """Read a replay and play it through. Raises InvalidReplay, which names the line.

    Only the text that `to_text` writes is accepted, to the letter.
    """
    lines = text.split("\n")
    if lines.pop():
        raise InvalidReplay(len(lines) + 1, "it is cut short: the newline at its end is missing")
    if len(lines) < _HEADER_LINES:
        raise InvalidReplay(len(lines) + 1, "a replay starts with format, code and date")
    if lines[0] != f"{FORMAT} {VERSION}":
        raise InvalidReplay(1, f"{lines[0][:40]!r} is not {FORMAT} {VERSION}")
    code = _read_code(lines[1])
    date = _read_date(lines[2])
    game = Game(code)
    for number, line in enumerate(lines[_HEADER_LINES:], _HEADER_LINES + 1):
        _play_line(game, number, line)
    return Replay(code, date, game)


def verify(text: str) -> Result:
    """What a replay proves. Raises InvalidReplay, which names the line, when it proves nothing."""
    code, date, game = parse(text)
    return Result(
        code=code,
        date=date,
        state=game.state,
        score=game.score,
        ranked_score=game.ranked_score,
        moves=game.moves,
        version=game.version,
        time_ms=game.time_ms,
    )


def _read_code(line: str) -> GameCode:
    try:
        code = parse_code(line)
    except InvalidCode as error:
        raise InvalidReplay(2, str(error)) from error
    if str(code) != line:
        raise InvalidReplay(2, f"the code is written {code}")
    return code


def _read_date(line: str) -> dt.date:
    try:
        date = dt.date.fromisoformat(line)
    except ValueError as error:
        raise InvalidReplay(3, f"{line[:40]!r} is no date like 2025-11-30") from error
    if date.isoformat() != line:
        raise InvalidReplay(3, f"the date is written {date.isoformat()}")
    return date


def _play_line(game: Game, number: int, line: str) -> None:
    match = _RECORD.fullmatch(line)
    if match is None:
        raise InvalidReplay(number, f"{line[:40]!r} is not milliseconds, a space and a command")
    ms, text = int(match[1]), match[2]
    if ms < game.last_ms:
        raise InvalidReplay(number, f"time runs backwards, from {game.last_ms} to {ms} ms")
    if ms > LAST_MS:
        raise InvalidReplay(number, f"{ms} ms is too late")
    try:
        diff = game.play(text, ms)
    except EngineError as error:
        raise InvalidReplay(number, str(error)) from error
    written = move_text(diff.command, game.ruleset)
    if written != text:
        raise InvalidReplay(number, f"the command is written {written}")
