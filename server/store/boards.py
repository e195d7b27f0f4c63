"""Leaderboards in Redis: each player once, with the best result; it decides what is better nowhere.

A board is a sorted set for each order and a hash from a player to the player's member beside it, in
one slot. How a key is made is told in core/boards.py. A row holds no name: names are looked up when
a page is read, so that a player has one name everywhere.

A row stands on its session, whose log then lives as long as the row's board; which rows those are
is noted at the session before the row is made, so that no killed worker leaves a row without a log.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from server.core import boards
from server.core.boardports import Around, BoardRow, Page
from server.core.boards import Key, Order, Row
from server.core.opening import may_show
from server.core.recording import Place
from server.store import keys
from server.store.briefs import briefs, names
from server.store.link import Commands
from server.store.reading import tell_damaged
from server.store.scripts import (
    BOARD_AROUND,
    BOARD_PAGE,
    BOARD_RECORD,
    BOARD_REMOVE,
    INTEND,
    STAND,
)
from server.store.sessions import DEFAULT_LIFETIMES, Lifetimes
from server.store.wire import Argument, Reply

REACH = 5
"""Rows above and below a player's own."""


class Recorded(NamedTuple):
    """Whether the row is there now, and the rows that gave way and whose sessions wait for it."""

    stands: bool
    left: tuple[str, ...]


