"""What leaderboards, histories and the daily deal need of the store: values and methods, no code.

A sibling of ports.py. All methods raise Unavailable. Instants are Unix milliseconds by the clock of
the store, times milliseconds.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple, Protocol

from server.core.boards import Key, Order
from server.core.daily import Mark
from server.core.statistics import Statistics


class Brief(NamedTuple):
    """A session without its log; `state`, `score`, `ranked` and `moves` as of the last command.

    `head` stands for the whole log: with another command it is another one.
    """

    session_id: str
    code: str
    player: str
    origin: int
    race: str
    dealt_at_ms: int
    state: str
    score: int
    ranked: int
    moves: int
    closed_at_ms: int | None
    opened_at_ms: int | None
    head: bytes = b""


class BoardRow(NamedTuple):
    """A row as anybody may see it; `code` and `replay` are None while the deal is hidden.

    `score` is the ranked score; `name` is None for who has none, or is no player any more.
    """

    place: int
    player: str
    name: str | None
    time: int
    score: int
    moves: int
    won: bool
    code: str | None
    ended: int
    replay: str | None
    key: Key


class Page(NamedTuple):
    """Rows of a board one after another, of `total`."""

    total: int
    rows: tuple[BoardRow, ...]


class Around(NamedTuple):
    """The rows around a player's own; no place and no rows when the player has none."""

    total: int
    place: int | None
    rows: tuple[BoardRow, ...]


class BoardStore(Protocol):
    """The leaderboards."""

    async def page(
        self, board: str, order: Order, now_ms: int, *, after: Key | None, size: int
    ) -> Page:
        """The first rows, or those after a key, whose row may be gone by now."""

    async def around(self, board: str, order: Order, player: str, now_ms: int) -> Around:
        """A player's own row and up to five above and below."""

    async def total(self, board: str) -> int:
        """How many players have a row in the order `best`."""


class Game(NamedTuple):
    """A session of a player's history. `time` is what its clock shows, `touched` the last command.

    `code` is None while it is hidden; `state` is the engine's word, or `over` for a race that
    ended it; `replay` tells whether that may be shown.
    """

    session: str
    letter: str
    code: str | None
    origin: int
    state: str
    score: int
    ranked: int
    moves: int
    time: int
    dealt: int
    touched: int
    replay: bool


class HistoryStore(Protocol):
    """What is kept of a player's games."""

    async def note(self, player: str, session: str, code: str) -> bool:
        """Note that a player is about to see a session; whether its cards are new to them."""

    async def games(
        self, player: str, after: str | None, size: int, now_ms: int
    ) -> tuple[Sequence[Game], str | None] | None:
        """Sessions, the newest first, after one of them, and the last one where more follow.

        None when the one they are to follow is not there.
        """

    async def statistics(self, player: str) -> Mapping[str, Statistics]:
        """The statistics by ruleset letter, of those that were played."""

    async def marks(self, player: str, letter: str) -> Mapping[date, Mark]:
        """What became of the daily deals of a ruleset."""


class DailyStore(Protocol):
    """The daily deals."""

    async def now_ms(self) -> int:
        """The instant by the clock of the store."""

    async def code(self, name: str) -> str | None:
        """The code of a day's deal, None while nobody needed it."""

    async def draw(self, name: str, candidate: str) -> str:
        """The code of a day's deal; the candidate becomes it where there is none yet."""

    async def claim(self, player: str, letter: str, day: date, session: str) -> str:
        """The session that counts for a player on a day: this one unless there was one before."""

    async def attempts(
        self, player: str, letters: Sequence[str], day: date, now_ms: int
    ) -> Mapping[str, Game | None]:
        """The sessions that count for a player on a day, by ruleset letter."""
