"""Sessions without their logs and the names of players, many at once; it changes nothing.

One that is damaged is none: the pages that show it stand without it.
"""

import asyncio
from collections.abc import Iterable, Sequence

from engine.code import parse
from engine.errors import InvalidCode
from server.core.boardports import Brief
from server.core.boards import LARGEST_INSTANT
from server.store import keys
from server.store.link import Commands
from server.store.reading import readable, tell_damaged
from server.store.wire import Reply

_FIELDS = ("code", "player", "origin", "race", "dealt_at", "shown", "closed", "opened", "head")


async def briefs(link: Commands, sessions: Sequence[str]) -> list[Brief | None]:
    """Read sessions in one pipeline; None for those that are gone or damaged."""
    replies = await asyncio.gather(
        *(link.call("HMGET", keys.session(session), *_FIELDS) for session in sessions),
        return_exceptions=True,
    )
    about = [f"session {session}" for session in sessions]
    found = readable(zip(about, replies, strict=True))
    return [_brief(*both) for both in zip(sessions, found, strict=True)]


async def names(link: Commands, players: Iterable[str]) -> dict[str, str | None]:
    """Read what players are called now; None for those without a name and those who are gone."""
    asked = list(dict.fromkeys(players))
    replies = await asyncio.gather(
        *(link.call("HGET", keys.player(player), "name") for player in asked),
        return_exceptions=True,
    )
    about = [f"player {player}" for player in asked]
    found = readable(zip(about, replies, strict=True))
    return {player: _name(player, name) for player, name in zip(asked, found, strict=True)}


def _name(player: str, name: bytes | None) -> str | None:
    try:
        return name.decode() or None if name is not None else None
    except UnicodeDecodeError as error:
        tell_damaged(f"player {player}", type(error).__name__)
        return None


def _brief(session_id: str, reply: Reply) -> Brief | None:
    if reply is None or reply[0] is None:
        return None
    try:
        return _read(session_id, reply)
    except (AttributeError, TypeError, ValueError, InvalidCode) as error:
        tell_damaged(f"session {session_id}", type(error).__name__)
        return None


def _read(session_id: str, reply: Reply) -> Brief:
    code, player, origin, race, dealt_at, shown, closed, opened, head = reply
    state, score, ranked, moves = shown.decode().split(" ")
    brief = Brief(
        session_id=session_id,
        code=str(parse(code.decode())),
        player=player.decode(),
        origin=int(origin),
        race=race.decode(),
        dealt_at_ms=int(dealt_at),
        state=state,
        score=int(score),
        ranked=int(ranked),
        moves=int(moves),
        closed_at_ms=None if closed is None else int(closed),
        opened_at_ms=None if opened is None else int(opened),
        head=bytes(head),
    )
    if not 0 <= brief.dealt_at_ms <= LARGEST_INSTANT:
        raise ValueError("no game was dealt then")
    return brief
