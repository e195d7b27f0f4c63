"""What `yukon admin` can do, each a function from words to a JSON object; it prints nothing."""

import asyncio
import contextlib
from dataclasses import asdict

from engine.errors import EngineError
from engine.game import Game
from engine.replay import to_text
from engine.ruleset import RULESETS
from server.admin.stores import AdminError, Json, Stores, session_fields
from server.core import daily
from server.core.messages import Close
from server.core.names import BadName, clean
from server.core.playernews import PlayerNews
from server.core.ports import StoredSession
from server.store.forgetting import forget
from server.store.seats import give_up_seats

_PAGE = 100


async def show(stores: Stores, what: str) -> Json:
    """What is kept of a player or a session."""
    stored = await stores.session(what)
    if stored is not None:
        rows = [str(place) for place in await stores.boards.places_on(what)]
        return {**session_fields(stored), "rows": rows}
    try:
        player = await stores.player(what)
    except AdminError:
        raise AdminError(f"there is no player and no session {what!r}") from None
    return {**await stores.player_fields(player), "rows": await stores.rows_of(what)}


async def rename(stores: Stores, player_id: str, name: str) -> Json:
    """Give a player another name, and tell their open pages."""
    player = await stores.player(player_id)
    try:
        kept = clean(name)
    except BadName as error:
        raise AdminError(str(error)) from None
    if not await stores.players.set_name(player_id, kept):
        raise AdminError(f"there is no player {player_id!r}")
    await stores.players.announce(PlayerNews(player_id, name=kept))
    return {"player": player_id, "name": kept, "before": player.name}


async def ban(stores: Stores, player_id: str) -> Json:
    """Let a player play no more: close their sockets at every worker, and give up their seats."""
    return await _set_banned(stores, player_id, banned=True)


async def unban(stores: Stores, player_id: str) -> Json:
    """Let a player in again."""
    return await _set_banned(stores, player_id, banned=False)


async def _set_banned(stores: Stores, player_id: str, *, banned: bool) -> Json:
    await stores.player(player_id)
    if not await stores.players.set_banned(player_id, banned=banned):
        raise AdminError(f"there is no player {player_id!r}")
    if banned:
        await stores.players.announce(PlayerNews(player_id, close=Close.BANNED))
        await give_up_seats(stores.rooms, player_id)
    return {"player": player_id, "banned": banned}


async def delete_row(stores: Stores, board: str, session: str) -> Json:
    """Take the row of a session from a leaderboard, in each of its orders."""
    removed = await stores.boards.remove_session(session, board)
    if not removed:
        raise AdminError(f"session {session!r} has no row on a board {board!r}")
    return {"board": board, "session": session, "removed": removed}


async def delete(stores: Stores, player_id: str) -> Json:
    """Forget a player with all that is kept about them."""
    await stores.player(player_id)
    if not await forget(stores.link, player_id):
        raise AdminError(f"there is no player {player_id!r}")
    return {"player": player_id, "deleted": True}


async def export(stores: Stores, player_id: str) -> Json:
    """Everything that is kept about a player, without what must stay secret."""
    player = await stores.player(player_id)
    statistics = await stores.histories.statistics(player_id)
    marks = await asyncio.gather(
        *(stores.histories.marks(player_id, letter) for letter in RULESETS)
    )
    return {
        "player": await stores.player_fields(player),
        "statistics": {letter: one.to_fields() for letter, one in statistics.items()},
        "daily": {
            letter: {day.isoformat(): asdict(mark) for day, mark in days.items()}
            for letter, days in zip(RULESETS, marks, strict=True)
            if days
        },
        "rows": await stores.rows_of(player_id),
        "rooms": await stores.rooms.sat_in(player_id),
        "sessions": [_with_replay(each) for each in await _sessions(stores, player_id)],
    }


async def _sessions(stores: Stores, player_id: str) -> list[StoredSession]:
    """All sessions of a player that are still there, the newest first."""
    found: list[StoredSession] = []
    now, after = await stores.now_ms(), None
    while (page := await stores.histories.games(player_id, after, _PAGE, now)) is not None:
        games, after = page
        loaded = await asyncio.gather(*(stores.session(game.session) for game in games))
        found += [each for each in loaded if each is not None]
        if after is None:
            break
    return found


def _with_replay(stored: StoredSession) -> Json:
    """A session with its replay as a text.

    None while its cards are a secret, and for a log that is no game.
    """
    fields = session_fields(stored)
    del fields["player"]
    may_show, fields["replay"] = fields["replay"], None
    if may_show:
        with contextlib.suppress(EngineError):
            game = Game.from_log(stored.code, stored.log)
            fields["replay"] = to_text(game, daily.today(stored.dealt_at_ms))
    return fields
