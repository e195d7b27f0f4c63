"""Cursors: where a page of a leaderboard goes on, bound to the board and the window it began in.

Pure. A cursor names the last row shown and not its place, so that rows that come in above it
neither repeat nor hide a row; and it names the concrete window, so that a page begun before
midnight goes on in the day it began in. It carries no secret and gives no right: a made-up one
only pages.
"""

import base64
import binascii
import json
import re
from typing import Final, NamedTuple

from server.core.boards import Key, Order
from server.core.refusals import Code, Refused

LONGEST: Final = 400

_MEMBER: Final = re.compile(r"[\w.:-]{1,200}", re.ASCII)
_BOARD: Final = re.compile(r"[\w.:-]{1,64}", re.ASCII)


class Cursor(NamedTuple):
    """The last row of a page: a board, an order, and the key of that row."""

    board: str
    order: Order
    key: Key

    def __str__(self) -> str:
        """The text in a link: url-safe."""
        fields = [self.board, self.order.value, self.key.score, self.key.member]
        text = json.dumps(fields, separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read(text: str, board: str, order: Order) -> Cursor:
    """The cursor in a text, for one board or for another window of the same one.

    `board` is the board that is asked for now. Raises Refused (`bad_cursor`) for a text that is no
    cursor or that belongs to another ruleset, span, deal or order.
    """
    cursor = _read(text)
    if cursor.order is not order or _kind(cursor.board) != _kind(board):
        raise Refused(Code.BAD_CURSOR)
    return cursor


def _read(text: str) -> Cursor:
    if len(text) > LONGEST:
        raise Refused(Code.BAD_CURSOR)
    try:
        plain = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        fields = json.loads(plain)
    except (ValueError, binascii.Error, RecursionError):
        raise Refused(Code.BAD_CURSOR) from None
    match fields:
        case [str(board), str(order), int(score), str(member)] if (
            not isinstance(score, bool)
            and 0 <= score < 2**53
            and order in set(Order)
            and _BOARD.fullmatch(board)
            and _MEMBER.fullmatch(member)
        ):
            return Cursor(board, Order(order), Key(score, member))
        case _:
            raise Refused(Code.BAD_CURSOR)


def _kind(board: str) -> tuple[str, ...]:
    """What two windows of one board have in common: C:day:2026-11-30 is a C:day."""
    first, second, *_ = [*board.split(":"), ""]
    return (first, second)
