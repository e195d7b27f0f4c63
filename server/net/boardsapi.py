"""Leaderboards over HTTP: pages that anybody may read, and where a player is; changes nothing."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from aiohttp import hdrs, web

from engine.code import parse
from engine.errors import InvalidCode
from engine.ruleset import RULESETS
from server.core import boards, cursors, daily
from server.core.boardports import BoardRow, BoardStore
from server.core.boards import Order, Span
from server.core.cursors import Cursor
from server.core.ports import Player
from server.core.refusals import Refused
from server.net.api import NOT_FOUND, ApiRefusal
from server.net.pages import answer, asset

CACHING: Final = "public, max-age=2"
NO_STORE: Final = {hdrs.CACHE_CONTROL: "no-store"}
NOT_OPEN: Final = ApiRefusal(403, "not_open", "These cards are still a secret.")

SignedIn = Callable[[web.Request], Awaitable[Player]]
"""Whose a request is. Raises ApiRefusal."""


class Where(NamedTuple):
    """A board as an address names it: its name and what is told of its window."""

    board: str
    letter: str
    span: str
    window: str
    ends: int | None
    order: Order

    def told(self) -> dict[str, object]:
        """The part of an answer that says which board it is."""
        return {
            "board": self.board,
            "letter": self.letter,
            "span": self.span,
            "window": self.window,
            "ends": self.ends,
            "order": self.order.value,
        }


Find = Callable[[web.Request], Awaitable[tuple[Where, int]]]
"""The board that an address names, and the instant at which it does. Raises ApiRefusal."""


class BoardsApi:
    """The addresses of leaderboards. `now_ms` asks the store for its clock, Unix milliseconds.

    A worker's own idea of that clock would open a day's deal too early where it is ahead.
    """

    def __init__(
        self, store: BoardStore, signed_in: SignedIn, now_ms: Callable[[], Awaitable[int]]
    ) -> None:
        self._store = store
        self._signed_in = signed_in
        self._now_ms = now_ms

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve every address of this class; the first that fits an address counts."""
        for path, find in (
            ("/api/boards/code/{code}/{order}", self._of_code),
            ("/api/boards/daily/{letter}/{day}/{order}", self._of_day),
            ("/api/boards/{letter}/{span}/{order}", self._of_ruleset),
        ):
            router.add_get(f"{path}/me", self._around(find))
            router.add_get(path, self._page(find))

    def _page(self, find: Find) -> "Handler":
        async def handler(request: web.Request) -> web.StreamResponse:
            where, now = await find(request)
            after = None
            if (text := request.query.get("cursor")) is not None:
                cursor = _cursor(text, where)
                where = _in_window(where, cursor.board)
                after = cursor.key
            page = await self._store.page(
                where.board, where.order, now, after=after, size=boards.PAGE
            )
            _check_open(where, page.total, page.rows)
            more = page.rows and page.rows[-1].place < page.total
            following = str(Cursor(where.board, where.order, page.rows[-1].key)) if more else None
            body = {
                **where.told(),
                "total": page.total,
                "rows": [told(row) for row in page.rows],
                "next": following,
            }
            return answer(request, asset("board.json", json.dumps(body).encode()), CACHING)

        return handler

    def _around(self, find: Find) -> "Handler":
        async def handler(request: web.Request) -> web.StreamResponse:
            player = await self._signed_in(request)
            where, now = await find(request)
            around = await self._store.around(where.board, where.order, player.player_id, now)
            if around.rows:
                _check_open(where, around.total, around.rows)
            body = {
                "board": where.board,
                "place": around.place,
                "total": around.total,
                "rows": [told(row) for row in around.rows],
            }
            return web.json_response(body, headers=NO_STORE)

        return handler

    async def _of_ruleset(self, request: web.Request) -> tuple[Where, int]:
        letter, order = _letter(request), _order(request)
        span = request.match_info["span"]
        if span not in set(Span):
            raise NOT_FOUND
        now = await self._now_ms()
        window = boards.window(Span(span), now)
        name = boards.ruleset_board(letter, window)
        return Where(name, letter, span, window, boards.window_ends(window), order), now

    async def _of_code(self, request: web.Request) -> tuple[Where, int]:
        order = _order(request)
        try:
            code = parse(request.match_info["code"])
        except InvalidCode:
            raise NOT_FOUND from None
        name = boards.code_board(str(code))
        where = Where(name, code.letter, "code", str(code), None, order)
        return where, await self._now_ms()

    async def _of_day(self, request: web.Request) -> tuple[Where, int]:
        letter, order = _letter(request), _order(request)
        try:
            day = daily.read_day(request.match_info["day"])
        except ValueError:
            raise NOT_FOUND from None
        now = await self._now_ms()
        if daily.starts(day) > now:
            raise NOT_FOUND
        name = boards.daily_board(letter, day)
        return Where(name, letter, "daily", day.isoformat(), daily.ends(day), order), now


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def told(row: BoardRow) -> dict[str, object]:
    """A row as JSON has it."""
    fields = row._asdict()
    del fields["key"]
    return fields


def _letter(request: web.Request) -> str:
    letter = request.match_info["letter"].upper()
    if letter not in RULESETS:
        raise NOT_FOUND
    return letter


def _order(request: web.Request) -> Order:
    order = request.match_info["order"]
    if order not in set(Order):
        raise NOT_FOUND
    return Order(order)


def _cursor(text: str, where: Where) -> Cursor:
    try:
        return cursors.read(text, where.board, where.order)
    except Refused as refused:
        raise ApiRefusal(400, refused.code.value, refused.reason) from None


def _in_window(where: Where, board: str) -> Where:
    """The same board in the window that a cursor was made in."""
    if board == where.board:
        return where
    window = board.partition(":")[2]
    try:
        ends = boards.window_ends(window)
    except ValueError:
        raise ApiRefusal(400, "bad_cursor", "There is no such window.") from None
    return where._replace(board=board, window=window, ends=ends)


def _check_open(where: Where, total: int, rows: Sequence[BoardRow]) -> None:
    """Refuse the board of a sealed code that nobody may know yet, or that nobody played.

    One session that is open opens it: whoever knows of one knows the cards.
    """
    if where.span != "code" or not parse(where.window).is_sealed:
        return
    if total == 0:
        raise NOT_FOUND
    if rows and all(row.code is None for row in rows):
        raise NOT_OPEN