class Boards:
    """The leaderboards. All methods raise Unavailable when Redis cannot serve."""

    def __init__(self, link: Commands, lifetimes: Lifetimes = DEFAULT_LIFETIMES) -> None:
        """Reach them through `link`; `lifetimes` are those of the sessions."""
        self._link = link
        self._lifetimes = lifetimes

    # -- recording

    async def intend(self, player: str, session: str, places: Mapping[Place, int | None]) -> None:
        """Note rows that are about to be made, at the player and at the session they stand on.

        The values are when a row's board goes, Unix milliseconds, None for never.
        """
        written = {str(place): _score(expires) for place, expires in places.items()}
        pairs = [part for name, score in written.items() for part in (score, name)]
        await asyncio.gather(
            self._link.run(INTEND, (keys.player_rows(player),), self._lifetimes.player, *pairs),
            self._stand(session, (), written),
        )

    async def record(self, place: Place, player: str, key: Key, expires: int | None) -> Recorded:
        """Give a player this row, unless the one they have is better; once or again."""
        stands, *left = await self._link.run(
            BOARD_RECORD,
            _keys(place),
            player,
            key.score,
            key.member,
            "" if expires is None else expires,
        )
        return Recorded(stands == 1, tuple(member.decode() for member in left))

    async def let_go(self, session: str, places: Iterable[Place]) -> None:
        """Note that rows do not stand on a session; with the last one its lifetime begins."""
        await self._stand(session, [str(place) for place in places], {})

    async def release(self, place: Place, left: Sequence[str]) -> None:
        """Let the sessions of rows that gave way go, and forget these rows."""
        if not left:
            return
        sessions = (boards.row(place.order, 0, member).session for member in left)
        await asyncio.gather(*(self.let_go(session, (place,)) for session in sessions))
        await self._link.call("SREM", keys.board_left(*place), *left)

    async def _stand(
        self, session: str, gone: Sequence[str], added: Mapping[str, Argument]
    ) -> None:
        await self._link.run(
            STAND,
            (keys.session(session), keys.log(session), keys.session_rows(session)),
            self._lifetimes.finished,
            len(gone),
            *gone,
            *(part for name, score in added.items() for part in (score, name)),
        )

    # -- removing

    async def remove_player(self, player: str) -> int:
        """Take every row of a player away; how many there were."""
        places = await self.places_of(player)
        removed = await asyncio.gather(*(self._remove(place, player, "") for place in places))
        await self._link.call("DEL", keys.player_rows(player))
        return sum(removed)

    async def remove_session(self, session: str, board: str | None = None) -> int:
        """Take the rows away that stand on a session, of one board or of all; how many."""
        player, places = await asyncio.gather(
            self._link.call("HGET", keys.session(session), "player"), self.places_on(session)
        )
        if player is None:
            return 0
        places = [place for place in places if board in (None, place.board)]
        removed = await asyncio.gather(
            *(self._remove(place, player.decode(), session) for place in places)
        )
        await self.let_go(session, places)
        return sum(removed)

    async def places_of(self, player: str) -> list[Place]:
        """Where a player may have rows."""
        return await self._places(keys.player_rows(player))

    async def places_on(self, session: str) -> list[Place]:
        """Where a session may have rows."""
        return await self._places(keys.session_rows(session))

    async def _places(self, key: bytes) -> list[Place]:
        listed: list[bytes] = await self._link.call("ZRANGE", key, 0, -1)
        return [Place.read(name.decode()) for name in listed]

    async def _remove(self, place: Place, player: str, session: str) -> bool:
        member: bytes | None = await self._link.run(BOARD_REMOVE, _keys(place)[:2], player, session)
        if member is None:
            return False
        await self.let_go(boards.row(place.order, 0, member.decode()).session, (place,))
        return True

    # -- reading

    async def total(self, board: str) -> int:
        """How many players have a row in the order `best`."""
        total: int = await self._link.call("ZCARD", keys.board(board, Order.BEST))
        return total

    async def page(
        self,
        board: str,
        order: Order,
        now_ms: int,
        *,
        after: Key | None = None,
        size: int = boards.PAGE,
    ) -> Page:
        """The first rows of a board, or those after a key, whose row may be gone by now."""
        score, member = ("", "") if after is None else after
        total, start, *listed = await self._link.run(
            BOARD_PAGE, (keys.board(board, order),), size, score, member
        )
        return Page(total, await self._rows(Place(board, order), start, listed, now_ms))

    async def around(self, board: str, order: Order, player: str, now_ms: int) -> Around:
        """A player's own row and up to five above and below."""
        total, *found = await self._link.run(
            BOARD_AROUND, _keys(Place(board, order))[:2], player, REACH
        )
        if not found:
            return Around(total, None, ())
        start, member, *listed = found
        rows = await self._rows(Place(board, order), start, listed, now_ms)
        place = start + listed[::2].index(member) + 1
        return Around(total, place, rows)

    async def _rows(
        self, place: Place, start: int, listed: list[Reply], now_ms: int
    ) -> tuple[BoardRow, ...]:
        found = _read_rows(place, start, listed)
        sessions, called = await asyncio.gather(
            briefs(self._link, [row.session for _, _, row in found]),
            names(self._link, (row.player for _, _, row in found)),
        )
        full = boards.full_score(boards.letter_of(place.board))
        made = []
        for (number, key, row), session in zip(found, sessions, strict=True):
            is_shown = session is not None and may_show(session, now_ms)
            score = full if row.ranked is None else row.ranked
            made.append(
                BoardRow(
                    place=number,
                    player=row.player,
                    name=called[row.player],
                    time=row.time,
                    score=score,
                    moves=row.moves,
                    won=score == full,
                    code=session.code if is_shown and session is not None else None,
                    ended=row.ended,
                    replay=row.session if is_shown else None,
                    key=key,
                )
            )
        return tuple(made)


def topic(board: str) -> str:
    """The topic on which the workers hear that a row entered or changed."""
    return f"board:{board}"


def _read_rows(place: Place, start: int, listed: list[Reply]) -> list[tuple[int, Key, Row]]:
    """Rows with their places, after so many others; of a damaged one only the place is there."""
    found = []
    pairs = zip(listed[::2], listed[1::2], strict=True)
    for number, (member, score) in enumerate(pairs, start + 1):
        try:
            key = Key(int(float(score)), member.decode())
            found.append((number, key, boards.row(place.order, key.score, key.member)))
        except (ValueError, OverflowError) as error:
            tell_damaged(f"a row of board {place.order} of {place.board}", type(error).__name__)
    return found


def _keys(place: Place) -> tuple[bytes, bytes, bytes]:
    return keys.board(*place), keys.board_members(*place), keys.board_left(*place)


def _score(expires: int | None) -> Argument:
    return "inf" if expires is None else expires
