"""What a session has earned by its log: rows of boards, a game in the statistics, a day's mark.

Pure: it is handed the stored session and plays the log again; nothing that is shown of a session,
and nothing that a client said, earns anything. It writes nothing.
"""

from collections.abc import Mapping
from datetime import date
from typing import Final, NamedTuple

from engine.code import parse
from engine.game import Game
from engine.log import RECORD
from engine.move import PAUSE
from server.core import boards, daily
from server.core.boards import Key, Order, Result, Source
from server.core.daily import Mark
from server.core.messages import Origin
from server.core.ports import StoredSession
from server.core.statistics import UNTOUCHED_MS, Fate, Played, fate

OLDEST_MS: Final = 365 * daily.DAY_MS
"""A game dealt longer ago does not count any more: what was counted is remembered for longer."""

_PAUSE: Final = bytes(PAUSE)
_SOURCES: Final[Mapping[int, Source]] = {
    Origin.RANDOM: Source.RANDOM,
    Origin.TYPED: Source.TYPED,
    Origin.RANKED: Source.RANKED,
    Origin.DAILY: Source.DAILY,
    Origin.RACE: Source.RACE,
}


class Place(NamedTuple):
    """Which rows: those of a board in an order."""

    board: str
    order: Order

    def __str__(self) -> str:
        """How it is written down at a player and at a session."""
        return f"{self.order}/{self.board}"

    @classmethod
    def read(cls, text: str) -> "Place":
        """Read what `str` wrote. Raises ValueError."""
        order, _, board = text.partition("/")
        return cls(board, Order(order))


class Row(NamedTuple):
    """A row that a result earns where its player has no better one; `expires` as its board does."""

    place: Place
    key: Key
    expires: int | None


class Verdict(NamedTuple):
    """What a session has come to by now.

    `rows` and `mark` (of the day of a daily deal) are there once it has ended. `played` is the game
    for the statistics, None while it does not count. `again_ms`: when to look again at a game that
    is still open, Unix milliseconds.
    """

    result: Result
    fate: Fate
    rows: tuple[Row, ...]
    played: Played | None
    mark: tuple[date, Mark] | None
    again_ms: int | None

    @property
    def letter(self) -> str:
        """The ruleset."""
        return parse(self.result.code).letter


def judge(stored: StoredSession, *, first: bool, attempt: bool) -> Verdict:
    """What a session has come to. Raises EngineError when its log is no game.

    `first`: its player had these cards never before; `attempt`: it is the one that counts in a
    daily deal.
    """
    code = parse(stored.code)
    game = Game.from_log(code, stored.log)
    touched = stored.dealt_at_ms + game.last_ms
    has_ended = game.is_over or stored.closed_at_ms is not None
    came_to = fate(
        moves=game.moves, won=game.is_won, ended=has_ended, touched=touched, now=stored.now_ms
    )
    ended, time = _end(stored, game, touched)
    source = _SOURCES[stored.origin]
    result = Result(
        session=stored.session_id,
        player=stored.player,
        code=str(code),
        source=source,
        sealed=code.is_sealed and source not in (Source.RANDOM, Source.TYPED),
        first=first and (source is not Source.DAILY or attempt),
        paused=was_paused(stored.log),
        won=game.is_won,
        ranked=game.ranked_score,
        time=time,
        moves=game.moves,
        dealt=stored.dealt_at_ms,
        ended=ended,
    )
    counts = came_to in (Fate.WON, Fate.NOT_WON) and stored.now_ms < stored.dealt_at_ms + OLDEST_MS
    return Verdict(
        result,
        came_to,
        _rows(result) if has_ended else (),
        Played(result.won, result.ranked, time, result.moves, ended) if counts else None,
        _mark(result) if has_ended and attempt else None,
        touched + UNTOUCHED_MS if came_to is Fate.OPEN else None,
    )


def was_paused(log: bytes) -> bool:
    """Whether a game was paused at any time."""
    return any(log.startswith(_PAUSE, at) for at in range(0, len(log), RECORD))


def _end(stored: StoredSession, game: Game, touched: int) -> tuple[int, int]:
    """When a game ended, Unix milliseconds, and what its clock showed then.

    One that nobody touched any more ended when that was clear, and its clock at its last command.
    """
    if game.is_over:
        return touched, game.elapsed(game.last_ms)
    if stored.closed_at_ms is not None:
        ended = max(stored.closed_at_ms, touched)
        return ended, game.elapsed(ended - stored.dealt_at_ms)
    return touched + UNTOUCHED_MS, game.elapsed(game.last_ms)


def _rows(result: Result) -> tuple[Row, ...]:
    return tuple(
        Row(Place(board, order), boards.key(result, order), boards.expires(board, result.ended))
        for board in boards.boards(result)
        for order in boards.orders(result)
    )


def _mark(result: Result) -> tuple[date, Mark] | None:
    """The mark of a day: of the attempt that counts, when it was played and ended on its day."""
    day = daily.today(result.dealt)
    if result.source is not Source.DAILY or result.moves == 0 or daily.today(result.ended) != day:
        return None
    return day, Mark(result.won, result.ranked, result.moves, result.time if result.won else None)
