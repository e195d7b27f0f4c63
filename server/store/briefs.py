"""Sessions without their logs and the names of players, many at once; it changes nothing."""

import asyncio
from collections.abc import Iterable, Sequence

from server.core.boardports import Brief
from server.store import keys
from server.store.errors import Damaged
from server.store.link import Commands
from server.store.wire import Reply

_FIELDS = ("code", "player", "origin", "race", "dealt_at", "shown", "closed", "opened")


async def briefs(link: Commands, sessions: Sequence[str]) -> list[Brief | None]:
    """Read sessions in one pipeline; None for those that are gone. Raises Damaged."""
    replies = await asyncio.gather(
        *(link.call("HMGET", keys.session(session), *_FIELDS) for session in sessions)
    )
    return [_brief(*both) for both in zip(sessions, replies, strict=True)]


async def names(link: Commands, players: Iterable[str]) -> dict[str, str | None]:
    """Read what players are called now; None for those without a name and those who are gone."""
    asked = list(dict.fromkeys(players))
    replies = await asyncio.gather(
        *(link.call("HGET", keys.player(player), "name") for player in asked)
    )
    return {
        player: name.decode() or None if name is not None else None
        for player, name in zip(asked, replies, strict=True)
    }


def _brief(session_id: str, reply: Reply) -> Brief | None:
    code, player, origin, race, dealt_at, shown, closed, opened = reply
    if code is None:
        return None
    try:
        state, score, ranked, moves = shown.decode().split(" ")
        return Brief(
            session_id=session_id,
            code=code.decode(),
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
        )
    except (AttributeError, TypeError, ValueError) as error:
        raise Damaged(f"the hash of session {session_id}: {error!r}") from error
