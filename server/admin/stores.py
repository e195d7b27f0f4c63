"""What the actions reach the games through, and what they all tell of players and sessions."""

import asyncio
import re
from typing import Any, Final

from engine.code import parse
from server.core.boardports import BoardRow
from server.core.messages import Origin
from server.core.opening import code_is_open, may_show
from server.core.ports import Missing, Player, StoredSession
from server.core.recording import Place
from server.store.boards import Boards
from server.store.histories import Histories
from server.store.link import Commands
from server.store.players import Players
from server.store.rooms import Rooms
from server.store.sessions import Sessions

Json = dict[str, Any]

_PLAYER: Final = re.compile(r"[A-Za-z0-9]{1,40}")


class AdminError(Exception):
    """Something that cannot be done; the text is one line that says why."""


class Stores:
    """The parts of the store, on one link. Methods raise Unavailable."""

    def __init__(self, link: Commands) -> None:
        self.link = link
        self.players = Players(link)
        self.sessions = Sessions(link, "admin")
        self.boards = Boards(link)
        self.histories = Histories(link)
        self.rooms = Rooms(link)

    async def now_ms(self) -> int:
        """Unix milliseconds by the clock of Redis."""
        seconds, microseconds = await self.link.call("TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def player(self, player_id: str) -> Player:
        """A player. Raises AdminError when there is none."""
        found = await self.players.get(player_id) if _PLAYER.fullmatch(player_id) else None
        if found is None:
            raise AdminError(f"there is no player {player_id!r}")
        return found

    async def session(self, session_id: str) -> StoredSession | None:
        """A session, None when there is none or only half of one."""
        try:
            return await self.sessions.load(session_id)
        except Missing:
            return None

    async def player_fields(self, player: Player) -> Json:
        """A player as data; of their secrets only how many there are."""
        return {
            "id": player.player_id,
            "name": player.name,
            "created": player.created_ms,
            "banned": player.is_banned,
            "devices": await self.players.devices(player.player_id),
        }

    async def rows_of(self, player_id: str) -> list[Json]:
        """The rows of a player on all leaderboards."""
        places, now = await asyncio.gather(self.boards.places_of(player_id), self.now_ms())
        found = await asyncio.gather(
            *(self.boards.around(place.board, place.order, player_id, now) for place in places)
        )
        return [
            _row(place, row)
            for place, around in zip(places, found, strict=True)
            for row in around.rows
            if row.player == player_id
        ]


def session_fields(stored: StoredSession) -> Json:
    """A session as data: its code only when nobody can play for it any more."""
    return {
        "session": stored.session_id,
        "player": stored.player,
        "letter": parse(stored.code).letter,
        "code": stored.code if code_is_open(stored, stored.now_ms) else None,
        "origin": Origin(stored.origin).name.lower(),
        "room": stored.room or None,
        "race": stored.race or None,
        "state": stored.state,
        "score": stored.score,
        "ranked": stored.ranked,
        "moves": stored.moves,
        "version": stored.version,
        "dealt": stored.dealt_at_ms,
        "closed": stored.closed_at_ms,
        "opened": stored.opened_at_ms,
        "replay": may_show(stored, stored.now_ms),
    }


def _row(place: Place, row: BoardRow) -> Json:
    fields = row._asdict()
    del fields["key"], fields["player"], fields["name"]
    return {"board": place.board, "order": place.order.value, **fields}
